"""tiktoken: an `Encoding`, or the file of its ranks (a token as base64 and its rank, a line each)."""

import base64
import os
from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any

from .. import text
from ..arguments import check, check_choice, check_count, shorten
from ..bpe import BPEModel, Pair
from ..normalization import Step
from ..parts import Joins, Parts
from ..structures.merging import merge_by_rank
from .patterns import IN_TIKTOKEN, PATTERNS, scheme_of
from .reading import by_place, check_ids, library, of_type, read_bytes, reading

# The first special tokens of a tekken.json that names none, as Mistral's own reader has them.
TEKKEN_SPECIAL = (
    "<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] "
    "[TOOL_CALLS] [IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] "
    "[/SYSTEM_PROMPT] [TOOL_CONTENT]"
).split()
MOST_SPECIAL = 100_000  # special tokens of a tekken.json; Mistral's own have 1,000


def read_tiktoken(
    source: Any, *, scheme: str = "cl100k", special_tokens: Mapping[str, int] | None = None
) -> Parts:
    """The parts of an encoding, or of a file of ranks.

    A name that is no file is asked of tiktoken, which may fetch it from its makers. Raises ValueError if the file is
    damaged, or the encoding cuts words in a way that is not known here.
    """
    check_choice("scheme", scheme, text.BYTE_LEVEL)
    if isinstance(source, (str, os.PathLike)) and (
        os.path.exists(source) or os.path.splitext(source)[1]
    ):
        with reading(source):
            return of_ranks(in_chars(parse_ranks(read_bytes(source))), scheme, special_tokens or {})
    encoding = library("tiktoken").get_encoding(source) if isinstance(source, str) else source
    names = ("_mergeable_ranks", "_special_tokens", "_pat_str")
    about: list[Any] = [getattr(encoding, name, None) for name in names]
    check(
        None not in about,
        f"path_or_encoding is {shorten(encoding)}; expected a file of ranks or a tiktoken Encoding",
    )
    ranks, special, pattern = about
    return of_ranks(in_chars(ranks), scheme_of(pattern, IN_TIKTOKEN), special)


def parse_ranks(data: bytes) -> dict[bytes, int]:
    """Token -> rank, from the lines of a `.tiktoken` file; the line without a token in Whisper's is passed over.

    >>> parse_ranks(b"aA== 0\\naHU= 1\\n")
    {b'h': 0, b'hu': 1}
    """
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line or line.startswith(b"= "):
            continue
        token, _, rank = line.partition(b" ")
        try:
            decoded = base64.b64decode(token, validate=True)
        except ValueError:
            decoded = b""
        if not decoded or not rank.isdigit() or len(rank) > 10:
            raise ValueError(
                f"line {number} is {shorten(line)}; expected a token as base64, and its rank"
            )
        if decoded in ranks:
            raise ValueError(f"line {number} gives the token {shorten(decoded)} a second rank")
        ranks[decoded] = int(rank)
    return ranks


def in_chars(ranks: Mapping[bytes, int]) -> dict[str, int]:
    """The same with tokens as characters for their bytes.

    >>> in_chars({b" hug": 7})
    {'Ġhug': 7}
    """
    chars, ends = text.bytes_to_chars(b"".join(ranks)), accumulate(map(len, ranks), initial=0)
    return dict(zip((chars[start:end] for start, end in pairwise(ends)), ranks.values()))


def of_ranks(
    rank_of: Mapping[str, int],
    scheme: str,
    special_tokens: Mapping[str, int],
    normalization: tuple[Step, ...] = (),
) -> Parts:
    """The parts of a byte-level tokenizer, of which only the tokens with their ranks are known.

    rank_of: the tokens as characters for their bytes. Raises ValueError if a byte has no rank, or a special token has
    one.
    """
    if missing := [char for char in text.byte_alphabet() if char not in rank_of]:
        raise ValueError(
            f"{len(missing)} of the 256 bytes have no rank, such as {text.chars_to_bytes(missing[0])!r}"
        )
    if twice := [token for token in special_tokens if token in rank_of]:
        raise ValueError(f"{twice[0]!r} is a special token, and has a rank too")
    return Parts(
        BPEModel(sorted(rank_of, key=rank_of.__getitem__), Joins(rank_of)),
        check_ids({**rank_of, **special_tokens}),
        tuple(special_tokens),
        normalization=normalization,
        schemes=(scheme,),
        spelling="bytes",
        whole_words=True,
        decoder="bytes",
    )


