"""SentencePiece's rules for training: what a piece may hold, where pieces come from at first, and which of them stay.

`unigram` trains as the paper says, from the counts of words; SentencePiece, the program, knows more of a text, allows
less in a piece, and takes short cuts. Each of its rules is an option here, with its default, so that one can see what a
rule is good for, and that together they give its vocabulary. `Tokenizer.train(..., rules=Rules())` trains by them.

Source: the program's own trainers (sentencepiece 0.2.3; versions before it end one pruning sooner).
"""

import math
import re
import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from functools import cache
from itertools import chain

from . import engines, files
from .arguments import check, check_count, shorten
from .bpe import BPEModel, Pair, shortest_first
from .lattice import Losses, viterbi
from .parts import Joins
from .streaming import batches
from .structures.pair_index import FilteredQueue
from .structures.suffixes import repeats
from .unigram import UnigramModel, to_losses

MARK = "▁"
AT_A_TIME = 1 << 20  # characters that are kept before they are counted
# After a text's last word; a special token; a character left out.
END, BORDER, UNCOVERED = "\0", "\t", "\1"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """SentencePiece's rules, each to be changed by its name; the defaults are the program's.

    For both of its algorithms: a piece has at most `longest` characters; with `scripts`, all of one script, where
    digits and punctuation count as one of their own; with `digits`, a digit is a piece by itself. The commonest
    characters that make up the share `coverage` of the corpus are tokens, and the others unknown.
    For Unigram: training starts from the `seeds` pieces of highest length times count; in a round there are `passes` of
    EM, in which pieces expected less than `least` times go, and then the share `shrink` of the pieces is kept, down to
    `spare` more than asked for; of these the most probable are taken in the end.

    Raises ValueError for a value that cannot be.
    """

    longest: int = 16
    scripts: bool = True
    digits: bool = False
    coverage: float = 0.9995
    seeds: int = 1_000_000
    passes: int = 2
    least: float = 0.5
    shrink: float = 0.75
    spare: float = 0.1

    def __post_init__(self) -> None:
        for name in ("longest", "seeds", "passes"):
            check_count(name, getattr(self, name), least=1)
        most = {"coverage": 1, "shrink": 0.99, "least": math.inf, "spare": 10}
        for name, value in ((name, getattr(self, name)) for name in most):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            check(
                number and 0 <= value <= most[name],
                f"{name} is {shorten(value)}; expected a number from 0 to {most[name]}",
            )

    def allow(self, piece: str) -> bool:
        """Whether a text's part may be a piece: the mark of a space stands at most in front.

        >>> [piece for piece in ["▁hug", "hug▁a", "hug2", "don't", "22,", "猫の"] if Rules().allow(piece)]
        ['▁hug', '22,', '猫の']
        """
        return (
            len(piece) <= self.longest
            and not any(char in piece for char in (END, UNCOVERED))
            and MARK not in piece[1:]
            and len(list(self.parts(piece))) == 1
        )

    def parts(self, word: str) -> Iterator[str]:
        """The word in parts, cut wherever no piece may reach across.

        >>> list(Rules().parts("▁don't2x")), list(Rules(digits=True).parts("▁22"))
        (['▁don', "'", 't', '2', 'x'], ['▁', '2', '2'])
        """
        start, before = 0, ""
        for place, char in enumerate(word):
            found = "" if char == MARK or not self.scripts else script(char) or before
            alone = self.digits and place and (is_digit(char) or is_digit(word[place - 1]))
            if alone or (found and before and found != before):
                yield word[start:place]
                start = place
            before = found if char != MARK else before
        yield word[start:]


def is_digit(char: str) -> bool:
    """Whether a character is a digit, of ASCII or full width."""
    return char in "0123456789０１２３４５６７８９"


# ------------------------------------------------------------------------------------------------------------- scripts


