"""Proofs of documented/four_sentences.json: the course chapter's code, on its corpus of four sentences."""

import json
import re
from collections import defaultdict
from functools import partial

from ... import bpe, documented, text
from . import library, source_text
from .shared import (
    HUG_MODEL,
    SPECIAL,
    WIKITEXT,
    Training,
    by_library,
    numbered,
    on,
    outcome,
    words_of,
)

CORPUS = documented.example("hf-word-freqs").input
word_freqs = partial(text.word_freqs, scheme="byte-level")


def train(sentences):
    return Training(word_freqs(sentences), vocab_size=50, special_tokens=SPECIAL)


def model(sentences, vocab_size=50, **options):
    """The same training, for its model alone; another size, other ties or a larger alphabet."""
    return bpe.train(
        word_freqs(sentences), vocab_size=vocab_size, special_tokens=SPECIAL, **options
    )


MODEL = model(CORPUS)


# ----------------------------------------------------------------------------------------------------------- training


def listing(key):
    """The lines of a chapter's code, without those that hold a letter of its language."""
    code = source_text(key).partition("corpus = ")[2].partition("'Ġa', 'Ġtoken', '.']")[0]
    return [
        line
        for line in code.splitlines()
        if line.strip() and not re.search("[\u0400-\u04ff\u1000-\u109f]", line)
    ]


def backend_tokenizer(_):
    transformers, tokenizers = library("transformers"), library("tokenizers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(tokenizers.models.BPE())
    )
    return tokenizer.backend_tokenizer is tokenizer._tokenizer


# ----------------------------------------------------------------------------------------------------------- encoding


def encoded(sentence, **options):
    return bpe.encode(words_of(sentence, "byte-level"), MODEL, **options)


# ---------------------------------------------------------------------------- other trainings, libraries, the glossary


def trained_by_library(sentences, alphabet=()):
    return by_library(
        "BPE",
        "BpeTrainer",
        ["ByteLevel", False],
        sentences,
        vocab_size=50,
        special_tokens=SPECIAL,
        initial_alphabet=list(alphabet),
    )


def library_merges(tokenizer):
    return json.loads(tokenizer.to_str())["model"]["merges"]


