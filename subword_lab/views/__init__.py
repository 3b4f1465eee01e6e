"""What is looked at: token strips, tables, figures, and frames to step through.

Everything here has a face in HTML for notebooks and one in text for everywhere else, both the same on every machine.
matplotlib is loaded when the first figure is drawn.
"""
from .figures import Figure, bar_chart, figure, line_chart, merge_effect, scatter
from .lattice import lattice_figure, viterbi_stepper
from .glossary import glossary_table
from .source import source
from .stepper import FramePlayer, merge_stepper
from .tables import Table, pair_table, table
from .tokens import TokenStrip, token_strip, visible

__all__ = ["Figure", "FramePlayer", "Table", "TokenStrip", "bar_chart", "figure", "lattice_figure", "line_chart",
           "merge_effect", "merge_stepper", "pair_table", "scatter", "source", "table", "token_strip", "visible",
           "viterbi_stepper"]