@cache
def script(char: str) -> str:
    """The script of a character, by its name in Unicode's tables, as SentencePiece sees it.

    Digits, punctuation and all that many scripts share are "Common"; Hiragana and Katakana count as "Han"; a mark that
    belongs to whatever is before it has no script of its own, "".

    >>> [script(char) for char in "hж猫の2"], script("\\u0301")
    (['Latin', 'Cyrillic', 'Han', 'Han', 'Common'], '')
    """
    starts, ranges = _scripts()
    last, name = ranges[bisect_right(starts, ord(char)) - 1]
    return name if ord(char) <= last else "Common"


@cache
def _scripts() -> tuple[list[int], list[tuple[int, str]]]:
    """Where each range begins; and where it ends, with its script."""
    seen_as = {"Hiragana": "Han", "Katakana": "Han", "Inherited": ""}
    ranges = ((first, last, name) for name, first, last in files.read_ranges("scripts.txt"))
    found = sorted([(0, 0, "Common"), *ranges])
    return [first for first, *_ in found], [
        (last, seen_as.get(name, name)) for _, last, name in found
    ]


# -------------------------------------------------------------------------------------------------------- the corpus


@dataclass(frozen=True)
class Corpus:
    """What training looks at: words with their counts, and the same with what comes after each.

    words: without the characters that are left out, at which they are cut. followed: each word with the character
    after it. chars: the characters that are tokens, commonest first. unknown: how many characters are left out.
    """

    words: dict[str, int]
    followed: dict[str, int]
    chars: dict[str, int]
    unknown: int


def corpus(
    texts: Iterable[str],
    coverage: float = 1.0,
    engine: str | None = None,
    borders: Iterable[str] = (),
) -> Corpus:
    """Count the words of texts. BORDER, which takes the place of each of the `borders`, is no character of them.

    engine: as in `text.word_freqs`; "compiled" is for large corpora.

    >>> corpus(["hug pug", "hug"]).followed
    {'▁hug▁': 1, '▁pug\\x00': 1, '▁hug\\x00': 1}
    """
    followed = _followed(texts, engine, [*borders])
    counts: Counter[str] = Counter()
    for word, freq in followed.items():
        for char in word[:-1]:
            counts[char] += freq
    chars, found, total = {}, 0, sum(counts.values())
    for char, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if found >= coverage * total:
            break
        chars[char], found = count, found + count
    chars.pop(BORDER, None)
    rare = counts.keys() - chars.keys()
    left_out = re.compile(f"[{''.join(map(re.escape, rare))}]") if rare else None
    words, covered = dict[str, int](), dict[str, int]()
    for word, freq in followed.items():
        new = left_out.sub(UNCOVERED, word[:-1]) if left_out else word[:-1]
        for part in filter(None, new.split(UNCOVERED)) if rare else [new]:
            words[part] = words.get(part, 0) + freq
        covered[new + word[-1]] = covered.get(new + word[-1], 0) + freq
    return Corpus(words, covered, chars, total - sum(chars.values()))


def _followed(texts: Iterable[str], engine: str | None, borders: list[str]) -> dict[str, int]:
    """The words of texts, each with the mark in front and the mark or END after it, and their counts."""
    followed: Counter[str] = Counter()
    compiled, size = engines.choose(engine), 0

    def rows() -> Iterator[str]:
        """Many texts in a row, each closed by END; one that begins with a space loses it."""
        for batch in batches(filter(None, texts), AT_A_TIME):
            row = _spaced(END + END.join(batch) + END, borders).replace(f"{END} ", END)[1:]
            if row.count(END) == len(batch):
                yield row
                continue
            for text in batch:  # some of them hold an END themselves
                text = _spaced(text, borders).removeprefix(" ")
                followed.update(f"{MARK}{text}{END}".replace(" ", f"{MARK} {MARK}").split(" "))

    rest = rows()
    for row in rest:
        size += len(row)
        compiled = compiled or engines.choose(engine, counting=size)
        if not compiled:
            marked = f"{MARK}{row}".replace(" ", f"{MARK} {MARK}").replace(END, f"{END} {MARK}")
            followed.update(marked.split(" ")[:-1])
            continue
        spaced = (f" {each}".replace(END, f"{END} ")[:-1] for each in chain([row], rest))
        for word, count in compiled.count_words(spaced, "metaspace").items():
            followed[word if word.endswith(END) else word + MARK] += count
    return followed


