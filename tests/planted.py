"""Mistakes in code as learners write them, for the exercises that ask for functions: exercise -> label -> source.

None of this is taken from the bank: whether the bank's own broken functions recognize them is what is measured.
"""

MISTAKES = {
    "text-12": {
        "every-word-counts": """
def types_seen(words):
    return list(range(1, len(words) + 1))
""",
        "capitals-ignored": """
def types_seen(words):
    seen = set()
    numbers = []
    for word in words:
        seen.add(word.lower())
        numbers.append(len(seen))
    return numbers
""",
        "only-the-last-number": """
def types_seen(words):
    return len(set(words))
""",
    },
    "text-13": {
        "start-ignored": """
def token_offsets(tokens, start):
    offsets, here = [], 0
    for token in tokens:
        length = 1 if token == "[UNK]" else len(token)
        offsets.append((here, here + length))
        here += length
    return offsets
""",
        "unknown-by-its-letters": """
def token_offsets(tokens, start):
    offsets = []
    for token in tokens:
        offsets.append((start, start + len(token)))
        start += len(token)
    return offsets
""",
    },
    "text-14": {
        "known-words": """
def unknown_words(word_freqs, size):
    kept = sorted(word_freqs, key=word_freqs.get, reverse=True)[:size]
    return sum(word_freqs[word] for word in kept)
""",
        "rarest-kept": """
def unknown_words(word_freqs, size):
    kept = sorted(word_freqs, key=word_freqs.get)[:size]
    return sum(freq for word, freq in word_freqs.items() if word not in kept)
""",
    },
    "bpe-15": {
        "types-not-occurrences": """
def count_pairs(word_freqs, splits):
    counts = {}
    for word in word_freqs:
        symbols = splits[word]
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
    return counts
""",
        "overwritten": """
def count_pairs(word_freqs, splits):
    counts = {}
    for word, freq in word_freqs.items():
        for left, right in zip(splits[word], splits[word][1:]):
            counts[left, right] = freq
    return counts
""",
        "last-pair-missing": """
def count_pairs(word_freqs, splits):
    counts = {}
    for word in word_freqs:
        symbols = splits[word]
        for i in range(len(symbols) - 2):
            pair = (symbols[i], symbols[i + 1])
            if pair not in counts:
                counts[pair] = 0
            counts[pair] += word_freqs[word]
    return counts
""",
    },
    "bpe-16": {
        "first-place-only": """
def merge(symbols, pair):
    result = list(symbols)
    for i in range(len(result) - 1):
        if (result[i], result[i + 1]) == tuple(pair):
            result[i:i + 2] = [result[i] + result[i + 1]]
            break
    return result
""",
        "last-symbol-lost": """
def merge(symbols, pair):
    left, right = pair
    result = []
    i = 0
    while i < len(symbols) - 1:
        if symbols[i] == left and symbols[i + 1] == right:
            result.append(left + right)
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
""",
    },
    "bpe-17": {
        "latest-merge-first": """
def encode(word, merges):
    symbols = list(word)
    for left, right in reversed(merges):
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] == left and symbols[i + 1] == right:
                symbols[i:i + 2] = [left + right]
            else:
                i += 1
    return symbols
""",
        "first-place-only": """
def encode(word, merges):
    symbols = list(word)
    for left, right in merges:
        for i in range(len(symbols) - 1):
            if symbols[i] == left and symbols[i + 1] == right:
                symbols = symbols[:i] + [left + right] + symbols[i + 2:]
                break
    return symbols
""",
    },
    "bpe-18": {
        "rest-lost": """
def decode(tokens):
    words, word = [], ""
    for token in tokens:
        if token.endswith("</w>"):
            words.append(word + token[:-4])
            word = ""
        else:
            word += token
    return words
""",
        "marks-kept": """
def decode(tokens):
    words, word = [], ""
    for token in tokens:
        word += token
        if token.endswith("</w>"):
            words.append(word)
            word = ""
    if word:
        words.append(word + "</w>")
    return words
""",
    },
    "bpe-19": {
        "alphabetical": """
def best_pair(pair_freqs):
    best, most = None, 0
    for pair in sorted(pair_freqs):
        if pair_freqs[pair] > most:
            best, most = pair, pair_freqs[pair]
    return best
""",
        "count-returned": """
def best_pair(pair_freqs):
    most = 0
    for pair, freq in pair_freqs.items():
        if freq > most:
            most = freq
    return most
""",
    },
    "wordpiece-16": {
        "frequency-instead-of-score": """
def pair_scores(word_freqs, splits):
    scores = {}
    for word, freq in word_freqs.items():
        for pair in zip(splits[word], splits[word][1:]):
            scores[pair] = scores.get(pair, 0) + freq
    return scores
""",
        "left-symbol-only": """
def pair_scores(word_freqs, splits):
    pairs, symbols = {}, {}
    for word, freq in word_freqs.items():
        split = splits[word]
        for symbol in split:
            symbols[symbol] = symbols.get(symbol, 0) + freq
        for pair in zip(split, split[1:]):
            pairs[pair] = pairs.get(pair, 0) + freq
    return {pair: count / symbols[pair[0]] for pair, count in pairs.items()}
""",
    },
    "wordpiece-17": {
        "prefix-left-inside": """
def merge(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i:i + 2]) == tuple(pair):
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged
""",
    },
    "wordpiece-18": {
        "unknown-at-the-end": """
def encode(word, vocab):
    tokens = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocab:
                tokens.append(piece)
                start = end
                break
        else:
            return tokens + ["[UNK]"]
    return tokens
""",
        "gives-up-quietly": """
def encode(word, vocab):
    tokens = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocab:
                tokens.append(piece)
                start = end
                break
        else:
            break
    return tokens
""",
    },
    "unigram-16": {
        "sign-forgotten": """
import math

def to_losses(counts):
    total = sum(counts.values())
    return {token: math.log(count / total) for token, count in counts.items()}
""",
        "base-two": """
from math import log2

def to_losses(counts):
    total = sum(counts.values())
    return {token: -log2(counts[token] / total) for token in counts}
""",
    },
    "unigram-18": {
        "longest-first": """
def best_loss(word, losses):
    total = 0
    while word:
        for end in range(len(word), 0, -1):
            if word[:end] in losses:
                total += losses[word[:end]]
                word = word[end:]
                break
        else:
            return None
    return total
""",
    },
    "compression-16": {
        "from-the-right": """
def replace_pair(data, pair, symbol):
    return data[::-1].replace(pair[::-1], symbol)[::-1]
""",
        "single-symbols": """
def replace_pair(data, pair, symbol):
    for letter in pair:
        data = data.replace(letter, symbol)
    return data
""",
    },
    "compression-18": {
        "one-level": """
def meaning(symbol, rules):
    return rules.get(symbol, symbol)
""",
    },
}
