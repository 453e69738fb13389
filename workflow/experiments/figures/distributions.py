"""Distribution functions D(u) of the favorability (Zheng et al. 2017, Figure 10)."""

from collections.abc import Mapping, Sequence

import numpy as np

from accuracy_curves.answers.plots import gradient
from accuracy_curves.observed.reversed_roc import discriminability
from experiments.figures.base import FigureKind
from experiments.figures.panels import Figure, legend_above, mark, panel_grid
from experiments.stored import load_matrix

HEIGHT = 1.9
# Points of a drawn function.
POINTS = 301


class Distributions(FigureKind):
    """Distributions of the favorability, one line per data set (Zheng et al. 2017, Figure 10).

    D(u), the distribution function of the favorability of the correct class, estimated from all
    classes of each data set. Large u, at the right, decide the accuracy of many classes (Zheng et
    al. 2017, Figure 10).

    Parameters
    ----------
    experiments : list of str
        In this order; all by default.
    """

    kind = "distributions"
    random = "ties"

    experiments: Sequence[str] = ()

    def draw(self, scores: Mapping[str, str], labels: Mapping[str, str], seed: int) -> Figure:
        """Draw D(u) against 1 - u, as large u decide the accuracy of many classes."""
        figure, ((axes,),) = panel_grid([HEIGHT], 1, 0.6)
        nearest = 1.0
        for (name, path), color in zip(scores.items(), gradient(len(scores)), strict=True):
            matrix = load_matrix(path)
            # Even in the logarithm, to the rank of one rival.
            gaps = np.geomspace(1.0, 1.0 / (matrix.n_classes - 1), POINTS)
            levels = discriminability(matrix, 1.0 - gaps, seed)
            nearest = min(nearest, float(gaps[-1]))
            gid = mark((name, 0, "true", 1))
            axes.plot(gaps, levels, color=color, linewidth=1.3, label=labels[name], gid=gid)
        axes.set(xscale="log", xlim=(1, nearest), ylim=(0, 1.02))
        axes.set(xlabel="1 - favorability, $1 - u$", ylabel="distribution function, $D(u)$")
        axes.xaxis.minorticks_off()
        legend_above(figure, axes.lines)
        return figure
