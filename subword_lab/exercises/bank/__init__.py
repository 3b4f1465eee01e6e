"""The questions of the course, a module a lesson, and one for its questions that ask for code."""

from importlib import import_module

from ..question import Exercise, written_in

MODULES = (
    "text",
    "text_code",
    "bpe",
    "bpe_code",
    "wordpiece",
    "wordpiece_code",
    "unigram",
    "unigram_code",
    "compression",
    "compression_code",
    "compare",
    "compare_code",
    "bytes",
    "bytes_code",
    "real",
    "real_code",
    "fast",
    "fast_code",
    "lab",
)


def lessons() -> list[list[Exercise]]:
    """The exercises of every lesson, in the order of the lessons."""
    return [written_in(vars(import_module(f"{__name__}.{name}"))) for name in MODULES]
