"""The command `subword-lab`, which is also `python -m subword_lab`."""

import sys


def main() -> int:
    """Run the command; its exit code. Ctrl-C ends it in order even while it is still being imported."""
    try:
        from . import cli

        return cli.main()
    except BaseException as error:
        if not isinstance(error.__cause__ or error, KeyboardInterrupt):  # a class may wrap it
            raise
        sys.exit("subword-lab: stopped")


if __name__ == "__main__":
    sys.exit(main())
