"""Extrapolators: one module a method, found by their `name`.

Examples
--------
>>> import accuracy_curves as ac
>>> ac.EXTRAPOLATORS["kde"]
<class 'accuracy_curves.extrapolators.kde.estimator.KDE'>
>>> [name for name, method in ac.EXTRAPOLATORS.items() if method.slow]
['cleanex']
"""

import sys

import numpy.typing as npt

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.discovery import choose, discover

EXTRAPOLATORS: dict[str, type[Extrapolator]] = discover(sys.modules[__name__], Extrapolator, "name")


def make_extrapolator(method: str, **options: object) -> Extrapolator:
    """Construct an extrapolator from its name and options.

    Parameters
    ----------
    method : str
        A key of `EXTRAPOLATORS`.
    **options
        The method's options, see its class.

    Returns
    -------
    Extrapolator

    Raises
    ------
    InputError
        If the method or an option does not exist, or an option is out of range.
    """
    return choose(EXTRAPOLATORS, "method", method, options)(**options)


def extrapolate(
    sample: ScoreMatrix, k: npt.ArrayLike, method: str = "auto", seed: int = 0, **options: object
) -> Float64Array:
    """Fit a method to a sample of classes and predict the accuracy at k classes.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    k : int or (n,) array of int
        Numbers of classes, at least 2.
    method : str
        A key of `EXTRAPOLATORS`; by default the one to take when in doubt, see
        `accuracy_curves.extrapolators.auto.Auto`.
    seed : int
        Seed of every random draw of the method.
    **options
        The method's options.

    Returns
    -------
    (n,) array of float
        Predicted expected accuracies.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> from accuracy_curves.datasets.simulation import Simulation
    >>> matrix = Simulation(n_classes=100, variance=0.2).score_matrix(seed=0)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="auto")
    >>> curve.shape, bool(curve[0] > curve[1])
    ((2,), True)
    """
    return make_extrapolator(method, seed=seed, **options).fit(sample).predict(k)
