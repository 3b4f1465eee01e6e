"""The tokenizers library's JSON (`tokenizer.json`, its version 1.0): read into parts, and written from them.

Each part has a table or a pair of functions here, one that writes it and one that reads it. What a file asks for and
the pipeline does not have is a ValueError that names it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import files, normalization
from ..arguments import shorten
from ..bpe import BPEModel
from ..normalization import CharMap, Prepend, Replace, Step, Trim
from ..parts import BYTE_TOKENS, Model, Parts
from ..unigram import UnigramModel
from ..wordpiece import WordPieceModel
from .patterns import PATTERNS, scheme_of
from .reading import (
    Path,
    bpe_model,
    by_place,
    check_ids,
    library,
    of_type,
    parse_json,
    read_bytes,
    reading,
)

if TYPE_CHECKING:
    import tokenizers

Json = dict[str, Any]
BYTE_LEVEL: Json = {
    "type": "ByteLevel",
    "add_prefix_space": True,
    "trim_offsets": True,
    "use_regex": True,
}
SEQUENCES = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}


def save_json(parts: Parts, path: Path) -> None:
    """Write the parts as a file, whole or not at all. Raises ValueError for what the format cannot say."""
    files.write_whole(path, json.dumps(to_json(parts), ensure_ascii=False, indent=1) + "\n")


def load_json(path: Path) -> Parts:
    """Read the parts from a file."""
    with reading(path):
        return from_json(parse_json(read_bytes(path)))


def to_tokenizers(parts: Parts) -> tokenizers.Tokenizer:
    """The parts as a tokenizer of the library."""
    return library("tokenizers").Tokenizer.from_str(json.dumps(to_json(parts), ensure_ascii=False))


def to_json(parts: Parts) -> Json:
    """What the file holds."""
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            _added_token(parts, token) for token in sorted(parts.apart, key=parts.ids.__getitem__)
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
    for name in ("truncation", "padding"):
        if root.get(name) is not None:
            raise ValueError(
                f"{name} is {shorten(root[name])}; a tokenizer here neither cuts texts nor fills them up"
            )
    normalizers, pre_tokenizers, processors, decoders = (
        _sequence(root.get(name), name) for name in SEQUENCES
    )
    steps = tuple(step for each in normalizers for step in _read_step(each))
    schemes, spelling, prefix_space = _read_schemes(pre_tokenizers)
    special, added, kept, ids = _read_added_tokens(root, steps)
    model, ids, options = _read_model(
        of_type(root.get("model"), dict, "model"), ids, {*special, *added, *kept}
    )
    before, after, trim = _read_post_processors(processors, ids)
    parts = Parts(
        model,
        ids,
        special,
        added,
        kept,
        normalization=steps,
        schemes=schemes,
        spelling=spelling,
        prefix_space=prefix_space,
        before=before,
        after=after,
        trim_offsets=trim,
        **options,
    )
    return replace(parts, decoder=_read_decoder(decoders, parts))


def _in_sequence(name: str, members: list[Json]) -> Json | None:
    if len(members) > 1:
        return {"type": "Sequence", SEQUENCES[name]: members}
    return members[0] if members else None


def _sequence(content: Any, name: str) -> list[Json]:
    """The parts of which `name` consists, one after the other, those of sequences in sequences too."""
    if content is None:
        return []
    kind = of_type(of_type(content, dict, name).get("type"), str, f"the type of the {name}")
    if kind != "Sequence":
        return [content]
    inner = of_type(content.get(SEQUENCES[name]), list, f"{SEQUENCES[name]} of the {name}")
    return [part for each in inner for part in _sequence(each, name)]


def _unknown(what: str, content: object) -> ValueError:
    return ValueError(f"the {what} {shorten(content, 100)} is not known here")


# -------------------------------------------------------------------------------------------------------- added tokens


def _added_token(parts: Parts, token: str) -> Json:
    if token in parts.kept_tokens and normalization.apply(token, parts.normalization) != token:
        raise ValueError(
            f"{shorten(token)} is kept whole after normalization, which changes it; that has no form in "
            "this format"
        )
    return {
        "id": parts.ids[token],
        "content": token,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": token in parts.kept_tokens,
        "special": token in parts.special_tokens,
    }


def _read_added_tokens(
    root: Json, steps: tuple[Step, ...]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], dict[str, int]]:
    """The special tokens, those recognized before normalization and after it, and the ids of all."""
    kinds: dict[str, list[str]] = {"special": [], "added": [], "kept": []}
    ids: dict[str, int] = {}
    for each in of_type(root.get("added_tokens") or [], list, "added_tokens"):
        content = of_type(each, dict, "an added token").get("content")
        token = of_type(content, str, "the content of an added token")
        if unknown := [name for name in ("single_word", "lstrip", "rstrip") if each.get(name)]:
            raise ValueError(
                f"the added token {shorten(token)} has {unknown[0]}, which is not known here"
            )
        if token in ids:
            raise ValueError(f"{shorten(token)} is added twice")
        ids[token] = each.get("id")
        special, late = each.get("special"), each.get("normalized") and steps
        if late and (special or normalization.apply(token, steps) != token):
            raise ValueError(
                f"the added token {shorten(token)} is normalized before it is looked for, and "
                "normalization changes it"
            )
        kinds["special" if special else "kept" if late else "added"].append(token)
    check_ids(ids)
    return tuple(kinds["special"]), tuple(kinds["added"]), tuple(kinds["kept"]), ids


# ------------------------------------------------------------------------------------------------------- normalization

BERT_STEPS = {
    "clean": "clean_text",
    "space-chinese": "handle_chinese_chars",
    "strip-accents": "strip_accents",
    "lowercase": "lowercase",
}  # in the order in which they are taken
PLAIN_STEPS: tuple[tuple[Step, Json], ...] = (
    ("nfc", {"type": "NFC"}),
    ("nfd", {"type": "NFD"}),
    ("nfkc", {"type": "NFKC"}),
    ("nfkd", {"type": "NFKD"}),
    ("lowercase", {"type": "Lowercase"}),
    ("strip", {"type": "Strip", "strip_left": True, "strip_right": True}),
    (Trim(), {"type": "Replace", "pattern": {"Regex": "^ +|[ ▁]+$"}, "content": ""}),
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
        case Replace(old, new, runs=True):
            pattern = f"(?:{old}){{2,}}" if len(old) > 1 else f"{old}{{2,}}"
            return {"type": "Replace", "pattern": {"Regex": pattern}, "content": new}
        case Replace(old, new):
            return {"type": "Replace", "pattern": {"String": old}, "content": new}
        case Prepend(new):
            return {"type": "Prepend", "prepend": new}
        case CharMap(data):
            return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(data).decode()}
    return {"type": "BertNormalizer", **{name: each == step for each, name in BERT_STEPS.items()}}


def _read_step(content: Json) -> list[Step]:
    for step, written in PLAIN_STEPS:
        if content == written:
            return [step]
    match content:
        case {"type": "BertNormalizer"}:
            wanted = {step: content.get(name) for step, name in BERT_STEPS.items()}
            if wanted["strip-accents"] is None:
                wanted["strip-accents"] = wanted["lowercase"]
            return [step for step in BERT_STEPS if wanted[step]]
        case {"type": "Prepend", "prepend": str(new)}:
            return [Prepend(new)]
        case {"type": "Precompiled", "precompiled_charsmap": str(data)}:
            return [CharMap(base64.b64decode(data, validate=True))]
        case {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": str(new)}:
            return [Replace(" ", new, runs=True)]
        case {"type": "Replace", "pattern": {"String": str(old)}, "content": str(new)} if old:
            return [Replace(old, new)]
    raise _unknown("normalizer", content)


# --------------------------------------------------------------------------------------------------- pre-tokenization

PLAIN_SCHEMES: dict[str, Json] = {
    "spaces": {"type": "WhitespaceSplit"},
    "split": {"type": "WhitespaceSplit"},  # the same but for U+001C to U+001F
    "whitespace": {"type": "Whitespace"},
    "bert": {"type": "BertPreTokenizer"},
    "characters": {
        "type": "Split",
        "pattern": {"String": ""},
        "behavior": "Isolated",
        "invert": False,
    },
}


def _write_schemes(parts: Parts) -> list[Json]:
    space, schemes, level = parts.prefix_space, parts.schemes, []
    if parts.spelling == "bytes":
        own = schemes[-1:] == ("byte-level",)
        if space != "never" and (space, schemes) != ("always", ("byte-level",)):
            raise ValueError(
                f"a space in front ({space!r}) with the schemes {parts.schemes} has no form in this "
                "format"
            )
        schemes = schemes[: len(schemes) - own]
        level = [{**BYTE_LEVEL, "add_prefix_space": space == "always", "use_regex": own}]
    elif parts.spelling == "metaspace":
        kind = {"type": "Metaspace", "replacement": "▁", "split": schemes[-1:] == ("metaspace",)}
        schemes = tuple(scheme for scheme in schemes if scheme != "metaspace")
        level = [{**kind, "prepend_scheme": "always" if space == "every-word" else space}]
    return [*map(_write_scheme, schemes), *level]


def _write_scheme(scheme: str) -> Json:
    return PLAIN_SCHEMES.get(scheme) or {
        "type": "Split",
        "pattern": {"Regex": PATTERNS[scheme]},
        "behavior": "Isolated",
        "invert": False,
    }


def _read_schemes(contents: list[Json]) -> tuple[tuple[str, ...], str, str]:
    """The schemes, the spelling, and where a space is put in front."""
    *others, last = contents or [{}]
    match last:
        case {"type": "ByteLevel"}:
            own, space = last.get("use_regex", True), last.get("add_prefix_space")
            if space and (others or not own):
                raise _unknown("pre-tokenizer", contents)
            schemes = (*map(_read_scheme, others), *["byte-level"] * bool(own))
            return schemes, "bytes", "always" if space else "never"
        case {"type": "Metaspace", "replacement": "▁"}:
            before, space = [*map(_read_scheme, others)], last.get("prepend_scheme", "always")
            by_word = (before, space) == (["spaces"], "always")
            if space not in ("always", "first", "never") or (before and not by_word):
                raise _unknown("pre-tokenizer", contents)
            schemes = (*before, *["metaspace"] * bool(last.get("split", True)))
            return schemes, "metaspace", "every-word" if by_word else space
    return tuple(map(_read_scheme, contents)), "plain", "never"


def _read_scheme(content: Json) -> str:
    for scheme, known in PLAIN_SCHEMES.items():
        if content == known:
            return scheme
    match content:
        case {"type": "Split", "pattern": {"Regex": str(pattern)}}:
            if [content.get("behavior"), content.get("invert")] in (
                ["Isolated", False],
                ["Removed", True],
            ):
                return scheme_of(pattern)
    raise _unknown("pre-tokenizer", content)


# --------------------------------------------------------------------------------------------------------------- model


def _write_model(parts: Parts) -> Json:
    model, ids = parts.model, dict(sorted(parts.ids.items(), key=lambda item: item[1]))
    if isinstance(model, BPEModel):
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
        if parts.unknown is None:
            raise ValueError(
                "a WordPiece tokenizer without a token for unknown words has no form in this format; "
                "train it with '[UNK]' among the special tokens"
            )
        return {
            "type": "WordPiece",
            "unk_token": parts.unknown,
            "continuing_subword_prefix": model.prefix,
            "max_input_chars_per_word": parts.longest_word,
            "vocab": ids,
        }
    if list(ids.values()) != list(range(len(ids))):
        raise ValueError(
            "a Unigram tokenizer whose ids are not 0, 1, 2 ... has no form in this format"
        )
    return {
        "type": "Unigram",
        "unk_id": None if parts.unknown is None else ids[parts.unknown],
        "vocab": [[token, -model.losses[token] if token in model.losses else 0.0] for token in ids],
        "byte_fallback": parts.byte_fallback,
    }


def _read_model(
    content: Json, added: dict[str, int], apart: set[str]
) -> tuple[Model, dict[str, int], Json]:
    """The model without what is set apart, the ids of everything, and what the parts say beside them."""
    kind = of_type(content.get("type"), str, "the type of the model")
    if kind == "Unigram":
        return _read_unigram(content, added, apart)
    ids = check_ids(of_type(content.get("vocab"), dict, "vocab"))
    _agree(added, ids)
    unknown = content.get("unk_token")
    if unknown is not None and of_type(unknown, str, "unk_token") not in ids:
        raise ValueError(f"unk_token is {shorten(unknown)}, which is not in the vocabulary")
    apart = apart | {unknown} if unknown else apart
    if kind == "WordPiece":
        prefix, longest = (
            of_type(content.get(name, usual), type(usual), name)
            for name, usual in (
                ("continuing_subword_prefix", "##"),
                ("max_input_chars_per_word", 100),
            )
        )
        if unknown is None or longest < 1:
            raise ValueError(
                f"unk_token is {unknown!r} and max_input_chars_per_word {longest}; expected a token, and "
                "at least 1"
            )
        vocab = [token for token in sorted(ids, key=ids.__getitem__) if token not in apart]
        options = {"unknown": unknown, "longest_word": longest}
        return WordPieceModel(vocab, prefix), ids | added, options
    if kind != "BPE":
        raise _unknown("model", kind)
    for name in ("dropout", "continuing_subword_prefix"):
        if content.get(name):
            raise ValueError(f"{name} is {shorten(content[name])}, which is not known here")
    suffix = of_type(content.get("end_of_word_suffix") or "", str, "end_of_word_suffix")
    merges = of_type(content.get("merges"), list, "merges")
    options = {
        "unknown": unknown,
        "fuse_unknown": bool(content.get("fuse_unk")),
        "byte_fallback": bool(content.get("byte_fallback")),
        "whole_words": bool(content.get("ignore_merges")),
    }
    return bpe_model(ids, merges, apart, suffix), ids | added, options


def _read_unigram(
    content: Json, added: dict[str, int], apart: set[str]
) -> tuple[Model, dict[str, int], Json]:
    rows = of_type(content.get("vocab"), list, "vocab")
    for row in rows:
        match row:
            case [_, float() | int()] if not isinstance(row[1], bool):
                continue
        raise ValueError(f"vocab holds {shorten(row)}; expected a token and its score")
    ids = by_place([token for token, _ in rows])
    _agree(added, ids)
    place = content.get("unk_id")
    if place is not None and not 0 <= of_type(place, int, "unk_id") < len(rows):
        raise ValueError(f"unk_id is {place}; expected the place of a token among {len(rows)}")
    unknown = None if place is None else rows[place][0]
    bytes_too = bool(content.get("byte_fallback"))
    apart = apart.union([] if unknown is None else [unknown], BYTE_TOKENS[: 256 * bytes_too])
    worst = max((-score for _, score in rows), default=0.0)
    model = UnigramModel({token: -score for token, score in rows if token not in apart}, worst + 10)
    options = {"unknown": unknown, "fuse_unknown": True, "byte_fallback": bytes_too}
    return model, ids | added, options


def _agree(added: Mapping[str, int], ids: Mapping[str, int]) -> None:
    for token, number in added.items():
        if ids.get(token, number) != number:
            raise ValueError(
                f"{shorten(token)} has the id {ids[token]} in the vocabulary, and {number} among the "
                "added tokens"
            )


# ----------------------------------------------------------------------------------------------------- post-processing


def _write_post_processors(parts: Parts) -> list[Json]:
    level = {**BYTE_LEVEL, "add_prefix_space": parts.prefix_space == "always"}
    if not (parts.before or parts.after):
        return [level] * parts.trim_offsets
    before, after, closing = (
        [{"SpecialToken": {"id": token, "type_id": segment}} for token in tokens]
        for tokens, segment in ((parts.before, 0), (parts.after, 0), (parts.after, 1))
    )
    single = [*before, {"Sequence": {"id": "A", "type_id": 0}}, *after]
    template = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}, *closing],
        "special_tokens": {
            token: {"id": token, "ids": [parts.ids[token]], "tokens": [token]}
            for token in sorted({*parts.before, *parts.after})
        },
    }
    return [*[level] * parts.trim_offsets, template]


def _read_post_processors(
    contents: list[Json], ids: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The tokens before and after a text, and whether offsets are trimmed."""
    around: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
    given: Json = {}  # what each token stands for there
    for content in contents:
        match content:
            case {"type": "ByteLevel"}:
                pass
            case {
                "type": "BertProcessing" | "RobertaProcessing",
                "cls": [str(cls), cls_id],
                "sep": [str(sep), sep_id],
            } if not given:
                around, given = ((cls,), (sep,)), {cls: {"ids": [cls_id]}, sep: {"ids": [sep_id]}}
            case {"type": "TemplateProcessing", "special_tokens": dict(given)} if not any(around):
                around = _read_template(of_type(content.get("single"), list, "the template"))
            case _:
                raise _unknown("post-processor", content)
    for token in around[0] + around[1]:
        numbers = of_type(given.get(token), dict, f"what is said of {shorten(token)}").get("ids")
        if token not in ids or numbers != [ids[token]]:
            raise ValueError(
                f"post-processing gives {shorten(token)} the ids {shorten(numbers)}, the vocabulary "
                f"{shorten(ids.get(token))}"
            )
    trim = any(
        content["type"] != "TemplateProcessing" and content.get("trim_offsets")
        for content in contents
    )
    return *around, trim


