"""Trainings step by step: merges on words, the rules of the compressor, rounds of pruning, rounds of EM."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import unigram
from ..arguments import check_count, counted, shorten
from ..bpe import pair_freqs
from ..compression import Compressed, CompressionTable, decompress, undo
from ..html import Html, note, pieces, tag
from ..lattice import viterbi
from ..unigram import UnigramModel
from ..wordpiece import pair_scores
from .player import Choice, FramePlayer, Question, by_count
from .tables import MergeStep, by_score, pair_table, share_bar, table, token_cell
from .tokens import in_a_row, row_colors, token_box, token_row, visible

WordFreqs = Mapping[str, int]
Splits = Mapping[str, Sequence[str]]


def columns(*content: object) -> Html:
    """Side by side where there is room, else one under another."""
    return tag("div", *(tag("div", part) for part in content), class_="sl-columns")


# ----------------------------------------------------------------------------------------------------- merge by merge


def merge_stepper(
    word_freqs: WordFreqs,
    steps: Iterable[MergeStep],
    *,
    top: int = 8,
    max_words: int = 12,
    ask: bool = False,
) -> FramePlayer:
    """The training, one merge at a time: the words as they stand, the pairs counted in them, the pair merged next.

    steps: the training's records, as `bpe.train_steps` or `wordpiece.train_steps` yields them. top: how many pairs are
    listed. max_words: how many words are shown, the most frequent ones if there are more. ask: whether each pair is to
    be guessed before it is shown.

    Raises ValueError if there are no steps.
    """
    steps = list(steps)
    shown = most_frequent(word_freqs, max_words)
    frames, questions = [], {}
    for number, (split, last, coming) in enumerate(
        zip([start_splits(steps), *(step.splits for step in steps)], [None, *steps], [*steps, None])
    ):
        if coming:
            questions[number] = _next_pair(
                "merged", words_table(word_freqs, shown, split, last, None), coming, top
            )
        words = words_table(word_freqs, shown, split, last, coming)
        pairs = _pairs_now(word_freqs, split, coming, by_score(steps[0]), top)
        frames.append(pieces(columns(words, pairs), vocabulary(steps[0], last)))
    merges = steps[0].number - 1
    start = f"Start: after merge {merges}" if merges else "Start: nothing is merged yet"
    return FramePlayer(
        frames,
        [start, *map(step_label, steps)],
        f"{counted(len(steps), 'merge')} on a corpus of {counted(len(word_freqs), 'word')}",
        questions if ask else {},
    )


def start_splits(steps: Sequence[MergeStep]) -> dict[str, list[str]]:
    """How the words were split before the first of the steps: its merge undone.

    Raises ValueError if there are no steps.
    """
    if not steps:
        raise ValueError("steps is empty; expected at least one training step")
    pair, merged = steps[0].pair, steps[0].token
    return {
        word: [part for token in split for part in (pair if token == merged else (token,))]
        for word, split in steps[0].splits.items()
    }


def most_frequent(word_freqs: WordFreqs, number: int) -> WordFreqs:
    """The most frequent words, if there are more than that number; otherwise all, as they are."""
    most = dict(Counter(word_freqs).most_common(number))
    return most if len(most) < len(word_freqs) else word_freqs


def step_label(step: MergeStep) -> str:
    """A merge in a line: its pair, what that becomes, and by which figures."""
    left, right = map(visible, step.pair)
    score = f"score {step.score}, " if by_score(step) else ""
    return f"{left} + {right} becomes {visible(step.token)} ({score}{counted(step.count, 'time')})"


def words_table(
    word_freqs: WordFreqs,
    shown: WordFreqs,
    splits: Splits,
    last: MergeStep | None,
    coming: MergeStep | None,
) -> Html:
    """The words that are shown, as they are split: what the last step made, and what the coming one will merge."""
    new, pair = last.token if last else None, coming.pair if coming else ()
    length = sum(freq * len(splits[word]) for word, freq in word_freqs.items())
    left_out = len(word_freqs) - len(shown)
    more = f"and {counted(left_out, 'more word')}; " if left_out else ""
    return table(
        [
            [freq, tag("span", merging_boxes(splits[word], pair, new), class_="sl-whole")]
            for word, freq in shown.items()
        ],
        ["times", "word"],
        "Words",
        note=f"{more}corpus: {counted(length, 'token')}",
    ).html()


def merging_boxes(
    split: Sequence[str], pair: Sequence[str], new: str | None, remark: str = "merged next"
) -> Html:
    """Tokens in a row: bold what is new, underlined together what is merged next."""
    colors, row, i = row_colors(split), [], 0
    while i < len(split):
        width = 2 if pair and tuple(split[i : i + 2]) == tuple(pair) else 1
        boxes = pieces(
            *(
                token_box(token, colors[token], "strong" if token == new else "")
                for token in split[i : i + width]
            ),
            between=" ",
        )
        row.append(boxes if width == 1 else tag("span", boxes, class_="sl-next", title=remark))
        i += width
    return in_a_row(row)


def vocabulary(first: MergeStep, last: MergeStep | None) -> Html:
    """The vocabulary after the last step, or before the first."""
    base = first.vocab[:-1] if first.vocab[-1] == first.token else first.vocab
    merged = last.vocab[len(base) :] if last else []
    left_out = max(0, len(merged) - 40) + (len(base) if len(base) > 40 else 0)
    return tag(
        "p",
        tag("b", "Vocabulary"),
        f": {len(base):,} + {len(merged):,} = {counted(len(base) + len(merged), 'token')} ",
        token_row([*(base if len(base) <= 40 else []), *merged[-40:]], strong=merged[-1:]),
        note(f" and {counted(left_out, 'more token')}", "span") if left_out else None,
        class_="sl-vocabulary",
    )


def _pairs_now(
    word_freqs: WordFreqs, splits: Splits, coming: MergeStep | None, scored: bool, top: int
) -> Html:
    caption, freqs = "Pairs in these words", pair_freqs(word_freqs, splits)
    if coming:
        return pair_table(coming, top, caption, remark="merged next").html()
    if not freqs:
        return tag("p", "No pair is left.")
    return pair_table(
        pair_scores(word_freqs, splits) if scored else freqs,
        top,
        caption,
        count="score" if scored else "count",
        beside=freqs if scored else None,
    ).html()


def _next_pair(verb: str, before: Html, step: Any, top: int) -> Question:
    """Which pair comes next? The pairs of highest count or score are there to be guessed from."""
    counts: Mapping[Any, Any] = step.scores if by_score(step) else step.pair_freqs
    ranked = sorted(counts, key=lambda pair: (-counts[pair], pair != step.pair))[:top]
    return Question(
        f"Which pair is {verb} next? Choose it.",
        before,
        by_count(
            {pair: counts[pair] for pair in ranked},
            step.pair,
            {pair: " ".join(map(visible, pair)) for pair in ranked},
            {pair: token_row(pair) for pair in ranked},
            score=by_score(step),
        ),
    )


# ------------------------------------------------------------------------------------------------------- the compressor


def compression_stepper(
    compressed: Compressed, *, top: int = 6, max_symbols: int = 60, ask: bool = False
) -> FramePlayer:
    """Forward through the rules and back again: the string, the pairs counted in it, the table, and both sizes.

    compressed: what `compression.compress` made of a string. top: how many pairs are listed. max_symbols: how long the
    string may be, so that it fits on the page. ask: whether each pair is to be guessed before it is shown.

    Raises ValueError for compressed bytes, which are no string, and for a string that is too long.

    >>> from subword_lab.compression import compress
    >>> compression_stepper(compress("aaabdaaabac"))
    11 symbols become 5 with 3 rules, and 11 again
    0. Start: aaabdaaabac
    1. aa becomes Z: ZabdZabac
    2. ab becomes Y: ZYdZYac
    3. ZY becomes X: XdXac
    4. Back: X opens into ZY: ZYdZYac
    5. Back: Y opens into ab: ZabdZabac
    6. Back: Z opens into aa: aaabdaaabac
    """
    check_count("top", top, least=1)
    check_count("max_symbols", max_symbols, least=1)
    if not isinstance(compressed, Compressed) or not isinstance(compressed.data, str):
        raise ValueError(
            f"compressed is {shorten(compressed)}; expected what compression.compress makes of a string"
        )
    length = compressed.lengths[0]
    if length > max_symbols:
        raise ValueError(
            f"compressed holds {length} symbols; expected at most {max_symbols} (max_symbols), so that "
            "they fit on the page"
        )
    data, rules = str(decompress(compressed)), CompressionTable()
    labels, frames, questions = [f"Start: {data}"], [], {}
    for number, step in enumerate(compressed.steps):
        pair, symbol = str(step.pair), str(step.symbol)
        strip = merging_boxes(data, pair, next(reversed(rules), None), "replaced next")
        frames.append(
            _rules_frame(data, rules, strip, pair_table(step, top, "Pairs", remark="replaced next"))
        )
        questions[number] = _next_pair("replaced", tag("p", token_row(data)), step, top)
        data, rules = str(step.data), step.table
        labels.append(f"{pair} becomes {symbol}: {data}")
    strip = merging_boxes(data, "", next(reversed(rules), None))
    frames.append(
        _rules_frame(
            data, rules, strip, tag("p", f"The end: {compressed.stopped or 'no more rules'}.")
        )
    )
    while rules:
        *left, (symbol, pair) = rules.items()
        data, rules = str(undo(data, [(symbol, pair)])), CompressionTable(dict(left))
        words = tag("p", "Each ", token_box(symbol), " has been opened into ", token_row(pair), ".")
        strip = merging_boxes(data, pair, None, "opened just now")
        frames.append(_rules_frame(data, rules, strip, words))
        labels.append(f"Back: {symbol} opens into {pair}: {data}")
    rule_count = counted(len(compressed.table), "rule")
    return FramePlayer(
        frames,
        labels,
        f"{counted(length, 'symbol')} become {len(compressed.data)} with {rule_count}, and {length} again",
        questions if ask else {},
    )


def _rules_frame(data: str, rules: CompressionTable, strip: Html, beside: object) -> Html:
    rows = [[token_cell([symbol]), token_cell(rule)] for symbol, rule in rules.items()]
    return pieces(
        tag("p", strip),
        note(
            f"{counted(len(data), 'symbol')}, and a table of {rules.size}: {len(data) + rules.size} in all"
        ),
        columns(
            table(rows, ["symbol", "stands for"], "Table")
            if rows
            else tag("p", "The table is empty."),
            beside,
        ),
    )


# --------------------------------------------------------------------------------------------------- rounds of pruning


def pruning_stepper(
    word_freqs: WordFreqs,
    steps: Iterable[unigram.Step],
    *,
    top: int = 8,
    max_words: int = 8,
    ask: bool = False,
) -> FramePlayer:
    """The pruning, one round at a time: what each token's absence would cost, what goes, and how words are cut then.

    steps: records of `unigram.train_steps`. top: how many tokens are listed, the cheapest first. max_words: how many
    words are shown, the most frequent ones. ask: whether it is to be guessed, before each round, what its tokens will
    cost together.

    Raises ValueError if there are no steps.

    >>> corpus = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> pruning_stepper(corpus, unigram.train_steps(corpus, vocab_size=12, initial_size=15, drop=0.2))
    1 round of pruning, from 15 tokens to 12
    0. Start: 15 tokens, a loss of 142.0
    1. 12 tokens: without ug, pu and un; a loss of 142.7
    """
    steps = list(steps)
    if not steps:
        raise ValueError("steps is empty; expected at least one round of pruning")
    words = dict(Counter(word_freqs).most_common(max_words))
    tables = [columns(_cuts(words, step.before), _scores(step, top)) for step in steps]
    tables.append(columns(_cuts(words, steps[-1].model), tag("p", "The end.")))
    size = counted(len(steps[0].before.losses), "token")
    frames, labels = tables[:1], [f"Start: {size}, a loss of {steps[0].loss:,.1f}"]
    for number, step in enumerate(steps, start=1):
        losses = (
            f"Loss {step.loss:,.1f}; without these tokens {step.loss_without:,.1f}; "
            f"with the losses made anew {step.loss_after:,.1f}. Gone: "
        )
        frames.append(pieces(tag("p", losses, token_row(step.removed[:30])), tables[number]))
        labels.append(
            f"{counted(len(step.model.losses), 'token')}: without {_listed(step.removed)}; "
            f"a loss of {step.loss_after:,.1f}"
        )
    left = len(steps[-1].model.losses)
    return FramePlayer(
        frames,
        labels,
        f"{counted(len(steps), 'round')} of pruning, from {size} to {left:,}",
        dict(enumerate(map(_cost_together, steps, tables), start=1)) if ask else {},
    )


def _cost_together(step: unigram.Step, before: Html) -> Question:
    """What a round's tokens cost together is to be guessed: what their scores add up to, or more?"""
    alone = float(sum(step.scores[token] for token in step.removed))  # type: ignore[misc]
    change = f"Without them the loss goes from {step.loss:,.1f} to {step.loss_without:,.1f}."
    more = step.loss_without - step.loss > alone + 0.05
    question = (
        f"Now {_listed(step.removed)} {'goes' if len(step.removed) == 1 else 'go'}. "
        f"Their scores add up to {alone:,.1f}. What do they cost together?"
    )
    return Question(
        question,
        before,
        [
            Choice(name, f"{change} {'Right.' if right else 'Look again.'}", right)
            for name, right in (("just that", not more), ("more", more))
        ],
        covers=True,
    )


