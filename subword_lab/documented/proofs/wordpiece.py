"""Proofs of documented/wordpiece.json."""

import functools

from ... import bpe, text, wordpiece
from ...structures.pair_index import ScoreQueue
from . import library, proves
from .shared import HUG


@functools.cache
def trained(word_freqs, vocab_size):
    return wordpiece.train(text.load_word_freqs(word_freqs), vocab_size=vocab_size)


def encoded(words, model):
    return {word: wordpiece.encode_word(word, model) for word in words}


@proves("wp-split")
def _(word_freqs):
    splits = wordpiece.split_words(word_freqs)
    return {"splits": splits, "base vocabulary": bpe.base_vocab(splits)}


proves("wp-merge-prefix")(lambda pairs: [wordpiece.merged_token(tuple(pair)) for pair in pairs])


@proves("wp-score-claim")
def _(word_freqs):
    splits = wordpiece.split_words(word_freqs)
    scores, gains = (
        wordpiece.pair_scores(word_freqs, splits),
        wordpiece.likelihood_gains(word_freqs, splits),
    )
    return {
        "highest score": bpe.best_pair(scores),
        "largest gain": bpe.best_pair(gains),
        "scores": scores,
        "gains in nats": gains,
    }


@proves("wp-score-rare-bias")
def _(word_freqs):
    first = next(wordpiece.train_steps(word_freqs, num_merges=1))
    return {
        "BPE": bpe.train(word_freqs, num_merges=1).merges[0],
        "WordPiece": first.pair,
        "its score": first.score,
        "score of (##u, ##g)": first.scores["##u", "##g"],
    }


@proves("wp-save-vocab-only")
def _(_):
    models = {"BPE": bpe.train(HUG, num_merges=1), "WordPiece": wordpiece.train(HUG, num_merges=1)}
    return {
        name: [field for field, value in vars(model).items() if isinstance(value, list)]
        for name, model in models.items()
    }


@proves("wp-argmax-formula")
def _(example):
    return len(
        wordpiece.longest_prefix(example["word"], 0, wordpiece.WordPieceModel(example["vocab"]))
    )


@proves("wp-argmax-formula", part="expected")
def _(example):
    word, vocab = example["word"], example["vocab"]
    return max(range(len(word) + 1), key=lambda i: word[:i] in vocab)


proves("wp-unk-whole-word")(
    lambda word: wordpiece.encode_word(word, wordpiece.train(HUG, vocab_size=10))
)


@proves("wp-unk-whole-word", part="actual")
def _(word):
    return {
        "WordPiece": wordpiece.encode_word(word, wordpiece.train(HUG, vocab_size=10)),
        "BPE": bpe.encode_word(word, bpe.train(HUG, num_merges=3)),
    }


@proves("wp-hash-infinite-loop")
def _(example):
    rest, pieces = example["word"], []
    while rest and len(pieces) < 8:  # the printed loop has no such limit
        end = next(end for end in range(len(rest), 0, -1) if rest[:end] in example["vocab"])
        pieces.append(rest[:end])
        rest = "##" * (end < len(rest)) + rest[end:]
    return {"first 8 pieces": pieces, "still to do": rest}


@proves("wp-hash-infinite-loop", part="expected")
def _(example):
    return wordpiece.encode_word(example["word"], wordpiece.WordPieceModel(example["vocab"]))


proves("wp-300-head")(lambda training: trained(**training).vocab[:20])
proves("wp-300-tail")(lambda training: trained(**training).vocab[-20:])


@proves("wp-300-tail", part="actual")
def _(training):
    word_freqs = text.load_word_freqs(training["word_freqs"])
    splits = wordpiece.split_words(word_freqs)
    queue = ScoreQueue(word_freqs, splits, "first-seen", {})
    merges = ties = 0
    for _ in range(training["vocab_size"] - len(bpe.base_vocab(splits))):
        pair = queue.pop()
        ties += any(
            queue.rating(other) == queue.rating(pair)
            for other in queue.index.counts
            if other != pair
        )
        queue.merge(pair, wordpiece.merged_token(pair))
        merges += 1
    return {"merges": merges, "decided by a tie": ties}


@proves("wp-300-base-size")
def _(training):
    model = trained(**training)
    base = bpe.base_vocab(wordpiece.split_words(text.load_word_freqs(training["word_freqs"])))
    return {"base tokens": len(base), "merges": len(model.vocab) - len(base)}


@proves("wp-300-tokenize")
def _(example):
    return encoded(example["words"], trained(example["word_freqs"], example["vocab_size"]))


@proves("wp-3000-apple", "wp-3000-occupied", "wp-3000-upload", "wp-3000-company")
def _(example):
    return wordpiece.encode_word(
        example["word"], trained(example["word_freqs"], example["vocab_size"])
    )


@functools.cache
def trained_from_used_splits(name, first_size, second_size):
    """Train to one size, then to another from the splits that the first training left."""
    word_freqs = text.load_word_freqs(name)
    splits = wordpiece.split_words(word_freqs)
    for size in (first_size, second_size):
        vocab = bpe.base_vocab(splits)
        queue = ScoreQueue(word_freqs, splits, "first-seen", {})
        while len(vocab) < size:
            pair = queue.pop()
            vocab.append(wordpiece.merged_token(pair))
            queue.merge(pair, vocab[-1])
        splits = dict(zip(word_freqs, queue.index.words))
    return wordpiece.WordPieceModel(vocab)


@proves("wp-3000-needs-fresh-splits")
def _(example):
    return encoded(
        example["words"], trained_from_used_splits(example["word_freqs"], *example["vocab_sizes"])
    )


@proves("wp-3000-needs-fresh-splits", part="actual")
def _(example):
    used = trained_from_used_splits(example["word_freqs"], *example["vocab_sizes"])
    fresh = trained(example["word_freqs"], example["vocab_sizes"][1])
    missing = [token for token in fresh.vocab if token not in used.ids]
    return {
        "tokens missing": len(missing),
        "among them": [t for t in missing if t in ("##N", "##X", "##Z", "##OT")],
    }


@proves("wp-printed-indent")
def _(example):
    return list(
        encoded(example["words"], trained(example["word_freqs"], example["vocab_size"])).values()
    )


proves("wp-decode")(lambda tokens: wordpiece.decode(tokens))


@proves("wp-decode-edge")
def _(examples):
    def printed(tokens):
        words, word = [], ""
        for token in tokens:
            if token.startswith("##"):
                word += token[2:]
            else:
                words.append(word)
                word = token
        return [*words, word][1:]

    return {
        "printed code": [printed(tokens) for tokens in examples],
        "this course": [wordpiece.decode(tokens) for tokens in examples],
    }


@proves("wp-library-trainer")
def _(training):
    tokenizers = library("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trainer = tokenizers.trainers.WordPieceTrainer(
        vocab_size=training["vocab_size"],
        show_progress=False,
        special_tokens=training["special_tokens"],
    )
    corpus = [" ".join([word] * freq) for word, freq in training["word_freqs"].items()]
    tokenizer.train_from_iterator(corpus, trainer)
    return set(tokenizer.get_vocab())
