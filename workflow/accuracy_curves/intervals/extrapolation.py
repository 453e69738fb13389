"""A prediction in one call, with what speaks against it."""

import numpy as np

from accuracy_curves.cautions import warn
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array


def extrapolate(
    sample: Sample, k: ArrayLike, method: str = "auto", seed: int = 0, **options: object
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
        For a caution in the scores, such as ``"probabilities"`` (its ``reason``). For a curve that
        misses what was observed (``"above_observed"``), or a k beyond the method's `reach`
        (``"too_far"``).

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="auto")
    >>> curve.shape, bool(curve[0] > curve[1])
    ((2,), True)
    """
    fitted = make_extrapolator(method, seed=seed, **options).fit(sample)
    predicted = fitted.predict(k)
    largest = [int(np.asarray(k).max(initial=2))]
    warn(cautions_of_accuracy(Predicted(fitted, sample.counted_classes, largest, sample=sample)))
    return predicted
