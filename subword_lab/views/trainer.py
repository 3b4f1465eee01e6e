"""A trainer to play with, in the page itself: merges learned from the reader's own words, see `static/trainer.js`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import bpe, compression, text, wordpiece
from ..arguments import check_choice, counted
from ..html import tag
from ..studies import speed
from .in_page import InPage, in_page, text_of
from .tables import bar_table
from .tokens import LONGEST

LONGEST_DRAWN = 2000  # characters that are compressed
LONGEST_READ, MOST_WORK = 5000, 200  # characters, and merges, whose work is counted

ALGORITHMS = {
    "bpe": "highest count (BPE)",
    "wordpiece": "highest score (WordPiece)",
    "frequency": "highest count, with ##",
}
TIES = {
    "first-seen": "the pair seen first",
    "lowest-ids": "the lowest ids",
    "greatest": "the greatest pair",
    "shortest-first": "the shortest token",
}
CLASSES = {  # of characters, as a browser knows them
    "space": r"\p{White_Space}",
    "letter": r"\p{L}",
    "number": r"\p{N}",
    "word": r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}",
    "punctuation": r"\p{P}$+<=>^`|~",
    "upper": r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}",
    "lower": r"\p{Ll}\p{Lm}\p{Lo}\p{M}",
}
SPELLINGS = {  # what browsers write in another way
    r"\S": r"[^\p{White_Space}\x1c-\x1f]",
    r"\Z": "$",
    "(?s:.)": "[^]",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)": "(?:'[sStTmMdD]|'[rRvV][eE]|'[lL][lL])",
}


def trainer_playground(
    corpus: str | Path | Mapping[str, int] = "hug pug pun bun hugs",
    *,
    algorithm: str = "bpe",
    scheme: str = "whitespace",
    merges: int = 3,
    ties: str = "first-seen",
    title: str = "Train a tokenizer on your own words",
) -> InPage:
    """A trainer to play with: corpus, scheme, rule, ties and number of merges follow as they are changed.

    corpus: what stands in the field at first: a text, a file's Path, or words with their counts, each of which then
    stands there as often. algorithm: "bpe"; "wordpiece" for its score, or "frequency" for counts with its ##. merges,
    at most 60. Any pair can be merged in place of the rule's; what the rule alone does is drawn beside what comes then.

    Raises ValueError for a rule or a scheme that is not known, a negative number, or a word that begins with ## where
    this marks tokens that continue a word.

    >>> trainer_playground("hug pug hugs", merges=2)
    Train a tokenizer on your own words: 2 merges: the corpus went from 10 tokens to 5; the vocabulary has 7.
    """
    check_choice("algorithm", algorithm, ALGORITHMS)
    check_choice("scheme", scheme, text.PATTERNS)
    check_choice("ties", ties, TIES)
    if isinstance(corpus, Mapping):
        corpus = " ".join(word for word, freq in corpus.items() for _ in range(freq))
    corpus = text_of(corpus)
    status = _status(text.word_freqs([corpus], scheme), algorithm, merges, ties)
    settings = {
        "key": "corpus",
        "label": "Corpus: type or paste a text",
        "text": corpus,
        "merges": merges,
        "algorithm": algorithm,
        "scheme": scheme,
        "ties": ties,
        "options": {
            "algorithm": ALGORITHMS,
            "scheme": {name: name for name in text.PATTERNS},
            "ties": TIES,
        },
        "patterns": {name: pattern(name) for name in text.PATTERNS},
        "bytes": text.BYTE_LEVEL,
        "longest": LONGEST,
    }
    return in_page("subword-trainer", title, status, settings, tag("pre", corpus[:1000]))


def compressor_playground(
    string: str | Path = "she sells sea shells by the sea shore",
    *,
    rules: int = 3,
    title: str = "Compress your own text",
) -> InPage:
    """A compressor to play with, forwards and backwards: the text gets shorter rule by rule, and the table longer.

    string: what stands in the field at first, or a file's Path. rules: how many are shown at first. The rules are those
    of `compression.compress`.

    >>> compressor_playground("aaabdaaabac")
    Compress your own text: 11 symbols become 5 with 3 rules; with the table it is 14.
    """
    string = text_of(string)[:LONGEST_DRAWN]
    made = compression.compress(string, num_rules=rules)
    status = (
        f"{counted(made.lengths[0], 'symbol')} become {len(made.data):,} with {counted(len(made.table), 'rule')}; "
        f"with the table it is {made.size:,}."
    )
    return in_page(
        "subword-compressor",
        title,
        status,
        {
            "key": "string",
            "label": "Your text",
            "text": string,
            "merges": rules,
            "longest": LONGEST_DRAWN,
        },
        tag("pre", string),
        tag("pre", made.data),
    )


def work_playground(
    string: str | Path = "hug pug pun bun hugs",
    *,
    merges: int = 100,
    title: str = "How much work is a merge?",
) -> InPage:
    """Four trainers that learn the same merges from a text, and how often each looks at a pair, see `studies.speed`.

    string: what stands in the field at first, or a file's Path. merges: how many are shown at first, of 200 at most.

    >>> work_playground("hug pug hugs", merges=2)
    How much work is a merge?: 18 looks at a pair, or 36, for the same 2 merges.
    """
    string = text_of(string)[:LONGEST_READ]
    looks = speed.looks(text.word_freqs([string]), min(merges, MOST_WORK))
    last = {name: sums[-1] if sums else 0 for name, sums in looks.items()}
    whole, _, _, heap = last.values()
    made = counted(len(looks["an index"]), "merge")
    return in_page(
        "subword-work",
        title,
        f"{whole:,} looks at a pair, or {heap:,}, for the same {made}.",
        {
            "key": "passage",
            "label": "Your text",
            "text": string,
            "merges": merges,
            "most": MOST_WORK,
            "trainers": speed.TRAINERS,
            "pattern": pattern("whitespace"),
            "longest": LONGEST_READ,
        },
        tag("pre", string),
        bar_table(last, "looks at a pair"),
    )


def pattern(scheme: str) -> str:
    r"""What a word is, see `text.PATTERNS`, as a regular expression of the browser's (with the flag u).

    >>> pattern("spaces")
    '[^\\p{White_Space}]+'
    """
    spelled = text.PATTERNS[scheme].format_map(CLASSES)
    for python, browser in SPELLINGS.items():
        spelled = spelled.replace(python, browser)
    return spelled


def _status(word_freqs: Mapping[str, int], algorithm: str, merges: int, ties: str) -> str:
    """What comes of the merges, in a sentence."""
    if not word_freqs:
        return "Nothing to count yet: type some words."
    if max(map(len, word_freqs)) == 1:
        return "Every word is one symbol: no pair to merge."
    module: Any = bpe if algorithm == "bpe" else wordpiece
    options: dict[str, Any] = {
        "ties": bpe.shortest_first if ties == "shortest-first" else ties,
        **({"score": "frequency"} if algorithm == "frequency" else {}),
    }
    steps = list(module.train_steps(word_freqs, num_merges=merges, **options))
    splits = steps[-1].splits if steps else module.split_words(word_freqs)
    before = sum(freq * len(word) for word, freq in word_freqs.items())
    after = sum(freq * len(splits[word]) for word, freq in word_freqs.items())
    vocab = module.train(word_freqs, num_merges=merges, **options).vocab
    end = "" if any(len(split) > 1 for split in splits.values()) else " No pair is left."
    return (
        f"{counted(len(steps), 'merge')}: the corpus went from {counted(before, 'token')} to {after:,}; "
        f"the vocabulary has {len(vocab):,}.{end}"
    )
