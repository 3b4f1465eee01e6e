"""subword_lab: the four subword tokenization algorithms, in code that is meant to be read.

`text`, `bpe`, `wordpiece`, `lattice`, `unigram` and `compression` need nothing but Python; nor does `Tokenizer`, the
whole pipeline around a model. `documented` holds every
worked example of the course's five sources, `exercises` the questions of the course, `views` what notebooks show.
"""

from types import ModuleType

__version__ = "0.1.0"
__all__ = [
    "Tokenizer",
    "bpe",
    "compression",
    "documented",
    "exercises",
    "glossary",
    "interchange",
    "lattice",
    "text",
    "tokenizer",
    "unigram",
    "views",
    "wordpiece",
]


def __getattr__(name: str) -> ModuleType | type:
    import importlib

    if name == "Tokenizer":
        return importlib.import_module(f"{__name__}.tokenizer").Tokenizer
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
