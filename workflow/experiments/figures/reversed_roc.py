"""The reversed ROC of four points and its average (ICLR 2021, Figure 1)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from accuracy_curves.answers.plots import SMALL_SIZE, TEXT_WIDTH
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.parts import split
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from experiments.figures.base import FigureKind
from experiments.figures.panels import Axes, Figure, empty_figure, mark
from experiments.stored import load_matrix

POINTS = 4
# Of systems that are nearly perfect the average is drawn on a logarithmic axis: linear, it is the
# frame of an empty box.
NEARLY_PERFECT = 0.98
INCORRECT = "#D55E00"
CORRECT = "#009E73"
SHARE = "#F0E442"
AVERAGE = "#0072B2"
MOST_BINS = 30
ROW_HEIGHT = 0.95


class ReversedROC(FigureKind):
    """How the reversed ROC of one data set comes from its scores (ICLR 2021, Figure 1).

    The reversed ROC of four data points and its average (ICLR 2021, Figure 1). From the left: the
    scores of the incorrect classes with the correct one, the reversed true- and false-positive
    rates, and the step functions of these. The area under the average is the accuracy of two
    classes.

    Parameters
    ----------
    experiment : str
        The data set.
    """

    kind = "reversed_roc"
    random = "points of the figure"

    experiment: str

    def draw(self, scores: Mapping[str, str], seed: int) -> Figure:
        """Draw the scores of all classes."""
        ((name, path),) = scores.items()
        figure = reversed_roc_figure(load_matrix(path), seed=seed)
        (average,) = (axes for axes in figure.axes if axes.get_label() == "average")
        average.lines[-1].set_gid(mark((name, 0, "true", 1)))
        return figure


def reversed_roc_figure(matrix: ScoreMatrix, *, seed: int = 0) -> Figure:
    """Draw how the reversed ROC comes from the scores of data points (Figure 1).

    One row per point: the distribution of its scores for the incorrect classes with its correct
    score and the shaded share C_x below it; rTPR_x and rFPR_x over the threshold (Eq. 5, 6); rROC_x
    (Eq. 8), which steps up at 1 - C_x. At the right the average rROC (Eq. 9) over these points and
    over all, classes weighing equally, with the area under it. The points are
    those of `spread_points`; distances are negated, so that a higher score is better.
    """
    favorability = ranks(matrix, seed) / (matrix.n_classes - 1)
    shown = spread_points(favorability, seed)
    own = ScoreMatrix(
        np.asarray(matrix.scores[shown]), matrix.labels[shown], matrix.higher_is_better
    )
    figure = empty_figure(TEXT_WIDTH, 0.6 + ROW_HEIGHT * len(shown))
    places: Any = [
        [f"scores {row}", f"{half} {row}", f"roc {row}", "average"]
        for row in range(len(shown))
        for half in ("upper", "lower")
    ]
    panels = figure.subplot_mosaic(places, width_ratios=[1.6, 1.3, 1, 1.6])
    for row, (right, wrong, share) in enumerate(zip(*split(own), favorability[shown], strict=True)):
        names = (f"{part} {row}" for part in ("scores", "upper", "lower", "roc"))
        scores, upper, lower, roc = (panels[name] for name in names)
        _draw_scores(scores, float(right), wrong, float(share))
        _draw_rates(upper, lower, float(right), wrong)
        roc.plot([0, 1 - share, 1 - share, 1], [0, 0, 1, 1], color="black")
        _unit(roc)
    kind = "score" if matrix.higher_is_better else "score (negated distance)"
    for axes, label in ((scores, kind), (lower, "threshold, $t$"), (roc, "$u$")):
        axes.set_xlabel(label, labelpad=1)
    panels["scores 0"].set_title("scores of one point", pad=5)
    panels["upper 0"].set_title("reversed rates", pad=5)
    panels["roc 0"].set_title(r"$\mathrm{rROC}_x(u)$", pad=5)
    panels["average"].set_box_aspect(1)
    _draw_average(panels["average"], matrix, favorability[shown], seed)
    return figure


def spread_points(favorability: Float64Array, seed: int, points: int = POINTS) -> IntArray:
    """Choose points whose favorabilities C_x are spread evenly from the lowest to the highest.

    Returns rows, by ascending favorability; each the nearest, among those not chosen yet, to one of
    `points` values evenly spaced. The seed decides among points that are equally near.
    """
    left = np.random.default_rng(seed).permutation(len(favorability))
    chosen: list[int] = []
    for wanted in np.linspace(favorability.min(), favorability.max(), min(points, len(left))):
        nearest = int(np.argmin(np.abs(favorability[left] - wanted)))
        chosen.append(int(left[nearest]))
        left = np.delete(left, nearest)
    rows = np.array(chosen, dtype=np.int64)
    return rows[np.argsort(favorability[rows], kind="stable")]


def _draw_scores(axes: Axes, correct: float, incorrect: FloatArray, share: float) -> None:
    """Draw a histogram with an edge at the correct score, so that the shaded area is C_x."""
    span = float(incorrect[-1] - incorrect[0]) or max(abs(correct), 1.0)
    width = span / min(MOST_BINS, max(4, int(2 * np.sqrt(len(incorrect)))))
    first, last = (np.floor((end - correct) / width) for end in incorrect[[0, -1]])
    edges = correct + width * np.arange(min(first, 0) - 1, max(last, 0) + 2)
    height, _ = np.histogram(incorrect, edges, density=True)
    below = edges[1:] <= correct
    for part, color in ((below, SHARE), (~below, "#F7D9C4")):
        axes.stairs(np.where(part, height, 0), edges, fill=True, color=color)
    axes.stairs(height, edges, color=INCORRECT, linewidth=0.9)
    axes.axvline(correct, color=CORRECT, linewidth=1.3)
    axes.set(ylim=(0, 1.4 * height.max()), yticks=[])
    low, high = edges[[0, -1]]
    side, x = ("left", 0.02) if correct > (low + high) / 2 else ("right", 0.98)
    place: Any = {"transform": axes.transAxes, "ha": side, "va": "top", "fontsize": SMALL_SIZE}
    axes.text(x, 1.0, f"$C_x$ = {share:.3f}", **place)
    axes.locator_params("x", nbins=4, steps=[1, 2, 5, 10])


def _draw_rates(upper: Axes, lower: Axes, correct: float, incorrect: FloatArray) -> None:
    """Draw rTPR_x and rFPR_x over the threshold t."""
    low, high = min(correct, float(incorrect[0])), max(correct, float(incorrect[-1]))
    room = 0.04 * ((high - low) or max(abs(correct), 1.0))
    upper.plot([low - room, correct, correct, high + room], [1, 1, 0, 0], color=CORRECT)
    outscoring = 1 - np.arange(len(incorrect) + 1) / len(incorrect)
    steps = np.concatenate([[low - room], incorrect, [high + room]])
    lower.step(steps, [*outscoring, 0.0], where="post", color=INCORRECT)
    upper.set_ylabel("rTPR$_x$", color=CORRECT, fontsize=SMALL_SIZE)
    lower.set_ylabel("rFPR$_x$", color=INCORRECT, fontsize=SMALL_SIZE)
    for axes in (upper, lower):
        axes.set(xlim=(low - room, high + room), ylim=(-0.08, 1.12), yticks=[0, 1])
        axes.locator_params("x", nbins=4, steps=[1, 2, 5, 10])
    upper.tick_params(labelbottom=False)


def _draw_average(axes: Axes, matrix: ScoreMatrix, shares: Float64Array, seed: int) -> None:
    """Draw the average reversed ROC over the shown points and over all."""
    steps = np.sort(1 - shares)
    few = np.arange(len(steps) + 1) / len(steps)
    area, least = reversed_auc(matrix, seed), 0.5 / (matrix.n_classes - 1)
    name = f"{len(steps)} point{'s' if len(steps) > 1 else ''}, rAUC {shares.mean():.3f}"
    axes.step([0, *steps, 1], [*few, 1], where="post", color="0.55", linewidth=1.6, label=name)
    near = area > NEARLY_PERFECT
    u = np.geomspace(least, 1, 501) if near else np.linspace(0, 1, 501)
    name = f"all {matrix.n_points}, rAUC {area:.{5 if near else 3}f}"
    axes.plot(u, reversed_roc(matrix, u, seed), ":", color=AVERAGE, linewidth=1.8, label=name)
    _unit(axes)
    axes.set_yticks([0, 0.5, 1])
    if near:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter("")
        axes.set_xlim(least, 1.15)
    axes.set_xlabel("$u$", labelpad=1)
    axes.set_title(r"$\overline{\mathrm{rROC}}(u)$", pad=5)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), handlelength=1.8)


def _unit(axes: Axes) -> None:
    """Set axes for rates in [0, 1]."""
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.05, 1.08), yticks=[0, 1])
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
