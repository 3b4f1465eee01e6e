"""Strangers' notebooks: each runs in a process of its own, with limits, inside bubblewrap, and is judged outside.

    notebook.Session(cells)                     # runs a notebook, and passes on what it hands over
    notebook.trial()                            # why that does not work on this machine

`notebook` stands outside and trusts nobody; it starts `notebook_child` behind `bubblewrap`.
"""
