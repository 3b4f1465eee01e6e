"""Proofs of documented/four_sentences.json: the course chapter's code, on its corpus of four sentences."""

import functools
import json
import re
from collections import defaultdict

from ... import bpe, documented, text
from . import library as installed
from . import proves, source_text
from .shared import HUG, SPECIAL, error


def counted(sentences):
    return text.word_freqs(sentences, scheme="byte-level")


def trained(sentences, vocab_size=50, **options):
    return bpe.train(counted(sentences), vocab_size=vocab_size, special_tokens=SPECIAL, **options)


def steps(sentences):
    return list(bpe.train_steps(counted(sentences), vocab_size=50, special_tokens=SPECIAL))


def library(sentences, vocab_size, alphabet=()):
    tokenizers = installed("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=SPECIAL,
        show_progress=False,
        initial_alphabet=list(alphabet),
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def library_merges(tokenizer):
    return json.loads(tokenizer.to_str())["model"]["merges"]


@proves("hf-code-identical", apart=True)
def _(_):
    def code(key):
        listing = source_text(key).partition("corpus = [")[2].partition("'Ġa', 'Ġtoken', '.']")[0]
        lines = ("corpus = [" + listing).splitlines()
        return [
            line
            for line in lines
            if line.strip() and not re.search("[\u0400-\u04ff\u1000-\u109f]", line)
        ]

    russian, burmese = code("ru-bpe"), code("my-bpe")
    assert len(russian) == len(burmese)
    return {
        "lines": len(russian),
        "different": sum(one != other for one, other in zip(russian, burmese)),
    }


proves("hf-autotokenizer")(
    lambda sentence: [word for word, _ in text.pre_tokenize(sentence, "byte-level")]
)


@proves("hf-backend-tokenizer", apart=True)
def _(_):
    transformers, tokenizers = installed("transformers"), installed("tokenizers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(tokenizers.models.BPE())
    )
    return tokenizer.backend_tokenizer is tokenizer._tokenizer


proves("hf-word-freqs")(lambda sentences: counted(sentences))


@proves("hf-word-freqs", part="actual")
def _(sentences):
    return {"types": len(counted(sentences)), "occurrences": sum(counted(sentences).values())}


proves("hf-word-freqs-repr")(
    lambda sentences: str(defaultdict(int, counted(sentences))).partition(", 'Ġthe'")[0]
)
proves("hf-alphabet")(lambda sentences: bpe.base_vocab(bpe.split_words(counted(sentences))))


@proves("hf-alphabet-repr")
def _(sentences):
    return str(bpe.base_vocab(bpe.split_words(counted(sentences)))).partition(", 'F'")[0]


proves("hf-vocab-start")(
    lambda sentences: len(bpe.base_vocab(bpe.split_words(counted(sentences)), SPECIAL))
)
proves("hf-pair-freqs-first-6")(lambda sentences: list(steps(sentences)[0].pair_freqs.items())[:6])
proves("hf-pair-freqs-first-6", part="actual")(
    lambda sentences: {"pairs": len(steps(sentences)[0].pair_freqs)}
)


@proves("hf-best-pair")
def _(sentences):
    freqs = bpe.pair_freqs(counted(sentences), bpe.split_words(counted(sentences)))
    return bpe.best_pair(freqs), max(freqs.values())


@proves("hf-split-trained")
def _(sentences):
    return bpe.merge_pair(("Ġ", "t"), bpe.split_words(counted(sentences)))["Ġtrained"]


proves("hf-merges-19")(lambda sentences: trained(sentences).merges)


@proves("hf-merges-19", part="actual")
def _(sentences):
    return [
        {"merge": step.pair, "count": step.count, "tied": step.tied} for step in steps(sentences)
    ]


def _merge(number, sentences):
    step = steps(sentences)[number - 1]
    return {"merge": step.pair, "token": step.token}


def _tie(number, sentences):
    step = steps(sentences)[number - 1]
    return {"count": step.count, "tied": step.tied}


for _number in range(1, 20):
    proves(f"hf-merge-{_number:02d}")(functools.partial(_merge, _number))
    proves(f"hf-merge-{_number:02d}", part="actual")(functools.partial(_tie, _number))


proves("hf-vocab-50")(lambda sentences: trained(sentences).vocab)


@proves("hf-vocab-arithmetic")
def _(sentences):
    model, alphabet = trained(sentences), bpe.base_vocab(bpe.split_words(counted(sentences)))
    return {
        "merges": len(model.merges),
        "initial": len(SPECIAL) + len(alphabet),
        "alphabet": len(alphabet),
        "special": len(SPECIAL),
        "total": len(model.vocab),
    }


proves("hf-merges-grow")(lambda sentences: [len(step.token) for step in steps(sentences)])


def corpus():
    return documented.example("hf-word-freqs").input


def encoded(sentence, **options):
    return bpe.encode(
        [word for word, _ in text.pre_tokenize(sentence, "byte-level")],
        trained(corpus()),
        **options,
    )


proves("hf-tokenize-not-a-token")(lambda sentence: encoded(sentence))
proves("hf-tokenize-not-a-token-why")(lambda word: bpe.encode_word(word, trained(corpus())))


@proves("hf-warning-unknown-char")
def _(sentences):
    vocab, results = trained(corpus()).vocab, {}
    for sentence in sentences:
        tokens = encoded(sentence, unknown=None)
        results[sentence] = {
            "tokens": tokens,
            "not_in_vocab": [token for token in tokens if token not in vocab],
        }
    return results


HUG_MODEL = bpe.train(HUG, num_merges=3)


@proves("hf-mug-vs-implementation")
def _(word):
    """The printed function: split, then merge; the vocabulary is never asked."""
    return bpe.merge_in_order(list(word), HUG_MODEL.merges)


@proves("hf-mug-vs-implementation", part="expected")
@proves("hf-emoji-prose")
def _(word):
    return bpe.encode_word(word, HUG_MODEL)


@proves("hf-gpt2-no-unk")
def _(string):
    model = trained(corpus(), vocab_size=276, alphabet=text.byte_alphabet())
    words = [word for word, _ in text.pre_tokenize(string, "byte-level")]
    return {"unknown tokens": bpe.encode(words, model).count("[UNK]")}


@proves("hf-base-vocab-ascii")
def _(sentences):
    wikitext = bpe.base_vocab(bpe.split_words(text.load_word_freqs("wikitext-2-validation")))
    printable = [chr(code) for code in range(0x21, 0x7F)]
    return {
        "four sentences": len(bpe.base_vocab(bpe.split_words(counted(sentences)))),
        "WikiText-2": len(wikitext),
        "ASCII characters that WikiText-2 lacks": [
            char for char in printable if char not in wikitext
        ],
    }


proves("hf-endoftext-only-special")(
    lambda sizes: sizes["vocabulary"] - sizes["merges"] - len(text.byte_alphabet())
)


@proves("hf-train-new-differs")
def _(sentences):
    tokenizer = library(sentences, vocab_size=50)
    ids = tokenizer.get_vocab()
    return {
        "merges": library_merges(tokenizer),
        "vocab": sorted(ids, key=ids.get),
        "tokens": tokenizer.encode("This is not a token.").tokens,
    }


proves("hf-train-new-reason-ids")(lambda sentences: trained(sentences, ties="lowest-ids").merges)


@proves("hf-train-new-byte-alphabet")
def _(sentences):
    small = library(sentences, vocab_size=50, alphabet=text.byte_alphabet())
    ours = trained(sentences, vocab_size=276, alphabet=text.byte_alphabet(), ties="lowest-ids")
    return {
        "vocab_size 50": {"tokens": small.get_vocab_size(), "merges": len(library_merges(small))},
        "vocab_size 276": {"tokens": len(ours.vocab), "merges": ours.merges},
    }


@proves("hf-loop-exhausts")
def _(sentences):
    def printed_merge(left, right, splits):
        """Takes the two parts of a pair; the printed loop hands on no pair at all when it finds none."""

    model, no_pair = trained(sentences, vocab_size=1000), ""
    return {
        "printed loop": error(lambda: printed_merge(*no_pair, {})),
        "merges": len(model.merges),
        "tokens": len(model.vocab),
    }


proves("hf-tie-order")(lambda sentences: trained(sentences[::-1]).merges)


@proves("hf-glossary-code")
def _(splits):
    return {"missing key": defaultdict(int)["pug"], "sum(splits, [])": sum(splits, [])}


proves("hf-glossary-alphabet-list")(lambda sentences: len(trained(sentences, vocab_size=50).vocab))


@proves("hf-glossary-sum-idiom")
def _(splits):
    joined, copied = [], 0
    for split in splits:
        copied += len(joined)
        joined = joined + split
    assert joined == sum(splits, [])
    return {"joined": joined, "tokens copied from earlier results": copied}