PROOFS = {
    **on(
        train,
        {
            "hf-word-freqs": lambda run: run.word_freqs,
            "hf-word-freqs.actual": lambda run: {
                "types": len(run.word_freqs),
                "occurrences": sum(run.word_freqs.values()),
            },
            "hf-word-freqs-repr": lambda run: str(defaultdict(int, run.word_freqs)).partition(
                ", 'Ġthe'"
            )[0],
            "hf-alphabet": lambda run: bpe.base_vocab(run.splits[0]),
            "hf-alphabet-repr": lambda run: str(bpe.base_vocab(run.splits[0])).partition(", 'F'")[
                0
            ],
            "hf-vocab-start": lambda run: len(bpe.base_vocab(run.splits[0], SPECIAL)),
            "hf-pair-freqs-first-6": lambda run: list(run.steps[0].pair_freqs.items())[:6],
            "hf-pair-freqs-first-6.actual": lambda run: {"pairs": len(run.steps[0].pair_freqs)},
            "hf-best-pair": lambda run: (run.steps[0].pair, run.steps[0].count),
            "hf-split-trained": lambda run: run.splits[1]["Ġtrained"],
            "hf-merges-19": lambda run: [step.pair for step in run.steps],
            "hf-merges-19.actual": lambda run: [
                {"merge": step.pair, "count": step.count, "tied": step.tied} for step in run.steps
            ],
            **numbered(
                "hf-merge-{:02d}",
                range(1, 20),
                lambda number, run: {
                    "merge": run.steps[number - 1].pair,
                    "token": run.steps[number - 1].token,
                },
            ),
            **numbered(
                "hf-merge-{:02d}.actual",
                range(1, 20),
                lambda number, run: {
                    "count": run.steps[number - 1].count,
                    "tied": run.steps[number - 1].tied,
                },
            ),
            "hf-vocab-50": lambda run: run.steps[-1].vocab,
            "hf-vocab-arithmetic": lambda run: {
                "merges": len(run.steps),
                "initial": len(SPECIAL) + len(run.tables[0]),
                "alphabet": len(run.tables[0]),
                "special": len(SPECIAL),
                "total": len(run.steps[-1].vocab),
            },
            "hf-merges-grow": lambda run: [len(step.token) for step in run.steps],
            "hf-glossary-alphabet-list": lambda run: len(run.steps[-1].vocab),
        },
    ),
    "hf-autotokenizer": partial(words_of, scheme="byte-level"),
    "hf-tokenize-not-a-token": encoded,
    "hf-tokenize-not-a-token-why": lambda word: bpe.encode_word(word, MODEL),
    # The printed function splits and merges, and never asks the vocabulary.
    **on(
        lambda sentences: {each: encoded(each, unknown=None) for each in sentences},
        {
            "hf-warning-unknown-char": lambda split: {
                sentence: {
                    "tokens": tokens,
                    "not_in_vocab": [token for token in tokens if token not in MODEL.ids],
                }
                for sentence, tokens in split.items()
            }
        },
    ),
    "hf-mug-vs-implementation": partial(bpe.encode_word, model=HUG_MODEL, unknown=None),
    "hf-mug-vs-implementation.expected": partial(bpe.encode_word, model=HUG_MODEL),
    "hf-emoji-prose": partial(bpe.encode_word, model=HUG_MODEL),
    "hf-gpt2-no-unk": lambda string: {
        "unknown tokens": bpe.encode(
            words_of(string, "byte-level"),
            model(CORPUS, vocab_size=276, alphabet=text.byte_alphabet()),
        ).count("[UNK]")
    },
    **on(
        lambda sentences: {
            "four sentences": train(sentences).tables[0],
            "WikiText-2": {*"".join(WIKITEXT)},
        },
        {
            "hf-base-vocab-ascii": lambda characters: {
                **{name: len(characters[name]) for name in characters},
                "ASCII characters that WikiText-2 lacks": sorted(
                    {chr(code) for code in range(0x21, 0x7F)} - characters["WikiText-2"]
                ),
            }
        },
    ),
    "hf-endoftext-only-special": lambda sizes: (
        sizes["vocabulary"] - sizes["merges"] - len(text.byte_alphabet())
    ),
    **on(
        lambda _: [listing(key) for key in ("ru-bpe", "my-bpe")],
        {
            "hf-code-identical": lambda listings: {
                "lines": len(listings[0]),
                "different": sum(one != other for one, other in zip(*listings, strict=True)),
            }
        },
    ),
    "hf-backend-tokenizer": backend_tokenizer,
    **on(
        trained_by_library,
        {
            "hf-train-new-differs": lambda tokenizer: {
                "merges": library_merges(tokenizer),
                "vocab": list(map(tokenizer.id_to_token, range(tokenizer.get_vocab_size()))),
                "tokens": tokenizer.encode("This is not a token.").tokens,
            }
        },
    ),
    "hf-train-new-reason-ids": lambda sentences: model(sentences, ties="lowest-ids").merges,
    **on(
        lambda sentences: {
            50: trained_by_library(sentences, alphabet=text.byte_alphabet()),
            276: model(sentences, 276, alphabet=text.byte_alphabet(), ties="lowest-ids"),
        },
        {
            "hf-train-new-byte-alphabet": lambda trained: {
                "vocab_size 50": {
                    "tokens": trained[50].get_vocab_size(),
                    "merges": len(library_merges(trained[50])),
                },
                "vocab_size 276": {
                    "tokens": len(trained[276].vocab),
                    "merges": trained[276].merges,
                },
            }
        },
    ),
    "hf-tie-order": lambda sentences: model(sentences[::-1]).merges,
    **on(
        partial(model, vocab_size=1000),
        {
            "hf-loop-exhausts": lambda model: {
                "printed loop": outcome(bpe.merge_pair, {}),
                "merges": len(model.merges),
                "tokens": len(model.vocab),
            }
        },
    ),
    "hf-glossary-code": lambda splits: {
        "missing key": defaultdict(int, hug=10)["pug"],
        "sum(splits, [])": sum(splits, []),
    },
    # Every sum of two lists copies the first of them once more.
    **on(
        lambda splits: [sum(splits[:number], []) for number in range(len(splits) + 1)],
        {
            "hf-glossary-sum-idiom": lambda sums: {
                "joined": sums[-1],
                "tokens copied from earlier results": sum(map(len, sums[:-1])),
            }
        },
    ),
}
