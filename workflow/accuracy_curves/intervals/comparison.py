"""Two systems that were tested on the same classes: which one is better on more of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from accuracy_curves.exceptions import InputError
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.intervals.variance import quantile
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.validation import Number, check, check_classes

if TYPE_CHECKING:
    import pandas as pd


def with_searches_of(a: Sample, b: Sample, *, common: bool = False) -> tuple[Sample, Sample]:
    """Take both systems, if they have the same classes and searches.

    The classes of the second are put into the order of the first, by their names where both have
    names. `InputError` if they are not the same; or if one has more searches for a class than the
    other, unless `common`: then such classes lose theirs, as it is not known which are the same.
    """
    ours, its = as_sample(a).names, as_sample(b).names
    if ours is None or its is None:
        ours, its = np.arange(a.n_classes), np.arange(b.n_classes)
    ours, its = ours.astype(str), its.astype(str)
    alone = np.setxor1d(ours, its)
    if len(alone):
        raise InputError(
            f"the systems were tested on {len(ours):,} and {len(its):,} classes, {len(alone):,} of "
            f"them with one system alone, such as {alone[0]}: leave these out, as a comparison "
            "needs the same classes"
        )
    if not np.array_equal(ours, its):
        b = b.select_classes(np.argsort(its)[np.argsort(np.argsort(ours))])
    counts = [np.bincount(each.labels, minlength=each.n_classes) for each in (a, b)]
    unlike = counts[0] != counts[1]
    if not unlike.any():
        return a, b
    if not common or unlike[a.labels].all():
        first, second = (int(each[unlike][0]) for each in counts)
        raise InputError(
            f"the systems were tested by {a.n_points:,} and {b.n_points:,} searches, not the same: "
            f"of the class {ours[unlike.argmax()]} the first has {first} and the second {second}. "
            "Give both the same",
            reason="other_searches",
        )
    kept = [each.select_points(np.flatnonzero(~unlike[each.labels])) for each in (a, b)]
    return kept[0], kept[1]


def compare_fits(
    a: ClassIntervals, b: ClassIntervals, k: npt.ArrayLike, top: Top = 1, level: float = LEVEL
) -> pd.DataFrame:
    """Compare fits to the same halves as `compare`; without halves the ends are NaN."""
    import pandas as pd

    check("level", level, Number(0.5, 0.999))
    classes = check_classes(k)
    asked = Measure.of(top)
    of = {"top": asked.top} if asked.is_hit else {"measure": str(asked)}
    columns = {"method": a.fitted.name, "k": classes, **of, "level": level}
    first, second = a.accuracy(classes, top), b.accuracy(classes, top)
    difference = second - first
    lower = upper = np.full(len(classes), np.nan)
    if a.splits and b.splits:
        theta, other = a.variation.log_odds(first, top), b.variation.log_odds(second, top)
        variance = a.variation.variance_of_difference(b.variation, classes, top)
        width, middle = quantile(level) * np.sqrt(variance), (theta + other) / 2
        halves = [(other - theta + sign * width) / 2 for sign in (-1, 1)]
        lower, upper = (
            a.variation.largest(top) * (expit(middle + half) - expit(middle - half))
            for half in halves
        )
        # Log odds are cut where the accuracy itself is not.
        lower, upper = np.minimum(lower, difference), np.maximum(upper, difference)
    accuracies = {"accuracy_a": first, "accuracy_b": second, "difference": difference}
    return pd.DataFrame({**columns, **accuracies, "lower": lower, "upper": upper})
