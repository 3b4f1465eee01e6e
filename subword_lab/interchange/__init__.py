"""Tokenizers as files and objects of other libraries: read into `Parts`, and written from them.

A file may come from a stranger. Nothing in it is run, its size is bounded, and one that is damaged, contradicts itself
or asks for what is not known here is a ValueError that says so, never a tokenizer that is wrong. The libraries are
needed only where one of their objects is made.
"""

from .first_files import read_gpt2_files, read_wordpiece_vocab
from .published import read_published
from .sentencepiece_model import read_sentencepiece
from .tiktoken_ranks import read_tiktoken, to_tiktoken
from .tokenizers_json import (
    ROLES,
    config_of,
    from_json,
    load,
    save,
    to_json,
    to_tokenizers,
    with_config,
)

__all__ = [
    "ROLES",
    "config_of",
    "from_json",
    "load",
    "read_gpt2_files",
    "read_published",
    "read_sentencepiece",
    "read_tiktoken",
    "read_wordpiece_vocab",
    "save",
    "to_json",
    "to_tiktoken",
    "to_tokenizers",
    "with_config",
]
