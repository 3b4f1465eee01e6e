"""The exercises of lesson 05 that ask for code: fertility, a program's rule for ties, and a mark to recognize."""
from __future__ import annotations

from fractions import Fraction

from ... import bpe
from ...studies import side_by_side
from ..code import Function, Repair
from ..core import Exercise, Misconception
from .corpora import as_table, word_freqs

CORPUS = {"generate": lambda rng: {"freqs": word_freqs(rng)}}


# ---------------------------------------------------------------------------------------------------------- fertility

def _fertility(freqs, cut):
    return side_by_side.fertility(freqs, cut.get).per_word


def _fertility_by_loop(freqs, cut):
    words = tokens = 0
    for word, freq in freqs.items():
        words += freq
        tokens += freq * len(cut[word])
    return tokens / words


def _fertility_as_fraction(freqs, cut):
    return Fraction(sum(len(cut[word]) * freq for word, freq in freqs.items()), sum(freqs.values()))


def _of_types(freqs, cut):
    return sum(len(cut[word]) for word in freqs) / len(freqs)


def _half_weighted(freqs, cut):
    return sum(len(cut[word]) * freq for word, freq in freqs.items()) / len(freqs)


def _inverted(freqs, cut):
    return sum(freqs.values()) / sum(len(cut[word]) * freq for word, freq in freqs.items())


def _per_character(freqs, cut):
    return _fertility(freqs, cut) * sum(freqs.values()) / sum(len(word) * freq for word, freq in freqs.items())


def _of_all_that_is_cut(freqs, cut):
    return sum(map(len, cut.values())) / sum(freqs.values())


def _whole_number(freqs, cut):
    return sum(len(cut[word]) * freq for word, freq in freqs.items()) // sum(freqs.values())


def _corpora_with_cuts():
    from hypothesis import strategies as st

    def with_cuts(freqs):
        merges = bpe.train({**freqs, "ab": 2}, num_merges=2)
        return freqs, {word: bpe.encode_word(word, merges, unknown=None) for word in [*freqs, "cab"]}

    words = st.text("abc", min_size=1, max_size=5)
    return st.dictionaries(words, st.integers(1, 9), min_size=1, max_size=4).map(with_cuts)


def _cut(freqs):
    merges = bpe.train(freqs, num_merges=3)
    return {word: bpe.encode_word(word, merges) for word in freqs}


WRITE_FERTILITY = Exercise(
    id="compare-14", title="Write it: tokens per word", points=2, kind=Function("fertility(freqs, cut)"), **CORPUS,
    question=lambda v: "Write `fertility(freqs, cut)`: tokens per word of a corpus. `freqs` says how often each word "
                       "occurs, `cut` which tokens it becomes; `cut` may also know words that do not "
                       "occur.\n\n```\nfertility({'hug': 3, 'pugs': 1}, {'hug': ['hug'], 'pugs': ['p', 'ug', "
                       f"'s']}})\n```\n\nis `1.5`: 4 words, 6 tokens. A corpus to try it on:\n\n{as_table(v['freqs'])}",
    answer=lambda v: _fertility, also=lambda v: (_fertility_by_loop, _fertility_as_fraction),
    misconceptions=(
        Misconception("types-not-occurrences", "You count every word once. Does a word that is read ten times cost as "
                                               "much as one that is read once?", lambda v: _of_types),
        Misconception("divided-by-types", "You count the tokens of all occurrences, and divide by the number of "
                                          "different words. Which words do the tokens come "
                                          "from?", lambda v: _half_weighted),
        Misconception("words-per-token", "You divide the other way round. Should a better tokenizer get a larger "
                                         "number, or a smaller one?",
                      lambda v: _inverted),
        Misconception("tokens-per-character", "You divide by the number of characters. What is asked for is tokens "
                                              "per word.",
                      lambda v: _per_character),
        Misconception("frequencies-forgotten", "You add up the tokens of `cut` as they are. How often does each word "
                                               "occur, and does it occur at all?", lambda v: _of_all_that_is_cut),
        Misconception("whole-number", "You round down to a whole number. What does `//` do?", lambda v: _whole_number),
    ),
    cases=lambda v: [({"a": 1}, {"a": ["a"]}), ({"hug": 3, "pugs": 1}, {"hug": ["hug"], "pugs": ["p", "ug", "s"]}),
                     (v["freqs"], _cut(v["freqs"]))],
    strategy=lambda v: _corpora_with_cuts(),
    hints=("How many words are there in all? Each counts as often as it occurs.",
           "A word that occurs three times and becomes two tokens costs six.",
           "Two sums over `freqs.items()`, and one division at the end."),
    solution="```python\ndef fertility(freqs, cut):\n    tokens = sum(freq * len(cut[word]) for word, freq in "
             "freqs.items())\n    return tokens / sum(freqs.values())\n```",
)


# ----------------------------------------------------------------------------------------------- the rule of a library

