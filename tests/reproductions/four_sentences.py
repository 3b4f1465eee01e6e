"""Proofs of documented/four_sentences.json: the course chapter's code, on its corpus of four sentences."""
import functools
import json
import re
from collections import defaultdict

import pytest

from subword_lab import bpe, documented, text

from . import reproduces, source_text

SPECIAL = ["<|endoftext|>"]


def counted(sentences):
    return text.word_freqs(sentences, scheme="byte-level")


def trained(sentences, vocab_size=50, **options):
    return bpe.train(counted(sentences), vocab_size=vocab_size, special_tokens=SPECIAL, **options)


def steps(sentences):
    return list(bpe.train_steps(counted(sentences), vocab_size=50, special_tokens=SPECIAL))


def library(sentences, vocab_size, alphabet=()):
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=SPECIAL, show_progress=False,
                                             initial_alphabet=list(alphabet))
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def library_merges(tokenizer):
    return json.loads(tokenizer.to_str())["model"]["merges"]


@reproduces("hf-code-identical")
def _(_):
    def code(key):
        listing = source_text(key).partition("corpus = [")[2].partition("'Ġa', 'Ġtoken', '.']")[0]
        lines = ("corpus = [" + listing).splitlines()
        return [line for line in lines if line.strip() and not re.search("[\u0400-\u04ff\u1000-\u109f]", line)]

    russian, burmese = code("ru-bpe"), code("my-bpe")
    assert len(russian) == len(burmese)
    return {"lines": len(russian), "different": sum(one != other for one, other in zip(russian, burmese))}


@reproduces("hf-autotokenizer")
def _(sentence):
    return [word for word, _ in text.pre_tokenize(sentence, "byte-level")]


@reproduces("hf-backend-tokenizer")
def _(_):
    transformers, tokenizers = pytest.importorskip("transformers"), pytest.importorskip("tokenizers")
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer(tokenizers.models.BPE()))
    return tokenizer.backend_tokenizer is tokenizer._tokenizer


@reproduces("hf-word-freqs")
def _(sentences):
    return counted(sentences)


@reproduces("hf-word-freqs", part="actual")
def _(sentences):
    return {"types": len(counted(sentences)), "occurrences": sum(counted(sentences).values())}


@reproduces("hf-word-freqs-repr")
def _(sentences):
    return str(defaultdict(int, counted(sentences))).partition(", 'Ġthe'")[0]


@reproduces("hf-alphabet")
def _(sentences):
    return bpe.base_vocab(bpe.split_words(counted(sentences)))


@reproduces("hf-alphabet-repr")
def _(sentences):
    return str(bpe.base_vocab(bpe.split_words(counted(sentences)))).partition(", 'F'")[0]


@reproduces("hf-vocab-start")
def _(sentences):
    return len(bpe.base_vocab(bpe.split_words(counted(sentences)), SPECIAL))


@reproduces("hf-pair-freqs-first-6")
def _(sentences):
    return list(steps(sentences)[0].pair_freqs.items())[:6]


@reproduces("hf-pair-freqs-first-6", part="actual")
def _(sentences):
    return {"pairs": len(steps(sentences)[0].pair_freqs)}


@reproduces("hf-best-pair")
def _(sentences):
    freqs = bpe.pair_freqs(counted(sentences), bpe.split_words(counted(sentences)))
    return bpe.best_pair(freqs), max(freqs.values())


@reproduces("hf-split-trained")
def _(sentences):
    return bpe.merge_pair(("Ġ", "t"), bpe.split_words(counted(sentences)))["Ġtrained"]


@reproduces("hf-merges-19")
def _(sentences):
    return trained(sentences).merges


@reproduces("hf-merges-19", part="actual")
def _(sentences):
    return [{"merge": step.pair, "count": step.count, "tied": step.tied} for step in steps(sentences)]


def _merge(number, sentences):
    step = steps(sentences)[number - 1]
    return {"merge": step.pair, "token": step.token}


def _tie(number, sentences):
    step = steps(sentences)[number - 1]
    return {"count": step.count, "tied": step.tied}


for _number in range(1, 20):
    reproduces(f"hf-merge-{_number:02d}")(functools.partial(_merge, _number))
    reproduces(f"hf-merge-{_number:02d}", part="actual")(functools.partial(_tie, _number))


@reproduces("hf-vocab-50")
def _(sentences):
    return trained(sentences).vocab


