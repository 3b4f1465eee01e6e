"""The tokenizers library's JSON (`tokenizer.json`, its version 1.0): read into parts, and written from them.

Each part has a table or a pair of functions here, one that writes it and one that reads it. What a file asks for and
the pipeline does not have is a ValueError that names it.
"""

import base64
import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .. import files, normalization
from ..arguments import check, check_choice, check_count, check_words, shorten
from ..bpe import BPEModel
from ..normalization import REGEXES, CharMap, Prepend, Replace, Step, Trim
from ..parts import BYTE_TOKENS, Joins, Model, Parts, Place, reduced
from ..postprocessing import templates
from ..unigram import UnigramModel
from ..wordpiece import WordPieceModel
from .patterns import CLIP, PATTERNS, SCHEMES, is_known, scheme_of
from .reading import (
    Path,
    bpe_model,
    by_place,
    check_ids,
    check_mark,
    check_pieces,
    flag,
    library,
    of_type,
    parse_json,
    read_bytes,
    reading,
)
from .tiktoken_ranks import from_tekken

Json = dict[str, Any]
BYTE_LEVEL: Json = {
    "type": "ByteLevel",
    "add_prefix_space": True,
    "trim_offsets": True,
    "use_regex": True,
}
# As in SentencePiece, no text is such a token; the library passes over it.
OWN_BYTES = "bytes_in_no_text"
FLAGS = ("single_word", "lstrip", "rstrip")
# Characters times steps, of which a table of replacements counts as several, and some for each time; 30,000 words in
# BERT's four are two million.
MOST_NORMALIZING, EACH_TIME, BY_TABLE = 5_000_000, 8, 16
MOST_SCORE = 1e100  # either way: of a text, they can be added up
MOST_CHARMAPS = 2  # tables of replacements; well-known tokenizers have one at most
MOST_PARTS = 16  # of a sequence or a template; those of well-known tokenizers have ten at most
SEQUENCES = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


FILES = FILE, CONFIG, MAP = "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"
# What a special token can be there for -> the tokens that usually are.
ROLES = {
    "bos_token": ("<s>", "<|endoftext|>"),
    "eos_token": ("</s>", "<|endoftext|>"),
    "unk_token": ("[UNK]", "<unk>"),
    "sep_token": ("[SEP]",),
    "pad_token": ("[PAD]", "<pad>", "<|pad|>"),
    "cls_token": ("[CLS]",),
    "mask_token": ("[MASK]", "<mask>"),
}


def save(parts: Parts, path: Path) -> None:
    """Write the parts as a file, or into a folder that is there as three; each whole or not at all.

    `tokenizer_config.json` says what the special tokens are there for, their roles, and has settings of transformers;
    `special_tokens_map.json`, for older versions, has the roles alone.

    Raises ValueError for what the format cannot say, and for a file in the folder that is a link: it may be any file.
    """
    contents: dict[Path, Mapping[str, Any]] = {path: to_json(parts)}
    if os.path.isdir(path):
        config = config_of(parts)
        roles = {
            role: config[role] for role in (*ROLES, "additional_special_tokens") if config.get(role)
        }
        three = {FILE: contents[path], CONFIG: config, MAP: roles}
        contents = {os.path.join(path, name): content for name, content in three.items()}
        for file in contents:
            check(
                not files.led_away(file, path),
                f"{file} is a link to {os.path.realpath(file)}, and is not written through; save into another folder",
            )
    written = {
        file: json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"
        for file, content in contents.items()
    }
    for file, data in written.items():
        files.write_whole(file, data)


def load(path: Path) -> Parts:
    """Read the parts from a file; of a folder, from `tokenizer.json` and those of the other two that are there.

    Raises ValueError if they name a token that `tokenizer.json` does not have.
    """
    file = os.path.join(path, "tokenizer.json") if os.path.isdir(path) else path
    check(file == path or os.path.isfile(file) or not os.path.exists(file), f"{file} is no file")
    with reading(file):
        parts = from_json(parse_json(read_bytes(file)))
    for beside in (os.path.join(path, name) for name in (MAP, CONFIG)):
        if os.path.isfile(beside):
            with reading(beside):
                content = of_type(parse_json(read_bytes(beside)), dict, "the file")
                said = {name: value for name, value in content.items() if value is not None}
                parts = with_config(parts, {**content, **(parts.config or {}), **said})
    return parts


def config_of(parts: Parts) -> Mapping[str, Any]:
    """What `tokenizer_config.json` says: what was read, or else what the names of the special tokens tell."""
    if parts.config:
        return parts.config
    known = {"unk_token": parts.unknown, "pad_token": (parts.padding or {}).get("pad_token")}
    found = {
        role: known.get(role)
        or next((each for each in usual if each in parts.special_tokens), None)
        for role, usual in ROLES.items()
    }
    # Without the second setting, older versions take spaces away when they decode.
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}
    return {**settings, **{role: token for role, token in found.items() if token}}


