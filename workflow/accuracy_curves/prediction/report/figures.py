"""Small figures of an answer: reversed ROC with D(u), and where the methods disagree."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.figures.distributions import gaps_and_levels
from accuracy_curves.figures.layout import Margins, panel_grid, text_width
from accuracy_curves.figures.style import (
    COLUMN_WIDTH,
    OBSERVED_COLOR,
    SMALL_SIZE,
    Style,
    paper_style,
)
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.prediction.question_answer import PredictedAccuracy
from accuracy_curves.prediction.wording import accuracy_name
from accuracy_curves.scores.score_matrix import ScoreMatrix

ROC_COLOR = "#0072B2"
LINE = 0.19


@paper_style()
def favorability_figure(sample: ScoreMatrix, seed: int) -> Figure:
    """Draw the average reversed ROC, its area shaded, and D(u) near u = 1.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    Figure
        3.25 in wide.
    """
    margins = Margins(left=0.42, top=0.26, bottom=0.36, column_gap=0.42)
    figure, grid = panel_grid(COLUMN_WIDTH, [1.2], 2, margins)
    left, right = grid[0]
    u = np.linspace(0, 1, 301)
    roc = reversed_roc(sample, u, seed)
    left.fill_between(u, roc, color=ROC_COLOR, alpha=0.15, linewidth=0)
    left.plot(u, roc, color=ROC_COLOR, linewidth=1.4)
    left.plot([0, 1], [0, 1], color=OBSERVED_COLOR, linestyle=":", linewidth=0.8)
    left.text(
        0.96, 0.06, f"rAUC = {reversed_auc(sample, seed):.4f}", ha="right", fontsize=SMALL_SIZE
    )
    left.set_xlim(0, 1)
    left.set_xlabel("$u$")
    left.set_title("reversed ROC", pad=4)
    gaps, levels = gaps_and_levels(sample, seed)
    seen = gaps > 0
    right.plot(gaps[seen], levels[seen], color=ROC_COLOR, linewidth=1.4)
    right.set_xscale("log")
    right.set_xlim(1, gaps[seen].min())
    right.set_xlabel("$1 - u$")
    right.set_title("$D(u)$ near $u$ = 1", pad=4)
    for axes in (left, right):
        axes.set_ylim(0, 1.02)
    return figure


@paper_style()
def disagreement_figure(
    predicted: Mapping[tuple[int, str], PredictedAccuracy],
    styles: Mapping[str, Style],
    classes: Sequence[int],
    top: int = 1,
) -> Figure:
    """Draw each method's prediction with its interval, a block a number of classes.

    Parameters
    ----------
    predicted : mapping of (int, str) to PredictedAccuracy
        What each method predicts at each number of classes.
    styles : mapping of str to Style
        The methods, see `method_styles`.
    classes : sequence of int
        Numbers of classes to show.
    top : int
        t of the top-t accuracy that was predicted.

    Returns
    -------
    Figure
        3.25 in wide.

    Raises
    ------
    InputError
        If a method has no prediction at one of them.
    """
    rows = [(k, name) for k in classes for name in styles]
    absent = [row for row in rows if row not in predicted]
    if absent or not rows:
        what = f"of {absent[0][1]} at k = {absent[0][0]}" if absent else "at all"
        raise InputError(f"there is no prediction {what}: the figure needs it")
    room = 0.14 + max(text_width(style.label, SMALL_SIZE) for style in styles.values())
    gap = 1.1
    heights = [LINE * len(styles)] * len(classes)
    margins = Margins(left=room, top=0.24, bottom=0.36, row_gap=LINE * gap)
    figure, grid = panel_grid(COLUMN_WIDTH, heights, 1, margins)
    shown = np.array([predicted[row][:3] for row in rows])
    low, high = max(0.0, np.nanmin(shown)), min(1.0, np.nanmax(shown))
    pad = 0.06 * (high - low) or 0.01
    for axes, k in zip(grid[:, 0], classes, strict=True):
        for place, (name, style) in enumerate(styles.items()):
            row = predicted[k, name]
            if np.isfinite(row.lower):
                ends = [row.lower, row.upper]
                axes.plot(ends, [place, place], color=style.color, linewidth=2.4, alpha=0.5)
            axes.plot(row.accuracy, place, "o", color=style.color, ms=4, mec="black", mew=0.4)
        axes.set_ylim(len(styles) - 0.5, -0.5)
        axes.set_yticks(range(len(styles)), [style.label for style in styles.values()])
        axes.set_xlim(low - pad, high + pad)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(labelbottom=axes is grid[-1, 0])
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_title(f"{k:,} classes", loc="left", pad=2)
    grid[-1, 0].set_xlabel(f"predicted {accuracy_name(top)}")
    return figure
