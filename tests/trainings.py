"""What BPE and WordPiece are trained on in the tests of both: small corpora, and all that can be chosen."""

from hypothesis import strategies as st

from subword_lab import bpe, wordpiece

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
UNK = "[UNK]"


def last_letter_first(pair):
    return pair[1], -len(pair[0])  # many pairs share a key: then the first one seen wins


TIES = [*bpe.TIES, last_letter_first, lambda pair: 0]
PREFIXES = ["##", "", "@@", "ab", "▁"]

# Few letters and small counts, so that ties, runs such as aaaa, and tokens that are made in two ways do occur; and \0,
# the first character that compiled code would put between words if none of them held it.
words = st.one_of(
    st.text("ab", min_size=1, max_size=8),
    st.text("abc", min_size=1, max_size=6),
    st.text("\0aæ字🤗#", min_size=1, max_size=5),
    st.integers(1, 14).map(lambda n: "a" * n),
)
new_words = st.one_of(words, st.text("abcæ字🤗dz#▁@", min_size=0, max_size=12))
LARGE_COUNTS = st.one_of(st.integers(1, 4), st.integers(1, 10**12))


def corpora_for(prefix, counts=LARGE_COUNTS):
    keys = words.filter(lambda word: not prefix or not word.startswith(prefix))
    return st.dictionaries(keys, counts, min_size=1, max_size=12)


wordpiece_trainings = st.one_of(
    *(
        st.fixed_dictionaries(
            {
                "word_freqs": corpora_for(prefix),
                "prefix": st.just(prefix),
                "score": st.sampled_from(wordpiece.SCORES),
                "ties": st.sampled_from([None, *TIES]),
                "alphabet": st.lists(st.sampled_from(["a", "##a", "x", "y"]), max_size=3),
                "special_tokens": st.lists(
                    st.sampled_from([UNK, "ab", "##ab", "##b", "aaa", "z"]), max_size=3, unique=True
                ),
            }
        )
        for prefix in PREFIXES
    )
)

corpora = st.dictionaries(words, st.integers(1, 4), min_size=1, max_size=12)
special_tokens = st.lists(
    st.sampled_from(["<|endoftext|>", "ab", "aa", "aaa", "abc", "b", "##ab", "z"]),
    max_size=3,
    unique=True,
)
alphabets = st.lists(st.sampled_from(["a", "b", "x", "y", "é"]), max_size=3)
marks = st.sampled_from(["", "</w>", "</s>", "§", "_x"])  # no word holds them
bpe_trainings = st.fixed_dictionaries(
    {
        "word_freqs": corpora,
        "ties": st.sampled_from(TIES),
        "special_tokens": special_tokens,
        "alphabet": alphabets,
        "end_of_word": marks,
    }
)
trainings = st.one_of(
    st.tuples(st.just(bpe), bpe_trainings), st.tuples(st.just(wordpiece), wordpiece_trainings)
)
