"""Step by step: merges, the compressor, pruning and EM; the longest beginnings of a word."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import bpe, unigram
from ..arguments import check, check_count, counted, shorten
from ..compression import Compressed, CompressionTable, decompress, undo
from ..html import Html, note, pieces, tag
from ..wordpiece import WordPieceModel, encode_word, longest_prefix, pair_scores
from .player import FramePlayer, Question
from .tables import MergeStep, by_score, cell_text, pair_table, share_bar, table, token_cell
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
    is_long = len(word_freqs) > max_words
    shown = dict(Counter(word_freqs).most_common(max_words)) if is_long else word_freqs
    frames, questions = [], {}
    for number, (split, last, coming) in enumerate(
        zip([start_splits(steps), *(step.splits for step in steps)], [None, *steps], [*steps, None])
    ):
        if coming:
            questions[number] = _next_pair(
                "merged", words_table(word_freqs, shown, split, last, None), coming, top
            )
        now = columns(
            words_table(word_freqs, shown, split, last, coming),
            _pairs_now(word_freqs, split, coming, by_score(steps[0]), top),
        )
        frames.append(pieces(now, vocabulary(steps[0], last)))
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
    check(steps, "steps is empty; expected at least one training step")
    pair, merged = steps[0].pair, steps[0].token
    return {
        word: [part for token in split for part in (pair if token == merged else (token,))]
        for word, split in steps[0].splits.items()
    }


def step_label(step: MergeStep) -> str:
    """A merge in a line: its pair, what that becomes, and by which figures."""
    pair = " + ".join(map(visible, step.pair))
    score = f"score {step.score}, " if by_score(step) else ""
    return f"{pair} becomes {visible(step.token)} ({score}{counted(step.count, 'time')})"


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
    caption, freqs = "Pairs in these words", bpe.pair_freqs(word_freqs, splits)
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
    counts: Mapping[Any, Any] = step.scores if by_score(step) else step.pair_freqs
    ranked = sorted(counts, key=lambda pair: (-counts[pair], pair != step.pair))[:top]

    def reply(pair: Any) -> str:
        figure = f"a score of {counts[pair]}" if by_score(step) else counted(counts[pair], "time")
        if pair == step.pair:
            return f"{_name(pair)}: {figure}. Right."
        more = (
            "as many, and the rule for ties takes that one"
            if counts[pair] == counts[step.pair]
            else cell_text(counts[step.pair])
        )
        return f"{_name(pair)}: {figure}. Another has {more}: look again."

    pairs = sorted(ranked, key=_name)
    return Question(
        f"Which pair is {verb} next? Choose it.",
        before,
        {_name(pair): reply(pair) for pair in pairs},
        _name(step.pair),
        {_name(pair): token_row(pair) for pair in pairs},
    )


def _name(pair: Sequence[str]) -> str:
    return " ".join(map(visible, pair))


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
    check(
        isinstance(compressed, Compressed) and isinstance(compressed.data, str),
        f"compressed is {shorten(compressed)}; expected what compression.compress makes of a string",
    )
    length = compressed.lengths[0]
    check(
        length <= max_symbols,
        f"compressed holds {length} symbols; expected at most {max_symbols} (max_symbols), so that "
        "they fit on the page",
    )
    data, rules = str(decompress(compressed)), CompressionTable()
    labels, frames, questions = [f"Start: {data}"], [], {}
    for number, step in enumerate(compressed.steps):
        counts = pair_table(step, top, "Pairs", remark="replaced next")
        strip = merging_boxes(data, str(step.pair), next(reversed(rules), None), "replaced next")
        frames.append(_rules_frame(data, rules, strip, counts))
        questions[number] = _next_pair("replaced", tag("p", token_row(data)), step, top)
        data, rules = str(step.data), step.table
        labels.append(f"{step.pair} becomes {step.symbol}: {data}")
    frames.append(
        _rules_frame(
            data,
            rules,
            merging_boxes(data, "", next(reversed(rules), None)),
            tag("p", f"The end: {compressed.stopped or 'no more rules'}."),
        )
    )
    while rules:
        *left, (symbol, pair) = rules.items()
        data, rules = str(undo(data, [(symbol, pair)])), CompressionTable(dict(left))
        words = tag("p", "Each ", token_box(symbol), " has been opened into ", token_row(pair), ".")
        strip = merging_boxes(data, pair, None, "opened just now")
        frames.append(_rules_frame(data, rules, strip, words))
        labels.append(f"Back: {symbol} opens into {pair}: {data}")
    return FramePlayer(
        frames,
        labels,
        f"{counted(length, 'symbol')} become {len(compressed.data)} with "
        f"{counted(len(compressed.table), 'rule')}, and {length} again",
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
    check(steps, "steps is empty; expected at least one round of pruning")
    words = dict(Counter(word_freqs).most_common(max_words))
    tables = [
        *(columns(_cuts(words, step.before), _scores(step, top)) for step in steps),
        columns(_cuts(words, steps[-1].model), tag("p", "The end.")),
    ]
    size = counted(len(steps[0].before.losses), "token")
    frames, labels = tables[:1], [f"Start: {size}, a loss of {steps[0].loss:,.1f}"]
    for number, step in enumerate(steps, start=1):
        losses = tag(
            "p",
            f"Loss {step.loss:,.1f}; without these tokens {step.loss_without:,.1f}; "
            f"with the losses made anew {step.loss_after:,.1f}. Gone: ",
            token_row(step.removed[:30]),
        )
        frames.append(pieces(losses, tables[number]))
        labels.append(
            f"{counted(len(step.model.losses), 'token')}: without {_listed(step.removed)}; "
            f"a loss of {step.loss_after:,.1f}"
        )
    return FramePlayer(
        frames,
        labels,
        f"{counted(len(steps), 'round')} of pruning, from {size} to {len(steps[-1].model.losses):,}",
        dict(enumerate(map(_cost_together, steps, tables), start=1)) if ask else {},
    )


def _cost_together(step: unigram.Step, before: Html) -> Question:
    alone = float(sum(step.scores[token] for token in step.removed))  # type: ignore[misc]
    change = f"Without them the loss goes from {step.loss:,.1f} to {step.loss_without:,.1f}."
    right = "more" if step.loss_without - step.loss > alone + 0.05 else "just that"
    return Question(
        f"Now {_listed(step.removed)} {'goes' if len(step.removed) == 1 else 'go'}. "
        f"Their scores add up to {alone:,.1f}. What do they cost together?",
        before,
        {
            guess: f"{change} {'Right.' if guess == right else 'Look again.'}"
            for guess in ("just that", "more")
        },
        right,
        covers=True,
    )


def _listed(tokens: Sequence[str], most: int = 5) -> str:
    shown, more = list(tokens[:most]), len(tokens) - most
    shown += [f"{more:,} more"] if more > 0 else []
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _cuts(word_freqs: WordFreqs, model: unigram.UnigramModel) -> Html:
    ways = zip(word_freqs.values(), (unigram.viterbi(word, model) for word in word_freqs))
    return table(
        [[freq, token_cell(way), f"{loss:.2f}"] for freq, (way, loss) in ways],
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


def em_stepper(word_freqs: WordFreqs, model: unigram.UnigramModel, rounds: int = 6) -> FramePlayer:
    """Expectation maximization, one round a frame: how often each token is expected, and how the words are cut then.

    The loss in a frame's label is that of the corpus over all ways, which no round makes larger.

    >>> corpus = {"hug": 10, "pug": 5}
    >>> model = unigram.UnigramModel(unigram.to_losses(unigram.initial_vocab(corpus, 6)))
    >>> em_stepper(corpus, model, rounds=2)
    EM, round by round, on a corpus of 2 words
    0. at first: a loss of 46.84
    1. after 1 round: a loss of 41.21
    2. after 2 rounds: a loss of 38.16
    """
    frames, labels = [], []
    for number in range(rounds + 1):
        expected = unigram.expected_counts(word_freqs, model)
        most = max(expected.values())
        votes = [
            [token_cell([token]), f"{model.losses[token]:.2f}", share_bar(n / most, f"{n:.2f}")]
            for token, n in expected.items()
        ]
        frames.append(
            columns(table(votes, ["token", "loss", "expected"], "Tokens"), _cuts(word_freqs, model))
        )
        when = f"after {counted(number, 'round')}" if number else "at first"
        loss = unigram.corpus_loss(word_freqs, model, paths="all")
        labels.append(f"{when}: a loss of {loss:,.2f}")
        model = unigram.UnigramModel(unigram.to_losses(expected))
    return FramePlayer(
        frames, labels, f"EM, round by round, on a corpus of {counted(len(word_freqs), 'word')}"
    )


# -------------------------------------------------------------------------------------------------- encoders


def prefix_stepper(word: str, model: WordPieceModel, *, ask: bool = False) -> FramePlayer:
    """Encoding a word by the longest beginning, one look into the vocabulary at a time.

    ask: whether it is to be guessed, before each look, if the piece is a token.

    Raises ValueError if there is no character to encode.

    >>> prefix_stepper("hub", WordPieceModel(["h", "hu", "##g"]))
    hub is cut into [UNK]
    0. hub is not a token
    1. hu is a token
    2. ##b is not a token, and nothing shorter is left: the whole word is unknown
    """
    frames: list[Html] = []
    tokens: list[str] = []
    labels, questions, start = [], {}, 0
    while start < len(word):
        mark = model.prefix if start else ""
        token = longest_prefix(word, start, model)
        shortest = start + 1 if token is None else start + len(token) - len(mark)
        for end in range(len(word), shortest - 1, -1):
            piece = mark + word[start:end]
            before = _look(tokens, piece, word[end:], "missing")
            questions[len(frames)] = _is_token(piece, piece == token, before)
            frames.append(before if piece != token else _look(tokens, piece, word[end:], "strong"))
            labels.append(_answer(piece, piece == token))
        if token is None:
            labels[-1] += ", and nothing shorter is left: the whole word is unknown"
            frames[-1] = pieces(frames[-1], tag("p", token_row(["[UNK]"], unknown=["[UNK]"])))
            break
        tokens, start = [*tokens, token], shortest
    result = f"into {' '.join(map(visible, encode_word(word, model)))}"
    alt = f"{visible(word)} is cut {'by its longest beginnings' if ask else result}"
    return FramePlayer(frames, labels, alt, questions if ask else {})


def _answer(piece: str, is_token: bool) -> str:
    return f"{visible(piece)} is {'a' if is_token else 'not a'} token"


def _is_token(piece: str, is_token: bool, before: Html) -> Question:
    right = "yes" if is_token else "no"
    return Question(
        f"Is {visible(piece)} a token?",
        before,
        {
            guess: f"{'Right' if guess == right else 'No'}: {_answer(piece, is_token)}."
            for guess in ("yes", "no")
        },
        right,
        covers=True,
    )


def _look(tokens: list[str], piece: str, rest: str, look: str) -> Html:
    colors = row_colors([*tokens, piece])
    boxes = (token_box(token, colors[token]) for token in tokens)
    return tag(
        "p",
        in_a_row([*boxes, token_box(piece, colors[piece], look)]),
        " ",
        note(visible(rest), "span") if rest else None,
        style="font-size:1.2em",
    )


def size_stepper(
    figures: Mapping[int, Mapping[str, float]], measure: str, what: str = "tokens"
) -> FramePlayer:
    """Figures by name, such as fertility by language, at several sizes: a slider through the sizes, on one scale.

    figures: size -> name -> figure. measure: what the figures are. what: what the size counts.

    Raises ValueError if there are none.

    >>> size_stepper({100: {"English": 3.5, "Russian": 5}, 1000: {"English": 2.25, "Russian": 3.5}}, "tokens per word")
    tokens per word by size of the vocabulary
    0. 100 tokens: English 3.50, Russian 5.00
    1. 1,000 tokens: English 2.25, Russian 3.50
    """
    most = max((figure for row in figures.values() for figure in row.values()), default=0)
    check(most, "figures is empty; expected size -> name -> figure")
    return FramePlayer(
        [
            table(
                [[name, share_bar(figure / most, f"{figure:.2f}")] for name, figure in row.items()],
                ["", measure],
            )
            for row in figures.values()
        ],
        [
            f"{size:,} {what}: {', '.join(f'{name} {figure:.2f}' for name, figure in row.items())}"
            for size, row in figures.items()
        ],
        f"{measure} by size of the vocabulary",
    )