@reproduces("hf-vocab-arithmetic")
def _(sentences):
    model, alphabet = trained(sentences), bpe.base_vocab(bpe.split_words(counted(sentences)))
    return {"merges": len(model.merges), "initial": len(SPECIAL) + len(alphabet), "alphabet": len(alphabet),
            "special": len(SPECIAL), "total": len(model.vocab)}


@reproduces("hf-merges-grow")
def _(sentences):
    return [len(step.token) for step in steps(sentences)]


def corpus():
    return documented.example("hf-word-freqs").input


def encoded(sentence, **options):
    return bpe.encode([word for word, _ in text.pre_tokenize(sentence, "byte-level")], trained(corpus()), **options)


@reproduces("hf-tokenize-not-a-token")
def _(sentence):
    return encoded(sentence)


@reproduces("hf-tokenize-not-a-token-why")
def _(word):
    return bpe.encode_word(word, trained(corpus()))


@reproduces("hf-warning-unknown-char")
def _(sentences):
    vocab, results = trained(corpus()).vocab, {}
    for sentence in sentences:
        tokens = encoded(sentence, unknown=None)
        results[sentence] = {"tokens": tokens, "not_in_vocab": [token for token in tokens if token not in vocab]}
    return results


HUG_MODEL = bpe.train({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, num_merges=3)


@reproduces("hf-mug-vs-implementation")
def _(word):
    """The printed function: split, then merge; the vocabulary is never asked."""
    return bpe.merge_in_order(list(word), HUG_MODEL.merges)


@reproduces("hf-mug-vs-implementation", part="expected")
@reproduces("hf-emoji-prose")
def _(word):
    return bpe.encode_word(word, HUG_MODEL)


@reproduces("hf-gpt2-no-unk")
def _(string):
    model = trained(corpus(), vocab_size=276, alphabet=text.byte_alphabet())
    words = [word for word, _ in text.pre_tokenize(string, "byte-level")]
    return {"unknown tokens": bpe.encode(words, model).count("[UNK]")}


@reproduces("hf-base-vocab-ascii")
def _(sentences):
    wikitext = bpe.base_vocab(bpe.split_words(text.load_word_freqs("wikitext-2-validation")))
    printable = [chr(code) for code in range(0x21, 0x7F)]
    return {"four sentences": len(bpe.base_vocab(bpe.split_words(counted(sentences)))), "WikiText-2": len(wikitext),
            "ASCII characters that WikiText-2 lacks": [char for char in printable if char not in wikitext]}


@reproduces("hf-endoftext-only-special")
def _(sizes):
    return sizes["vocabulary"] - sizes["merges"] - len(text.byte_alphabet())


@reproduces("hf-train-new-differs")
def _(sentences):
    tokenizer = library(sentences, vocab_size=50)
    ids = tokenizer.get_vocab()
    return {"merges": library_merges(tokenizer), "vocab": sorted(ids, key=ids.get),
            "tokens": tokenizer.encode("This is not a token.").tokens}


@reproduces("hf-train-new-reason-ids")
def _(sentences):
    return trained(sentences, ties="lowest-ids").merges


@reproduces("hf-train-new-byte-alphabet")
def _(sentences):
    small = library(sentences, vocab_size=50, alphabet=text.byte_alphabet())
    ours = trained(sentences, vocab_size=276, alphabet=text.byte_alphabet(), ties="lowest-ids")
    return {"vocab_size 50": {"tokens": small.get_vocab_size(), "merges": len(library_merges(small))},
            "vocab_size 276": {"tokens": len(ours.vocab), "merges": ours.merges}}


@reproduces("hf-loop-exhausts")
def _(sentences):
    def printed_merge(left, right, splits):
        """Takes the two parts of a pair; the printed loop hands on no pair at all when it finds none."""

    model, no_pair = trained(sentences, vocab_size=1000), ""
    with pytest.raises(TypeError) as raised:
        printed_merge(*no_pair, {})
    return {"printed loop": raised.type.__name__, "merges": len(model.merges), "tokens": len(model.vocab)}


@reproduces("hf-tie-order")
def _(sentences):
    return trained(sentences[::-1]).merges


@reproduces("hf-glossary-code")
def _(splits):
    return {"missing key": defaultdict(int)["pug"], "sum(splits, [])": sum(splits, [])}


@reproduces("hf-glossary-alphabet-list")
def _(sentences):
    return len(trained(sentences, vocab_size=50).vocab)


@reproduces("hf-glossary-sum-idiom")
def _(splits):
    joined, copied = [], 0
    for split in splits:
        copied += len(joined)
        joined = joined + split
    assert joined == sum(splits, [])
    return {"joined": joined, "tokens copied from earlier results": copied}
