"""Systems that were tested on the same classes: which one is better on more of them."""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit, stdtr

from accuracy_curves.exceptions import InputError
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.intervals.variance import DEGREES, quantile
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array
from accuracy_curves.utils.validation import Number, check, check_classes


def with_searches_of(*samples: Sample, common: bool = False) -> list[Sample]:
    """Take systems, if they have the same classes and searches.

    Classes are put into the order of the first system, by their names where both have names.
    `InputError` if they are not the same; or if one has more searches for a class than the first,
    unless `common`: then such classes lose theirs, as it is not known which are the same.
    """
    first, *others = samples
    ordered = [first, *(_with_classes_of(first, other) for other in others)]
    counts = np.array([np.bincount(of.labels, minlength=of.n_classes) for of in ordered])
    unlike = counts != counts[0]
    dropped = unlike.any(axis=0)
    if not dropped.any():
        return ordered
    if common and not dropped[first.labels].all():
        return [of.select_points(np.flatnonzero(~dropped[of.labels])) for of in ordered]
    system, place = (int(places[0]) for places in np.nonzero(unlike))
    (names,), (ours, its) = _names_of(first), counts[[0, system], place]
    raise InputError(
        f"the systems were tested by {first.n_points:,} and {samples[system].n_points:,} searches, "
        f"not the same: of the class {names[place]} the first has {ours} and the other {its}. "
        "Give all the same",
        reason="other_searches",
    )


def _names_of(*samples: Sample) -> list[npt.NDArray[np.str_]]:
    """Take the names of the classes, or their numbers unless all have names."""
    names = [as_sample(sample).names for sample in samples]
    if any(of is None for of in names):
        names = [np.arange(sample.n_classes) for sample in samples]
    return [np.asarray(of).astype(str) for of in names]


def _with_classes_of(first: Sample, other: Sample) -> Sample:
    """Put the classes of a system into the order of the first one's."""
    ours, its = _names_of(first, other)
    alone = np.setxor1d(ours, its)
    if len(alone):
        raise InputError(
            f"the systems were tested on {len(ours):,} and {len(its):,} classes, {len(alone):,} of "
            f"them with one system alone, such as {alone[0]}: leave these out, as a comparison "
            "needs the same classes"
        )
    if np.array_equal(ours, its):
        return other
    return other.select_classes(np.argsort(its)[np.argsort(np.argsort(ours))])


def compare_fits(
    a: ClassIntervals,
    b: ClassIntervals,
    k: ArrayLike,
    top: Top = 1,
    level: float = LEVEL,
    *,
    together: int = 1,
) -> pd.DataFrame:
    """Compare fits to the same halves as `compare`; without halves the ends are NaN.

    Intervals of so many differences hold `together` at the level (Bonferroni). `p`, two-sided, is
    of this difference alone: see `holm`.
    """
    check("level", level, Number(0.5, 0.999))
    classes = check_classes(k)
    measure = Measure.of(top)
    kind = {"top": measure.top} if measure.is_hit else {"measure": str(measure)}
    columns = {"method": a.fitted.name, "k": classes, **kind, "level": level}
    first, second = a.accuracy(classes, top), b.accuracy(classes, top)
    difference = second - first
    lower = upper = p = np.full(len(classes), np.nan)
    if a.splits and b.splits:
        theta, other = a.variation.log_odds(first, top), b.variation.log_odds(second, top)
        variance = a.variation.variance_of_difference(b.variation, classes, top)
        error, middle = np.sqrt(variance), (theta + other) / 2
        width = quantile(1 - (1 - level) / together) * error
        halves = [(other - theta + sign * width) / 2 for sign in (-1, 1)]
        lower, upper = (
            a.variation.largest(top) * (expit(middle + half) - expit(middle - half))
            for half in halves
        )
        # Log odds are cut where the accuracy itself is not.
        lower, upper = np.minimum(lower, difference), np.maximum(upper, difference)
        p = 2 * stdtr(DEGREES, -np.abs(other - theta) / np.maximum(error, 1e-300))
    accuracies = {"accuracy_a": first, "accuracy_b": second, "difference": difference}
    return pd.DataFrame({**columns, **accuracies, "lower": lower, "upper": upper, "p": p})


def holm(p: Float64Array, together: int) -> Float64Array:
    """Adjust p values, (m, n), of m of `together` hypotheses for all of these (Holm 1979).

    Of m less than `together` they are no less than those of all.
    """
    order = np.argsort(p, axis=0)
    steps = together - np.arange(len(p))[:, None]
    adjusted = np.maximum.accumulate(steps * np.take_along_axis(p, order, axis=0), axis=0)
    return np.take_along_axis(np.minimum(adjusted, 1.0), np.argsort(order, axis=0), axis=0)
