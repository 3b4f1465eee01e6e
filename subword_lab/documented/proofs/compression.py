"""Proofs of documented/compression.json."""

from functools import partial

from ... import compression
from ...studies import merging
from .shared import Training, numbered, on


def pairs(number, compressed):
    """The pairs of neighbors after so many steps, each once a place."""
    return compression.pair_freqs(compressed.steps[number - 1].data)


def greedy_and_optimal(problem):
    """Of both ways to count, the one with which greedy merging does better, beside the best merges of all."""
    ways = [merging.greedy_merges(**problem, counting=way) for way in compression.COUNTING]
    greedy, optimal = min(ways, key=lambda way: len(way[1])), merging.optimal_merges(**problem)
    return {
        name: {"merges": merges, "tokens": len(tokens)}
        for name, (merges, tokens) in {"greedy": greedy, "optimal": optimal}.items()
    }


PROOFS = {
    **on(
        compression.compress,
        {
            **numbered(
                "compress-step-{}",
                (1, 2, 3),
                lambda number, compressed: {
                    "pair": compressed.steps[number - 1].pair,
                    "symbol": compressed.steps[number - 1].symbol,
                    "result": compressed.steps[number - 1].data,
                },
            ),
            "compress-step-2.actual": lambda compressed: compressed.steps[1].pair_freqs,
            "compress-only-ac-left": partial(pairs, 2),
            # How the source counts: pairs of literal characters alone.
            "compress-only-ac-left.expected": lambda compressed: {
                pair: freq
                for pair, freq in pairs(2, compressed).items()
                if compression.is_literal(pair, compressed.steps[1].table)
            },
            "compress-table": lambda compressed: compressed.table,
            "compress-stop": partial(pairs, 0),
            "compress-nonoverlap-rule": lambda compressed: compressed.data,
            "compress-lengths": lambda compressed: {
                "without the table": compressed.lengths,
                "with the table": compressed.sizes,
            },
        },
    ),
    "compress-step-1.actual": lambda text: {
        way: compression.pair_freqs(text, way) for way in compression.COUNTING
    },
    "compress-reverse": lambda given: compression.decompress(
        compression.Compressed(given["data"], compression.CompressionTable(dict(given["rules"])))
    ),
    "compress-reverse.actual": lambda given: {
        "the first rule first": compression.undo(given["data"], given["rules"])
    },
    **on(
        partial(compression.compress, ties="first-seen"),
        {
            "compress-first-seen-alternative": lambda compressed: {
                "results": [step.data for step in compressed.steps],
                "table": compressed.table,
            }
        },
    ),
    "greedy-not-optimal": greedy_and_optimal,
    "x-bpe-goal": lambda problem: {
        name: result["tokens"] for name, result in greedy_and_optimal(problem).items()
    },
    "blog-bpe-fewest-tokens": lambda problem: {
        "after each merge": [
            len(split[problem["text"]])
            for split in Training({problem["text"]: 1}, num_merges=problem["num_merges"]).splits
        ],
        "fewest possible": greedy_and_optimal(problem)["optimal"]["tokens"],
    },
}