def with_config(parts: Parts, config: Json) -> Parts:
    """The parts with this config, without its list of added tokens, which `to_json` has too, with ids that may change.

    Raises ValueError if a role or the list names a token that is none of the parts.
    """
    config = {**config}
    added = of_type(config.pop("added_tokens_decoder", {}), dict, "added_tokens_decoder")
    for name, token in [*added.items(), *((role, config.get(role)) for role in ROLES)]:
        content = token.get("content") if isinstance(token, dict) else token
        check(
            content is None or of_type(content, str, name) in parts.ids,
            f"{name} is {shorten(content)}, which tokenizer.json does not have; load that file by itself, "
            "and use add_tokens",
        )
    return replace(parts, config=config)


def to_tokenizers(parts: Parts) -> Any:
    """The parts as a tokenizer of the library."""
    return library("tokenizers").Tokenizer.from_str(json.dumps(to_json(parts), ensure_ascii=False))


def to_json(parts: Parts) -> Json:
    """What the file holds."""
    flags = {flag: frozenset(getattr(parts, flag)) for flag in FLAGS}
    normalized, special = frozenset(parts.normalized_tokens), frozenset(parts.special_tokens)
    return {
        "version": "1.0",
        "truncation": parts.truncation,
        "padding": parts.padding,
        "added_tokens": [
            {
                "id": parts.ids[token],
                "content": token,
                **{flag: token in flags[flag] for flag in FLAGS},
                "normalized": token in normalized,
                "special": token in special,
            }
            for token in sorted(
                parts.apart.difference(parts.kept_tokens), key=parts.ids.__getitem__
            )
        ],
        "normalizer": _in_sequence("normalizer", _write_steps(parts.normalization)),
        "pre_tokenizer": _in_sequence("pre_tokenizer", _write_schemes(parts)),
        "post_processor": _in_sequence("post_processor", _write_post_processors(parts)),
        "decoder": _in_sequence("decoder", _written_decoders(parts)[parts.decoder]),
        "model": _write_model(parts),
    }


def from_json(content: object) -> Parts:
    """The parts that the content of a file describes; ValueError if it is damaged or asks for what is not known."""
    root = of_type(content, dict, "the file")
    if isinstance(root.get("vocab"), list) and "config" in root:
        return from_tekken(root)
    normalizers, pre_tokenizers, processors, decoders = (
        _sequence(root.get(name), name) for name in SEQUENCES
    )
    steps = tuple(step for each in normalizers for step in _read_step(each))
    tables = sum(isinstance(step, CharMap) for step in steps)
    check(
        tables <= MOST_CHARMAPS,
        f"normalization goes through {tables} tables of replacements; expected at most {MOST_CHARMAPS}",
    )
    kept, pre_tokenizers = _read_kept(pre_tokenizers)
    schemes, spelling, prefix_space = _read_schemes(pre_tokenizers)
    added, ids = _read_added_tokens(root, steps)
    model, ids, options = _read_model(
        of_type(root.get("model"), dict, "model"), ids, {*added["special_tokens"]}
    )
    if kept and not (options.get("whole_words") and {*kept} <= {*model.vocab}):
        raise _unknown("pre-tokenizer", root["pre_tokenizer"])
    if kept and options["byte_fallback"]:
        model = reduced(model, BYTE_TOKENS)  # as in SentencePiece, where no word is such a token
    parts = Parts(
        model,
        ids,
        **added,
        kept_tokens=kept,
        normalization=steps,
        schemes=schemes,
        spelling=spelling,
        prefix_space=prefix_space,
        truncation=_checked_rows(root, "truncation"),
        padding=_checked_rows(root, "padding"),
        **_read_post_processors(processors, ids),
        **options,
    )
    nothing_said = [] if root.get("decoder") is None else [FUSE]
    return replace(parts, decoder=_read_decoder(decoders or nothing_said, parts))


def _in_sequence(name: str, members: list[Json]) -> Json | None:
    many = {"type": "Sequence", SEQUENCES[name]: members}
    return many if len(members) > 1 else next(iter(members), None)


def _sequence(content: Any, name: str) -> list[Json]:
    """The parts of which `name` consists, one after the other, those of sequences in sequences too."""
    if content is None:
        return []
    kind = of_type(of_type(content, dict, name).get("type"), str, f"the type of the {name}")
    if kind != "Sequence":
        return [content]
    inner = of_type(content.get(SEQUENCES[name]), list, f"{SEQUENCES[name]} of the {name}")
    parts = [part for each in inner for part in _sequence(each, name)]
    check(
        len(parts) <= MOST_PARTS,
        f"the {name} has {len(parts)} parts; expected at most {MOST_PARTS}",
    )
    return parts


