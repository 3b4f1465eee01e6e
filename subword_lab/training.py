"""A tokenizer's parts, learned from texts: one of the algorithms, with the habits of its best-known tokenizers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import bpe, engines, pieces, text, unigram, wordpiece
from .arguments import (
    check,
    check_choice,
    check_count,
    check_word_freqs,
    check_words,
    shorten,
)
from .normalization import ONE_SPACE, Prepend, Step, Trim, apply, evens_out
from .parts import Model, Parts, reduced
from .pieces import Rules

# Algorithm -> what its best-known tokenizers do: GPT-2, BERT, and SentencePiece's models.
CUSTOMS: dict[str, dict[str, Any]] = {
    "bpe": {"scheme": "byte-level", "special_tokens": ("<|endoftext|>",)},
    "wordpiece": {
        "scheme": "bert",
        "special_tokens": ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        "normalization": ("clean", "space-chinese", "strip-accents", "lowercase"),
    },
    "unigram": {
        "scheme": "metaspace",
        "special_tokens": ("<unk>", "<s>", "</s>"),
        "normalization": ("nfkc",),
    },
}
BY_RULES = {
    **CUSTOMS["unigram"],
    "normalization": ("clean", "nfkc", Trim(), ONE_SPACE),
}


def train(
    texts: Iterable[str],
    algorithm: str,
    vocab_size: int,
    *,
    scheme: str | None = None,
    normalization: Iterable[Step] | None = None,
    special_tokens: Iterable[str] | None = None,
    rules: Rules | None = None,
    **options: Any,
) -> Parts:
    """The parts of a tokenizer for these texts; `Tokenizer.train` says what the arguments mean.

    >>> parts = train(["hug pug hugs"], "bpe", 8, scheme="whitespace", special_tokens=["[UNK]"])
    >>> parts.model.merges, parts.ids["hug"]
    ([('u', 'g'), ('h', 'ug')], 7)
    """
    check_choice("algorithm", algorithm, CUSTOMS)
    check_count("vocab_size", vocab_size)
    customs = BY_RULES if rules else CUSTOMS[algorithm]
    scheme = customs["scheme"] if scheme is None else scheme
    steps = tuple(customs.get("normalization", ()) if normalization is None else normalization)
    special = tuple(
        dict.fromkeys(
            customs["special_tokens"]
            if special_tokens is None
            else check_words("special_tokens", special_tokens)
        )
    )
    spelling = (
        "bytes" if scheme in text.BYTE_LEVEL else "metaspace" if scheme == "metaspace" else "plain"
    )
    named = tuple(step for step in steps if isinstance(step, str))
    engine = options.get("engine")
    check(
        engine != "dask" or (not rules and len(named) >= len(steps)),
        f"engine is 'dask', with rules {shorten(rules)} and the normalization {shorten(steps)}; expected no "
        "rules, and the steps that text.normalize has a name for",
    )
    if (len(named) < len(steps) or rules) and not isinstance(texts, str):
        texts, named = _normalized(texts, steps), ()
    if rules and not isinstance(texts, str):
        model = _by_rules(texts, algorithm, vocab_size, special, scheme, rules, options)
    else:
        known = engine == "dask" or text.compilable(scheme, named)
        if engine is None and known:
            texts, engine = engines.look_ahead(texts, "merging")
        cluster = options.pop("cluster", None)
        freqs = text.word_freqs(
            texts, scheme, steps=named, engine=engine if known else None, cluster=cluster
        )
        if engine == "dask":
            del options["engine"]  # it counts, and learns nothing
        model = _model(freqs, algorithm, vocab_size, special, spelling, options)
    tokens = dict.fromkeys([*special, *model.vocab])
    around = (
        ("[CLS]", "[SEP]") if algorithm == "wordpiece" and {"[CLS]", "[SEP]"} <= {*special} else ()
    )
    return Parts(
        reduced(model, {*special}),
        {token: number for number, token in enumerate(tokens)},
        special,
        normalization=steps,
        schemes=(scheme,),
        spelling=spelling,
        prefix_space="always" if spelling == "metaspace" else "never",
        unknown=next((token for token in special if token in ("[UNK]", "<unk>")), None),
        fuse_unknown=algorithm == "unigram" or rules is not None,
        before=around[:1],
        after=around[1:],
        decoder="wordpiece"
        if algorithm == "wordpiece"
        else "fuse"
        if spelling == "plain"
        else spelling,
    )


def _normalized(texts: Iterable[str], steps: tuple[Step, ...]) -> Iterator[str]:
    even = evens_out(steps) and Prepend(" ") not in steps
    for each in texts:
        if even and isinstance(each, str) and each.isascii() and each.isprintable():
            yield " ".join(each.split()) if "  " in each else each.strip(" ")
        else:
            yield apply(each, steps)


def _model(
    freqs: Mapping[str, int],
    algorithm: str,
    size: int,
    special: tuple[str, ...],
    spelling: str,
    options: dict[str, Any],
) -> Model:
    """A model by the algorithm's own `train`, with what is usual where the options say nothing else."""
    if algorithm == "unigram":
        size = max(size - len(special), 0)
        usual = {"initial_size": 10 * size, "seed": "suffix-array", "digamma": True, "drop": 0.25}
        return unigram.train(freqs, **{**usual, **options}, vocab_size=size)
    limits: dict[str, Any] = {"vocab_size": size, "special_tokens": special}
    if algorithm == "wordpiece":
        return wordpiece.train(freqs, **{"score": "frequency", **options}, **limits)
    check(
        not options.get("end_of_word"),
        f"end_of_word is {shorten(options.get('end_of_word'))}; a tokenizer's words are marked by its "
        "scheme",
    )
    alphabet = text.byte_alphabet() if spelling == "bytes" else ()
    return bpe.train(freqs, **{"ties": "lowest-ids", "alphabet": alphabet, **options}, **limits)


def _by_rules(
    texts: Iterable[str],
    algorithm: str,
    size: int,
    special: tuple[str, ...],
    scheme: str,
    rules: Rules,
    options: dict[str, Any],
) -> Model:
    options = {**options}
    engine = options.pop("engine", None) if algorithm == "unigram" else None
    if engine is None and algorithm == "unigram":
        texts, engine = engines.look_ahead(texts, "pieces")
    check(
        isinstance(rules, Rules)
        and algorithm != "wordpiece"
        and (scheme == "metaspace")
        and not options,
        f"rules is {shorten(rules)}, with {algorithm!r}, the scheme {scheme!r} and the options "
        f"{sorted(options)}; expected pieces.Rules, 'bpe' or 'unigram', 'metaspace', and no options",
    )

    corpus, size = pieces.corpus(texts, rules.coverage, engine, special), size - len(special)
    if not corpus.words:
        check_word_freqs(corpus.words)
    check(
        size >= len(corpus.chars),
        f"vocab_size is {size + len(special)}, but the special tokens and the characters alone are "
        f"{len(corpus.chars) + len(special)}",
    )
    if algorithm == "bpe":
        return pieces.train_bpe(corpus, size, rules)
    return pieces.train_unigram(corpus, size, rules, len(special), engine)
