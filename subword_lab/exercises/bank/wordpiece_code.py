"""The exercises of lesson 02 that ask for code."""
from __future__ import annotations

from fractions import Fraction

from ... import bpe, wordpiece
from ...wordpiece import WordPieceModel
from ..code import Function, Repair
from ..core import Exercise, Misconception
from .corpora import as_tokens, word_freqs
from .wordpiece import LANGUAGES, SYLLABLES, _by_left, _by_pair_totals, _by_sum, _once_each

# ------------------------------------------------------------------------------------------------------ scoring pairs


def _scores_in_floats(word_freqs, splits):
    return {pair: float(score) for pair, score in wordpiece.pair_scores(word_freqs, splits).items()}


def _scores_by_loop(word_freqs, splits):
    from collections import Counter

    symbols, pairs = Counter(), Counter()
    for word, freq in word_freqs.items():
        for i, symbol in enumerate(splits[word]):
            symbols[symbol] += freq
            if i:
                pairs[splits[word][i - 1], symbol] += freq
    return {(left, right): freq / symbols[left] / symbols[right] for (left, right), freq in pairs.items()}


def _scores_by_words_that_hold(word_freqs, splits):
    holding = {symbol: sum(freq for word, freq in word_freqs.items() if symbol in splits[word])
               for split in splits.values() for symbol in split}
    return {(i, j): Fraction(count, holding[i] * holding[j])
            for (i, j), count in bpe.pair_freqs(word_freqs, splits).items()}


def _scores_times_length(word_freqs, splits):
    length = sum(freq * len(splits[word]) for word, freq in word_freqs.items())
    return {pair: length * score for pair, score in wordpiece.pair_scores(word_freqs, splits).items()}


def _split_corpora():
    from hypothesis import strategies as st

    corpora = st.dictionaries(st.text("ab", min_size=1, max_size=5), st.integers(1, 9), min_size=1, max_size=4)
    return corpora.map(lambda freqs: (freqs, wordpiece.split_words(freqs)))


SCORES = Exercise(
    id="wordpiece-16", title="Write it: the scores", points=3, kind=Function("pair_scores(word_freqs, splits)"),
    generate=lambda rng: {"freqs": word_freqs(rng, LANGUAGES)},
    question=lambda v: "Write `pair_scores(word_freqs, splits)`. It returns a dictionary from each pair of neighbors "
                       "to its WordPiece score, as a fraction or as a floating-point number.\n\n```\n"
                       "pair_scores({'hug': 10, 'hugs': 5},\n"
                       "            {'hug': ['h', '##u', '##g'], 'hugs': ['h', '##u', '##g', '##s']})\n```\n\n"
                       "gives 1/15 for each of its three pairs. A corpus to try it on: "
                       f"`{v['freqs']}`, and `split_words` of it.",
    answer=lambda v: wordpiece.pair_scores, also=lambda v: (_scores_in_floats, _scores_by_loop),
    misconceptions=(
        Misconception("frequency-instead-of-score",
                      "You return how often the pairs occur. By what does the score divide that?",
                      lambda v: lambda word_freqs, splits: bpe.pair_freqs(word_freqs, splits)),
        Misconception("sum-instead-of-product",
                      "You divide by the sum of the two counts. What stands between n(i) and n(j) in the formula?",
                      lambda v: _by_sum),
        Misconception("left-symbol-only",
                      "You divide by the count of the first symbol. What if the second one stands everywhere?",
                      lambda v: _by_left),
        Misconception("types-not-occurrences",
                      "You count every word once. How often does a word bring its pairs and its symbols?",
                      lambda v: _once_each),
        Misconception("pair-totals",
                      "You count a left symbol only where something follows it, or a right one only where something "
                      "stands before it. Does a symbol at the end or the beginning of a word not occur?",
                      lambda v: _by_pair_totals),
        Misconception("words-not-places",
                      "You count the words that hold a symbol. What about a word that holds it twice?",
                      lambda v: _scores_by_words_that_hold),
        Misconception("times-length",
                      "Your numbers are all too large by the same factor. Which length has no place in the score?",
                      lambda v: _scores_times_length),
    ),
    cases=lambda v: [({"ab": 2}, {"ab": ["a", "##b"]}),
                     ({"hug": 10, "hugs": 5}, wordpiece.split_words(["hug", "hugs"])),
                     (v["freqs"], wordpiece.split_words(v["freqs"]))],
    strategy=lambda v: _split_corpora(),
    hints=("Count twice: how often each symbol occurs, and how often each pair occurs. One loop can do both.",
           "A symbol counts at every place in every word, as often as the word occurs; a pair as well.",
           "When both are counted, go through the pairs and divide each count by the product of two others."),
    solution="```python\ndef pair_scores(word_freqs, splits):\n    symbols, pairs = {}, {}\n"
             "    for word, freq in word_freqs.items():\n        split = splits[word]\n        for symbol in split:\n"
             "            symbols[symbol] = symbols.get(symbol, 0) + freq\n        for pair in zip(split, split[1:]):\n"
             "            pairs[pair] = pairs.get(pair, 0) + freq\n"
             "    return {(i, j): n / (symbols[i] * symbols[j]) for (i, j), n in pairs.items()}\n```",
)


