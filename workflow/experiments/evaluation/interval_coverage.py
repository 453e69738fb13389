"""How often intervals hold what they are said to hold: measured on draws of known classes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.subsampling import Draws

LEVELS = (0.8, 0.9, 0.95)
POOLED = "all"
# The number of intervals of the expected accuracy and of one new set, the share held, the width.
EXPECTED = "samples", "covered", "width"
NEW_SET = "new_sets", "set_covered", "set_width"


def interval_draws(
    draws: Draws,
    method: str,
    options: Mapping[str, Any],
    *,
    splits: int,
    multiples: Sequence[int] = (2, 4, 10),
) -> pd.DataFrame:
    """Find a method's intervals in each repetition, and what they should hold.

    `multiples` are k over k1; those beyond K are left out. Returns one row per repetition, multiple
    and level: repetition, multiple, k, level, accuracy (as predicted), lower, upper, set_lower,
    set_upper, too_far (see `accuracy_curves.Interval`); ``expected``, the expected accuracy at k
    that the interval should hold, moved as below; ``of_set``, the accuracy on k classes sampled
    from classes outside the repetition, NaN where these are fewer. A `FitError` names the
    repetition.

    The k1 classes are sampled from K classes and not from a population without end, so that the
    true accuracy A_K of all K is nearer to a prediction P than that of such a population would be:
    for a mean over classes the mean squared distance has the factor 1 - k1 / K, the finite
    population correction (Cochran 1977, Section 2.6). ``expected`` makes up for it:
    P + (A_K - P) / sqrt(1 - k1 / K), cut to [0, 1]. The new set needs no correction: the distance
    between means of two disjoint draws from K classes has the variance of independent ones.
    """
    matrix, k1 = draws.matrix, draws.k1
    k = np.array([each * k1 for each in multiples if each * k1 <= matrix.n_classes])
    true = average_accuracy(matrix, k, derive_seed(*draws.seed_parts, "ties"))
    rest = np.sqrt(1 - k1 / matrix.n_classes)
    tables = []
    for repetition, sample, seed in draws:
        model = make_extrapolator(method, seed=seed, **options)
        try:
            fitted = ClassIntervals.of(*fit_halves(sample, [model], [splits], seed))
        except FitError as error:
            raise FitError(f"repetition {repetition}: {error}") from error
        of_set = _new_sets(draws, repetition, k)
        for level in LEVELS:
            found = fitted.find_interval(k, level=level)
            moved = found.accuracy + (true - found.accuracy) / rest
            keys = {"repetition": repetition, "multiple": k // k1, "k": k, "level": level}
            held = {"expected": np.clip(moved, 0.0, 1.0), "of_set": of_set}
            tables.append(pd.DataFrame({**keys, **vars(found), **held}))
    return pd.concat(tables, ignore_index=True)


def _new_sets(draws: Draws, repetition: int, k: IntArray) -> Float64Array:
    """Accuracy on one set of each number of classes that were not sampled."""
    left = np.setdiff1d(np.arange(draws.matrix.n_classes), draws.classes(repetition))
    seed = draws.seed(repetition, "new set")
    order = np.random.default_rng(seed).permutation(left)
    found = np.full(len(k), np.nan)
    for place, n_classes in enumerate(k):
        if n_classes <= len(left):
            new = draws.matrix.select_classes(np.sort(order[:n_classes]))
            found[place] = average_accuracy(new, n_classes, seed)[0]
    return found


def interval_score(
    lower: pd.Series, upper: pd.Series, truth: pd.Series, level: pd.Series
) -> pd.Series:
    """Score intervals: the width, and 2 / alpha times the distance by which the truth is missed.

    Gneiting and Raftery 2007, Equation 43, with alpha = 1 - level; less is better.
    """
    missed = (lower - truth).clip(lower=0) + (truth - upper).clip(lower=0)
    return upper - lower + 2 / (1 - level) * missed


def coverage(draws: pd.DataFrame, by: Sequence[str] = SETTING) -> pd.DataFrame:
    """Count how often the intervals of `interval_draws` hold what they should.

    Returns a row for each group of `by`, multiple and level, sorted by them, with

    - ``samples``: how many intervals;
    - ``covered``: the share of them that hold the expected accuracy, ends included;
    - ``width``: their median width;
    - ``score``: their mean `interval_score` over that of a normal interval whose standard error is
      the root mean square of the predictions' errors, 4 phi(z) / alpha times it: 1 is ideal;
    - ``new_sets``, ``set_covered``, ``set_width``: the same of the prediction intervals for one new
      set, where there are classes for one; empty where there are none;
    - ``too_far``: whether any of them is at a multiple beyond the method's `reach`.
    """
    keys = [*by, "multiple", "level"]
    judged = draws.assign(
        score=interval_score(draws["lower"], draws["upper"], draws["expected"], draws["level"]),
        squared_error=np.square(draws["accuracy"] - draws["expected"]),
    )
    means = judged.groupby(keys)[["score", "squared_error"]].mean()
    table = means.assign(too_far=draws.groupby(keys)["too_far"].any())
    table = table.join(count_held(draws, keys, "expected"))
    table = table.join(count_held(draws, keys, "of_set", "set_", NEW_SET)).reset_index()
    table["new_sets"] = table["new_sets"].fillna(0).astype(int)
    alpha = 1 - table["level"]
    at = scipy.stats.norm.isf(alpha / 2)
    table["score"] /= 4 * scipy.stats.norm.pdf(at) / alpha * np.sqrt(table["squared_error"])
    return table[[*keys, *EXPECTED, "score", *NEW_SET, "too_far"]]


def count_held(
    draws: pd.DataFrame,
    keys: list[str],
    truth: str,
    prefix: str = "",
    names: Sequence[str] = EXPECTED,
) -> pd.DataFrame:
    """Count intervals, the share that holds a truth, ends included, and their median width.

    By `keys`, of rows with this truth; `names` are those of the columns.
    """
    known = draws[draws[truth].notna()]
    lower, upper = known[f"{prefix}lower"], known[f"{prefix}upper"]
    held = known.assign(held=known[truth].between(lower, upper), wide=upper - lower)
    columns = zip(names, (("held", "size"), ("held", "mean"), ("wide", "median")), strict=True)
    return held.groupby(keys, sort=False).agg(**dict(columns))


def coverage_table(draws: pd.DataFrame | None, known: pd.DataFrame | None = None) -> pd.DataFrame:
    """Count `coverage` by setting and method, and by method over the settings that all have.

    The rows of each setting are first, then those of all together, whose experiment is ``all`` and
    whose k1 is empty: of the same settings for every method, so that they compare. `known` is such
    a table of an earlier run, of settings and methods that `draws` does not have. Over all settings
    widths are medians of the settings' medians, each as often as it has samples; there is no score,
    as errors of settings differ in size.
    """
    parts = [] if draws is None else [coverage(draws)]
    if known is not None:
        parts.append(known[known["experiment"] != POOLED])
    settings = pd.concat(parts, ignore_index=True).astype({"k1": "Int64"})
    settings = settings.sort_values([*SETTING, "multiple", "level"], ignore_index=True)
    having = settings.groupby(SETTING[:2])["method"].transform("nunique")
    together = _pooled(settings[having == settings["method"].nunique()])
    if together.empty:
        return settings
    together["k1"] = pd.Series(pd.NA, together.index, dtype="Int64")
    return pd.concat([settings, together.reindex(columns=settings.columns)], ignore_index=True)


def _pooled(rows: pd.DataFrame) -> pd.DataFrame:
    """Count over settings what `coverage` counted in each of them."""
    keys = ["method", "multiple", "level"]
    found = rows.groupby(keys).agg(
        samples=("samples", "sum"), new_sets=("new_sets", "sum"), too_far=("too_far", "any")
    )
    for n, share, width in (EXPECTED, NEW_SET):
        # A row for each interval.
        each = rows.loc[rows.index.repeat(rows[n])].groupby(keys)
        found = found.join(each.agg({share: "mean", width: "median"}))
    return found.reset_index().assign(experiment=POOLED)