def to_tiktoken(parts: Parts, name: str) -> Any:
    """A tiktoken encoding that gives the same ids.

    In tiktoken a token's id is also its rank, so ids have to grow in the order of the merges. Raises ValueError where
    they do not, and for a tokenizer that is more than byte-level BPE.
    """
    model = parts.model
    if (
        not isinstance(model, BPEModel)
        or parts.spelling != "bytes"
        or len(parts.schemes) != 1
        or parts.schemes[0] not in PATTERNS
        or parts.normalization
        or parts.prefix_space != "never"
        or model.end_of_word
        or parts.added_tokens
        or parts.kept_tokens
    ):
        raise ValueError(
            "tiktoken knows byte-level BPE alone: one scheme such as 'byte-level', no normalization, no "
            "space in front, and no added tokens but special ones"
        )
    made = list(dict.fromkeys(left + right for left, right in model.merges))
    numbers = [parts.ids[token] for token in made]
    if numbers != sorted(numbers):
        later, sooner = next(
            pair for pair in zip(made, made[1:]) if parts.ids[pair[0]] > parts.ids[pair[1]]
        )
        raise ValueError(
            f"{sooner!r} is made after {later!r}, but has the smaller id; in tiktoken the id is the rank"
        )
    _check_own_merges(model.merges, Joins({token: parts.ids[token] for token in model.vocab}))
    base = [token for token in model.vocab if len(token) == 1]
    check(
        {*base} == {*text.byte_alphabet()},
        "tiktoken needs a token for each of the 256 bytes; train with them as the alphabet",
    )
    whole = model.vocab if parts.whole_words else ()  # some of which no merges make
    ranks = {text.chars_to_bytes(token): parts.ids[token] for token in [*base, *made, *whole]}
    return library("tiktoken").Encoding(
        name,
        pat_str=PATTERNS[parts.schemes[0]],
        mergeable_ranks=ranks,
        special_tokens={token: parts.ids[token] for token in parts.special_tokens},
    )


def _check_own_merges(merges: Sequence[Pair], joins: Joins) -> None:
    """ValueError unless each token that is merged is made so, too, if everything may be joined that makes a token."""
    if isinstance(merges, Joins):
        return
    own, known = {*merges}, dict[Pair, int]()
    for token, pairs in groupby(joins.pairs, "".join):
        made = tuple(merge_by_rank([*token], known))
        check(
            made in own,
            f"{token!r} is made of {made!r} in tiktoken, which is not among the merges",
        )
        known |= dict.fromkeys(pairs, joins.rank_of[token])


def from_tekken(root: Mapping[str, Any]) -> Parts:
    """The parts that Mistral's `tekken.json` describes: ranks as tiktoken has them, and special tokens before them."""
    config = of_type(root["config"], dict, "config")
    pattern = of_type(config.get("pattern"), str, "pattern")
    size, first = (
        check_count(name, config.get(name))
        for name in ("default_vocab_size", "default_num_special_tokens")
    )
    ranks: dict[bytes, int] = {}
    for row in of_type(root["vocab"], list, "vocab")[: max(size - first, 0)]:
        match row:
            case {"rank": int(rank), "token_bytes": str(token)} if rank == len(ranks):
                ranks[base64.b64decode(token, validate=True)] = rank + first
            case _:
                raise ValueError(
                    f"vocab holds {shorten(row)}; expected a token as base64, with rank {len(ranks)}"
                )
    check(first <= MOST_SPECIAL, f"there are more than {MOST_SPECIAL:,} special tokens")
    names = [f"<SPECIAL_{number}>" for number in range(first)]
    if not root.get("special_tokens"):
        names[: len(TEKKEN_SPECIAL)] = TEKKEN_SPECIAL[:first]
    for row in of_type(root.get("special_tokens") or [], list, "special_tokens"):
        match row:
            case {"rank": int(rank), "token_str": str(token)} if 0 <= rank < first:
                names[rank] = token
            case _:
                raise ValueError(
                    f"special_tokens holds {shorten(row)}; expected a token and its rank"
                )
    return of_ranks(in_chars(ranks), scheme_of(pattern, IN_TIKTOKEN), by_place(names))