# ------------------------------------------------------------------------------------------------------------- merging

def _merge(symbols, pair):
    return bpe.merge_symbols(symbols, tuple(pair), wordpiece.merged_token(tuple(pair)))


def _merge_by_splicing(symbols, pair):
    symbols, i = list(symbols), 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) == tuple(pair):
            symbols[i:i + 2] = [pair[0] + pair[1][2:]]
        i += 1
    return symbols


def _merge_by_recursion(symbols, pair):
    if len(symbols) < 2:
        return list(symbols)
    if tuple(symbols[:2]) == tuple(pair):
        return [wordpiece.merged_token(tuple(pair)), *_merge_by_recursion(symbols[2:], pair)]
    return [symbols[0], *_merge_by_recursion(symbols[1:], pair)]


def _merge_into(token):
    """A merge that is right but for the token that it makes."""
    return lambda symbols, pair: bpe.merge_symbols(symbols, tuple(pair), token(pair))


def _merge_once(symbols, pair):
    for i in range(len(symbols) - 1):
        if tuple(symbols[i:i + 2]) == tuple(pair):
            return [*symbols[:i], wordpiece.merged_token(tuple(pair)), *symbols[i + 2:]]
    return list(symbols)


def _merge_letters(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        hit = [symbol.removeprefix("##") for symbol in symbols[i:i + 2]] == [part.removeprefix("##") for part in pair]
        merged.append(wordpiece.merged_token(tuple(symbols[i:i + 2])) if hit else symbols[i])
        i += 2 if hit else 1
    return merged


def _merge_from_right(symbols, pair):
    return bpe.merge_symbols(symbols[::-1], tuple(pair)[::-1], wordpiece.merged_token(tuple(pair)))[::-1]


def _split_words():
    from hypothesis import strategies as st

    words = st.text("ab", max_size=7).map(lambda word: wordpiece.split_words([word])[word])
    return st.tuples(words, st.tuples(st.sampled_from(["a", "##a", "##b"]), st.sampled_from(["##a", "##b"])))


MERGE = Exercise(
    id="wordpiece-17", title="Write it: merge with ##", points=2, kind=Function("merge(symbols, pair)"),
    generate=lambda rng: {"word": rng.choice(SYLLABLES)},
    question=lambda v: "Write `merge(symbols, pair)`. It returns the symbols of one word with every occurrence of the "
                       "pair, from left to right, merged into one. The second symbol of a pair always carries "
                       "`##`.\n\n```\nmerge(['h', '##u', '##g', '##s'], ('##u', '##g'))\n```\n\nis `['h', '##ug', "
                       f"'##s']`. Symbols to try it on: `{wordpiece.split_words([v['word']])[v['word']]}`.",
    answer=lambda v: _merge, also=lambda v: (_merge_by_splicing, _merge_by_recursion),
    misconceptions=(
        Misconception("prefix-left-inside",
                      "`##` is left in the middle of your token. Does the second half still begin a piece of its own?",
                      lambda v: _merge_into("".join)),
        Misconception("prefix-lost", "Your new token has lost the `##` at its front. Does it begin a word now?",
                      lambda v: _merge_into(lambda pair: "".join(pair).replace("##", ""))),
        Misconception("prefix-always",
                      "Every token that you make carries `##`. What of one that stands at the beginning of its word?",
                      lambda v: _merge_into(lambda pair: "##" + "".join(pair).replace("##", ""))),
        Misconception("both-forms-merged",
                      "You compare letters without their `##`. Are a beginning and a continuation the same symbol?",
                      lambda v: _merge_letters),
        Misconception("first-place-only", "You merge one place only. What about the others?", lambda v: _merge_once),
        Misconception("from-the-right", "You merge from the right. In a run of three, which two come first?",
                      lambda v: _merge_from_right),
    ),
    cases=lambda v: [(["a", "##b"], ("a", "##b")), (["h", "##u", "##g", "##s"], ("##u", "##g")),
                     *((split, pair) for split in [wordpiece.split_words([v["word"]])[v["word"]]]
                       for pair in [(split[0], split[1]), ("##" + split[0], split[1])])],
    strategy=lambda v: _split_words(),
    hints=("Walk through the list with a position, and compare two symbols at a time with the pair.",
           "The new token is the first symbol as it is, and the second one without its first two signs.",
           "If the two are the pair, go on behind both; if not, keep the first and go one further."),
    solution="```python\ndef merge(symbols, pair):\n    merged, i = [], 0\n    while i < len(symbols):\n"
             "        if tuple(symbols[i:i + 2]) == tuple(pair):\n"
             "            merged.append(pair[0] + pair[1].removeprefix('##'))\n            i += 2\n        else:\n"
             "            merged.append(symbols[i])\n            i += 1\n    return merged\n```",
)


# ------------------------------------------------------------------------------------------------------------ encoding

def _encode(word, vocab):
    return wordpiece.encode_word(word, WordPieceModel(list(vocab)))


def _encode_by_loop(word, vocab):
    tokens, rest = [], word
    while rest:
        for end in range(len(rest), 0, -1):
            token = "##" * bool(tokens) + rest[:end]
            if token in vocab:
                break
        else:
            return ["[UNK]"]
        tokens.append(token)
        rest = rest[end:]
    return tokens


def _encode_by_recursion(word, vocab, begun=False):
    if not word:
        return []
    mark = "##" * begun
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocab:
            rest = _encode_by_recursion(word[end:], vocab, True)
            return rest if rest == ["[UNK]"] else [mark + word[:end], *rest]
    return ["[UNK]"]


def _encode_with(candidates, unknown=lambda tokens, rest: ["[UNK]"]):
    """An encoder that takes the first token among the candidates for a place, and where there is none, gives up."""
    def encode(word, vocab):
        tokens, rest = [], word
        while rest:
            found = next((token for token in candidates(rest, bool(tokens)) if token in vocab), None)
            if found is None:
                return unknown(tokens, rest)
            tokens.append(found)
            rest = rest[len(found.removeprefix("##")):]
        return tokens
    return encode


def _long_to_short(rest, inside):
    return ["##" * inside + rest[:end] for end in range(len(rest), 0, -1)]


def _marked(inside, begin):
    """Candidates from long to short, each with all of these marks."""
    return lambda rest, within: [mark + rest[:end] for end in range(len(rest), 0, -1)
                                 for mark in (inside if within else begin)]


def _encode_pieces(word, vocab):
    """Only the character that no token goes on with is unknown."""
    tokens, start = [], 0
    while start < len(word):
        token = next((t for t in _long_to_short(word[start:], bool(start)) if t in vocab), None)
        tokens.append(token or "[UNK]")
        start += len(token.removeprefix("##")) if token else 1
    return tokens


def _words_and_vocabs():
    from hypothesis import strategies as st

    pieces = ["a", "b", "ab", "ba", "aab", "##a", "##b", "##ab", "##ba", "##abb", "#", "c", "##c"]
    return st.tuples(st.text("abc", max_size=6), st.lists(st.sampled_from(pieces), unique=True, max_size=9))


def _some_vocab(v):
    return list(wordpiece.train(v["freqs"], num_merges=5).vocab)


ENCODE = Exercise(
    id="wordpiece-18", title="Write it: the longest beginning", points=3, kind=Function("encode(word, vocab)"),
    generate=lambda rng: {"freqs": word_freqs(rng, LANGUAGES)},
    question=lambda v: "Write `encode(word, vocab)`, where `vocab` is a list of tokens. It cuts off the longest "
                       "beginning of the word that is a token, and goes on with the rest, for which only tokens with "
                       "`##` fit. Where no token goes on, the whole word becomes `['[UNK]']`; the empty word has no "
                       "tokens.\n\n```\nencode('hugs', ['h', 'hu', '##g', '##gs', '##s'])\n```\n\nis `['hu', '##gs']`. "
                       f"A vocabulary to try it on: `{_some_vocab(v)}`.",
    answer=lambda v: _encode, also=lambda v: (_encode_by_loop, _encode_by_recursion),
    misconceptions=(
        Misconception("unknown-piece-only",
                      "Only the piece that is missing becomes `[UNK]` with you. What becomes of the pieces before it?",
                      lambda v: _encode_pieces),
        Misconception("unknown-at-the-end",
                      "You keep the tokens found so far and put `[UNK]` behind them. Is the beginning of the word "
                      "known, if the word is not?",
                      lambda v: _encode_with(_long_to_short, lambda tokens, rest: [*tokens, "[UNK]"])),
        Misconception("shortest-prefix", "You take the shortest piece that fits. From which end do you try?",
                      lambda v: _encode_with(lambda rest, inside: _long_to_short(rest, inside)[::-1])),
        Misconception("prefix-forgotten",
                      "You look for tokens without `##` inside of the word. How do tokens look that continue one?",
                      lambda v: _encode_with(lambda rest, inside: _long_to_short(rest, False))),
        Misconception("bare-token-inside",
                      "Inside of the word you also take tokens without `##`. Where only can such a token stand?",
                      lambda v: _encode_with(_marked(inside=["##", ""], begin=[""]))),
        Misconception("prefix-at-the-beginning",
                      "At the beginning of the word you also take tokens with `##`. What do they continue there?",
                      lambda v: _encode_with(_marked(inside=["##"], begin=["", "##"]))),
        Misconception("gives-up-quietly",
                      "When no token goes on, you return what you have. How could anybody tell that something is "
                      "missing?", lambda v: _encode_with(_long_to_short, lambda tokens, rest: tokens)),
    ),
    cases=lambda v: [("a", ["a"]), ("ab", ["a", "##b"]), ("a?", ["a", "#"]),
                     ("hugs", ["h", "hu", "##g", "##gs", "##s"]),
                     *((word, _some_vocab(v)) for word in [*v["freqs"], list(v["freqs"])[0] + "?"])],
    strategy=lambda v: _words_and_vocabs(),
    hints=("Two loops: the outer one until nothing is left of the word, the inner one from the longest piece to "
           "the shortest.",
           "Cut first, and put `##` in front afterwards: a piece then always holds a character of the word.",
           "Python's `for ... else` helps: the `else` runs if the loop was never left with `break`."),
    solution="```python\ndef encode(word, vocab):\n    tokens, start = [], 0\n    while start < len(word):\n"
             "        for end in range(len(word), start, -1):\n            token = word[start:end]\n"
             "            if start > 0:\n                token = '##' + token\n            if token in vocab:\n"
             "                break\n        else:\n            return ['[UNK]']\n        tokens.append(token)\n"
             "        start = end\n    return tokens\n```",
)


# -------------------------------------------------------------------------------------------------------------- repair

BROKEN = '''def decode(tokens):
    words = []
    for token in tokens:
        piece = token.lstrip("#")
        if words and token.startswith("##"):
            words[-1] += piece
        else:
            words.append(piece)
    return words
'''


def _decode(tokens):
    return wordpiece.decode(tokens)


def _decode_with(piece, continues=lambda token: token.startswith("##")):
    """A decoder with another idea of what is joined, or of when."""
    def decode(tokens):
        words = []
        for token in tokens:
            if words and continues(token):
                words[-1] += piece(token)
            else:
                words.append(piece(token))
        return words
    return decode


def _decode_drops_start(tokens):
    """The way of one source, which takes its first entry for an empty start."""
    words, word = [], ""
    for token in tokens:
        if token.startswith("##"):
            word += token[2:]
        else:
            words.append(word)
            word = token
    return [*words, word][1:]


def _decode_by_slices(tokens):
    starts = [i for i, token in enumerate(tokens) if i == 0 or not token.startswith("##")]
    return ["".join(token[2:] if token.startswith("##") else token for token in tokens[a:b])
            for a, b in zip(starts, [*starts[1:], len(tokens)])]


def _tokens_with_signs():
    from hypothesis import strategies as st

    tokens = ["a", "b", "##a", "##bc", "#", "#a", "##", "###", "##a##", "a#", "a##b"]
    return st.lists(st.sampled_from(tokens), max_size=5).map(lambda tokens: (tokens,))


TEXTS = (["#", "##cat", "##s"], ["C", "###", "is", "old"], ["#", "1", "##st"], ["a", "###", "b"], ["F", "###"],
         ["#", "##мир", "новый"], ["#", "##语", "##言"])

DECODE = Exercise(
    id="wordpiece-19", title="Repair it: decoding", points=2, kind=Repair("decode(tokens)", BROKEN),
    generate=lambda rng: {"tokens": rng.choice(TEXTS) + rng.sample(["th", "##e", "up", "##load"], rng.between(0, 2))},
    question=lambda v: "This function is to join tokens into words: a token with `##` continues the word before it (at "
                       "the very beginning it begins one), and `##` itself does not belong to the text. Other number "
                       f"signs do, and it loses them. Mend it.\n\n```python\n{BROKEN}```\n\nTokens to try it on: "
                       + as_tokens(v["tokens"]) + ".",
    answer=lambda v: _decode, also=lambda v: (_decode_with(lambda token: token.removeprefix("##")), _decode_by_slices),
    misconceptions=(
        Misconception("strips-every-sign",
                      "Number signs of the text are still lost. What does `lstrip` do when more than two stand there?",
                      lambda v: _decode_with(lambda token: token.lstrip("#"))),
        Misconception("removes-it-everywhere",
                      "You take `##` away wherever it stands. Only at the front of a token is it the prefix.",
                      lambda v: _decode_with(lambda token: token.replace("##", ""))),
        Misconception("prefix-kept", "The prefix is still in your words. Does it belong to the text?",
                      lambda v: _decode_with(lambda token: token)),
        Misconception("one-sign-is-enough",
                      "One `#` is enough for you to continue a word. How does a word begin that starts with a "
                      "number sign?",
                      lambda v: _decode_with(lambda token: token.removeprefix("##"),
                                             lambda token: token.startswith("#"))),
        Misconception("start-dropped",
                      "When the tokens begin in the middle of a word, that piece is lost. What if nothing stands "
                      "before it?", lambda v: _decode_drops_start),
        Misconception("first-two-always", "You cut two characters off every token. What of one that has no prefix?",
                      lambda v: _decode_with(lambda token: token[2:])),
    ),
    cases=lambda v: [(["a"],), (["a", "##b"],), ([],), (v["tokens"],)],
    strategy=lambda v: _tokens_with_signs(),
    hints=("Try it on `['C', '###']`: the second token is the prefix and a number sign.",
           "`lstrip('#')` takes away every number sign at the front, however many there are.",
           "There is a method of strings that takes one given beginning away, once."),
    solution="```python\ndef decode(tokens):\n    words = []\n    for token in tokens:\n"
             "        piece = token.removeprefix('##')\n        if words and token.startswith('##'):\n"
             "            words[-1] += piece\n        else:\n            words.append(piece)\n    return words\n```",
)

EXERCISES = [SCORES, MERGE, ENCODE, DECODE]
