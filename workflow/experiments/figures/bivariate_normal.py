"""The toy example of Zheng et al. (2017, Figures 3 to 6; thesis of 2017, Figures 5 to 8)."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import scipy

from accuracy_curves.answers.plots import SMALL_SIZE, TEXT_WIDTH, gradient
from accuracy_curves.utils.validation import Choice
from experiments.evaluation.bivariate_normal_model import (
    accuracy_of_labels,
    average_accuracy_of_classes,
    best_polynomial_error,
    chebyshev_points,
    distribution,
    favorability,
)
from experiments.figures.base import FigureKind
from experiments.figures.boxplots import draw_box
from experiments.figures.panels import Axes, Figure, empty_figure, panel_grid

CLASS_COLORS = ("#E69F00", "#56B4E9", "#009E73")
LABELS = (-1.2, 0.1, 1.0)
MOST_CLASSES = 10
MOST_DEGREES = 10
HEIGHT, ROOM = 1.9, 0.65
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9, 0.98)
THEORY = "#D55E00"
# Of Figures 3 to 5, and of Figure 6; random sets of labels in Figure 4.
RHO, CORRELATIONS, DRAWS = 0.7, (0.3, 0.5, 0.7, 0.9), 10_000


class BivariateNormal(FigureKind):
    """The toy example of Zheng et al. 2017, which needs no data.

    Labels and points that are jointly normal with correlation rho (Zheng et al. 2017, Section 2.3).
    `model`: joint density, and the Bayes regions of three labels. `accuracy`: distribution over
    random labels of the Bayes rule's accuracy, its mean (circles) and the theory (curve).
    `favorability`: level sets of U_x(y), highest along the dashed line x = rho y, and the
    distribution function D(u) of the correct label's favorability. `correlations`: average
    accuracy, D(u), and the largest error of the best polynomial of each degree, for several rho.

    Parameters
    ----------
    part : {"model", "accuracy", "favorability", "correlations"}
        Figures 3, 4, 5 or 6.
    """

    kind = "bivariate_normal"
    random = "labels"

    part: Annotated[str, Choice("model", "accuracy", "favorability", "correlations")]

    def draw(self, seed: int) -> Figure:
        """Draw the `part`."""
        if self.part == "model":
            return model_figure(RHO)
        if self.part == "accuracy":
            return accuracy_figure(RHO, DRAWS, seed)
        if self.part == "favorability":
            return favorability_figure(RHO)
        return correlations_figure(CORRELATIONS)


def model_figure(rho: float) -> Figure:
    """Draw the joint density, and the Bayes regions of a few ascending labels (Figure 3)."""
    figure = empty_figure(TEXT_WIDTH, HEIGHT + 0.6)
    panels = figure.subplot_mosaic("ju;jl", width_ratios=[1, 2], height_ratios=[3, 1])
    joint, upper, lower = (panels[name] for name in "jul")
    side = np.linspace(-3, 3, 121)
    density = scipy.stats.multivariate_normal(cov=[[1, rho], [rho, 1]]).pdf
    joint.contourf(side, side, density(np.dstack(np.meshgrid(side, side))), 12, cmap="Blues")
    joint.plot(side, rho * side, color="black", linestyle="--", linewidth=0.8)
    _name(joint, "label, $Y$", "point, $X$", rf"joint density, $\rho$ = {rho:g}")
    joint.set_ylim(-3, 3)
    means = rho * np.asarray(LABELS)
    borders = [-3.2, *(means[1:] + means[:-1]) / 2, 3.2]
    x = np.linspace(-3.2, 3.2, 321)
    spread = np.sqrt(1 - rho**2)
    for place, (mean, label, color) in enumerate(zip(means, LABELS, CLASS_COLORS, strict=True)):
        normal = scipy.stats.norm(mean, spread).pdf
        upper.plot(x, normal(x), color=color, linewidth=1.4)
        upper.plot([mean, mean], [0, normal(mean)], ":", color=color, linewidth=0.9)
        lower.axvspan(borders[place], borders[place + 1], color=color, linewidth=0)
        middle = (borders[place] + borders[place + 1]) / 2
        lower.text(middle, 0.5, f"$y_{place + 1}$ = {label:g}", ha="center", va="center")
    _name(upper, "", "density of $X$ given $Y$", f"{len(LABELS)} classes")
    upper.tick_params(labelbottom=False)
    upper.set_ylim(0)
    _name(lower, "point, $x$", "decision", "")
    lower.set_yticks([])
    for axes in (upper, lower):
        axes.set_xlim(-3.2, 3.2)
    return figure


def accuracy_figure(rho: float, draws: int, seed: int) -> Figure:
    """Draw the distribution of the accuracy over random labels, k = 2..10 (Figure 4).

    Boxes of `draws` sets of labels show quartiles and median and whiskers within 1.5 IQR, circles
    the mean; the curve is `average_accuracy_of_classes`.
    """
    rng = np.random.default_rng(seed)
    figure, grid = panel_grid([HEIGHT], 1, ROOM)
    axes: Axes = grid[0, 0]
    k = np.arange(2, MOST_CLASSES + 1)
    for classes in k:
        found = accuracy_of_labels(rng.normal(size=(draws, classes)), rho)
        draw_box(axes, found, float(classes), "#BBBBBB", 1)
        axes.plot(classes, found.mean(), "o", mfc="white", mec="black", ms=4, mew=0.8, zorder=4)
    curve = average_accuracy_of_classes(k, rho)
    axes.plot(k, curve, color=THEORY, linewidth=1.4, zorder=3, label="theory, AGA$_k$")
    axes.plot([], [], "o", mfc="white", mec="black", ms=4, mew=0.8, label=f"mean of {draws}")
    _name(axes, "number of classes, $k$", "accuracy", rf"random labels, $\rho$ = {rho:g}")
    axes.set_xticks(k, [f"{classes}" for classes in k])
    axes.set_xlim(1.4, MOST_CLASSES + 0.6)
    axes.set_ylim(top=1.0)
    axes.legend(loc="upper right")
    return figure


def favorability_figure(rho: float) -> Figure:
    """Draw the level sets of the favorability, and its distribution function (Figure 5)."""
    figure, grid = panel_grid([2.3], 2, ROOM)
    left, right = grid[0]
    side = np.linspace(-3, 3, 241)
    levels = favorability(side, side[:, None], rho)
    lines = left.contour(side, side, levels, LEVELS, cmap="viridis_r", linewidths=1.1)
    # Far from 0 the level set of u is the line y = Phi^-1(u): the labels stand there side by side.
    places = [(scipy.special.ndtri(level), 2.3) for level in LEVELS]
    left.clabel(lines, fontsize=SMALL_SIZE, fmt="%g", manual=places)
    left.plot(side, rho * side, color="black", linestyle="--", linewidth=0.8)
    left.set_ylim(-3, 3)
    _name(left, "label, $y$", "point, $x$", rf"favorability $U_x(y)$, $\rho$ = {rho:g}")
    u = np.linspace(0, 1, 301)
    right.plot(u, distribution(u, rho), color=THEORY, linewidth=1.4)
    _unit(right)
    return figure


def correlations_figure(correlations: Sequence[float]) -> Figure:
    """Draw accuracies, distribution functions and polynomials' errors (Figure 6; thesis, 8)."""
    figure, grid = panel_grid([HEIGHT], 3, ROOM)
    left, middle, right = grid[0]
    k, degrees = np.arange(2, MOST_CLASSES + 1), np.arange(MOST_DEGREES + 1)
    u = chebyshev_points(201)
    for rho, color in zip(correlations, gradient(len(correlations)), strict=True):
        level = distribution(u, rho)
        left.plot(k, average_accuracy_of_classes(k, rho), "o-", color=color, ms=2.5)
        middle.plot(u, level, color=color, label=rf"$\rho$ = {rho:g}", linewidth=1.3)
        errors = [best_polynomial_error(u, level, int(degree)) for degree in degrees]
        right.semilogy(degrees, errors, "o-", color=color, ms=2.5)
    _name(left, "number of classes, $k$", "", "average accuracy, AGA$_k$")
    left.set_ylim(0, 1)
    _unit(middle)
    middle.legend(loc="upper left", handlelength=1.2)
    _name(right, "degree of the polynomial", "", "largest error of the best polynomial")
    right.set_xticks(degrees[::2])
    return figure


def _name(axes: Axes, x: str, y: str, title: str) -> None:
    axes.set(xlabel=x, ylabel=y)
    axes.set_title(title, pad=4)


def _unit(axes: Axes) -> None:
    """Name axes of a distribution function of the favorability."""
    axes.set(xlim=(0, 1), ylim=(0, 1.02))
    _name(axes, "favorability, $u$", "", "distribution function, $D(u)$")