def _unknown(what: str, content: object) -> ValueError:
    return ValueError(
        f"the {what} {shorten(content, 100)} is not known here; the tokenizers library itself can open the file"
    )


# -------------------------------------------------------------------------------------------------------- added tokens


def _read_added_tokens(root: Json, steps: tuple[Step, ...]) -> tuple[Json, dict[str, int]]:
    """The special tokens and the others that are added, and how they are recognized; and the ids of all."""
    kinds: dict[str, list[str]] = {
        name: [] for name in ("special_tokens", "added_tokens", "normalized_tokens", *FLAGS)
    }
    ids: dict[str, int] = {}
    forms: dict[str, str] = {}
    normalized = kinds["normalized_tokens"]
    for each in of_type(root.get("added_tokens") or [], list, "added_tokens"):
        content = of_type(each, dict, "an added token").get("content")
        token = of_type(content, str, "the content of an added token")
        check(token not in ids, f"{shorten(token)} is added twice")
        ids[token] = each.get("id")
        kinds["special_tokens" if flag(each, "special") else "added_tokens"].append(token)
        for name in FLAGS:
            if flag(each, name):
                kinds[name].append(token)
        if flag(each, "normalized"):
            normalized.append(token)
    work = 0
    for token in normalized:
        form = token
        for step in steps:
            work += (len(form) + EACH_TIME) * (BY_TABLE if isinstance(step, CharMap) else 1)
            if work > MOST_NORMALIZING:
                raise ValueError(
                    f"{len(normalized):,} added tokens are normalized in {len(steps)} steps, which would take far "
                    "too long; add them with normalized=False"
                )
            form = normalization.apply(form, [step])
            normalization.check_growth(form, len(token), 0)
        check(
            form and form not in forms,
            f"normalization makes {shorten(form)} of the added token {shorten(token)}, by which it "
            "cannot be recognized; add it with normalized=False",
        )
        forms[form] = token
    if not steps and len(forms) == len(ids):  # or else these are recognized after the others
        normalized.clear()
    check_ids(ids)
    return {name: tuple(tokens) for name, tokens in kinds.items()}, ids


# ------------------------------------------------------------------------------------------------------- normalization

BERT_STEPS = {
    "clean": "clean_text",
    "space-chinese": "handle_chinese_chars",
    "strip-accents": "strip_accents",
    "lowercase": "lowercase",
}  # in the order in which they are taken
STRIP_AS_PYTHON = (
    r"\A[\s\x1C-\x1F]+|[\s\x1C-\x1F]+\z"  # four characters more than the library's Strip
)
PLAIN_STEPS: tuple[tuple[Step, Json], ...] = (
    ("nfc", {"type": "NFC"}),
    ("nfd", {"type": "NFD"}),
    ("nfkc", {"type": "NFKC"}),
    ("nfkd", {"type": "NFKD"}),
    ("lowercase", {"type": "Lowercase"}),
    ("strip", {"type": "Replace", "pattern": {"Regex": STRIP_AS_PYTHON}, "content": ""}),
    (
        Replace(r"\A\s+|\s+\z", "", pattern=True),
        {"type": "Strip", "strip_left": True, "strip_right": True},
    ),
    (Trim(), {"type": "Replace", "pattern": {"Regex": r"\A +|[ ▁]+\z"}, "content": ""}),
    (
        Replace(r"\A\s+", "", pattern=True),
        {"type": "Strip", "strip_left": True, "strip_right": False},
    ),
    (
        Replace(r"\s+\z", "", pattern=True),
        {"type": "Strip", "strip_left": False, "strip_right": True},
    ),
    (Replace("StripAccents", "", pattern=True), {"type": "StripAccents"}),
)


def _write_steps(steps: Iterable[Step]) -> list[Json]:
    """BERT's steps, as far as they come in its order, are one normalizer, which more libraries know than several."""
    written: list[Json] = []
    for step in steps:
        name = BERT_STEPS.get(step) if isinstance(step, str) else None
        last = written[-1] if written and written[-1]["type"] == "BertNormalizer" else None
        if name and last and not any([*last.values()][[*last].index(name) :]):
            last[name] = True
        else:
            written.append(_write_step(step))
    return written


