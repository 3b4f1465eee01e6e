"""The questions of the course, a module a lesson."""
from importlib import import_module

MODULES = ("text", "bpe", "bpe_code", "wordpiece", "unigram", "compression", "compare")


def lessons():
    """The exercises of every lesson, in the order of the lessons."""
    return [import_module(f"{__name__}.{name}").EXERCISES for name in MODULES]
