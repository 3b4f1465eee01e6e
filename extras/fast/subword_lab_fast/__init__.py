"""The compiled engine of subword-lab."""

__version__ = "0.1.0"