def _write_step(step: Step) -> Json:
    for plain, written in PLAIN_STEPS:
        if step == plain:
            return written
    match step:
        case Replace(old, new, pattern):
            kind = "Regex" if pattern else "String"
            return {"type": "Replace", "pattern": {kind: old}, "content": new}
        case Prepend(new):
            return {"type": "Prepend", "prepend": new}
        case CharMap(data, by_grapheme, kept):
            table = base64.b64encode(data).decode()
            # The library passes over it.
            own = {} if by_grapheme else {"longest": True, **({"kept": kept} if kept else {})}
            return {"type": "Precompiled", "precompiled_charsmap": table, **own}
    return {"type": "BertNormalizer", **{name: each == step for each, name in BERT_STEPS.items()}}


def _read_step(content: Json) -> list[Step]:
    for step, written in PLAIN_STEPS:
        if content == written:
            return [step]
    match content:
        case {"type": "BertNormalizer"}:
            usual = flag(content, "lowercase", True)
            wanted = {step: flag(content, name, True) for step, name in BERT_STEPS.items()}
            if content.get("strip_accents") is None:
                wanted["strip-accents"] = usual
            return [step for step in BERT_STEPS if wanted[step]]
        case {"type": "Prepend", "prepend": str(new)}:
            return [Prepend(new)]
        case {"type": "Precompiled", "precompiled_charsmap": str(data)}:
            table, own = base64.b64decode(data, validate=True), content.get("longest") is True
            kept = check_words("kept", of_type(content.get("kept") or [], list, "kept"))
            return [CharMap(table, by_grapheme=not own, kept=tuple(filter(None, kept)))]
        case {"type": "Replace", "pattern": {"Regex": "^ +|[ ▁]+$"}, "content": ""}:
            return [Trim()]  # as files were written here until 2026
        case {"type": "Replace", "pattern": {"Regex": str(old)}, "content": str(new)} if (
            old in REGEXES
        ):
            return [Replace(old, new, pattern=True)]
        case {"type": "Replace", "pattern": {"String": str(old)}, "content": str(new)} if old:
            return [Replace(old, new)]
    raise _unknown("normalizer", content)


# --------------------------------------------------------------------------------------------------- pre-tokenization

SPLIT: Json = {"type": "Split", "invert": False}
PLAIN_SCHEMES: dict[str, Json] = {
    "spaces": {"type": "WhitespaceSplit"},
    "split": {"type": "WhitespaceSplit"},  # the same but for U+001C to U+001F
    "whitespace": {"type": "Whitespace"},
    "bert": {"type": "BertPreTokenizer"},
    "digits": {"type": "Digits", "individual_digits": True},
    "digit-runs": {"type": "Digits", "individual_digits": False},
    "punctuation": {"type": "Punctuation", "behavior": "Isolated"},
    "punctuation-runs": {"type": "Punctuation", "behavior": "Contiguous"},
    "characters": {**SPLIT, "pattern": {"String": ""}, "behavior": "Isolated"},
    "after-spaces": {**SPLIT, "pattern": {"String": " "}, "behavior": "MergedWithPrevious"},
    "clip": {"type": "Split", "pattern": {"Regex": CLIP}, "behavior": "Removed", "invert": True},
}


def _write_schemes(parts: Parts) -> list[Json]:
    space, schemes, level = parts.prefix_space, parts.schemes, []
    if parts.spelling == "bytes":
        own = schemes[-1:] == ("byte-level",)
        check(
            space == "never" or (space, schemes) == ("always", ("byte-level",)),
            f"a space in front ({space!r}) with the schemes {parts.schemes} has no form in this "
            "format",
        )
        schemes = schemes[: len(schemes) - own]
        level = [{**BYTE_LEVEL, "add_prefix_space": space == "always", "use_regex": own}]
    elif parts.spelling == "metaspace":
        kind = {"type": "Metaspace", "replacement": "▁", "split": schemes[-1:] == ("metaspace",)}
        schemes = tuple(scheme for scheme in schemes if scheme != "metaspace")
        level = [{**kind, "prepend_scheme": "always" if space == "every-word" else space}]
    return [*map(_write_scheme, schemes), *level, *_write_kept(parts)]


def _write_scheme(scheme: str) -> Json:
    return PLAIN_SCHEMES.get(scheme) or {
        **SPLIT,
        "pattern": {"Regex": PATTERNS.get(scheme, scheme)},
        "behavior": "Isolated",
    }


def _write_kept(parts: Parts) -> list[Json]:
    """Kept tokens are words of their own, and words that are tokens are not taken through the merges."""
    if not parts.kept_tokens:
        return []
    check(
        parts.whole_words and parts.spelling != "bytes",
        f"{shorten(parts.kept_tokens[0])} is kept whole just before words are cut, and some other token is "
        "not what the merges make of it; together they have no form in this format",
    )
    return [{**SPLIT, "pattern": {"Regex": _either(parts.kept_tokens)}, "behavior": "Isolated"}]


