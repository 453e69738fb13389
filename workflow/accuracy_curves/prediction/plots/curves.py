"""What drawings of accuracy curves share."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from accuracy_curves.prediction.plots.layout import share_axis
from accuracy_curves.utils.arrays import Float64Array, IntArray

ACCURACY = r"accuracy, $E_k[\mathcal{A}]$"
# Points of a drawn curve; accuracy curves are smooth, and this many cannot be told from all.
CURVE_POINTS = 150


def thinned(k: IntArray) -> IntArray:
    """Choose at most 150 of the ascending k, both ends included, about even in log k."""
    if len(k) <= CURVE_POINTS:
        return k
    wanted = np.geomspace(k[0], k[-1], CURVE_POINTS)
    position = np.searchsorted(k, wanted).clip(0, len(k) - 1)
    position[-1] = len(k) - 1
    kept: IntArray = k[np.unique(position)]
    return kept


def share_accuracy_axis(row: Sequence[Axes]) -> None:
    """Give panels side by side one accuracy axis, within [0, 1], labelled on the left only."""
    drawn = np.concatenate([_drawn(axes)[:, 1] for axes in row]).clip(0, 1)
    low = max(0.0, np.floor(10 * (drawn.min() - 0.02)) / 10)
    high = min(1.0, np.ceil(10 * (drawn.max() + 0.02)) / 10)
    share_axis(row, low, high + 0.02 * (high - low), ticks=5)


def _drawn(axes: Axes) -> Float64Array:
    """Points of all curves of a panel, (n, 2); not the dotted line."""
    collections = [c for c in axes.collections if isinstance(c, LineCollection)]
    paths = [path.vertices for c in collections for path in c.get_paths()]
    lines = [line.get_xydata() for line in axes.lines if line.get_linestyle() != ":"]
    return np.concatenate([np.asarray(p, dtype=np.float64) for p in [*paths, *lines]])
