"""Encoders step by step: the longest beginnings of a word, several encoders in a race, figures at several sizes."""

from collections.abc import Mapping, Sequence

from ..arguments import counted
from ..html import Html, note, pieces, tag
from ..wordpiece import WordPieceModel, encode_word, longest_prefix
from .player import Choice, FramePlayer, Question
from .tables import share_bar, table, token_cell
from .tokens import in_a_row, row_colors, token_box, token_row, visible


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
    labels, questions = [], {}
    start = 0
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
    reply = f"{_answer(piece, is_token)}."
    return Question(
        f"Is {visible(piece)} a token?",
        before,
        [
            Choice(name, f"{'Right' if right else 'No'}: {reply}", right)
            for name, right in (("yes", is_token), ("no", not is_token))
        ],
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


def encoder_race(word: str, states: Mapping[str, Sequence[Sequence[str]]]) -> FramePlayer:
    """One word through several encoders, all of them a step at a time, until the last is done.

    states: name of the encoder -> the pieces before its first step and after each, as `side_by_side.race` finds them.

    Raises ValueError if there is no encoder, or one without a state.

    >>> encoder_race("hug", {"letters": [["h", "u", "g"]], "BPE": [["h", "u", "g"], ["h", "ug"]]})
    hug through 2 encoders
    0. done: letters
    1. done: letters, BPE
    """
    if not states or not all(states.values()):
        raise ValueError(
            f"states holds {counted(len(states), 'encoder')}; "
            "expected at least one, each with one state at least"
        )
    frames, labels = [], []
    for step in range(max(map(len, states.values()))):
        done = [name for name, reached in states.items() if step >= len(reached) - 1]
        frames.append(
            table(
                [
                    [
                        name,
                        token_cell(reached[min(step, len(reached) - 1)]),
                        f"done in {len(reached) - 1}"
                        if name in done
                        else f"{len(reached) - 1 - step} to go",
                    ]
                    for name, reached in states.items()
                ],
                ["encoder", "pieces", "steps"],
            )
        )
        labels.append(f"done: {', '.join(done) or 'none yet'}")
    return FramePlayer(frames, labels, f"{visible(word)} through {counted(len(states), 'encoder')}")


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
    if not most:
        raise ValueError("figures is empty; expected size -> name -> figure")
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
