"""The whole pipeline around a model: from any string to ids, and back.

A text goes through five stations. Special tokens are cut out of it, where they are allowed; what lies between them is
normalized, cut into words, and each word into tokens of the model; and post-processing puts tokens such as `[CLS]`
around it all. Every token remembers where in the text it stands. `Tokenizer.parts` says what each station does, as
data; `interchange` reads and writes those parts as files of other libraries.

Read this file from top to bottom: what an encoding is, training, encoding station by station, decoding, files.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from heapq import nsmallest
from itertools import chain, count, filterfalse, groupby, repeat
from operator import attrgetter, index, itemgetter
from random import Random
from typing import TYPE_CHECKING, Any

from . import engines, interchange, lattice, normalization, text, training, wordpiece
from .arguments import (
    check,
    check_choice,
    check_count,
    check_probability,
    check_string,
    check_type,
    check_words,
    counted,
    shorten,
    wrong_type,
)
from .bpe import BPEModel
from .normalization import Span, Step, TokenFinder
from .parts import BYTE_TOKENS, Parts, reduced
from .pieces import Rules
from .postprocessing import Piece, PostProcessor, ids_of
from .preparation import Cutter, Preparation
from .structures.garbage import not_collected
from .structures.merging import merge_by_rank
from .unigram import UnigramModel
from .wordpiece import WordPieceModel

if TYPE_CHECKING:
    import numpy as np
    import tiktoken
    import tokenizers

Path = str | os.PathLike[str]

# Words whose ids are kept from one text to the next.
REMEMBERED = 1 << 18
ROOM = 1 << 23  # characters of words that are remembered
# Letters of a token from which on it is looked how long a text ids stand for, and how long one may be.
LONG_TOKEN, MOST_DECODED = 1_000, 200_000_000
# A word is long if it will hardly come twice; one of its characters takes Python as long as so many others.
LONG, TIMES = 100, {UnigramModel: 60, BPEModel: 30}


Trace = Callable[[str], list[Piece]]
Cut = Callable[[Any], list[str]]  # a word, or the list of its symbols -> tokens


@dataclass(frozen=True)
class Customs:
    """What is the same for many texts: where tokens are cut out before and after normalization, what must not be there,
    and what comes around.
    """

    early: Cutter
    late: Cutter
    forbidden: TokenFinder | None
    around: PostProcessor

    @property
    def is_plain(self) -> bool:
        """Whether texts become their words' ids and nothing else."""
        ids = self.around.ids_before, self.around.ids_after
        cuts = self.early.forms or self.late.forms
        return not (cuts or self.around.limits or any(ids))


def _column(about: str, *fields: str) -> Any:
    """A property of encodings: for each token these fields of its piece."""
    return property(lambda encoding: [*map(attrgetter(*fields), encoding.pieces)], doc=about)


