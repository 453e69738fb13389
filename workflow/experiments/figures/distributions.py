"""Distribution functions D(u) of the favorability (Zheng et al. 2017, Figure 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.answers.style import gradient
from accuracy_curves.observed.reversed_roc import discriminability
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array
from experiments.figures.base import FigureKind, Plan, noises
from experiments.figures.panels import legend_above, panel_grid
from experiments.figures.plotted import mark
from experiments.preset import Preset
from experiments.stored import load_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEIGHT = 1.9
# Points of a drawn function.
POINTS = 301

Curve = tuple[Float64Array, Float64Array]


@dataclass(frozen=True, kw_only=True)
class Distributions(FigureKind):
    """Distributions of the favorability, one line per data set (Zheng et al. 2017, Figure 10).

    Parameters
    ----------
    experiments : list of str
        In this order; all by default.
    """

    kind = "distributions"
    title = "Distribution functions"
    caption = (
        "D(u), the distribution function of the favorability of the correct class, estimated from "
        "all classes of each data set. Large u, at the right, decide the accuracy of many classes "
        "(Zheng et al. 2017, Figure 10)."
    )
    reads = ("scores",)
    shows = ("labels",)
    random = "ties"

    experiments: Sequence[str] = ()

    def plan_more(self, preset: Preset) -> Plan:
        """Say the noise, where all data sets have one."""
        names = {experiment for experiment, _ in self.shown_settings(preset)}
        found = noises(preset, names)
        return {"sigma": found if len(found) == len(names) else {}}

    def draw(
        self,
        scores: Mapping[str, str],
        labels: Mapping[str, str],
        sigma: Mapping[str, float],
        seed: int,
    ) -> Figure:
        """Draw what the scores of all classes give."""
        drawn = {
            labels[name]: gaps_and_levels(load_matrix(path), seed) for name, path in scores.items()
        }
        noise = {labels[name]: sigma[name] for name in sigma} or None
        figure = distributions_figure(drawn, noise)
        for line, name in zip(figure.axes[0].lines, scores, strict=True):
            line.set_gid(mark((name, 0, "true", 1)))
        return figure


def distributions_figure(
    drawn: Mapping[str, Curve], noise: Mapping[str, float] | None = None
) -> Figure:
    """Draw D(u) against 1 - u, as large u decide the accuracy of many classes.

    `drawn` maps each data set's label to what `gaps_and_levels` returns. With the `noise` of each,
    colours are its size on a bar; without, they are the order, and a legend has the labels.
    """
    from matplotlib.ticker import NullLocator

    scaled = len(set((noise or {}).values())) > 1
    figure, ((axes,),) = panel_grid([HEIGHT], 1, 0.6)
    colors = gradient(len(drawn))
    if noise and scaled:
        colors = _add_bar(figure, [noise[label] for label in drawn])
    for (label, (gaps, levels)), color in zip(drawn.items(), colors, strict=True):
        axes.plot(gaps, levels, color=color, linewidth=1.3, label=label)
    nearest = min(gaps.min() for gaps, _ in drawn.values())
    axes.set(xscale="log", xlim=(1, nearest), ylim=(0, 1.02))
    axes.set(xlabel="1 - favorability, $1 - u$", ylabel="distribution function, $D(u)$")
    axes.xaxis.set_minor_locator(NullLocator())
    if not scaled:
        legend_above(figure, axes.lines)
    return figure


def gaps_and_levels(matrix: Sample, seed: int) -> tuple[Float64Array, Float64Array]:
    """Evaluate D(u), the plug-in estimate from the ranks, where it is drawn.

    Returns 1 - u, from 1 down to 1 / (K - 1), even in its logarithm; and D(u).
    """
    gaps = np.geomspace(1.0, 1.0 / (matrix.n_classes - 1), POINTS)
    return gaps, discriminability(matrix, 1.0 - gaps, seed)


def _add_bar(figure: Figure, noise: list[float]) -> list[str]:
    """Draw the colour bar of the noise at the right; the colour of each size."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize, to_hex

    shades = ListedColormap(gradient(256))
    scale = Normalize(min(noise), max(noise))
    bar = figure.colorbar(ScalarMappable(scale, shades), ax=figure.axes, aspect=25)
    bar.set_ticks(sorted(set(noise)))
    bar.set_label(r"noise, $\sigma$")
    return [to_hex(shades(scale(each))) for each in noise]