def _listed(tokens: Sequence[str], most: int = 5) -> str:
    shown, more = list(tokens[:most]), len(tokens) - most
    shown += [f"{more:,} more"] if more > 0 else []
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _cuts(word_freqs: WordFreqs, model: UnigramModel) -> Html:
    ways = {word: viterbi(word, model) for word in word_freqs}
    return table(
        [[word_freqs[word], token_cell(way), f"{loss:.2f}"] for word, (way, loss) in ways.items()],
        ["times", "cheapest way", "loss"],
        "Words",
    ).html()


def _scores(step: unigram.Step, top: int) -> Html:
    scores = {token: float(score) for token, score in step.scores.items()}  # type: ignore[arg-type]
    most = max(scores.values(), default=0) or 1
    ranked = sorted(scores, key=lambda token: (token not in step.removed, round(scores[token], 6)))
    return table(
        [
            [
                token_cell([token]),
                f"{scores[token]:.2f}",
                share_bar(
                    scores[token] / most,
                    "removed next" if token in step.removed else "",
                    "chosen",
                ),
            ]
            for token in ranked[:top]
        ],
        ["token", "loss without it", ""],
        "What would each cost?",
    ).html()


# -------------------------------------------------------------------------------------------------------- rounds of EM


def em_stepper(word_freqs: WordFreqs, model: UnigramModel, rounds: int = 6) -> FramePlayer:
    """Expectation maximization, one round a frame: how often each token is expected, and how the words are cut then.

    The loss in a frame's label is that of the corpus over all ways, which no round makes larger.

    >>> corpus = {"hug": 10, "pug": 5}
    >>> em_stepper(corpus, UnigramModel(unigram.to_losses(unigram.initial_vocab(corpus, 6))), rounds=2)
    EM, round by round, on a corpus of 2 words
    0. at first: a loss of 46.84
    1. after 1 round: a loss of 41.21
    2. after 2 rounds: a loss of 38.16
    """
    frames, labels = [], []
    for number in range(rounds + 1):
        expected = unigram.expected_counts(word_freqs, model)
        frames.append(columns(_votes(expected, model), _cuts(word_freqs, model)))
        when = f"after {counted(number, 'round')}" if number else "at first"
        loss = unigram.corpus_loss(word_freqs, model, paths="all")
        labels.append(f"{when}: a loss of {loss:,.2f}")
        model = UnigramModel(unigram.to_losses(expected))
    words = counted(len(word_freqs), "word")
    return FramePlayer(frames, labels, f"EM, round by round, on a corpus of {words}")


def _votes(expected: Mapping[str, float], model: UnigramModel) -> Html:
    most = max(expected.values())
    return table(
        [
            [
                token_cell([token]),
                f"{model.losses[token]:.2f}",
                share_bar(count / most, f"{count:.2f}"),
            ]
            for token, count in expected.items()
        ],
        ["token", "loss", "expected"],
        "Tokens",
    ).html()
