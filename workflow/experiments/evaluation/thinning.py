"""Numbers of classes at which a curve is plotted, and published."""

import numpy as np

from accuracy_curves.utils.arrays import IntArray

# Accuracy curves are smooth: this many points look like all.
CURVE_POINTS = 150
# Up to here a curve bends most, and has every k.
DENSE = 20


def thinned(k: IntArray, *kept: int) -> IntArray:
    """Choose at most 150 of the ascending k: all to 20, both ends, and those `kept`.

    The others are about even in log k.
    """
    if len(k) <= CURVE_POINTS:
        return k
    few, more = k[k <= DENSE], [each for each in kept if each in k]
    wanted = np.geomspace(max(k[0], DENSE), k[-1], CURVE_POINTS - len(few) - len(more))
    position = np.searchsorted(k, wanted).clip(0, len(k) - 1)
    return np.unique([k[0], *few, *k[position], *more, k[-1]])