def _spaced(string: str, borders: list[str]) -> str:
    for border in borders:
        string = string.replace(border, BORDER)
    return string.replace(MARK, " ")


# ------------------------------------------------------------------------------------------------------------- Unigram


def seeds(corpus: Corpus, rules: Rules) -> dict[str, int]:
    """The pieces that training starts from, with length times count: the characters, then the best repeated pieces.

    Only a piece counts that cannot be made longer in the whole text without occurring less often. So a word that is
    always followed by a space is not among them: with the space it could be longer, and that is no piece.

    >>> hugs = corpus(["hugs hum", "hugs hug"])
    >>> list(seeds(hugs, Rules()))
    ['h', 'u', '▁', 'g', 's', 'm', '▁hug', '▁hu', 'hug', 'hu', 'ug']
    """
    found: dict[str, int] = {}
    # As bytes, each in the place of a character: whatever follows a piece differs in its next byte.
    as_bytes = {word.encode().decode("latin-1"): freq for word, freq in corpus.followed.items()}
    for data, count in repeats(as_bytes).items():
        try:
            piece = data.encode("latin-1").decode()
        except UnicodeDecodeError:
            continue
        if len(piece) > 1 and rules.allow(piece):
            found[piece] = len(piece) * count
    best = sorted(found, key=lambda piece: (-found[piece], -len(piece.encode()), piece))[
        : rules.seeds
    ]
    return corpus.chars | {piece: found[piece] for piece in best}


def train_unigram(
    corpus: Corpus, vocab_size: int, rules: Rules, others: int = 0, engine: str | None = None
) -> UnigramModel:
    """A Unigram model as SentencePiece trains it. others: how many tokens come beside those of the model.

    engine: "python", "compiled" (for large corpora, see `engines`), or None to choose by size; the model is the same.

    >>> hugs = corpus(["hugs hum", "hugs hug"])
    >>> list(train_unigram(hugs, 8, Rules()).losses)[:2]
    ['▁hug', 's']
    """
    compiled = engines.choose(engine, pieces=sum(map(len, corpus.words)))
    # Python's numbers have as many digits as they need.
    are_few = sum(corpus.followed.values()) < 1 << 40
    find = compiled.prune_pieces if compiled and are_few else prune
    losses = find(corpus, int((vocab_size + others) * (1 + rules.spare)), rules)
    lost, worst = [char for char in corpus.chars if char not in losses], max(losses.values())
    losses |= {char: worst - number / 10_000 for number, char in enumerate(lost)}
    # Losses that differ only by rounding are equal, and equal ones go by code points.
    ranked = sorted(losses, key=lambda piece: (round(losses[piece], 5), piece))
    final = {
        *corpus.chars,
        *[piece for piece in ranked if len(piece) > 1][: vocab_size - len(corpus.chars)],
    }
    return UnigramModel({piece: losses[piece] for piece in ranked if piece in final})


def prune(corpus: Corpus, target: int, rules: Rules) -> dict[str, float]:
    """The losses of the pieces that are left after all rounds."""
    from .structures.lattices import Lattices  # which loads numpy

    losses = to_losses(seeds(corpus, rules))
    roads, first = Lattices(corpus.words, losses), next(iter(corpus.chars))
    while True:
        for _ in range(rules.passes):
            counts, _ = roads.expected_counts(with_lost(losses, corpus.chars))
            counts[first] += corpus.unknown + sum(
                counts[char] for char in corpus.chars if char not in losses
            )
            often = {
                piece: counts[piece] for piece in losses if round(counts[piece], 9) >= rules.least
            }
            check_any(often, rules)
            losses = to_losses(often, digamma=True)
            roads.remove(counts.keys() - losses.keys() - corpus.chars.keys())
        kept = second_best(corpus, losses, max(target, int(rules.shrink * len(losses))))
        roads.remove(losses.keys() - {*kept, *corpus.chars})
        losses = {piece: losses[piece] for piece in kept}
        if len(losses) <= target:
            return losses


