"""Panels under a legend, texts that fit in them, and marks of what was plotted in them."""

import json
import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from accuracy_curves.answers.plots import COLUMN_WIDTH, FONT_SIZE, TEXT_WIDTH
from accuracy_curves.utils.arrays import AnyArray

# Imported where it draws, and not where a preset is read.
if TYPE_CHECKING:
    from matplotlib.artist import Artist as Artist
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Figure
else:
    Artist = Axes = Figure = Any

# Height of a line of text, in inches.
LINE = 0.125
# Room of a legend entry beside its text, in inches.
LEGEND_HANDLE = 0.36
# Width of a letter over its height, about.
LETTER = 0.58

Place = tuple[float, float]


def empty_figure(width: float, height: float, layout: Any = "constrained") -> Figure:
    """Make a figure of these sides, in inches, without panels."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout=layout)


def panel_grid(
    heights: Sequence[float],
    columns: int,
    room: float,
    width: float | None = None,
) -> tuple[Figure, AnyArray]:
    """Make a figure of rows of panels, (rows, columns) of Axes; lengths in inches.

    `room` is what titles, ticks and labels take of each row, about. By default the width is that of
    the text, or of a column of it for one panel.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    width = width or (COLUMN_WIDTH if columns == 1 else TEXT_WIDTH)
    layout = ConstrainedLayoutEngine(w_pad=0.05, h_pad=0.06)
    figure = empty_figure(width, sum(heights) + room * len(heights), layout)
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


def key_line(**look: Any) -> Artist:
    """Make a line, or a marker, of a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **look)


def key_box(**look: Any) -> Artist:
    """Make a box of a legend."""
    from matplotlib.patches import Patch

    return Patch(**look)


def as_table(axes: Axes, rows: Sequence[str], heads: Sequence[str]) -> None:
    """Make axes a table: names of the rows at the left, upright heads above, and no frame."""
    axes.set_yticks(range(len(rows)), rows)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(heads)), heads, rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def label_columns(grid: AnyArray, titles: Iterable[str], x: str) -> None:
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


# (experiment, k1, method), and how many repetitions; k1 is 0 where all classes are shown.
Rows = dict[tuple[str, int, str], int]


def mark(*rows: tuple[str, int, str, int]) -> str:
    """Write the `gid` of what is plotted: experiment, k1, method and repetitions, one or more."""
    return json.dumps([[name, int(k1), method, int(n)] for name, k1, method, n in rows])


def plotted(figure: Figure) -> dict[str, Any]:
    """Collect the marks of a figure: experiment -> k1 -> method -> the fewest repetitions."""
    shown: dict[str, Any] = {}
    for artist in figure.findobj(lambda each: bool(each.get_gid())):
        for experiment, k1, method, n in json.loads(str(artist.get_gid())):
            methods = shown.setdefault(experiment, {}).setdefault(str(k1), {})
            if n:
                methods[method] = min(n, methods.get(method, n))
    return shown


def shown_rows(png: Path) -> tuple[Rows, set[str]]:
    """Read what a figure shows, and the experiments that it marks as not at hand.

    A figure that does not say it, or is not there, shows nothing.
    """
    if not png.is_file():
        return {}, set()
    with Image.open(png) as image:
        about = json.loads(image.info.get("Description") or "{}")
    rows = {
        (experiment, int(k1), method): n
        for experiment, by_k1 in about.get("shows", {}).items()
        for k1, methods in by_k1.items()
        for method, n in methods.items()
    }
    return rows, {*about.get("absent", [])}


def lacking(what: str, rows: Rows, named: Rows, absent: Collection[str]) -> list[str]:
    """Say which of the rows that are named are not there, or of fewer repetitions."""
    sentences = []
    for (experiment, k1, method), n in named.items():
        there = rows.get((experiment, k1, method), 0)
        if there < n and experiment not in absent:
            part = f" in {n - there} of {n} repetitions" if there else ""
            sentences.append(f"{what} lacks {method} in {experiment}, k1 = {k1}{part}")
    return sentences
