"""What is looked at: token strips, tables, figures, and frames to step through.

Everything here has a face in HTML for notebooks and one in text for everywhere else, both the same on every machine.
matplotlib is loaded when the first figure is drawn.
"""

from importlib import import_module

from .figures import (
    Figure,
    bar_chart,
    bill_chart,
    figure,
    line_chart,
    loss_curves,
    merge_effect,
    score_scatter,
    work_chart,
)
from .lattice import lattice_figure, viterbi_stepper
from .plain import fold, glossary_table, progress_view, sentence, source, stations
from .player import FramePlayer
from .steppers import (
    compression_stepper,
    em_stepper,
    merge_stepper,
    prefix_stepper,
    pruning_stepper,
    size_stepper,
)
from .tables import Table, bar_table, figure_table, pair_table, table
from .tokens import TokenStrip, alignment, token_strip, visible

__all__ = [
    "Figure",
    "FramePlayer",
    "Table",
    "TokenStrip",
    "alignment",
    "bar_chart",
    "bar_table",
    "bill_chart",
    "compression_stepper",
    "em_stepper",
    "figure",
    "figure_table",
    "fold",
    "glossary_table",
    "lattice_figure",
    "line_chart",
    "loss_curves",
    "merge_effect",
    "merge_stepper",
    "pair_table",
    "prefix_stepper",
    "progress_view",
    "pruning_stepper",
    "score_scatter",
    "sentence",
    "size_stepper",
    "source",
    "stations",
    "table",
    "token_strip",
    "visible",
    "viterbi_stepper",
    "work_chart",
]


# Loaded when one is asked for.
WIDGETS = {
    "ExerciseCard": "card",
    "PracticeDeck": "card",
    "arena_playground": "arena",
    "bits_playground": "bits",
    "compressor_playground": "trainer",
    "lattice_playground": "lattice",
    "text_playground": "playgrounds",
    "tokenizer_playground": "tokenizers",
    "trainer_playground": "trainer",
    "work_playground": "trainer",
}


def __getattr__(name: str) -> object:
    if name in WIDGETS:
        return getattr(import_module(f"{__name__}.{WIDGETS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
