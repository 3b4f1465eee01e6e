"""Proofs of documented/wordpiece.json."""

from functools import cache, partial

from ... import bpe, text, wordpiece
from ...structures.pair_index import ScoreQueue
from .shared import HUG, by_library, on

# ------------------------------------------------------------------------------------------------------ the toy corpus


TOY_MODEL = wordpiece.train(HUG, vocab_size=10)
encode_toy = partial(wordpiece.encode_word, model=TOY_MODEL)


def endless_loop(given):
    """The printed loop puts the prefix in front of what is left, and cuts the prefix off again."""
    rest, tokens = given["word"], []
    while rest and len(tokens) < 8:  # the printed loop has no such limit
        end = next(end for end in range(len(rest), 0, -1) if rest[:end] in given["vocab"])
        tokens.append(rest[:end])
        rest = "##" * (end < len(rest)) + rest[end:]
    return {"first 8 pieces": tokens, "still to do": rest}


def printed_decoder(tokens):
    """It takes the first token for the beginning of a word, and loses one that continues a word."""
    return " ".join(["", *tokens]).replace(" ##", "").split(" ")[1:]


# ---------------------------------------------------------------------------------------------------------- WikiText-2


@cache
def train(name, vocab_size):
    return wordpiece.train(text.load_word_freqs(name), vocab_size=vocab_size)


def model(given):
    return train(given["word_freqs"], given["vocab_size"])


def encoded(words, model):
    return {word: wordpiece.encode_word(word, model) for word in words}


def base_vocab(name):
    return bpe.base_vocab(wordpiece.split_words(text.load_word_freqs(name)))


def merged(queue, vocab, vocab_size):
    """The pairs that are merged up to a size of the vocabulary, each just before it is."""
    while len(vocab) < vocab_size:
        pair = queue.pop()
        yield pair
        token = wordpiece.merged_token(pair)
        queue.merge(pair, token)
        vocab.setdefault(token)


def ties(given):
    word_freqs = text.load_word_freqs(given["word_freqs"])
    queue = ScoreQueue(wordpiece.split_words(word_freqs).values(), word_freqs.values())
    pairs = merged(queue, dict.fromkeys(base_vocab(given["word_freqs"])), given["vocab_size"])
    tied = [[*queue.ratings().values()].count(queue.rating(pair)) > 1 for pair in pairs]
    return {"merges": len(tied), "decided by a tie": sum(tied)}


def from_used_splits(given):
    """Train to one size, then to another from the splits that the first training left."""
    word_freqs = text.load_word_freqs(given["word_freqs"])
    splits = wordpiece.split_words(word_freqs)
    for vocab_size in given["vocab_sizes"]:
        queue = ScoreQueue(splits.values(), word_freqs.values())
        vocab = dict.fromkeys(bpe.base_vocab(splits))
        for _ in merged(queue, vocab, vocab_size):
            pass  # until the size is reached
        splits = dict(zip(word_freqs, queue.words()))
    return wordpiece.WordPieceModel([*vocab])


def tokens_missing(given):
    used, fresh = from_used_splits(given), train(given["word_freqs"], given["vocab_sizes"][-1])
    return [token for token in fresh.vocab if token not in used.ids]


PROOFS = {
    "wp-split": lambda word_freqs: {
        "splits": wordpiece.split_words(word_freqs),
        "base vocabulary": bpe.base_vocab(wordpiece.split_words(word_freqs)),
    },
    "wp-merge-prefix": lambda pairs: [wordpiece.merged_token(tuple(pair)) for pair in pairs],
    **on(
        lambda word_freqs: [
            rate(word_freqs, wordpiece.split_words(word_freqs))
            for rate in (wordpiece.pair_scores, wordpiece.likelihood_gains)
        ],
        {
            "wp-score-claim": lambda ratings: {
                "highest score": bpe.best_pair(ratings[0]),
                "largest gain": bpe.best_pair(ratings[1]),
                "scores": ratings[0],
                "gains in nats": ratings[1],
            }
        },
    ),
    **on(
        lambda word_freqs: [
            next(train_steps(word_freqs, num_merges=1))
            for train_steps in (bpe.train_steps, wordpiece.train_steps)
        ],
        {
            "wp-score-rare-bias": lambda first: {
                "BPE": first[0].pair,
                "WordPiece": first[1].pair,
                "its score": first[1].score,
                "score of (##u, ##g)": first[1].scores["##u", "##g"],
            }
        },
    ),
    **on(
        lambda _: {"BPE": bpe.train(HUG, num_merges=1), "WordPiece": TOY_MODEL},
        {
            "wp-save-vocab-only": lambda models: {
                name: [field for field, value in vars(model).items() if isinstance(value, list)]
                for name, model in models.items()
            }
        },
    ),
    "wp-argmax-formula": lambda given: len(
        wordpiece.longest_prefix(given["word"], 0, wordpiece.WordPieceModel(given["vocab"])) or ""
    ),
    # What the printed formula gives: the first of the lengths whose prefix is in the vocabulary.
    "wp-argmax-formula.expected": lambda given: max(
        range(len(given["word"]) + 1), key=lambda length: given["word"][:length] in given["vocab"]
    ),
    "wp-unk-whole-word": encode_toy,
    "wp-unk-whole-word.actual": lambda word: {
        "WordPiece": encode_toy(word),
        "BPE": bpe.encode_word(word, bpe.train(HUG, num_merges=3)),
    },
    "wp-hash-infinite-loop": endless_loop,
    "wp-hash-infinite-loop.expected": lambda given: wordpiece.encode_word(
        given["word"], wordpiece.WordPieceModel(given["vocab"])
    ),
    "wp-decode": wordpiece.decode,
    "wp-decode-edge": lambda examples: {
        "printed code": [printed_decoder(tokens) for tokens in examples],
        "this course": [wordpiece.decode(tokens) for tokens in examples],
    },
    **on(
        lambda given: by_library(
            "WordPiece",
            "WordPieceTrainer",
            ["WhitespaceSplit"],
            [" ".join([word] * freq) for word, freq in given["word_freqs"].items()],
            vocab_size=given["vocab_size"],
            special_tokens=given["special_tokens"],
        ),
        {"wp-library-trainer": lambda tokenizer: set(tokenizer.get_vocab())},
    ),
    "wp-300-head": lambda given: model(given).vocab[:20],
    "wp-300-tail": lambda given: model(given).vocab[-20:],
    "wp-300-tail.actual": ties,
    "wp-300-base-size": lambda given: {
        "base tokens": len(base_vocab(given["word_freqs"])),
        "merges": len(model(given).vocab) - len(base_vocab(given["word_freqs"])),
    },
    "wp-300-tokenize": lambda given: encoded(given["words"], model(given)),
    **dict.fromkeys(
        ["wp-3000-apple", "wp-3000-occupied", "wp-3000-upload", "wp-3000-company"],
        lambda given: wordpiece.encode_word(given["word"], model(given)),
    ),
    "wp-3000-needs-fresh-splits": lambda given: encoded(given["words"], from_used_splits(given)),
    **on(
        tokens_missing,
        {
            "wp-3000-needs-fresh-splits.actual": lambda tokens: {
                "tokens missing": len(tokens),
                "among them": [each for each in tokens if each in ("##N", "##X", "##Z", "##OT")],
            }
        },
    ),
    "wp-printed-indent": lambda given: list(encoded(given["words"], model(given)).values()),
}
