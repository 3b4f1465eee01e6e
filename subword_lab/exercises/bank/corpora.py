"""Small corpora for variants: word families whose words share pieces, with random frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..rng import Rng

FAMILIES = (
    ("hug", "pug", "pun", "bun", "hugs"),
    ("low", "lower", "newer", "wider", "new"),
    ("cat", "cats", "mat", "mats", "cut"),
    ("sing", "king", "ring", "sink", "rings"),
    ("tall", "taller", "small", "ball", "bell"),
    ("pen", "ten", "tent", "rent", "open"),
    ("дом", "дома", "том", "тома", "кот"),
    ("лес", "леса", "вес", "весь", "лист"),
)
ECHOES = (  # families in which a pair stands twice in a word, or turned round
    ("banana", "ban", "cabana", "nab", "band"),
    ("mama", "mam", "map", "ham", "amp"),
    ("onion", "on", "noon", "son", "not"),
    ("cocoa", "coco", "cot", "oca", "taco"),
    ("мама", "мам", "мак", "там", "рама"),
    ("кокос", "кок", "сок", "око", "кот"),
)


def word_freqs(
    rng: Rng, families: Sequence[Sequence[str]] = FAMILIES, low: int = 3, high: int = 15
) -> dict[str, int]:
    """One family of words, each with a frequency of its own.

    >>> word_freqs(Rng("a"))
    {'tall': 4, 'taller': 10, 'small': 3, 'ball': 9, 'bell': 14}
    """
    words = rng.choice(families)
    return dict(zip(words, rng.sample(range(low, high + 1), len(words))))


def table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; its head is given in one string.

    >>> print(table("word | times", [["`hug`", 10]]))
    | word | times |
    |---|---|
    | `hug` | 10 |
    """
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return "\n".join([f"| {head} |", "|---" * (head.count("|") + 1) + "|", *lines])


def as_table(freqs: Mapping[str, int]) -> str:
    """Word frequencies as a Markdown table.

    >>> print(as_table({"hug": 10, "pug": 5}))
    | word | times |
    |---|---|
    | `hug` | 10 |
    | `pug` | 5 |
    """
    return table("word | times", [(f"`{word}`", freq) for word, freq in freqs.items()])


def times(number: int) -> str:
    """How often something occurs, in words.

    >>> times(0), times(1), times(3)
    ('nowhere', 'once', '3 times')
    """
    return {0: "nowhere", 1: "once"}.get(number, f"{number} times")


def as_merges(merges: Iterable[Sequence[str]]) -> str:
    """Merges as a Markdown list in order.

    >>> print(as_merges([("u", "g"), ("h", "ug")]))
    1. `u` + `g`
    2. `h` + `ug`
    """
    return "\n".join(
        f"{number}. `{left}` + `{right}`" for number, (left, right) in enumerate(merges, 1)
    )


def as_tokens(tokens: Iterable[str]) -> str:
    """Tokens in a line of Markdown code.

    >>> as_tokens(["un", "hug"])
    '`un` `hug`'
    """
    return " ".join(f"`{token}`" for token in tokens)
