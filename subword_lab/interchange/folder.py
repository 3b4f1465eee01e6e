"""A folder as transformers reads it: `tokenizer.json`, and beside it what the special tokens are there for.

`tokenizer_config.json` says which token pads, which one begins a text, and so on: the roles. It holds settings of
transformers, too. They are kept as they are, and nothing here follows them. `special_tokens_map.json`, for older
versions, has the roles alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import files
from ..arguments import check_choice, shorten
from ..parts import Parts
from .reading import Path, of_type, parse_json, read_bytes, reading
from .tokenizers_json import load_json, to_json

CONFIG, MAP, ADDED = "tokenizer_config.json", "special_tokens_map.json", "added_tokens_decoder"
# Role -> the tokens that usually have it.
ROLES = {
    "bos_token": ("<s>", "<|endoftext|>"),
    "eos_token": ("</s>", "<|endoftext|>"),
    "unk_token": ("[UNK]", "<unk>"),
    "sep_token": ("[SEP]",),
    "pad_token": ("[PAD]", "<pad>"),
    "cls_token": ("[CLS]",),
    "mask_token": ("[MASK]", "<mask>"),
}


def config_of(parts: Parts) -> Mapping[str, Any]:
    """What `tokenizer_config.json` says: what was read, or else what the names of the special tokens tell.

    >>> from subword_lab.bpe import BPEModel
    >>> config_of(Parts(BPEModel(["a"], []), {"a": 0, "<pad>": 1}, ("<pad>",)))["pad_token"]
    '<pad>'
    """
    if parts.config is not None:
        return parts.config
    known = {"unk_token": parts.unknown, "pad_token": (parts.padding or {}).get("pad_token")}
    found = {
        role: known.get(role)
        or next((each for each in usual if each in parts.special_tokens), None)
        for role, usual in ROLES.items()
    }
    # Without the second setting, older versions take spaces away when they decode.
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
    }
    return {**settings, **{role: token for role, token in found.items() if token}}


def with_roles(parts: Parts, roles: Mapping[str, str]) -> Parts:
    """The parts with these roles, role -> token; ValueError for a role or a special token that is none."""
    for role, token in roles.items():
        check_choice("a role", role, ROLES)
        if token not in parts.special_tokens:
            raise ValueError(
                f"{role} is {shorten(token)}, which is not among the special tokens; make it one with "
                "add_tokens([...], special=True)"
            )
    return replace(parts, config={**config_of(parts), **roles})


def save_folder(parts: Parts, folder: Path) -> None:
    """Write the three files, each whole or not at all."""
    config = config_of(parts)
    names = [*ROLES, "additional_special_tokens"]
    roles = {name: config[name] for name in names if config.get(name)}
    for name, content in [("tokenizer.json", to_json(parts)), (CONFIG, config), (MAP, roles)]:
        string = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        files.write_whole(os.path.join(folder, name), string)


def load_folder(folder: Path) -> Parts:
    """Read `tokenizer.json`, and of the other two files those that are there.

    Raises ValueError if they name a token that `tokenizer.json` does not have, or has under another id.
    """
    parts = load_json(os.path.join(folder, "tokenizer.json"))
    config: dict[str, Any] = {}
    for name in (CONFIG, MAP):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            continue
        with reading(path):
            content = of_type(parse_json(read_bytes(path)), dict, "the file")
            added = of_type(content.pop(ADDED, {}), dict, ADDED)  # tokenizer.json has them too
            for id, token in added.items():
                _check(parts, ADDED, token, id)
            for role in ROLES:
                _check(parts, role, content.get(role))
        config = {**content, **{key: value for key, value in config.items() if value is not None}}
    return replace(parts, config=config) if config else parts


def _check(parts: Parts, name: str, token: object, id: str | None = None) -> None:
    """ValueError unless there is such a token, which may be an object, with that id."""
    content = token.get("content") if isinstance(token, dict) else token
    if content is None:
        return
    number = parts.ids.get(of_type(content, str, name))
    if number is None or id not in (None, str(number)):
        raise ValueError(
            f"{name} names the token {shorten(content)}, whose id in tokenizer.json is {number}; load "
            "tokenizer.json by itself, and use add_tokens and with_roles"
        )
