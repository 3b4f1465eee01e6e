"""The tokenizers library's JSON (`tokenizer.json`, its version 1.0): read into parts, and written from them.

Each part has a table or a pair of functions here, one that writes it and one that reads it. What a file asks for and
the pipeline does not have is a ValueError that names it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import files, normalization
from ..arguments import shorten
from ..bpe import BPEModel
from ..normalization import CharMap, Prepend, Replace, Step, Trim
from ..parts import Model, Parts
from ..unigram import UnigramModel
from ..wordpiece import WordPieceModel
from .patterns import PATTERNS, scheme_of
from .reading import (
    Path,
    bpe_model,
    by_place,
    check_vocabulary,
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
            _added_token(parts, token)
            for token in sorted(
                {*parts.special_tokens, *parts.added_tokens, *parts.kept_tokens},
                key=parts.ids.__getitem__,
            )
        ],
        "normalizer": _in_sequence("normalizers", _write_steps(parts.normalization)),
        "pre_tokenizer": _in_sequence("pretokenizers", _write_schemes(parts)),
        "post_processor": _in_sequence("processors", _write_post_processors(parts)),
        "decoder": _in_sequence("decoders", _write_decoder(parts)),
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
    normalizers = _sequence(root.get("normalizer"), "normalizer", "normalizers")
    pre_tokenizers = _sequence(root.get("pre_tokenizer"), "pre_tokenizer", "pretokenizers")
    processors = _sequence(root.get("post_processor"), "post_processor", "processors")
    decoders = _sequence(root.get("decoder"), "decoder", "decoders")
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
        decoder=_read_decoder(decoders),
        **options,
    )
    _check_decoder(decoders, parts)
    return parts


def _in_sequence(name: str, members: list[Json]) -> Json | None:
    return (
        {"type": "Sequence", name: members} if len(members) > 1 else members[0] if members else None
    )


def _sequence(content: Any, name: str, members: str) -> list[Json]:
    """The parts of which `name` consists, one after the other, those of sequences in sequences too."""
    if content is None:
        return []
    kind = of_type(of_type(content, dict, name).get("type"), str, f"the type of the {name}")
    if kind != "Sequence":
        return [content]
    inner = of_type(content.get(members), list, f"{members} of the {name}")
    return [part for each in inner for part in _sequence(each, name, members)]


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
        for name in ("single_word", "lstrip", "rstrip"):
            if each.get(name):
                raise ValueError(
                    f"the added token {shorten(token)} has {name}, which is not known here"
                )
        if token in ids:
            raise ValueError(f"{shorten(token)} is added twice")
        ids[token] = of_type(each.get("id"), int, f"the id of {shorten(token)}")
        special, late = each.get("special"), each.get("normalized") and steps
        if late and (special or normalization.apply(token, steps) != token):
            raise ValueError(
                f"the added token {shorten(token)} is normalized before it is looked for, and "
                "normalization changes it"
            )
        kinds["special" if special else "kept" if late else "added"].append(token)
    check_vocabulary(ids)
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
    if isinstance(step, Replace):
        runs = f"(?:{step.old}){{2,}}" if len(step.old) > 1 else f"{step.old}{{2,}}"
        pattern = {"Regex": runs} if step.runs else {"String": step.old}
        return {"type": "Replace", "pattern": pattern, "content": step.new}
    if isinstance(step, Prepend):
        return {"type": "Prepend", "prepend": step.new}
    if isinstance(step, CharMap):
        return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(step.data).decode()}
    return {"type": "BertNormalizer", **{name: each == step for each, name in BERT_STEPS.items()}}


def _read_step(content: Json) -> list[Step]:
    for step, written in PLAIN_STEPS:
        if content == written:
            return [step]
    kind, pattern = content["type"], content.get("pattern")
    if kind == "BertNormalizer":
        wanted = {step: content.get(name) for step, name in BERT_STEPS.items()}
        if wanted["strip-accents"] is None:
            wanted["strip-accents"] = wanted["lowercase"]
        return [step for step in BERT_STEPS if wanted[step]]
    if kind == "Prepend":
        return [Prepend(of_type(content.get("prepend"), str, "what is prepended"))]
    if kind == "Precompiled":
        data = of_type(content.get("precompiled_charsmap"), str, "precompiled_charsmap")
        return [CharMap(base64.b64decode(data, validate=True))]
    if kind == "Replace" and isinstance(pattern, dict):
        new = of_type(content.get("content"), str, "what takes a place")
        if pattern == {"Regex": " {2,}"}:
            return [Replace(" ", new, runs=True)]
        if list(pattern) == ["String"] and pattern["String"]:
            return [Replace(of_type(pattern["String"], str, "what is replaced"), new)]
    raise _unknown("normalizer", content)


# --------------------------------------------------------------------------------------------------- pre-tokenization

PLAIN_SCHEMES: dict[str, Json] = {
    "spaces": {"type": "WhitespaceSplit"},
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
    space, schemes, level = parts.prefix_space, list(parts.schemes), []
    if parts.spelling == "bytes":
        own = schemes[-1:] == ["byte-level"]
        if space != "never" and (space, schemes) != ("always", ["byte-level"]):
            raise ValueError(
                f"a space in front ({space!r}) with the schemes {parts.schemes} has no form in this "
                "format"
            )
        schemes = schemes[: len(schemes) - own]
        level = [{**BYTE_LEVEL, "add_prefix_space": space == "always", "use_regex": own}]
    elif parts.spelling == "metaspace":
        kind = {"type": "Metaspace", "replacement": "▁", "split": schemes[-1:] == ["metaspace"]}
        schemes = [scheme for scheme in schemes if scheme != "metaspace"]
        level = [{**kind, "prepend_scheme": "always" if space == "every-word" else space}]
    return [*map(_write_scheme, schemes), *level]


def _write_scheme(scheme: str) -> Json:
    scheme = "spaces" if scheme == "split" else scheme  # the same but for U+001C to U+001F
    if scheme in PLAIN_SCHEMES:
        return PLAIN_SCHEMES[scheme]
    return {
        "type": "Split",
        "pattern": {"Regex": PATTERNS[scheme]},
        "behavior": "Isolated",
        "invert": False,
    }


def _read_schemes(contents: list[Json]) -> tuple[tuple[str, ...], str, str]:
    """The schemes, the spelling, and where a space is put in front."""
    schemes: list[str] = []
    for number, content in enumerate(contents):
        kind, last = content.get("type"), number == len(contents) - 1
        if kind == "ByteLevel" and last:
            own, space = content.get("use_regex", True), content.get("add_prefix_space")
            if space and (schemes or not own):
                raise _unknown("pre-tokenizer", contents)
            return (*schemes, *["byte-level"] * bool(own)), "bytes", "always" if space else "never"
        if kind == "Metaspace" and last and content.get("replacement") == "▁":
            space = content.get("prepend_scheme", "always")
            if space not in ("always", "first", "never") or (
                schemes and (schemes != ["spaces"] or space != "always")
            ):
                raise _unknown("pre-tokenizer", contents)
            split = ("metaspace",) * bool(content.get("split", True))
            return (*schemes, *split), "metaspace", "every-word" if schemes else space
        schemes.append(_read_scheme(content))
    return tuple(schemes), "plain", "never"


def _read_scheme(content: Json) -> str:
    for scheme, known in PLAIN_SCHEMES.items():
        if content == known:
            return scheme
    pattern = content.get("pattern")
    usual = (content.get("behavior"), content.get("invert")) in (
        ("Isolated", False),
        ("Removed", True),
    )
    if (
        content.get("type") == "Split"
        and usual
        and isinstance(pattern, dict)
        and list(pattern) == ["Regex"]
    ):
        return scheme_of(of_type(pattern["Regex"], str, "a pattern"))
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
    ids = dict(of_type(content.get("vocab"), dict, "vocab"))
    check_vocabulary(ids)
    for token, number in ids.items():
        of_type(number, int, f"the id of {shorten(token)}")
    _agree(added, ids)
    unknown = content.get("unk_token")
    if unknown is not None and of_type(unknown, str, "unk_token") not in ids:
        raise ValueError(f"unk_token is {shorten(unknown)}, which is not in the vocabulary")
    if kind == "WordPiece":
        prefix = of_type(
            content.get("continuing_subword_prefix", "##"), str, "continuing_subword_prefix"
        )
        longest = of_type(
            content.get("max_input_chars_per_word", 100), int, "max_input_chars_per_word"
        )
        if unknown is None or longest < 1:
            raise ValueError(
                f"unk_token is {unknown!r} and max_input_chars_per_word {longest}; expected a token, and "
                "at least 1"
            )
        vocab = [
            token for token in sorted(ids, key=ids.__getitem__) if token not in {*apart, unknown}
        ]
        return (
            WordPieceModel(vocab, prefix),
            ids | added,
            {"unknown": unknown, "longest_word": longest},
        )
    if kind != "BPE":
        raise _unknown("model", kind)
    for name in ("dropout", "continuing_subword_prefix"):
        if content.get(name):
            raise ValueError(f"{name} is {shorten(content[name])}, which is not known here")
    suffix = of_type(content.get("end_of_word_suffix") or "", str, "end_of_word_suffix")
    model = bpe_model(ids, _read_merges(content), apart | {unknown} if unknown else apart, suffix)
    return (
        model,
        ids | added,
        {
            "unknown": unknown,
            "fuse_unknown": bool(content.get("fuse_unk")),
            "byte_fallback": bool(content.get("byte_fallback")),
            "whole_words": bool(content.get("ignore_merges")),
        },
    )


def _read_merges(content: Json) -> list[tuple[str, str]]:
    """The merges, as pairs or, as older files have them, as two words in one string."""
    merges = []
    for merge in of_type(content.get("merges"), list, "merges"):
        pair = merge.split(" ") if isinstance(merge, str) else merge
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or not all(isinstance(part, str) and part for part in pair)
        ):
            raise ValueError(f"merges holds {shorten(merge)}; expected two tokens")
        merges.append((pair[0], pair[1]))
    return merges


def _read_unigram(
    content: Json, added: dict[str, int], apart: set[str]
) -> tuple[Model, dict[str, int], Json]:
    rows = of_type(content.get("vocab"), list, "vocab")
    for row in rows:
        if not isinstance(row, list) or len(row) != 2:
            raise ValueError(f"vocab holds {shorten(row)}; expected a token and its score")
        of_type(row[1], (float, int), f"the score of {shorten(row[0])}")
    ids = by_place([token for token, _ in rows])
    _agree(added, ids)
    place = content.get("unk_id")
    if place is not None and not 0 <= of_type(place, int, "unk_id") < len(rows):
        raise ValueError(f"unk_id is {place}; expected the place of a token among {len(rows)}")
    unknown = None if place is None else rows[place][0]
    bytes_too = bool(content.get("byte_fallback"))
    apart = {*apart, *([] if unknown is None else [unknown])}
    apart |= {f"<0x{byte:02X}>" for byte in range(256 * bytes_too)}
    worst = max((-score for _, score in rows), default=0.0)
    model = UnigramModel({token: -score for token, score in rows if token not in apart}, worst + 10)
    return (
        model,
        ids | added,
        {"unknown": unknown, "fuse_unknown": True, "byte_fallback": bytes_too},
    )


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
    found: list[Json] = [level] * parts.trim_offsets
    if parts.before or parts.after:

        def special(tokens: Iterable[str], segment: int) -> list[Json]:
            return [{"SpecialToken": {"id": token, "type_id": segment}} for token in tokens]

        single = [
            *special(parts.before, 0),
            {"Sequence": {"id": "A", "type_id": 0}},
            *special(parts.after, 0),
        ]
        found.append(
            {
                "type": "TemplateProcessing",
                "single": single,
                "pair": [
                    *single,
                    {"Sequence": {"id": "B", "type_id": 1}},
                    *special(parts.after, 1),
                ],
                "special_tokens": {
                    token: {"id": token, "ids": [parts.ids[token]], "tokens": [token]}
                    for token in sorted({*parts.before, *parts.after})
                },
            }
        )
    return found


def _read_post_processors(
    contents: list[Json], ids: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The tokens before and after a text, and whether offsets are trimmed."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    trim = False
    for content in contents:
        kind = content.get("type")
        if kind == "ByteLevel":
            trim = trim or bool(content.get("trim_offsets"))
        elif kind in ("BertProcessing", "RobertaProcessing") and not before + after:
            before, after = (_named(content.get("cls"), ids),), (_named(content.get("sep"), ids),)
            trim = trim or bool(content.get("trim_offsets"))
        elif kind == "TemplateProcessing" and not before + after:
            before, after = _read_template(content, ids)
        else:
            raise _unknown("post-processor", content)
    return before, after, trim


def _named(content: object, ids: Mapping[str, int]) -> str:
    """The token of a pair of token and id, which has to be the id that it has elsewhere."""
    if not isinstance(content, list) or len(content) != 2 or ids.get(str(content[0])) != content[1]:
        raise ValueError(
            f"post-processing names {shorten(content)}, which is not in the vocabulary"
        )
    return content[0]


def _read_template(
    content: Json, ids: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    given = of_type(content.get("special_tokens"), dict, "special_tokens of the template")
    around: tuple[list[str], list[str]] = [], []
    texts = 0
    for item in of_type(content.get("single"), list, "single of the template"):
        if not isinstance(item, dict) or len(item) != 1:
            raise _unknown("part of a template", item)
        if "Sequence" in item:
            texts += 1
            continue
        token = of_type(
            of_type(item.get("SpecialToken"), dict, "a part of the template").get("id"),
            str,
            "a token",
        )
        stands_for = of_type(
            given.get(token), dict, f"what the template says of {shorten(token)}"
        ).get("ids")
        if token not in ids or stands_for != [ids[token]]:
            raise ValueError(
                f"post-processing gives {shorten(token)} the ids {shorten(stands_for)}, the vocabulary "
                f"{shorten(ids.get(token))}"
            )
        around[min(texts, 1)].append(token)
    if texts != 1:
        raise ValueError(f"the template for a single text holds {texts} texts")
    return tuple(around[0]), tuple(around[1])


# ------------------------------------------------------------------------------------------------------------- decoder

TO_SPACE = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}


DECODERS = {
    (): "spaces",
    ("WordPiece",): "wordpiece",
    ("ByteLevel",): "bytes",
    ("BPEDecoder",): "suffix",
    ("Metaspace",): "metaspace",
    ("ByteFallback", "Metaspace"): "metaspace",
}


def _write_decoder(parts: Parts) -> list[Json]:
    fuse = [{"type": "ByteFallback"}] * parts.byte_fallback + [{"type": "Fuse"}]
    prefix = getattr(parts.model, "prefix", "##")
    suffix = getattr(parts.model, "end_of_word", "") or "</w>"
    written: dict[str, list[Json]] = {
        "spaces": [],
        "fuse": fuse,
        "metaspace": [TO_SPACE, *fuse, *[STRIP] * parts.adds_space],
        "bytes": [BYTE_LEVEL],
        "suffix": [{"type": "BPEDecoder", "suffix": suffix}],
        "wordpiece": [{"type": "WordPiece", "prefix": prefix, "cleanup": False}],
        "wordpiece-tidy": [{"type": "WordPiece", "prefix": prefix, "cleanup": True}],
    }
    return written[parts.decoder]


def _read_decoder(contents: list[Json]) -> str:
    kinds = tuple(each["type"] for each in contents)
    if kinds in DECODERS:
        tidy = kinds == ("WordPiece",) and contents[0].get("cleanup")
        return "wordpiece-tidy" if tidy else DECODERS[kinds]
    if TO_SPACE in contents:
        return "metaspace"
    if set(kinds) <= {"ByteFallback", "Fuse"}:
        return "fuse"
    raise _unknown("decoder", contents)


def _check_decoder(contents: list[Json], parts: Parts) -> None:
    """ValueError unless the decoder undoes what this tokenizer does, in the one way in which it is undone here."""
    for each in contents:
        fits = {
            "BPEDecoder": each.get("suffix") == getattr(parts.model, "end_of_word", None),
            "WordPiece": each.get("prefix") == getattr(parts.model, "prefix", None),
            "Replace": each == TO_SPACE,
            "Strip": each == STRIP,
            "ByteFallback": parts.byte_fallback,
        }
        if not fits.get(each["type"], True):
            raise ValueError(f"the decoder {shorten(each)} does not belong to this model")
    schemes = [
        each.get("prepend_scheme", "always") for each in contents if each["type"] == "Metaspace"
    ]
    strips = STRIP in contents or schemes not in ([], ["never"])
    if (parts.decoder == "metaspace" and strips != parts.adds_space) or (
        parts.decoder == "bytes" and parts.spelling != "bytes"
    ):
        raise ValueError("the decoder does not undo what pre-tokenization does")