def _read_template(single: list[Json]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens before and after the text."""
    row: list[str | None] = []  # None: the text
    for item in single:
        match item:
            case {"Sequence": _}:
                row.append(None)
            case {"SpecialToken": {"id": str(token)}}:
                row.append(token)
            case _:
                raise _unknown("part of a template", item)
    if row.count(None) != 1:
        raise ValueError(f"the template for a single text holds {row.count(None)} texts")
    tokens, place = tuple(filter(None, row)), row.index(None)
    return tokens[:place], tokens[place:]


# ------------------------------------------------------------------------------------------------------------- decoder

TO_SPACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
FUSE = {"type": "Fuse"}


def _written_decoders(parts: Parts) -> dict[str, list[Json]]:
    """Each of the ways to decode that these parts may have, as the file says it."""
    fuse = [{"type": "ByteFallback"}] * parts.byte_fallback + [FUSE]
    prefix = getattr(parts.model, "prefix", "##")
    return {
        "spaces": [],
        "fuse": fuse,
        "metaspace": [TO_SPACE, *fuse, *[STRIP] * parts.adds_space],
        "bytes": [BYTE_LEVEL],
        "suffix": [{"type": "BPEDecoder", "suffix": getattr(parts.model, "end_of_word", "")}],
        "wordpiece": [{"type": "WordPiece", "prefix": prefix, "cleanup": False}],
        "wordpiece-tidy": [{"type": "WordPiece", "prefix": prefix, "cleanup": True}],
    }


def _read_decoder(contents: list[Json], parts: Parts) -> str:
    """The way to decode that says the same; ValueError if none undoes what this tokenizer does."""
    said = [step for each in contents for step in _in_steps(each)]
    for decoder, steps in _written_decoders(parts).items():
        fits = decoder != "bytes" or parts.spelling == "bytes"
        if fits and len(said) == len(steps) and all(step in said for step in steps):
            return decoder
    raise ValueError(f"the decoder {shorten(contents)} does not belong to this model")


def _in_steps(content: Json) -> list[Json]:
    match content:
        case {"type": "Metaspace"}:
            strips = content.get("prepend_scheme", "always") != "never"
            return [TO_SPACE, FUSE, *[STRIP] * strips]
        case {"type": "ByteLevel"}:
            return [BYTE_LEVEL]  # its other fields are of no account in decoding
    return [content]