def _either(tokens: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(tokens, key=len, reverse=True)))


def _read_kept(contents: list[Json]) -> tuple[tuple[str, ...], list[Json]]:
    """The tokens that are words of their own, if the last of the pre-tokenizers is about them, and the others."""
    match contents:
        case [
            *others,
            {
                "type": "Split",
                "pattern": {"Regex": str(pattern)},
                "behavior": "Isolated",
                "invert": False,
            },
        ]:
            tokens = tuple(
                re.sub(r"\\(.)", r"\1", name) for name in re.split(r"(?<!\\)\|", pattern)
            )
            if pattern == _either(tokens) and not is_known(pattern):
                return tokens, others
    return (), contents


def _read_schemes(contents: list[Json]) -> tuple[tuple[str, ...], str, str]:
    """The schemes, the spelling, and where a space is put in front."""
    *others, last = contents or [{}]
    match last:
        case {"type": "ByteLevel"}:
            own, spaced = flag(last, "use_regex", True), flag(last, "add_prefix_space")
            if spaced and (others or not own):
                raise _unknown("pre-tokenizer", contents)
            schemes = (*map(_read_scheme, others), *["byte-level"] * own)
            return schemes, "bytes", "always" if spaced else "never"
        case {"type": "Metaspace", "replacement": "▁"}:
            before, space = [*map(_read_scheme, others)], _prepends(last)
            by_word = (before, space) == (["spaces"], "always")
            if space not in ("always", "first", "never") or (before and not by_word):
                raise _unknown("pre-tokenizer", contents)
            schemes = (*before, *["metaspace"] * flag(last, "split", True))
            return schemes, "metaspace", "every-word" if by_word else space
    return tuple(map(_read_scheme, contents)), "plain", "never"


def _prepends(metaspace: Json) -> str:
    """Where a Metaspace puts a space in front; older files say no more than whether it does."""
    without = metaspace.get("add_prefix_space") is False
    scheme = metaspace.get("prepend_scheme", "never" if without else "always")
    check(
        not without or scheme == "never",
        f"the add_prefix_space of a Metaspace is false, but its prepend_scheme {scheme!r}; expected 'never'",
    )
    return scheme


def _read_scheme(content: Json) -> str:
    for scheme, known in PLAIN_SCHEMES.items():
        if content == known:
            return scheme
    match content:
        case {"type": "Split", "pattern": {"Regex": str(pattern)}}:
            way = content.get("behavior"), content.get("invert")
            if way == ("Isolated", False) or (way == ("Removed", True) and pattern in SCHEMES):
                return scheme_of(pattern)
    raise _unknown("pre-tokenizer", content)


# --------------------------------------------------------------------------------------------------------------- model


def _write_model(parts: Parts) -> Json:
    model, ids = parts.model, _model_ids(parts)
    if isinstance(model, BPEModel):
        check(
            not isinstance(model.merges, Joins) or model.merges.has_order,
            "BPE with tokens of equal rank, of which the leftmost is made first, has no form in this format",
        )
        return {
            "type": "BPE",
            "dropout": None,
            "unk_token": parts.unknown,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": model.end_of_word or None,
            "fuse_unk": parts.fuse_unknown,
            "byte_fallback": parts.byte_fallback,
            "ignore_merges": parts.whole_words,
            "vocab": ids,
            "merges": [list(pair) for pair in model.merges],
        }
    if isinstance(model, WordPieceModel):
        check(
            parts.unknown is not None,
            "a WordPiece tokenizer without a token for unknown words has no form in this format; "
            "train it with '[UNK]' among the special tokens",
        )
        return {
            "type": "WordPiece",
            "unk_token": parts.unknown,
            "continuing_subword_prefix": model.prefix,
            "max_input_chars_per_word": parts.longest_word,
            "vocab": ids,
        }
    check(
        [*ids.values()] == [*range(len(ids))],
        "a Unigram tokenizer whose ids are not 0, 1, 2 ... has no form in this format",
    )
    # An unknown character costs the library 10 more than the worst score of all rows; rows of special tokens, which the
    # model itself does not hold, say it where its own tokens do not.
    is_said = model.unknown_loss == max([0.0, *model.losses.values()]) + 10
    other = 0.0 if is_said else 10 - model.unknown_loss
    scores = {token: -model.losses[token] if token in model.losses else other for token in ids}
    check(
        math.isclose(10 - min(scores.values(), default=0.0), model.unknown_loss)
        and model.unknown_loss <= MOST_SCORE,
        f"an unknown character that costs {model.unknown_loss} has no form in this format; expected 10 nats "
        "more than the worst token, or more than that",
    )
    return {
        "type": "Unigram",
        "unk_id": None if parts.unknown is None else ids[parts.unknown],
        "vocab": [*map(list, scores.items())],
        "byte_fallback": parts.byte_fallback,
        **({OWN_BYTES: True} if parts.byte_fallback and BYTE_TOKENS[0] not in model.losses else {}),
    }


