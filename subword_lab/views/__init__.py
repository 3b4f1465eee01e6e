"""What is looked at: token strips, tables, figures, and frames to step through.

Everything here has a face in HTML for notebooks and one in text for everywhere else, both the same on every machine.
matplotlib is loaded when the first figure is drawn.
"""

from importlib import import_module

from .alignment import Alignment, alignment
from .compression import compression_stepper
from .figures import Figure, bar_chart, figure, line_chart, merge_effect, work_chart
from .glossary import glossary_table
from .lattice import lattice_figure, viterbi_stepper
from .player import FramePlayer
from .progress import ProgressView, progress_view
from .race import encoder_race, size_stepper
from .rounds import em_stepper, loss_curves
from .shown import fold, sentence
from .source import source
from .stations import stations
from .stepper import merge_stepper
from .tables import Table, figure_table, pair_table, table
from .tokens import TokenStrip, token_strip, visible
from .unigram import pruning_stepper
from .wordpiece import prefix_stepper, score_scatter

__all__ = [
    "Alignment",
    "Figure",
    "FramePlayer",
    "ProgressView",
    "Table",
    "TokenStrip",
    "alignment",
    "bar_chart",
    "compression_stepper",
    "em_stepper",
    "encoder_race",
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
    "lattice_playground": "roads",
    "tokenizer_playground": "tokenizers",
    "trainer_playground": "trainer",
}


def __getattr__(name: str) -> object:
    if name in WIDGETS:
        return getattr(import_module(f"{__name__}.{WIDGETS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
