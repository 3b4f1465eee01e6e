"""Small corpora for variants: word families whose words share pieces, with random frequencies."""

from collections.abc import Sequence

from .. import Rng

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
LONGER = (  # families in which merges build on merges
    ("lower", "slower", "slowly", "low", "slow"),
    ("banana", "bananas", "cabana", "ban", "band"),
    ("taller", "smaller", "small", "tall", "ball"),
    ("singer", "singing", "ring", "king", "rings"),
    ("newer", "newest", "renewed", "new", "wider"),
    ("кокосы", "кокос", "кокон", "сок", "око"),
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
