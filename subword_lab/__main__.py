"""`python -m subword_lab` is the command `subword-lab`."""

import sys

from .cli import main

sys.exit(main())
