"""The process of a notebook; `notebook.Session` starts it."""

from .notebook_child import main

if __name__ == "__main__":
    main()
