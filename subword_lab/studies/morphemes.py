"""Where a tokenizer cuts a word, and where a linguist would: the measure of K. Bostrom and G. Durrett (2020).

Lesson 09 uses this; nothing else depends on it.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from .. import files
from ..arguments import shorten


def gold_morphemes() -> dict[str, list[str]]:
    """3,000 English words in their parts: word -> parts.

    From MorphyNet (K. Batsuren, G. Bella and F. Giunchiglia, 2021), which is under CC BY-SA 3.0. Prefixes and suffixes
    are cut off where the spelling stays the same, and not where it changed.

    >>> gold = gold_morphemes()
    >>> len(gold), gold["uncomfortable"], gold["developers"]
    (3000, ['un', 'comfort', 'able'], ['develop', 'er', 's'])
    """
    return {
        word.replace("|", ""): word.split("|")
        for word in files.read("data", "morphemes.txt").splitlines()
    }


def borders(pieces: Sequence[str]) -> set[int]:
    """Where one piece ends and the next begins, in characters from the left.

    >>> sorted(borders(["un", "comfort", "able"])), borders(["hug"])
    ([2, 9], set())
    """
    return set(accumulate(map(len, pieces[:-1])))


def border_scores(
    gold: Mapping[str, Sequence[str]], encode_word: Callable[[str], Sequence[str]]
) -> dict[str, float]:
    """How many of a tokenizer's borders are borders of the parts (precision), and of these, how many it has (recall).

    gold: word -> its parts. encode_word: the function that cuts a word; its tokens have no marks. "F1" is the harmonic
    mean of the two; where nothing is cut, precision is 0. All three are shares, from 0 to 1.

    Raises ValueError if there is no border in gold, or if the tokens of a word do not spell it.

    >>> gold = {"unhappy": ["un", "happy"], "hugs": ["hug", "s"]}
    >>> cut = {"unhappy": ["un", "hap", "py"], "hugs": ["hugs"]}
    >>> {name: round(score, 2) for name, score in border_scores(gold, cut.__getitem__).items()}
    {'precision': 0.5, 'recall': 0.5, 'F1': 0.5}
    """
    right = cut = there = 0
    for word, parts in gold.items():
        tokens = encode_word(word)
        if "".join(tokens) != word:
            raise ValueError(f"the tokens of {word!r} are {shorten(tokens)}; expected its letters")
        found, true = borders(tokens), borders(parts)
        right, cut, there = right + len(found & true), cut + len(found), there + len(true)
    if not there:
        raise ValueError(f"gold is {shorten(dict(gold))}; expected words of several parts")
    return {
        "precision": right / max(cut, 1),
        "recall": right / there,
        "F1": 2 * right / (cut + there),
    }