def _model_ids(parts: Parts) -> dict[str, int]:
    """The ids of the model's vocabulary: of all tokens, but without those added behind it.

    The library numbers these itself, so that there must not be a gap before them.
    """
    ids = dict(sorted(parts.ids.items(), key=lambda item: item[1]))
    added = parts.apart.difference(parts.model.vocab, parts.kept_tokens, [parts.unknown])
    end = 1 + max((id for token, id in ids.items() if token not in added), default=-1)
    inside = {token: id for token, id in ids.items() if id < end}
    behind = [id for id in ids.values() if id >= end]
    return inside if behind == [*range(len(inside), len(ids))] else ids


def _read_model(
    content: Json, added: dict[str, int], apart: set[str]
) -> tuple[Model, dict[str, int], Json]:
    """The model without what is set apart, the ids of everything, and what the parts say beside them."""
    kind = of_type(content.get("type", _kind(content)), str, "the type of the model")
    if kind == "Unigram":
        return _read_unigram(content, added, apart)
    ids = check_ids(of_type(content.get("vocab"), dict, "vocab"))
    _agree(added, ids)
    unknown = content.get("unk_token")
    check(
        unknown is None or of_type(unknown, str, "unk_token") in ids,
        f"unk_token is {shorten(unknown)}, which is not in the vocabulary",
    )
    if kind == "WordPiece":
        check_pieces(ids)
        prefix, longest = (
            of_type(content.get(name, usual), type(usual), name)
            for name, usual in (
                ("continuing_subword_prefix", "##"),
                ("max_input_chars_per_word", 100),
            )
        )
        check(
            unknown is not None and longest >= 1,
            f"unk_token is {unknown!r} and max_input_chars_per_word {longest}; expected a token, and "
            "at least 1",
        )
        vocab = [token for token in sorted(ids, key=ids.__getitem__) if token not in apart]
        options = {"unknown": unknown, "longest_word": longest}
        prefix = check_mark(prefix, "continuing_subword_prefix")
        return WordPieceModel(vocab, prefix), ids | added, options
    if kind != "BPE":
        raise _unknown("model", kind)
    for name in ("dropout", "continuing_subword_prefix"):
        check(
            not content.get(name),
            f"{name} is {shorten(content.get(name))}, which is not known here",
        )
    name = "end_of_word_suffix"
    suffix = check_mark(of_type(content.get(name) or "", str, name), name)
    merges = of_type(content.get("merges"), list, "merges")
    options = {
        "unknown": unknown,
        "fuse_unknown": flag(content, "fuse_unk"),
        "byte_fallback": flag(content, "byte_fallback"),
        "whole_words": flag(content, "ignore_merges"),
    }
    bytes_known = sum(token in ids for token in BYTE_TOKENS) if options["byte_fallback"] else 0
    check(
        bytes_known in (0, 256) and not (suffix and options["byte_fallback"]),
        f"byte_fallback with {bytes_known} of the 256 tokens for bytes and the end_of_word_suffix "
        f"{shorten(suffix)} is not known here",
    )
    model = bpe_model(ids, merges, apart, suffix)
    # In the library, merges go on with what stands for an unknown character.
    of_unknown = {unknown, *BYTE_TOKENS[: 256 * options["byte_fallback"]]}
    odd = next((pair for pair in model.merges if not of_unknown.isdisjoint(pair)), None)
    check(
        odd is None,
        f"{shorten(odd)} merges a token that stands for what is unknown, which is not known here",
    )
    return model, ids | added, options