class Encoding:
    """What `Tokenizer.encode` gives back. Tokens and offsets are worked out when somebody asks for them.

    ids: the numbers. unknown_id: the id of whatever the model lacks, if there is one. For each token, `tokens` has its
    text; `offsets` the (start, end) of the characters of the original text that it stands for, which are (0, 0) for one
    that post-processing added, and the whole character for a part of one; `word_ids` the number of the word that it
    belongs to, or None; `type_ids` of which of two texts it is; `attention_mask` 0 for padding; and
    `special_tokens_mask` 1 for what post-processing added.
    """

    __slots__ = ("_pieces", "_string", "_trace", "ids", "unknown_id")  # there may be millions

    tokens: list[str] = _column("The texts of the tokens.", "token")
    offsets: list[Span] = _column("Where they stand in the original text.", "start", "end")
    word_ids: list[int | None] = _column("Which word each token belongs to.", "word")
    type_ids: list[int] = _column("Of which text each token is.", "type_id")
    attention_mask: list[int] = _column("1 for each token, 0 for padding.", "attended")
    special_tokens_mask: list[int] = _column("1 for each token that was added.", "is_added")

    def __init__(self, ids: list[int], string: str, trace: Trace, unknown_id: int | None = None):
        self.ids, self._string, self._trace, self.unknown_id = ids, string, trace, unknown_id

    @property
    def pieces(self) -> list[Piece]:
        """Token, id, start and end, together."""
        if not hasattr(self, "_pieces"):
            self._pieces = self._trace(self._string)
        return self._pieces

    def __len__(self) -> int:
        return len(self.ids)

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Without the tokenizer; as `pickle` has it for slots."""
        return None, {"ids": self.ids, "_pieces": self.pieces, "unknown_id": self.unknown_id}

    def __repr__(self) -> str:
        return f"Encoding({counted(len(self.ids), 'token')})"


class Tokenizer:
    """A tokenizer: `train` one, or read one with `load` or a `from_...`; then `encode` and `decode`.

    >>> tokenizer = Tokenizer.train(["hug pug hugs", "bun pun hug"], "bpe", vocab_size=262)
    >>> encoding = tokenizer.encode("hug a bün")
    >>> encoding.ids, encoding.tokens
    ([258, 221, 65, 221, 66, 128, 121, 78], ['hug', 'Ġ', 'a', 'Ġ', 'b', 'Ã', '¼', 'n'])
    >>> encoding.offsets
    [(0, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (7, 8), (8, 9)]
    >>> tokenizer.decode(encoding.ids)
    'hug a bün'
    """

    def __init__(self, parts: Parts):
        self.parts = parts
        self._preparation = Preparation(parts)
        self._encoded = self._decoded = 0  # characters and ids so far
        remember, one_scheme = lru_cache(REMEMBERED), len(parts.schemes) == 1
        self._customs = lru_cache(REMEMBERED)(self._customs_of)
        self._room = ROOM
        self._ids_of_word = remember(
            lambda word: [piece.id for piece in self._pieces(self._spell(self._noted(word)))]
        )
        self._ids_of_part = remember(
            lambda part: self._ids_of_words(part[:-1] if part.endswith(" ") else " " + part)
        )
        self._one_scheme = one_scheme and not parts.kept_tokens
        cut_at_spaces = text.PATTERNS.keys() - {"characters", "metaspace"}
        self._cut_at_spaces = self._one_scheme and parts.schemes[0] in cut_at_spaces

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[Parts]]:
        return Tokenizer, (self.parts,)

    def __repr__(self) -> str:
        name = type(self.parts.model).__name__.removesuffix("Model")
        return f"Tokenizer({name}, {self.vocab_size} tokens, {len(self.parts.special_tokens)} of them special)"

    @property
    def vocab_size(self) -> int:
        """How many tokens there are, the special ones among them."""
        return len(self.parts.ids)

    def token_to_id(self, token: str) -> int | None:
        """The id of a token, or None."""
        return self.parts.ids.get(token)

    def get_vocab(self) -> dict[str, int]:
        """Token -> id, for all tokens, the special ones among them."""
        return dict(self.parts.ids)

    def add_tokens(self, tokens: Iterable[str], *, special: bool = False) -> Tokenizer:
        """A tokenizer that has these tokens too, with the next ids, and never splits them; this one stays as it is.

        special: recognized only where the caller of `encode` allows it, and left out in decoding. Tokens that are
        there already, keep their ids. Raises ValueError for the empty token.

        >>> tokenizer = Tokenizer.train(["hug"], vocab_size=260).add_tokens(["pug"])
        >>> tokenizer.encode("hug pug").tokens, tokenizer.token_to_id("pug")
        (['hug', 'Ġ', 'pug'], 259)
        """
        tokens, ids = check_words("tokens", tokens), dict(self.parts.ids)
        fresh = [token for token in dict.fromkeys(tokens) if token not in ids]
        ids |= {token: id for id, token in enumerate(fresh, max(ids.values()) + 1)}
        new = tuple(dict.fromkeys(token for token in tokens if token not in self.parts.apart))
        kind = "special_tokens" if special else "added_tokens"
        changed: dict[str, Any] = {"ids": ids, kind: (*getattr(self.parts, kind), *new)}
        return Tokenizer(replace(self.parts, **changed))

    def with_roles(self, **roles: str) -> Tokenizer:
        """A tokenizer of which transformers knows what its special tokens are for, when `save` has written a folder.

        roles: bos_token, eos_token, unk_token, sep_token, pad_token, cls_token, mask_token. Without this, those that
        the files of a folder named, or else those that the names of the tokens tell: `[PAD]` or `<pad>` pads, and so
        on. Raises ValueError for another role, and for a token that is not special.

        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> tokenizer = Tokenizer.train(["hug"], vocab_size=260).add_tokens(["<|pad|>"], special=True)
        >>> tokenizer.with_roles(pad_token="<|pad|>").save(folder)
        >>> sorted(path.name for path in folder.iterdir())
        ['special_tokens_map.json', 'tokenizer.json', 'tokenizer_config.json']
        """
        for role, token in roles.items():
            check_choice("a role", role, interchange.ROLES)
            check(
                token in self.parts.special_tokens,
                f"{role} is {shorten(token)}, which is not among the special tokens; make it one with "
                "add_tokens([...], special=True)",
            )
        config = {**interchange.config_of(self.parts), **roles}
        return Tokenizer(interchange.with_config(self.parts, config))

    def cut_down(self, vocab_size: int) -> Tokenizer:
        """A tokenizer with the most important tokens of this one, which get new ids in the old order.

        Single characters, bytes, and tokens that are never split stay. Of the others stay those that BPE's merges make
        first, WordPiece's first, and Unigram's likeliest. Raises ValueError if more have to stay than `vocab_size`.

        >>> tokenizer = Tokenizer.train(["hug hug hugs pug"], vocab_size=262).cut_down(259)
        >>> tokenizer.encode("hugs").tokens
        ['hug', 's']
        """
        model, ids = self.parts.model, self.parts.ids
        if isinstance(model, BPEModel):
            order = [left + right for left, right in model.merges]
        elif isinstance(model, UnigramModel):
            longer = (token for token in model.losses if len(token) > 1)
            order = sorted(longer, key=model.losses.__getitem__)
        else:
            order = [token for token in model.vocab if len(token.removeprefix(model.prefix)) > 1]
        stay = {*self.parts.apart, *BYTE_TOKENS, self.parts.unknown}
        made = [token for token in dict.fromkeys(order) if token not in stay]
        room = check_count("vocab_size", vocab_size) - (len(ids) - len(made))
        check(
            room >= 0, f"vocab_size is {vocab_size}, but {len(ids) - len(made)} tokens have to stay"
        )
        lost = {*made[room:]}
        kept = sorted((token for token in ids if token not in lost), key=ids.__getitem__)
        new_ids = {token: id for id, token in enumerate(kept)}
        padding = self.parts.padding
        if padding and padding["pad_token"] in new_ids:
            padding = {**padding, "pad_id": new_ids[padding["pad_token"]]}
        return Tokenizer(
            replace(self.parts, model=reduced(model, lost), ids=new_ids, padding=padding)
        )

    def id_to_token(self, id: int) -> str | None:
        """The token of an id, or None."""
        return self.parts.tokens.get(id)

    # -------------------------------------------------------------------------------------------------------- training

    @classmethod
    def train(
        cls,
        texts: Iterable[str],
        algorithm: str = "bpe",
        vocab_size: int = 8000,
        *,
        scheme: str | None = None,
        normalization: Iterable[Step] | None = None,
        special_tokens: Iterable[str] | None = None,
        rules: Rules | None = None,
        **options: Any,
    ) -> Tokenizer:
        """Train a tokenizer on texts: "bpe", "wordpiece" or "unigram".

        texts: any iterable of strings, read once. vocab_size: in tokens, the special ones counted; the corpus may
        offer fewer. scheme: how texts are cut into words, see `text.pre_tokenize`; normalization: steps of
        `text.normalize` before that. special_tokens: never split. What is not given is as in GPT-2 (BPE), BERT
        (WordPiece) and SentencePiece's models (Unigram), see `training.CUSTOMS`; and so is what comes around a text.
        options: those of the algorithm's own `train`, for example `ties`. By default ties go as in the tokenizers
        library ("lowest-ids"), WordPiece chooses by frequency, and Unigram starts from ten times as many tokens.
        rules: `pieces.Rules()` trains BPE or Unigram as SentencePiece does, to nearly the same vocabulary.

        engine: one more option; "python" or "compiled", and if it is not given, what is quicker. With engine="dask",
        `texts` are paths of files, whose words are counted on a Dask cluster line by line, see `text.word_freqs`;
        cluster: its address, a client of it, or None for the cores of this machine.

        >>> Tokenizer.train(["hug pug hugs", "bun pun hug"], "wordpiece", vocab_size=25).encode("Hugs!").tokens
        ['[CLS]', 'hugs', '[UNK]', '[SEP]']
        """
        return cls(
            training.train(
                texts,
                algorithm,
                vocab_size,
                scheme=scheme,
                normalization=normalization,
                special_tokens=special_tokens,
                rules=rules,
                **options,
            )
        )

    # -------------------------------------------------------------------------------------------------------- encoding

    def encode(
        self,
        string: str,
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Turn a text into ids, with tokens and offsets for whoever asks.

        A special token that stands in the text is an error, because whoever wrote the text may not be allowed to
        write it, unless it is in `allowed_special`; then it is that token. "all" allows all. With
        `disallowed_special=()` it is text like any other, which never becomes the special token. These are tiktoken's
        rules. add_special_tokens: put those around the text that belong there, such as `[CLS]`. Where a file asks for
        truncation or padding (`parts.truncation`, `parts.padding`), the row is cut and filled up as it says.

        Raises ValueError if `string` is not a string, holds a special token that is not allowed, or a character that
        the model lacks and has no token for.

        >>> tokenizer = Tokenizer.train(["hug"], vocab_size=260)
        >>> tokenizer.encode("hug<|endoftext|>", allowed_special="all").tokens
        ['hug', '<|endoftext|>']
        >>> tokenizer.encode("hug<|end", disallowed_special=()).tokens
        ['hug', '<', '|', 'e', 'n', 'd']
        """
        return self._encode([string], allowed_special, disallowed_special, add_special_tokens)[0]

    def encode_batch(
        self,
        strings: Iterable[str],
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> list[Encoding]:
        """Turn texts into ids, each as `encode` does, with its options."""
        with not_collected():
            return self._encode(
                _several(strings), allowed_special, disallowed_special, add_special_tokens
            )

    def encode_array(
        self,
        strings: Iterable[str],
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Turn texts into one array of ids, and where in it those of each text end, as `encode_batch` would.

        Many texts take less time and memory so than as lists. The ids are of 32 bits, the ends of 64.

        >>> ids, ends = Tokenizer.train(["hug"], vocab_size=260).encode_array(["hug", "", "hugs"])
        >>> ids.tolist(), ends.tolist()
        ([258, 258, 83], [1, 1, 3])
        """
        import numpy as np

        strings = _several(strings)
        customs = self._checked(strings, allowed_special, disallowed_special, add_special_tokens)
        encoder = self._encoder_for(strings) if customs.is_plain else None
        if encoder:
            return encoder.array(strings, repeat(True))
        rows, _ = self._rows(strings, customs)
        ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)[1:]
        return np.fromiter(chain.from_iterable(rows), np.int32), ends

    def _encode(
        self,
        strings: list[str],
        allowed: Collection[str],
        disallowed: Collection[str],
        around: bool,
    ) -> list[Encoding]:
        customs = self._checked(strings, allowed, disallowed, around)
        rows, length = self._rows(strings, customs)
        trace = partial(self._trace, customs, length)
        return [*map(Encoding, rows, strings, repeat(trace), repeat(self._unknown_id))]

    def _rows(self, strings: list[str], customs: Customs) -> tuple[list[list[int]], int]:
        """The ids of each text, with what comes around them, and how long they were made, if they were."""
        rows, length = self._ids_around(strings, customs), 0
        before, after = customs.around.ids_before, customs.around.ids_after
        if customs.around.limits:
            framed = [customs.around.framed([ids]) for ids in rows]
            length = customs.around.length(map(len, framed))
            rows = [ids_of(customs.around.padded(row, length)) for row in framed]
        elif before or after:
            rows = [[*before, *ids, *after] for ids in rows]
        return rows, length

    def encode_pair(
        self,
        first: str,
        second: str,
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Two texts as one row, such as a question and what is to answer it; the options are those of `encode`.

        Offsets count in the text that a token is of, and `type_ids` say which one it is.

        >>> tokenizer = Tokenizer.train(["hug pug hugs"], "wordpiece", vocab_size=25)
        >>> pair = tokenizer.encode_pair("hug", "hugs")
        >>> pair.tokens, pair.type_ids
        (['[CLS]', 'hug', '[SEP]', 'hugs', '[SEP]'], [0, 0, 0, 1, 1])
        """
        customs = self._checked(
            [first, second], allowed_special, disallowed_special, add_special_tokens
        )
        return self._row(customs, [self._pieces_between(customs, each) for each in (first, second)])

    def encode_words(
        self,
        words: Iterable[str],
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> Encoding:
        """A text that is cut into words already, each of which is encoded by itself; options as in `encode`.

        Offsets count in the word that a token is of, and `word_ids` say which one it is.

        >>> tokenizer = Tokenizer.train(["hug pug hugs"], "wordpiece", vocab_size=20)
        >>> tokenizer.encode_words(["hug", "pug-hugs"], add_special_tokens=False).word_ids
        [0, 1, 1, 1]
        """
        words = check_words("words", words)
        customs = self._checked(words, allowed_special, disallowed_special, add_special_tokens)
        row = [
            piece._replace(word=number)
            for number, word in enumerate(words)
            for piece in self._pieces_between(customs, word)
        ]
        return self._row(customs, [row])

    def _row(self, customs: Customs, rows: list[list[Piece]]) -> Encoding:
        framed = customs.around.framed(rows)
        pieces = customs.around.padded(framed, customs.around.length([len(framed)]))
        return Encoding(ids_of(pieces), "", lambda _: pieces, self._unknown_id)

    @property
    def _unknown_id(self) -> int | None:
        return None if self.parts.unknown is None else self.parts.ids.get(self.parts.unknown)

    def encode_ordinary(self, string: str) -> list[int]:
        """The ids of a text in which nothing is special, without anything around it."""
        return self.encode(string, disallowed_special=(), add_special_tokens=False).ids

    def sample(
        self,
        string: str,
        rng: Random | int,
        *,
        temperature: float | None = None,
        dropout: float | None = None,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Turn a text into ids, as `encode` does with its options, but cut the words at random.

        That is subword regularization: in training, a model sees the same words cut in many ways. rng: a
        `random.Random`, which goes on from call to call, or a seed. temperature: for Unigram, see `lattice.sample`; 1
        if it is not given. dropout: for BPE, the probability that a possible merge is overlooked, see
        `studies.dropout`; 0.1 if it is not given. With 0, either gives what `encode` gives.

        Raises ValueError as `encode` does; for WordPiece, which has one way to cut a word; for a temperature with BPE,
        which has no probabilities, and for dropout with Unigram, which has no merges.

        >>> tokenizer, rng = Tokenizer.train(["hug pug hugs"], vocab_size=262), Random(1)
        >>> [" ".join(tokenizer.sample("pug hugs", rng, dropout=0.3).tokens) for _ in range(3)]
        ['p u g Ġ hug s', 'pug Ġ hug s', 'p u g Ġhug s']
        """
        model = self.parts.model
        chance = Random(rng) if isinstance(rng, int) else rng
        check_type("rng", chance, Random)
        cut: Cut | None = None
        if isinstance(model, UnigramModel) and dropout is None:
            usual = 1.0 if temperature is None else temperature
            cut = partial(lattice.sample, model=model, rng=chance, temperature=usual)
        elif isinstance(model, BPEModel) and temperature is None:
            rate = 0.1 if dropout is None else dropout
            check_probability("dropout", rate)
            if rate:
                cut = partial(
                    merge_by_rank, ranks=model.ranks, overlooks=lambda: chance.random() < rate
                )
        else:
            raise ValueError(
                f"the model is a {type(model).__name__}, temperature is {shorten(temperature)}, and "
                f"dropout is {shorten(dropout)}; expected Unigram with a temperature, or BPE with dropout"
            )
        customs = self._checked([string], allowed_special, disallowed_special, add_special_tokens)
        return self._row(customs, [self._pieces_between(customs, string, cut)])

    def n_best(
        self,
        string: str,
        n: int,
        *,
        allowed_special: Collection[str] = (),
        disallowed_special: Collection[str] = "all",
        add_special_tokens: bool = True,
    ) -> list[Encoding]:
        """The n likeliest ways to turn a text into ids, the best one first; fewer, where there are fewer.

        The options are those of `encode`. Raises ValueError as it does, and if the model is not Unigram: the others
        have no probabilities.

        >>> tokenizer = Tokenizer.train(["hug pug hugs"], "unigram", vocab_size=14)
        >>> [each.tokens for each in tokenizer.n_best("hug", 2)]
        [['▁hug'], ['▁', 'hug']]
        """
        model = self.parts.model
        check_count("n", n, least=1)
        if not isinstance(model, UnigramModel):
            raise ValueError(
                f"the model is a {type(model).__name__}, which has no probabilities; expected Unigram"
            )
        customs = self._checked([string], allowed_special, disallowed_special, add_special_tokens)
        words: list[str] = []

        def noted(word: str) -> list[str]:
            words.append(word)
            return lattice.viterbi(word, model)[0]

        self._pieces_between(customs, string, noted)
        # A loss, and the cut of the last word, with that of the words before it.
        rows: list[tuple[float, Any]] = [(0.0, None)]
        for word in words:
            ways = lattice.n_best(word, model, n) or [lattice.viterbi(word, model)]
            longer = [
                (loss + more, number, tokens)
                for number, (loss, _) in enumerate(rows)
                for tokens, more in ways[: n // (number + 1)]  # with others n are as likely
            ]
            rows = [
                (loss, (tokens, rows[number][1]))
                for loss, number, tokens in nsmallest(n, longer, key=itemgetter(0))
            ]

        def cuts_from(last: Any) -> Iterator[list[str]]:
            while last:
                tokens, last = last
                yield tokens

        every = [[*cuts_from(last)][::-1] for _, last in rows]
        return [
            self._row(customs, [self._pieces_between(customs, string, _in_turn(cuts))])
            for cuts in every
        ]

    def _checked(
        self,
        strings: Collection[str],
        allowed: Collection[str],
        disallowed: Collection[str],
        around: bool,
    ) -> Customs:
        """What these texts have in common; ValueError if one of them holds a special token that it must not hold."""
        named = (each if each == "all" else frozenset(each) for each in (allowed, disallowed))
        customs = self._customs(*named, around)
        are_strings = {*map(type, strings)} <= {str}  # quick, where texts are many
        for string in filterfalse(str.isascii, strings) if are_strings else strings:
            check_string("string", string)
        forbidden = customs.forbidden
        if not forbidden or not forbidden.search("\0".join(strings)):  # one look at many texts
            return customs
        for string in strings:
            if found := forbidden.search(string):
                start, end = found
                raise ValueError(
                    f"the text holds the special token {string[start:end]!r} at position {start}; pass "
                    "allowed_special to have it as this token, or disallowed_special=() to have it as text"
                )
        return customs

    def _customs_of(
        self, allowed: Collection[str], disallowed: Collection[str], around: bool
    ) -> Customs:
        special = self.parts.special_tokens
        recognized = {*special} if allowed == "all" else {*allowed}
        forbidden = {*special} - recognized if disallowed == "all" else {*disallowed}
        for token in (recognized | forbidden) - {*special}:
            known = ", ".join(map(repr, special)) or "none"
            raise ValueError(f"{shorten(token)} is not a special token; they are {known}")
        tokens = dict.fromkeys([*sorted(recognized), *self.parts.added_tokens])
        normalized = {*self.parts.normalized_tokens}
        late = {self._shown[self.parts.ids[each]]: each for each in tokens if each in normalized}
        return Customs(
            Cutter({token: token for token in tokens if token not in normalized}, self.parts),
            Cutter(late, self.parts),
            TokenFinder(forbidden) if forbidden else None,
            PostProcessor(self.parts, around),
        )

    def _ids_around(self, strings: list[str], customs: Customs) -> list[list[int]]:
        """The ids of texts, out of which some tokens are cut."""
        if customs.late.forms:
            return [ids_of(self._pieces_between(customs, string)) for string in strings]
        if not customs.early.forms:
            return self._ids(strings)
        cuts = [customs.early.cut(string) for string in strings]
        between = [(part, start == 0) for cut in cuts for part, start, token in cut if not token]
        ids = iter(self._ids([part for part, _ in between], [first for _, first in between]))
        of_token = self.parts.ids
        return [
            [id for _, _, token in cut for id in ([of_token[token]] if token else next(ids))]
            for cut in cuts
        ]

    def _trace(self, customs: Customs, length: int, string: str) -> list[Piece]:
        """The tokens of a text, with their places."""
        framed = customs.around.framed([self._pieces_between(customs, string)])
        return customs.around.padded(framed, length)

    def _pieces_between(self, customs: Customs, string: str, cut: Cut | None = None) -> list[Piece]:
        """The tokens of a text without what comes around, with their places; cut: in the place of the model's own."""
        pieces, words = list[Piece](), count()
        for part, start, token in customs.early.cut(string):
            if token:
                id, end = self.parts.ids[token], start + len(part)
                pieces.append(Piece(part, id, start, end, next(words)))
                continue
            new, spans = normalization.trace(part, self.parts.normalization)
            spans = [(first + start, end + start) for first, end in spans]
            for inner, place, late in customs.late.cut(new):
                inside = spans[place : place + len(inner)]
                if late:
                    ends = inside[0][0], inside[-1][1]
                    pieces.append(Piece(inner, self.parts.ids[late], *ends, next(words)))
                else:
                    spaced = self._preparation.with_space(inner, inside[0][0] == 0)
                    inside = inside[: len(spaced) - len(inner)] + inside
                    pieces += self._traced(self._preparation.marked(spaced), inside, words, cut)
        return pieces

    def _words(self, string: str) -> Iterator[Span]:
        """Where the words of a prepared text stand."""
        for part, start, kept in self._kept.cut(string):
            spans: Iterable[Span] = [(start, start + len(part))]
            for scheme in () if kept else self.parts.schemes:
                find = text.finder(scheme)
                spans = [match.span() for each in spans for match in find(string, *each)]
            yield from spans

    @cached_property
    def _kept(self) -> Cutter:
        return Cutter({token: token for token in self.parts.kept_tokens}, self.parts)

    def _ids(self, strings: list[str], first: Iterable[bool] = repeat(True)) -> list[list[int]]:
        """The ids of texts, each of which is the first of its row or not."""
        encoder = self._encoder_for(strings)
        return encoder.ids(strings, first) if encoder else [*map(self._plain_ids, strings, first)]

    def _encoder_for(self, strings: list[str]) -> Any:
        """The engine's encoder, if it is worth while for these texts too, and knows this tokenizer's parts."""
        size = sum(map(len, strings))
        self._encoded += size
        if size * engines.RATES["encoding"] < engines.CALL:
            return None
        if "_encoder" not in vars(self):
            times = TIMES.get(type(self.parts.model), 0)
            words = chain.from_iterable(string.split(" ") for string in strings)
            self._encoded += times * sum(len(word) for word in words if len(word) > LONG)
            if not engines.choose(None, encoding=self._encoded):
                return None
        return self._encoder

    @cached_property
    def _encoder(self) -> Any:
        """The engine's encoder, if it knows this tokenizer's parts."""
        compiled = engines.find("compiled")
        return compiled and compiled.encoder(self.parts, self._plain_ids)

    def _plain_ids(self, string: str, first: bool) -> list[int]:
        return self._ids_of(self._preparation.prepared(string, first))

    def _ids_of(self, string: str) -> list[int]:
        """The ids of a prepared text. No word reaches over a space, so what is between two may be known already."""
        if not self._cut_at_spaces or "  " in string or not string.rstrip("\n").isprintable():
            return self._ids_of_words(string)
        parts = string.split(" ")
        parts[0] += " "  # so the first is told from one after a space
        return list(chain.from_iterable(map(self._ids_of_part, parts)))

    def _ids_of_words(self, string: str) -> list[int]:
        words = (
            text.words(string, *self.parts.schemes)  # the same words, without their places
            if self._one_scheme
            else (string[start:end] for start, end in self._words(string))
        )
        return list(chain.from_iterable(map(self._ids_of_word, words)))

    def _noted(self, word: str) -> str:
        """The word, which will be remembered; all others are forgotten if they have become too long together."""
        self._room -= len(word)
        if self._room < 0:
            self._ids_of_word.cache_clear()
            self._ids_of_part.cache_clear()
            self._room = ROOM
        return word

    def _spell(self, word: str) -> str:
        """A word as the model knows it."""
        if self.parts.spelling == "plain":
            return word
        if self.parts.spelling == "bytes":
            return text.bytes_to_chars(word.encode())
        return "▁" + word if self._wants_mark(word) else word

    def _wants_mark(self, word: str) -> bool:
        return self.parts.prefix_space == "every-word" and not word.startswith("▁")

    def _pieces(self, word: str, cut: Cut | None = None) -> list[Piece]:
        """One word, spelled for the model, as its tokens; start and end count the word's own characters."""
        pieces, end, unknown = list[Piece](), 0, self.parts.unknown
        lacking: Piece | None = None  # the last one that stands for what the model lacks
        for token, length in self._cut_word(word, cut):
            start, end = end, end + length
            byte_tokens = [BYTE_TOKENS[byte] for byte in token.encode() if self.parts.byte_fallback]
            if token in self._model_ids:
                pieces.append(Piece(token, self._model_ids[token], start, end))
            elif byte_tokens and self.parts.ids.keys() >= {*byte_tokens}:
                pieces += [Piece(byte, self.parts.ids[byte], start, end) for byte in byte_tokens]
            elif unknown is None:
                raise ValueError(
                    f"{shorten(token)} in the word {shorten(word)} is unknown, and the tokenizer has no "
                    "token for what it does not know"
                )
            elif self.parts.fuse_unknown and lacking and pieces[-1] is lacking:
                pieces[-1] = lacking = lacking._replace(end=end)
            else:
                lacking = Piece(token, self.parts.ids[unknown], start, end)
                pieces.append(lacking)
        return (
            pieces
            if isinstance(self.parts.model, UnigramModel)
            else [piece._replace(token=self.parts.tokens[piece.id]) for piece in pieces]
        )

    def _cut_word(self, word: str, cut: Cut | None) -> list[tuple[str, int]]:
        """What the model cuts a word into, and how many characters each piece has used up."""
        model = self.parts.model
        if word in self._kept.forms:
            return [(word, len(word))]
        if isinstance(model, UnigramModel):
            tokens = cut(word) if cut else lattice.viterbi(word, model)[0]
            known, unknown = self._model_ids, self.parts.unknown
            if self.parts.fuse_unknown:  # a run is one unknown token
                tokens = [
                    token
                    for is_known, run in groupby(
                        tokens, lambda token: token in known and token != unknown
                    )
                    for token in (run if is_known else ["".join(run)])
                ]
            return [(token, len(token)) for token in tokens]
        if isinstance(model, WordPieceModel):
            if len(word) > self.parts.longest_word:
                return [("", len(word))]  # it is unknown, even if it is a token
            tokens = wordpiece.encode_word(
                word, model, unknown=None, max_chars=self.parts.longest_word
            )
            if tokens == [word]:
                return [(word, len(word))]
            return [
                (token, len(token) - len(model.prefix) * (number > 0))
                for number, token in enumerate(tokens)
            ]
        if self.parts.whole_words and not cut and word in self._model_ids:
            return [(word, len(word))]
        suffix = model.end_of_word
        # As in files of tokenizers, the mark is no symbol of its own: it belongs to the word's last character.
        symbols = [*word[:-1], word[-1] + suffix]
        symbols = cut(symbols) if cut else merge_by_rank(symbols, model.ranks)
        return [
            (token, len(token) - len(suffix) * (number == len(symbols)))
            for number, token in enumerate(symbols, start=1)
        ]

    @cached_property
    def _model_ids(self) -> dict[str, int]:
        return {
            token: self.parts.ids[token]
            for token in [*self.parts.model.vocab, *self.parts.kept_tokens]
        }

    def _traced(
        self, prepared: str, spans: list[Span], words: Iterator[int], cut: Cut | None
    ) -> list[Piece]:
        """What `_ids_of` does, with every token's place. spans: of the characters; words: numbers for them."""
        pieces: list[Piece] = []
        for (first, end), number in zip(self._words(prepared), words):
            places = spans[first:end]  # of each symbol that the model sees
            if self.parts.spelling == "bytes":
                places = [
                    place for char, place in zip(prepared[first:end], places) for _ in char.encode()
                ]
            elif self._wants_mark(prepared[first:end]):
                places = places[:1] + places
            pieces += [
                piece._replace(
                    start=places[piece.start][0], end=places[piece.end - 1][1], word=number
                )
                for piece in self._pieces(self._spell(prepared[first:end]), cut)
            ]
        return pieces

    # -------------------------------------------------------------------------------------------------------- decoding

    def decode(self, ids: Iterable[int], *, skip_special_tokens: bool = True) -> str:
        """Turn ids into a text; special tokens are left out, or shown as they are.

        Byte-level tokenizers without normalization give back the very text that was encoded. Bytes that are no UTF-8,
        where a character is cut in two, become U+FFFD. A token that is added has its own letters, where the tokenizers
        library takes those of the byte alphabet, such as the `é` of `<café>`, for bytes. A token that is added to be
        normalized has its normal form, and is special if that is the name of a special token, as it is there.

        Raises ValueError for an id that no token has, for one that stands in no list, and for ids of so long tokens
        that the text would have hundreds of millions of characters.

        >>> tokenizer = Tokenizer.train(["hug pug hugs"], "wordpiece", vocab_size=20)
        >>> tokenizer.decode(tokenizer.encode("hugs pug").ids)
        'hugs pug'
        """
        ids = _iterable("ids", ids, "a list of ids")
        if self._longest > LONG_TOKEN:
            ids = [*ids]
            size = sum(len(self._token(id)) for id in ids)
            check(
                size <= MOST_DECODED,
                f"the ids stand for {size:,} characters; expected at most {MOST_DECODED:,} at once",
            )
        if self.parts.decoder == "bytes":
            return self._bytes_of(ids, skip_special_tokens).decode("utf-8", "replace")
        skipped = self._special if skip_special_tokens else ()
        return self._joined([token for token in map(self._token, ids) if token not in skipped])

    def decode_batch(
        self, batch: Iterable[Iterable[int]], *, skip_special_tokens: bool = True
    ) -> list[str]:
        """Turn several lists of ids into texts, each as `decode` does."""
        return [
            self.decode(ids, skip_special_tokens=skip_special_tokens)
            for ids in _iterable("batch", batch, "lists of ids")
        ]

    def decode_stream(
        self, ids: Iterable[int], *, skip_special_tokens: bool = True
    ) -> Iterator[str]:
        """The text of ids that come one by one: after each of them what can be read by then.

        A character whose bytes are not all there yet, waits for them.

        >>> tokenizer = Tokenizer.train(["hug"], vocab_size=260)
        >>> [*tokenizer.decode_stream(tokenizer.encode("hugü").ids)]
        ['hug', '', 'ü']
        """
        ids = _iterable("ids", ids, "ids")
        if self.parts.decoder == "bytes":
            utf_8 = codecs.getincrementaldecoder("utf-8")("replace")
            yield from (utf_8.decode(self._bytes_of([id], skip_special_tokens)) for id in ids)
            if rest := utf_8.decode(b"", final=True):
                yield rest
            return
        kept: list[int] = []
        begun = 0  # how many of them are only there for what comes after
        skipped = {id for id, token in self._shown.items() if token in self._special}
        stripped = self.parts.decoder == "metaspace-stripped"
        for id in chain(ids, [None]):
            if skip_special_tokens and id in skipped:
                yield ""
                continue
            kept += [] if id is None else [id]
            known = self.decode(kept[:begun], skip_special_tokens=skip_special_tokens)
            whole = self.decode(kept, skip_special_tokens=skip_special_tokens)
            if id is not None and self._is_cut_character(kept[begun:]):
                yield ""
                continue
            new = whole[len(known) :]
            if id is not None or new:
                yield new
            if stripped and not new.strip(" ") and (begun or not new):
                kept = kept[:begun]  # by spaces alone, nobody sees that the text has begun
            else:
                kept, begun = kept[begun:], len(kept) - begun

    def _is_cut_character(self, ids: Iterable[int]) -> bool:
        """Whether these are tokens for bytes with which a character begins that is not whole yet."""
        tokens = [self._token(id) for id in ids]
        if not self.parts.byte_fallback or not all(map(_BYTE.fullmatch, tokens)):
            return False
        try:
            return codecs.getincrementaldecoder("utf-8")().decode(_bytes_in(tokens)) == ""
        except UnicodeDecodeError:
            return False

    def _bytes_of(self, ids: Iterable[int], skip: bool) -> bytes:
        """The bytes of some ids, by the engine's decoder if they are many."""
        row: Any = ids if isinstance(ids, list) or hasattr(ids, "tolist") else [*ids]
        self._decoded += len(row)
        if len(row) * engines.RATES["decoding"] >= engines.CALL and (
            "_decoders" in vars(self) or engines.choose(None, decoding=self._decoded)
        ):
            decoder = self._decoders[skip]
            data = decoder and decoder.decode(row)
            if data is not None:
                return data
        try:
            return b"".join(map(self._bytes[skip].__getitem__, map(index, row)))
        except (KeyError, TypeError):  # what is wrong with one of them is said here
            return b"".join(map(self._as_bytes, row))

    @cached_property
    def _bytes(self) -> list[dict[int, bytes]]:
        """Id -> the bytes of its token; and the same without those of special tokens."""
        table = {id: self._as_bytes(id) for id in self._shown}
        skipped = (id for id, token in self._shown.items() if token in self._special)
        return [table, table | dict.fromkeys(skipped, b"")]

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._shown.values()), default=0)

    @cached_property
    def _special(self) -> frozenset[str]:
        return frozenset(self.parts.special_tokens)

    @cached_property
    def _decoders(self) -> list[Any]:
        """The engine's decoders for the two, if it is there, and can hold such ids."""
        compiled = engines.find("compiled")
        return [compiled and compiled.decoder(table) for table in self._bytes]

    def _as_bytes(self, id: int) -> bytes:
        token = self._token(id)
        with suppress(ValueError):  # a file may hold tokens that stand for no bytes
            if self.parts.tokens[index(id)] not in self.parts.apart:
                return text.chars_to_bytes(token)
        return token.encode()

    @cached_property
    def _shown(self) -> dict[int, str]:
        """Id -> token, in the form in which it is found in a text if it is normalized."""
        steps, ids = self.parts.normalization, self.parts.ids
        forms = {
            ids[each]: normalization.apply(each, steps) for each in self.parts.normalized_tokens
        }
        return {**self.parts.tokens, **forms} if forms else self.parts.tokens

    def _token(self, id: int) -> str:
        try:
            return self._shown[index(id)]
        except (KeyError, TypeError):
            raise ValueError(
                f"ids holds {shorten(id)}, which no token has; expected ids of this tokenizer's "
                f"{self.vocab_size} tokens"
            ) from None

    def _joined(self, tokens: list[str]) -> str:
        decoder, model = self.parts.decoder, self.parts.model
        match decoder:
            case "spaces":
                return " ".join(tokens)
            case "suffix":
                mark = model.end_of_word if isinstance(model, BPEModel) else "</w>"
                return "".join(
                    token.replace(mark, " " * (number < len(tokens)))
                    for number, token in enumerate(tokens, start=1)
                )
            case "wordpiece" | "wordpiece-tidy":
                prefix = model.prefix if isinstance(model, WordPieceModel) else "##"
                joined = tokens[:1] + [
                    token.removeprefix(prefix) if token.startswith(prefix) else " " + token
                    for token in tokens[1:]
                ]
                return "".join(map(_tidy, joined) if decoder == "wordpiece-tidy" else joined)
            case "metaspace":
                tokens = [token.replace("▁", " ") for token in tokens]
            case "metaspace-stripped":
                tokens = [token.replace("▁", " ") for token in _without_first_marks(tokens)]
            case "metaspace-by-token":
                tokens = [
                    token.replace("▁", " " * (number > 0)) for number, token in enumerate(tokens)
                ]
        string = "".join(_with_bytes(tokens) if self.parts.byte_fallback else tokens)
        return string.removeprefix(" " * (decoder == "metaspace" and self.parts.adds_space))

    # ----------------------------------------------------------------------------------------------------------- files

    def save(self, path: Path) -> None:
        """Write the tokenizer as a file of the tokenizers library (`tokenizer.json`), whole or not at all.

        Where `path` is a folder that is there, it gets `tokenizer.json` and beside it the two files that tell
        transformers which special token pads, begins a text, and so on: `from_pretrained(path)` knows them then.

        The tokenizers library applies SentencePiece's table of replacements to a character with its marks, not to the
        longest piece of text that fits: half-width kana with marks become something else there.
        """
        interchange.save(self.parts, path)

    @classmethod
    def load(cls, path: Path) -> Tokenizer:
        """Read a file of the tokenizers library; ValueError if it is damaged, or asks for what is not known here.

        Ids are the library's, but for text that its model would make a special token of, which stays text here, and for
        a word that begins with WordPiece's prefix: here no token with the prefix begins a word. WordPiece and Unigram
        try each of the lengths that tokens have at each place of a word: a file with hundreds of them, and words of any
        length, is slow where a text has no spaces. There, BPE without the engine takes 13 microseconds a character.

        Of a folder, `tokenizer.json` is read, and with it what transformers wrote beside it (`tokenizer_config.json`,
        `special_tokens_map.json`). That is only kept for `save`; it changes nothing here.
        """
        return cls(interchange.load(path))

    @classmethod
    def from_gpt2_files(cls, vocab_json: Path, merges_txt: Path) -> Tokenizer:
        """Read GPT-2's two files: the tokens with their ids, and the merges in their order."""
        return cls(interchange.read_gpt2_files(vocab_json, merges_txt))

    @classmethod
    def from_wordpiece_vocab(cls, vocab_txt: Path, *, lowercase: bool = True) -> Tokenizer:
        """Read BERT's `vocab.txt`, a token a line. lowercase: as in the "uncased" models, without accents too."""
        return cls(interchange.read_wordpiece_vocab(vocab_txt, lowercase=lowercase))

    @classmethod
    def from_tiktoken(
        cls,
        path_or_encoding: Path | tiktoken.Encoding,
        *,
        scheme: str = "cl100k",
        special_tokens: Mapping[str, int] | None = None,
    ) -> Tokenizer:
        """Take over a tiktoken `Encoding`, or read a file of ranks (`.tiktoken`).

        Such a file says neither how words are cut nor what is special: `scheme` and `special_tokens` (token -> id) do.
        """
        return cls(
            interchange.read_tiktoken(
                path_or_encoding, scheme=scheme, special_tokens=special_tokens
            )
        )

    @classmethod
    def from_vocabulary(cls, name: str) -> Tokenizer:
        """The tokenizer of a well-known model: "cl100k_base" (GPT-4), "o200k_base" (GPT-4o), "llama3" or "qwen3".

        They come with the package quicktok-v1, the extra "vocabularies"; ImportError where it is missing.
        """
        return cls(interchange.read_published(name))

    @classmethod
    def from_sentencepiece(cls, model_path: Path) -> Tokenizer:
        """Read a model file of SentencePiece, BPE or Unigram. The library is not needed for it.

        Ids are SentencePiece's, but where ways through a word are equally likely: it adds with 32 bits, and here it is
        64. If a run of tokens for bytes is no UTF-8, each of them is decoded to U+FFFD, where SentencePiece keeps the
        characters in it that are whole. Where spaces are kept, a space that comes first as a byte is taken for the one
        in front, as in the tokenizers library. What is unknown is left out when ids are decoded, or shown as `<unk>`,
        where SentencePiece writes ` ⁇ `.
        """
        return cls(interchange.read_sentencepiece(model_path))

    def to_tokenizers(self) -> tokenizers.Tokenizer:
        """The same tokenizer as one of the tokenizers library, which has to be installed."""
        return interchange.to_tokenizers(self.parts)

    def to_tiktoken(self, name: str = "subword-lab") -> tiktoken.Encoding:
        """The same tokenizer as a tiktoken `Encoding`; byte-level BPE only, and tiktoken has to be installed."""
        return interchange.to_tiktoken(self.parts, name)


# --------------------------------------------------------------------------------------------------------- small parts


def _iterable(name: str, values: Iterable[Any], expected: str) -> Iterable[Any]:
    """`values`, if one can go through them; otherwise ValueError."""
    try:
        iter(values)
    except TypeError:
        raise wrong_type(name, values, expected) from None
    return values


def _several(strings: Iterable[str]) -> list[str]:
    """The texts in a list; ValueError for one by itself."""
    if isinstance(strings, str):
        raise ValueError(
            f"strings is a single string, {shorten(strings)}; expected several, or use encode"
        )
    return [*_iterable("strings", strings, "several strings")]


def _without_first_marks(tokens: Iterable[str]) -> Iterator[str]:
    """The tokens; as long as there is no text, each of them loses one mark in front."""
    begun = False
    for token in tokens:
        rest = token if begun else token.removeprefix("▁")
        begun = begun or rest != ""
        yield rest


_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")


def _bytes_in(tokens: Iterable[str]) -> bytes:
    """The bytes for which these tokens stand."""
    return bytes.fromhex("".join(token[3:5] for token in tokens))


def _with_bytes(tokens: Iterable[str]) -> Iterator[str]:
    """The tokens, with runs of those that stand for bytes read as UTF-8; one U+FFFD for each byte of a broken run."""
    for is_bytes, run in groupby(tokens, lambda token: bool(_BYTE.fullmatch(token))):
        if not is_bytes:
            yield from run
            continue
        data = _bytes_in(run)
        try:
            yield data.decode()
        except UnicodeDecodeError:
            yield "\ufffd" * len(data)


def _in_turn(cuts: Iterable[list[str]]) -> Cut:
    """What cuts word after word as it is said here, whatever the words are."""
    rest = iter(cuts)
    return lambda word: next(rest)


def _tidy(token: str) -> str:
    """No space before punctuation and English contractions, as BERT's decoder has it."""
    for mark in (" .", " ?", " !", " ,", " ' ", " n't", " 'm", " 's", " 've", " 're"):
        token = token.replace(mark, mark.strip())
    return token.replace(" do not", " don't")
