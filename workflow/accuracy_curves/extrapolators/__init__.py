"""Extrapolators: one module a method, found by their `name`.

Examples
--------
>>> import accuracy_curves as ac
>>> ac.EXTRAPOLATORS["kde"]
<class 'accuracy_curves.extrapolators.kde.estimator.KDE'>
>>> [name for name, method in ac.EXTRAPOLATORS.items() if method.slow]
['cleanex']
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import caution, listed, warn
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.wrong_names import cautions_of_names, without_wrong_names
from accuracy_curves.observed.accuracy import class_means, expected_accuracy, ranks
from accuracy_curves.observed.sample_cautions import cautions_of_sample
from accuracy_curves.scores.ranks import Ranked, as_ranked
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.discovery import Registry, choose

# A curve misses the observed accuracy by so many standard errors of it, and by enough to matter: of
# 800 good samples and methods none, whose curves went through the same errors of the draw.
MISFIT_ERRORS = 2.0
LEAST_MISFIT = 0.01

# Other packages add theirs to the group, each under its `name`.
EXTRAPOLATORS = Registry(__name__, Extrapolator, "name", group="accuracy_curves.extrapolators")


def make_extrapolator(method: str, **options: Any) -> Extrapolator:
    """Construct an extrapolator from its name, a key of `EXTRAPOLATORS`, and its options.

    `InputError` if the method or an option does not exist, or an option is out of range.
    """
    return choose(EXTRAPOLATORS, "method", method, options)(**options)


def extrapolate(
    sample: Ranked, k: npt.ArrayLike, method: str = "auto", seed: int = 0, **options: object
) -> Float64Array:
    """Fit a method to a sample of classes and predict the accuracy at k classes.

    Parameters
    ----------
    sample : ScoreMatrix, or Ranks or DistanceMatrix where the method's `needs` is "ranks"
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

    Raises
    ------
    InputError
        If the sample, a k, the method or an option cannot be used.
    FitError
        If the method cannot be fitted to the sample.

    Warns
    -----
    AccuracyWarning
        Reasons for caution in the scores, such as ``"probabilities"`` (its ``reason``), a wrong
        direction, or too few errors; a curve that misses what was observed (``"misfit"``); or a
        k beyond the method's `reach` (``"too_far"``).

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="auto")
    >>> curve.shape, bool(curve[0] > curve[1])
    ((2,), True)
    """
    as_ranked(sample).check_lengths()
    fitted = make_extrapolator(method, seed=seed, **options).fit(sample)
    predicted = fitted.predict(k)
    largest = int(np.asarray(k).max(initial=2))
    names = cautions_of_names(without_wrong_names(sample), fitted, largest)
    of_fit = cautions_of_fit(fitted, sample)
    far = cautions_of_reach([fitted], [largest], sample.n_classes)
    warn([*cautions_of_sample(sample, seed), *names, *of_fit, *far])
    return predicted


def cautions_of_fit(fitted: Extrapolator, sample: Ranked) -> list[AccuracyWarning]:
    """Say where a curve misses the accuracy that was observed at k1: one ``"misfit"``, or none.

    It does by more than 2 standard errors for the draw of classes, and by more than 0.01.
    """
    k1 = sample.n_classes
    seen = float(expected_accuracy(sample, k1)[0])
    curve = float(fitted.predict(k1)[0])
    shares = class_means(sample, ranks(sample, fitted.seed) == k1 - 1)
    error = float(shares.std(ddof=1)) / np.sqrt(len(shares)) if len(shares) > 1 else np.inf
    if abs(curve - seen) <= max(LEAST_MISFIT, MISFIT_ERRORS * error):
        return []
    return [caution("misfit", method=fitted.label, accuracy=curve, k1=k1, observed=seen)]


def cautions_of_reach(
    methods: Iterable[Extrapolator], classes: Sequence[int], k1: int
) -> list[AccuracyWarning]:
    """Say which numbers of classes are beyond the reach of which methods: ``"too_far"``.

    Where a reach is 0 the intervals themselves say so.
    """
    found = []
    given = list(methods)
    for reach in sorted({each.reach for each in given} - {0}, reverse=True):
        labels = [each.label for each in given if each.reach == reach]
        far = [f"{k:,}" for k in classes if k > reach * k1]
        if far:
            values = {"k": f"{listed(far)} classes", "method": listed(labels)}
            found.append(caution("too_far", times=reach, k1=k1, **values))
    return found
