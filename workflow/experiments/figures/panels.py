"""Panels under a legend, in Matplotlib's constrained layout, and texts that fit in them."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from accuracy_curves.answers.style import COLUMN_WIDTH, FONT_SIZE, TEXT_WIDTH

# Height of a line of text, in inches.
LINE = 0.125
# Room of a legend entry beside its text, in inches.
LEGEND_HANDLE = 0.36
# Width of a letter over its height, about.
LETTER = 0.58

Place = tuple[float, float]


def panel_grid(
    heights: Sequence[float],
    columns: int,
    room: float,
    width: float | None = None,
) -> tuple[Figure, npt.NDArray[Any]]:
    """Make a figure of rows of panels, (rows, columns) of Axes; lengths in inches.

    `room` is what titles, ticks and labels take of each row, about. By default the width is that of
    the text, or of a column of it for one panel.
    """
    width = width or (COLUMN_WIDTH if columns == 1 else TEXT_WIDTH)
    layout = ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.06)
    figure = Figure(figsize=(width, sum(heights) + room * len(heights)), layout=layout)
    grid = figure.subplots(len(heights), columns, squeeze=False, height_ratios=heights)
    return figure, grid


def legend_above(figure: Figure, shown: Sequence[Artist]) -> None:
    """Draw a legend over the panels, read from left to right; the figure grows by its height."""
    width = figure.get_figwidth()
    entries = [text_width(str(each.get_label())) + LEGEND_HANDLE for each in shown]
    columns = max(1, int(width / max(entries))) if sum(entries) > width else len(shown)
    figure.set_figheight(figure.get_figheight() + 0.1 + 0.16 * -(-len(shown) // columns))
    # Matplotlib fills columns first.
    handles = [each for start in range(columns) for each in shown[start::columns]]
    look: Any = {"handlelength": 1.4, "handletextpad": 0.5, "columnspacing": 1.2}
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, **look)


def as_table(axes: Axes, rows: Sequence[str], heads: Sequence[str]) -> None:
    """Make axes a table: names of the rows at the left, upright heads above, and no frame."""
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(heads)), heads, rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def label_columns(grid: npt.NDArray[Any], titles: Iterable[str], x: str) -> None:
    """Write a title over each column, and what x is under it, where alone the ticks have labels."""
    for axes, title in zip(grid[0], titles, strict=True):
        axes.set_title(title, pad=4)
    for axes in grid[:-1].flat:
        axes.tick_params(labelbottom=False)
    for axes in grid[-1]:
        axes.set_xlabel(x)


def panel_width(axes: Axes) -> float:
    """Width of a panel of a grid in inches, about: it is known only once the figure is drawn."""
    figure, place = axes.get_figure(root=True), axes.get_subplotspec()
    assert figure is not None
    assert place is not None
    return (figure.get_figwidth() - 0.4) / place.get_gridspec().ncols - 0.2


def write_beside(axes: Axes, text: str, share: Place, points: Place, **look: Any) -> None:
    """Write at a place in shares of the panel's sides, moved right and up by points."""
    axes.annotate(text, share, points, xycoords="axes fraction", textcoords="offset points", **look)


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Width of one line of text in inches, about; ``$...$`` is mathematics."""
    letters = re.sub(r"\\[a-z]+|[${}^_]", "", text)
    return LETTER * size / 72 * len(letters)


def wrapped(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Break text into lines of about `width` inches: at its commas, then between words."""
    letters = max(1, int(width / text_width("a", size)))
    parts = [text] if len(text) <= letters else text.split(", ")
    lines = [textwrap.wrap(part, letters, break_long_words=False) for part in parts]
    return "\n".join(line for each in lines for line in each)