def _kind(content: Json) -> str:
    """The kind of a model in a file that is too old to name it."""
    if "merges" in content:
        return "BPE"
    if isinstance(content.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in content else "WordLevel"


def _read_unigram(
    content: Json, added: dict[str, int], apart: set[str]
) -> tuple[Model, dict[str, int], Json]:
    rows = of_type(content.get("vocab"), list, "vocab")
    for row in rows:
        match row:
            case [_, float() | int() as score] if abs(score) <= MOST_SCORE and not isinstance(
                score, bool
            ):
                continue
        raise ValueError(
            f"vocab holds {shorten(row)}; expected a token and a score up to {MOST_SCORE:g}"
        )
    ids = by_place([token for token, _ in rows])
    check_pieces(ids)
    _agree(added, ids)
    place = content.get("unk_id")
    check(
        place is None or 0 <= of_type(place, int, "unk_id") < len(rows),
        f"unk_id is {place}; expected the place of a token among {len(rows)}",
    )
    unknown = None if place is None else rows[place][0]
    bytes_too = flag(content, "byte_fallback")
    apart = apart.union(BYTE_TOKENS[: 256 * flag(content, OWN_BYTES)])
    worst = max((-score for _, score in rows), default=0.0)
    model = UnigramModel({token: -score for token, score in rows if token not in apart}, worst + 10)
    return (
        model,
        ids | added,
        {"unknown": unknown, "fuse_unknown": True, "byte_fallback": bytes_too},
    )


def _agree(added: Mapping[str, int], ids: Mapping[str, int]) -> None:
    """ValueError unless added tokens have the ids that the library gives them, whatever the file says."""
    behind = len(ids)
    for token, number in added.items():
        if token in ids and ids[token] != number:
            raise ValueError(
                f"{shorten(token)} has the id {ids[token]} in the vocabulary, and {number} among the "
                "added tokens"
            )
        if token not in ids and number != behind:
            raise ValueError(
                f"the added token {shorten(token)} has the id {number}; expected {behind}, the next one after "
                "the vocabulary and the tokens before it, which is what the library makes of it"
            )
        behind += token not in ids


# ----------------------------------------------------------------------------------------------------- post-processing


def _write_post_processors(parts: Parts) -> list[Json]:
    level = {**BYTE_LEVEL, "add_prefix_space": parts.trim_keeps_first}
    if not (parts.before or parts.after or parts.single or parts.pair):
        return [level] * parts.trim_offsets
    places = templates(parts)
    single, pair = ([_written_place(place) for place in each] for each in places)
    tokens = {token for each in places for token, _ in each if isinstance(token, str)}
    template = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair,
        "special_tokens": {
            token: {"id": token, "ids": [parts.ids[token]], "tokens": [token]}
            for token in sorted(tokens)
        },
    }
    return [*[level] * parts.trim_offsets, template]


def _written_place(place: Place) -> Json:
    token, type_id = place
    kind, id = ("SpecialToken", token) if isinstance(token, str) else ("Sequence", "AB"[token])
    return {kind: {"id": id, "type_id": type_id}}


def _read_post_processors(contents: list[Json], ids: Mapping[str, int]) -> Json:
    """What comes around a text and around two, and how offsets are trimmed."""
    single: tuple[Place, ...] = ((0, 0),)
    pair: tuple[Place, ...] = ()
    given: Json = {}  # what each token stands for there
    found: Json = {}
    for content in contents:
        if content["type"] in ("ByteLevel", "RobertaProcessing"):
            trims, keeps = (
                of_type(content.get(name), bool, f"{name} of the post-processor")
                for name in ("trim_offsets", "add_prefix_space")
            )
            if trims and found:  # the library would trim what is left once more
                raise _unknown("post-processor", contents)
            found |= {"trim_offsets": True, "trim_keeps_first": keeps} if trims else {}
        match content:
            case {"type": "ByteLevel"}:
                pass
            case {
                "type": "BertProcessing" | "RobertaProcessing",
                "cls": [str(cls), cls_id],
                "sep": [str(sep), sep_id],
            } if not (given or pair):
                single = ((cls, 0), (0, 0), (sep, 0))
                given = {cls: {"ids": [cls_id]}, sep: {"ids": [sep_id]}}
                if content["type"] == "RobertaProcessing":
                    pair = (*single, (sep, 0), (1, 0), (sep, 0))
            case {"type": "TemplateProcessing", "special_tokens": dict(meanings)} if not (
                given or pair
            ):
                given = meanings
                single, pair = (
                    _read_template(of_type(content.get(name), list, "the template"), name)
                    for name in ("single", "pair")
                )
            case _:
                raise _unknown("post-processor", content)
    for token in dict.fromkeys(token for token, _ in (*single, *pair) if isinstance(token, str)):
        named = of_type(given.get(token), dict, f"what {shorten(token)} stands for")
        check(
            named.get("ids") == [ids.get(token)],
            f"post-processing gives {shorten(token)} the ids {shorten(named.get('ids'))}, the "
            f"vocabulary {shorten(ids.get(token))}",
        )
        check(
            named.get("tokens", [token]) == [token],
            f"post-processing shows {shorten(token)} as {shorten(named.get('tokens'))}; expected the token itself",
        )
    place = [token for token, _ in single].index(0)
    before, after = single[:place], single[place + 1 :]
    usual = (*single, (1, 1), *((token, 1) for token, _ in after))
    return found | {
        "before": tuple(token for token, _ in before),
        "after": tuple(token for token, _ in after),
        "single": single if any(type_id for _, type_id in single) else (),
        "pair": pair if pair != usual else (),
    }