def check_any(left: Sized, rules: Rules) -> None:
    """Raises ValueError if no piece is left."""
    check(
        len(left),
        f"least is {rules.least}, and no piece is expected so often; choose a smaller number",
    )


def with_lost(losses: Mapping[str, float], chars: Iterable[str]) -> dict[str, float]:
    """The losses, and for characters that are no pieces any more that of an unknown one, 10 more than the worst.

    Such characters come back in the end. Until then, as all that is unknown, they are counted to the first piece, the
    commonest character: in the program, the number 0 means both.

    >>> with_lost({"hu": 1.0, "g": 2.0}, "hg")
    {'h': 12.0, 'g': 2.0, 'hu': 1.0}
    """
    return {**dict.fromkeys(chars, max(losses.values()) + 10), **losses}


def second_best(corpus: Corpus, losses: Mapping[str, float], size: int) -> list[str]:
    """The `size` pieces whose absence would cost most, dearest first, by a short cut.

    Instead of cutting all words anew without a piece, as `unigram.removal_scores` does, the piece alone is cut in the
    second best way, and its occurrences are counted to the pieces of that. One that no word's best way uses goes, and
    so does one that is itself better cut in two.

    >>> losses = {"h": 2.0, "u": 2.0, "g": 2.0, "s": 2.0, "▁": 2.0, "▁hu": 3.0, "▁hug": 3.5}
    >>> second_best(corpus(["hug " * 5 + "hugs hu"]), losses, 2)
    ['s', '▁hug']
    """
    model, first = Losses(with_lost(losses, corpus.chars)), next(iter(corpus.chars))
    used = Counter({first: corpus.unknown})
    for word, freq in corpus.words.items():
        for piece in viterbi(word, model)[0]:
            used[piece if piece in losses else first] += freq
    total = sum(used.values())
    scores = {}
    for piece in losses:
        freq = used[piece]
        others, loss = viterbi(piece, model, without=piece) if len(piece) > 1 else ([], math.inf)
        if freq and losses[piece] <= loss:
            if not others:
                scores[piece] = math.inf
                continue
            more, then = single(math.log(total + freq * (len(others) - 1))), 0.0
            for other in others:
                then = single(
                    then + math.log(used[other if other in losses else first] + freq) - more
                )
            now = single(math.log(freq) - single(math.log(total)))
            scores[piece] = single(single(freq / total) * single(now - then))
    return sorted(scores, key=scores.__getitem__, reverse=True)[:size]


def single(number: float) -> float:
    """The number as 32 bits hold it. SentencePiece reckons with these, and pieces that are worth the same go by them.

    >>> single(0.1)
    0.10000000149011612
    """
    return struct.unpack("f", struct.pack("f", number))[0]


# ----------------------------------------------------------------------------------------------------------------- BPE


def train_bpe(corpus: Corpus, vocab_size: int, rules: Rules) -> BPEModel:
    """A BPE model as SentencePiece trains it; a pair that would make a piece a second time is never merged.

    A word is encoded by the pieces alone, whichever pairs make them, so all those are among the model's merges.

    >>> train_bpe(corpus(["hugs hum", "hugs hug"]), 10, Rules()).vocab
    ['hu', '▁hu', '▁hug', '▁hugs', 'h', 'u', '▁', 'g', 's', 'm']
    """
    made, allow = dict[str, Pair](), cache(rules.allow)

    def allows(pair: Pair) -> bool:
        piece = pair[0] + pair[1]
        return piece not in made and allow(piece)

    queue = FilteredQueue(corpus.words, corpus.words.values(), shortest_first, allows=allows)
    while len(made) + len(corpus.chars) < vocab_size and (pair := queue.pop()):
        made[pair[0] + pair[1]] = pair
        queue.merge(pair, pair[0] + pair[1])
    vocab = [*made, *corpus.chars]
    return BPEModel(vocab, Joins({piece: rank for rank, piece in enumerate(vocab)}))