def _best(pair_freqs, ids):
    return bpe.best_pair(pair_freqs, "lowest-ids", ids)


def _best_by_sorting(pair_freqs, ids):
    return sorted(pair_freqs, key=lambda pair: (-pair_freqs[pair], ids[pair[0]], ids[pair[1]]))[0]


def _best_by_loop(pair_freqs, ids):
    best = None
    for pair in pair_freqs:
        rank = -pair_freqs[pair], ids[pair[0]], ids[pair[1]]
        if best is None or rank < best[0]:
            best = rank, pair
    return best[1]


def _best_left_only(pair_freqs, ids):
    return min(pair_freqs, key=lambda pair: (-pair_freqs[pair], ids[pair[0]]))


def _best_right_first(pair_freqs, ids):
    return min(pair_freqs, key=lambda pair: (-pair_freqs[pair], ids[pair[1]], ids[pair[0]]))


def _best_by_sum(pair_freqs, ids):
    return min(pair_freqs, key=lambda pair: (-pair_freqs[pair], ids[pair[0]] + ids[pair[1]]))


def _best_by_alphabet(pair_freqs, ids):
    return min(pair_freqs, key=lambda pair: (-pair_freqs[pair], pair))


def _best_greatest_ids(pair_freqs, ids):
    return max(pair_freqs, key=lambda pair: (pair_freqs[pair], ids[pair[0]], ids[pair[1]]))