def _read_template(row: list[Json], name: str) -> tuple[Place, ...]:
    """The places of a template, of which each makes every text longer."""
    places: list[Place] = []
    check(
        len(row) <= MOST_PARTS,
        f"the template for {name} texts has {len(row)} parts; expected at most {MOST_PARTS}",
    )
    for item in row:
        match item:
            case {"Sequence": {"id": "A" | "B" as id, "type_id": int(type_id)}}:
                places.append(("AB".index(id), type_id))
            case {"SpecialToken": {"id": str(token), "type_id": int(type_id)}}:
                places.append((token, type_id))
            case _:
                raise _unknown("part of a template", item)
    texts = [token for token, _ in places if not isinstance(token, str)]
    check(
        sorted(texts) == [*range(1 + (name == "pair"))],
        f"the template for {name} texts holds the texts {texts}",
    )
    return tuple(places)


# ------------------------------------------------------------------------------------------- truncation and padding


# What the file says of each -> the largest number that it may be, or the words.
ROWS: dict[str, dict[str, int | tuple[str, ...]]] = {
    "truncation": {
        "max_length": 1 << 62,
        "stride": 1 << 62,
        "strategy": ("LongestFirst", "OnlyFirst", "OnlySecond"),
        "direction": ("Right", "Left"),
    },
    "padding": {
        "strategy": 1 << 15,
        "pad_to_multiple_of": 1 << 15,
        "pad_id": (1 << 31) - 1,
        "pad_type_id": (1 << 31) - 1,
        "direction": ("Right", "Left"),
    },
}


def _checked_rows(root: Json, what: str) -> Json | None:
    """What a file says of truncation or padding, if it is what it may be; otherwise ValueError."""
    if root.get(what) is None:
        return None
    said = {**of_type(root[what], dict, what)}
    if what == "truncation":
        said.setdefault("direction", "Right")  # older files have none
    for name, allowed in ROWS[what].items():
        value = said.get(name)
        if isinstance(allowed, tuple):
            check_choice(f"{name} of the {what}", value, allowed)
        elif (name, value) not in (("strategy", "BatchLongest"), ("pad_to_multiple_of", None)):
            if name == "strategy":
                value = of_type(value, dict, f"{name} of the {what}").get("Fixed")
            check(
                check_count(f"{name} of the {what}", value) <= allowed,
                f"{name} of the {what} is {value}; expected at most {allowed:,}",
            )
    check(
        what != "truncation" or not 0 < said["max_length"] <= said["stride"],
        f"stride of the truncation is {said.get('stride')}; expected less than its max_length, "
        f"{said.get('max_length')}",
    )
    if what == "padding":
        of_type(said.get("pad_token"), str, "pad_token of the padding")
    return said


# ------------------------------------------------------------------------------------------------------------- decoder

TO_SPACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
FUSE = {"type": "Fuse"}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def _written_decoders(parts: Parts) -> dict[str, list[Json]]:
    """Each of the ways to decode that these parts may have, as the file says it."""
    fuse = [{"type": "ByteFallback"}] * parts.byte_fallback + [FUSE]
    prefix = getattr(parts.model, "prefix", "##")
    return {
        "spaces": [],
        "fuse": fuse,
        "metaspace": [TO_SPACE, *fuse, *[STRIP] * parts.adds_space],
        "metaspace-stripped": [TO_SPACE, *fuse, {**STRIP, "start": 1 << 20}],
        "metaspace-by-token": [METASPACE] * (not parts.byte_fallback),
        "bytes": [BYTE_LEVEL],
        "suffix": [{"type": "BPEDecoder", "suffix": getattr(parts.model, "end_of_word", "</w>")}],
        "wordpiece": [{"type": "WordPiece", "prefix": prefix, "cleanup": False}],
        "wordpiece-tidy": [{"type": "WordPiece", "prefix": prefix, "cleanup": True}],
    }


def _read_decoder(contents: list[Json], parts: Parts) -> str:
    """The way to decode that says the same; ValueError if none undoes what this tokenizer does."""
    said = [step for each in contents for step in _in_steps(each)]
    for decoder, steps in _written_decoders(parts).items():
        if said == steps and (decoder != "bytes" or parts.spelling == "bytes"):
            return decoder
    raise ValueError(f"the decoder {shorten(contents)} does not belong to this model")


def _in_steps(content: Json) -> list[Json]:
    match content:
        case {"type": "Metaspace", "replacement": "▁"}:
            return [TO_SPACE, FUSE] if _prepends(content) == "never" else [METASPACE]
        case {"type": "ByteLevel"}:
            return [BYTE_LEVEL]  # its other fields are of no account in decoding
    return [content]
