"""The questions of the course, a module a lesson."""
from importlib import import_module

MODULES = ("text", "text_code", "bpe", "bpe_code", "wordpiece", "wordpiece_code", "unigram", "unigram_code",
           "compression", "compression_code", "compare", "compare_code")


def lessons():
    """The exercises of every lesson, in the order of the lessons."""
    return [import_module(f"{__name__}.{name}").EXERCISES for name in MODULES]