def _best_ids_before_counts(pair_freqs, ids):
    return min(pair_freqs, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def _best_first_seen(pair_freqs, ids):
    return max(pair_freqs, key=pair_freqs.get)


def _pairs_and_ids():
    from hypothesis import strategies as st

    tokens = ["a", "b", "c", "ab", "bc"]
    pairs = st.tuples(st.sampled_from(tokens), st.sampled_from(tokens))
    counts = st.dictionaries(pairs, st.integers(1, 2), min_size=1, max_size=6)
    return st.tuples(counts, st.permutations(tokens).map(lambda order: {token: i for i, token in enumerate(order)}))


def _first_counts(freqs):
    letters = sorted(set("".join(freqs)))
    return bpe.pair_freqs(freqs, bpe.split_words(freqs)), {letter: number for number, letter in enumerate(letters)}


WRITE_TIES = Exercise(
    id="compare-15", title="Write it: the library's rule for ties", points=2,
    kind=Function("best_pair(pair_freqs, ids)"), **CORPUS,
    question=lambda v: "Write `best_pair(pair_freqs, ids)` as the tokenizers library has it: the most frequent pair "
                       "and, among equals, the one whose left token has the smallest id; if that is equal too, whose "
                       "right token has. `ids` gives every token's id.\n\n```\nbest_pair({('i', 's'): 5, ('e', 'r'): "
                       "5, ('e', 'n'): 4},\n          {'e': 0, 'i': 1, 'n': 2, 'r': 3, 's': 4})\n```\n\nis `('e', "
                       f"'r')`. Pairs to try it on: those of\n\n{as_table(v['freqs'])}",
    answer=lambda v: _best, also=lambda v: (_best_by_sorting, _best_by_loop),
    misconceptions=(
        Misconception("first-seen", "Among equals the first one wins in yours. That is the rule of the sources; where "
                                    "do the ids come in?",
                      lambda v: _best_first_seen),
        Misconception("left-id-only", "You look at the left id alone. What if two pairs have the same left token?",
                      lambda v: _best_left_only),
        Misconception("right-id-first", "You look at the right token before the left one. Which of them decides first?",
                      lambda v: _best_right_first),
        Misconception("sum-of-ids", "You add the two ids. Are 0 and 4 the same as 2 and 2?", lambda v: _best_by_sum),
        Misconception("alphabet-not-ids", "You go by the alphabet. Does a token that was made late have an id that "
                                          "fits its spelling?",
                      lambda v: _best_by_alphabet),
        Misconception("greatest-ids", "Among equals you take the greatest ids.", lambda v: _best_greatest_ids),
        Misconception("ids-before-counts", "You look at the ids before the counts. Ids decide among equals only.",
                      lambda v: _best_ids_before_counts),
    ),
    cases=lambda v: [({("a", "b"): 1}, {"a": 0, "b": 1}), ({("b", "a"): 2, ("a", "b"): 2}, {"b": 0, "a": 1}),
                     _first_counts(v["freqs"])],
    strategy=lambda v: _pairs_and_ids(),
    hints=("`min` and `max` take a `key`: a function that says by what to compare.",
           "A key may be a tuple: its first member decides, the next ones only among equals.",
           "You want the highest count, but the smallest ids: turn the sign of one of them."),
    solution="```python\ndef best_pair(pair_freqs, ids):\n    def key(pair):\n        return -pair_freqs[pair], "
             "ids[pair[0]], ids[pair[1]]\n    return min(pair_freqs, key=key)\n```",
)


# -------------------------------------------------------------------------------------------------------------- repair

BROKEN = '''def mark_of(tokens):
    for mark in ("##", "</w>", "▁"):
        if all(mark in token for token in tokens):
            return mark
    return ""
'''


def _mark_of(tokens):
    if any(token.startswith("##") for token in tokens):
        return "##"
    if any(token.endswith("</w>") for token in tokens):
        return "</w>"
    return "▁" if any(token.startswith("▁") for token in tokens) else ""


def _mark_by_table(tokens):
    places = {"##": str.startswith, "</w>": str.endswith, "▁": str.startswith}
    found = [mark for mark, at in places.items() for token in tokens if at(token, mark)]
    return found[0] if found else ""


def _mark_by_slices(tokens):
    for mark, part in (("##", slice(None, 2)), ("</w>", slice(-4, None)), ("▁", slice(None, 1))):
        if mark in [token[part] for token in tokens]:
            return mark
    return ""


def _mark_broken(tokens):
    return next((mark for mark in ("##", "</w>", "▁") if all(mark in token for token in tokens)), "")


def _mark_anywhere(tokens):
    return next((mark for mark in ("##", "</w>", "▁") if any(mark in token for token in tokens)), "")


def _mark_on_all(tokens):
    return next((mark for mark in ("##", "</w>", "▁") if all(_mark_of([token]) == mark for token in tokens)), "")


def _mark_of_first(tokens):
    return _mark_of(tokens[:1])


def _mark_of_last(tokens):
    return _mark_of(tokens[-1:])


def _mark_in_front(tokens):
    return next((mark for mark in ("##", "</w>", "▁") if any(token.startswith(mark) for token in tokens)), "")


def _mark_at_end(tokens):
    return next((mark for mark in ("##", "</w>", "▁") if any(token.endswith(mark) for token in tokens)), "")


def _token_lists():
    from hypothesis import strategies as st

    tokens = st.sampled_from(["a", "un", "##g", "est</w>", "▁the", "C##", "a▁b", "</w>x", "a##b", "##", "</w>"])
    return st.lists(tokens, max_size=4).map(lambda tokens: (tokens,))


def _with_prefix(freqs):
    return [piece for word in freqs for piece in (word[:1], "##" + word[1:])]


REPAIR_MARK = Exercise(
    id="compare-16", title="Repair it: which mark is it?", points=3, kind=Repair("mark_of(tokens)", BROKEN), **CORPUS,
    question=lambda v: "From tokens alone, say how words are marked: `mark_of(tokens)` is to return `'##'` if a token "
                       "**begins** with it, otherwise `'</w>'` if a token **ends** with it, otherwise `'▁'` if a "
                       "token **begins** with it, otherwise `''`. It does not. Mend "
                       f"it.\n\n```python\n{BROKEN}```\n\nTokens to try it on: `{_with_prefix(v['freqs'])[:6]}`, "
                       "`['C##', 'is</w>']`, `[]`.",
    answer=lambda v: _mark_of, also=lambda v: (_mark_by_table, _mark_by_slices),
    misconceptions=(
        Misconception("as-given", "This still does what the broken function did. Must every token carry the mark, and "
                                  "anywhere?",
                      lambda v: _mark_broken),
        Misconception("mark-anywhere", "One token is enough now, but the mark may stand anywhere in it. What about a "
                                       "word such as `C##`?",
                      lambda v: _mark_anywhere),
        Misconception("mark-on-every-token", "The place is right now, but you want every token to carry the mark. "
                                             "Does a word's first token begin with `##`?", lambda v: _mark_on_all),
        Misconception("first-token-only", "You look at the first token alone.", lambda v: _mark_of_first),
        Misconception("last-token-only", "You look at the last token alone.", lambda v: _mark_of_last),
        Misconception("always-in-front", "You look for every mark in front. Where does `</w>` "
                                         "stand?", lambda v: _mark_in_front),
        Misconception("always-at-the-end", "You look for every mark at the end. Where do `##` and `▁` "
                                           "stand?", lambda v: _mark_at_end),
    ),
    cases=lambda v: [([],), (["un", "##hug"],), (["C##", "is</w>"],), (["▁the", "s"],), (_with_prefix(v["freqs"]),)],
    strategy=lambda v: _token_lists(),
    hints=("Try it on `['un', '##hug']`: which of the two tokens carries the mark?",
           "`all` wants every token, `any` is content with one. And what does `all` say of an empty list?",
           "`token.startswith(...)` and `token.endswith(...)` look at one end only; not every mark stands at the same "
           "end."),
    solution="```python\ndef mark_of(tokens):\n    if any(token.startswith(\"##\") for token in tokens):\n        "
             "return \"##\"\n    if any(token.endswith(\"</w>\") for token in tokens):\n        return \"</w>\"\n    "
             "if any(token.startswith(\"▁\") for token in tokens):\n        return \"▁\"\n    return \"\"\n```",
)

EXERCISES = [WRITE_FERTILITY, WRITE_TIES, REPAIR_MARK]
