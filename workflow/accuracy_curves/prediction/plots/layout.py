"""Where the panels stand, in inches, so that text keeps its room whatever the number of panels."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath
from matplotlib.ticker import MaxNLocator

from accuracy_curves.prediction.plots.style import FONT_SIZE

LINE_HEIGHT = 1.25
# Letters that are fitted to pixels are a little wider.
HINTING = 1.04
# Room of a legend entry beside its text, in inches.
LEGEND_HANDLE = 0.34
# Mathematics is one word, whatever is in it.
WORD = r"(?:\$[^$]*\$|\S)+"

Place = tuple[float, float]


@dataclass(frozen=True)
class Margins:
    """Room around and between the panels, in inches."""

    left: float = 0.5
    right: float = 0.08
    top: float = 0.3
    bottom: float = 0.4
    row_gap: float = 0.3
    column_gap: float = 0.12


def panel_grid(
    width: float,
    heights: Sequence[float],
    columns: int,
    margins: Margins,
    extra_gaps: Mapping[int, float] | None = None,
) -> tuple[Figure, npt.NDArray[Any]]:
    """Make a figure of rows of panels of equal width, (rows, columns) of Axes; lengths in inches.

    The figure is as high as it needs to be; `extra_gaps` gives more room above some rows.
    """
    gaps = [margins.top] + [margins.row_gap] * (len(heights) - 1)
    for row, extra in (extra_gaps or {}).items():
        gaps[row] += extra
    height = sum(gaps) + sum(heights) + margins.bottom
    figure = Figure(figsize=(width, height))
    inside = width - margins.left - margins.right
    panel = (inside - margins.column_gap * (columns - 1)) / columns
    grid = np.empty((len(heights), columns), dtype=object)
    top = height
    for row, high in enumerate(heights):
        top -= gaps[row]
        for column in range(columns):
            left = margins.left + column * (panel + margins.column_gap)
            grid[row, column] = axes_at(figure, left, top - high, panel, high)
        top -= high
    return figure, grid


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Add axes whose place in the figure is given in inches."""
    across, up = figure.get_size_inches()
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


def share_axis(row: Sequence[Axes], low: float, high: float, ticks: int = 6) -> None:
    """Give panels side by side one y axis, labelled on the left only."""
    for axes in row:
        axes.set_ylim(low, high)
        # No steps of .025, whose labels are too long for the margin.
        axes.yaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 5, 10]))
        axes.tick_params(labelleft=axes is row[0])


def write_beside(axes: Axes, text: str, share: Place, points: Place, **look: Any) -> None:
    """Write at a place in shares of the panel's sides, moved right and up by points."""
    axes.annotate(text, share, points, xycoords="axes fraction", textcoords="offset points", **look)


@lru_cache(maxsize=1024)
def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Width of one line of text in inches, rounded up; ``$...$`` is mathematics."""
    if not text.strip():
        return 0.0
    return HINTING * float(TextPath((0, 0), text, size=size).get_extents().x1) / 72


def wrapped(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Break text into lines of at most `width` inches, never inside ``$...$`` or a word."""
    return "\n".join(
        "\n".join(_filled(re.findall(WORD, paragraph), width, size))
        for paragraph in text.split("\n")
    )


def wrapped_label(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Break a label after its commas, which the breaks replace, and elsewhere only if it must."""
    pieces: list[str] = []
    for word in re.findall(WORD, text):
        if pieces and not pieces[-1].endswith(","):
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    fitting = [line for piece in pieces for line in wrapped(piece, width, size).split("\n")]
    return "\n".join(line.rstrip(",") for line in _filled(fitting, width, size))


def _filled(words: Sequence[str], width: float, size: float) -> list[str]:
    """Put as many words on each line as fit, at least one."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def legend_columns(labels: Sequence[str], width: float) -> int:
    """How many legend entries fit side by side in `width` inches."""
    entries = [text_width(label) + LEGEND_HANDLE for label in labels]
    if sum(entries) <= width:
        return len(labels)
    return max(1, int(width / max(entries)))


def legend_above(figure: Figure, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """Draw a legend at the top of the figure, over the panels, read from left to right."""
    columns = legend_columns(labels, float(figure.get_size_inches()[0]))
    # Matplotlib fills columns first.
    order = [i for start in range(columns) for i in range(start, len(labels), columns)]
    figure.legend(
        [handles[i] for i in order],
        [labels[i] for i in order],
        loc="upper center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=columns,
        handlelength=1.4,
        handletextpad=0.5,
        columnspacing=1.2,
        labelspacing=0.4,
        borderaxespad=0.2,
    )
