"""Proofs of documented/compression.json."""

from ... import bpe, compression
from ...studies import merging
from . import proves


def step(text, number):
    return compression.compress(text).steps[number - 1]


@proves("compress-step-1")
def _(text):
    return {
        "pair": step(text, 1).pair,
        "symbol": step(text, 1).symbol,
        "result": step(text, 1).data,
    }


@proves("compress-step-1", part="actual")
def _(text):
    return {counting: compression.pair_freqs(text, counting) for counting in compression.COUNTING}


@proves("compress-step-2")
def _(text):
    return {
        "pair": step(text, 2).pair,
        "symbol": step(text, 2).symbol,
        "result": step(text, 2).data,
    }


proves("compress-step-2", part="actual")(lambda text: step(text, 2).pair_freqs)
proves("compress-only-ac-left")(lambda text: compression.pair_freqs(step(text, 2).data))


@proves("compress-only-ac-left", part="expected")
def _(text):
    freqs, table = compression.pair_freqs(step(text, 2).data), step(text, 2).table
    return {pair: freq for pair, freq in freqs.items() if compression.is_literal(pair, table)}


@proves("compress-step-3")
def _(text):
    return {
        "pair": step(text, 3).pair,
        "symbol": step(text, 3).symbol,
        "result": step(text, 3).data,
    }


proves("compress-table")(lambda text: compression.compress(text).table)
proves("compress-stop")(lambda text: compression.pair_freqs(compression.compress(text).data))


@proves("compress-reverse")
def _(compressed):
    table = compression.CompressionTable(dict(compressed["rules"]))
    return compression.decompress(compression.Compressed(compressed["data"], table))


@proves("compress-reverse", part="actual")
def _(compressed):
    return {"the first rule first": compression.undo(compressed["data"], compressed["rules"])}


proves("compress-nonoverlap-rule")(lambda text: compression.compress(text).data)


@proves("compress-first-seen-alternative")
def _(text):
    steps = compression.compress(text, ties="first-seen").steps
    return {"results": [step.data for step in steps], "table": steps[-1].table}


@proves("compress-lengths")
def _(text):
    compressed = compression.compress(text)
    return {"without the table": compressed.lengths, "with the table": compressed.sizes}


@proves("greedy-not-optimal")
def _(problem):
    (merges, tokens), (greedy_merges, greedy_tokens) = optimal_and_greedy(problem)
    return {
        "greedy": {"merges": greedy_merges, "tokens": len(greedy_tokens)},
        "optimal": {"merges": merges, "tokens": len(tokens)},
    }


@proves("x-bpe-goal")
def _(problem):
    (_, tokens), (_, greedy_tokens) = optimal_and_greedy(problem)
    return {"greedy": len(greedy_tokens), "optimal": len(tokens)}


@proves("blog-bpe-fewest-tokens")
def _(problem):
    counts = {problem["text"]: 1}
    model = bpe.train(counts, num_merges=problem["num_merges"])
    return {
        "after each merge": [count.corpus for count in merging.token_counts(counts, model)],
        "fewest possible": len(merging.optimal_merges(**problem)[1]),
    }


def optimal_and_greedy(problem):
    """Of both ways to count, the one with which greedy merging does better."""
    greedy = [
        merging.greedy_merges(**problem, counting=counting) for counting in compression.COUNTING
    ]
    return merging.optimal_merges(**problem), min(greedy, key=lambda result: len(result[1]))
