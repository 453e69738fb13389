"""Errors and interval coverage of open-set identification over repetitions."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import FitError
from accuracy_curves.identification import make_open_set_method
from accuracy_curves.identification.identification import Identification
from accuracy_curves.identification.observed_rates import observed_fnir, observed_threshold
from accuracy_curves.identification.rate_intervals import Rate
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.subsampling import Draws

log = logging.getLogger(__name__)

# FPIR and FNIR at the true threshold of a target; FNIR at the threshold that a method sets for it.
QUANTITIES = ("fpir", "fnir", "fnir_at_fpir")
LEVEL = 0.9
# Of a DET curve.
POINTS = 24
ROW = ["repetition", "quantity", "target"]


def predicted_rates(
    draws: Draws,
    truth: pd.DataFrame,
    method: str,
    options: Mapping[str, Any],
) -> pd.DataFrame:
    """Predict the rates of the largest gallery from k1 identities, in each repetition.

    `truth` is that of `evaluation.identification_truth`. Returns one row per repetition, quantity
    of `QUANTITIES` and target FPIR: repetition, quantity, target, true, predicted. A prediction is
    not a number where the method cannot be fitted.
    """
    k, at, targets = (truth[name].to_numpy() for name in ("gallery_size", "threshold", "target"))
    tables = []
    for repetition, sample, seed in draws:
        found = np.full((3, len(truth)), np.nan)
        try:
            model = Identification(sample, method, seed=seed, **options)
            found[0], found[1] = model.fpir(k, at), model.fnir(k, at)
            found[2] = model.fnir_at_fpir(k, targets)
        except FitError as error:
            log.warning("repetition %d: %s", repetition, error)
        tables.append(_rows(truth, repetition).assign(predicted=found.ravel()))
    return pd.concat(tables, ignore_index=True)


def rate_intervals(
    draws: Draws,
    truth: pd.DataFrame,
    method: str,
    options: Mapping[str, Any],
    *,
    splits: int,
    of_population: bool,
) -> pd.DataFrame:
    """Find the 90 % intervals of `Identification` in each repetition, and what they should hold.

    Columns are those of `predicted_rates`, then lower, upper and ``expected``: what the interval
    should hold. It is the true rate where that is `of_population`. Where it is that of the K
    identities from which the k1 are drawn, it is moved away from the prediction, as in
    `interval_coverage.interval_draws`.
    """
    rest = 1.0 if of_population else float(np.sqrt(1 - draws.k1 / draws.matrix.n_classes))
    k, at, targets = (truth[name].to_numpy() for name in ("gallery_size", "threshold", "target"))
    tables = []
    for repetition, sample, seed in draws:
        model = Identification(sample, method, seed=seed, splits=splits, **options)
        rates: list[Rate] = [
            model.fpir_interval(k, at, LEVEL),
            model.fnir_interval(k, at, level=LEVEL),
            model.fnir_at_fpir_interval(k, targets, level=LEVEL),
        ]
        rows = _rows(truth, repetition)
        predicted, lower, upper = (
            np.concatenate([getattr(rate, name) for rate in rates])
            for name in ("value", "lower", "upper")
        )
        expected = np.clip(predicted + (rows["true"].to_numpy() - predicted) / rest, 0.0, 1.0)
        columns = {"predicted": predicted, "lower": lower, "upper": upper, "expected": expected}
        tables.append(rows.assign(**columns))
    return pd.concat(tables, ignore_index=True)


def _rows(truth: pd.DataFrame, repetition: int) -> pd.DataFrame:
    """Give each quantity and target a row, with what is true of it."""
    return pd.DataFrame(
        {
            "repetition": repetition,
            "quantity": np.repeat(QUANTITIES, len(truth)),
            "target": np.tile(truth["target"].to_numpy(), len(QUANTITIES)),
            "true": np.concatenate([truth["fpir"], truth["fnir"], truth["fnir"]]),
        }
    )


def errors_by_repetition(rates: pd.DataFrame) -> pd.DataFrame:
    """Put predicted minus true rates beside each other, one row per repetition and quantity.

    `rates` is what `predicted_rates` returns, with experiment, k1 and method beside. Columns are
    experiment, k1, method, repetition, quantity and ``error_at_T`` for each target FPIR T.
    """
    keys = [*SETTING, "repetition", "quantity"]
    errors = rates.assign(error=rates["predicted"] - rates["true"])
    wide = errors.pivot(index=keys, columns="target", values="error")
    wide = wide[sorted(wide.columns, reverse=True)]
    wide.columns = pd.Index([f"error_at_{target:g}" for target in wide.columns])
    return wide.reset_index()


def det_curves(
    matrix: ScoreMatrix,
    k1: int,
    seed_parts: tuple[object, ...],
    methods: Mapping[str, tuple[str, Mapping[str, Any]]],
) -> pd.DataFrame:
    """Predict the DET curve of all identities from those of the first repetition.

    `methods` are names and options by key. Returns columns method, fpir and fnir, in the gallery of
    K - 1; the method "true" is what all K identities show, and "observed" what the k1 show in a
    gallery of k1 - 1.
    """
    ((_, sample, seed),) = Draws(matrix, k1, [0], seed_parts)
    tables = []
    for name, shown in (("true", matrix), ("observed", sample)):
        searches = Searches.of(shown)
        targets = np.geomspace(searches.impostor_weights.min(), 0.99, POINTS)
        k = np.full(POINTS, searches.n_classes - 1)
        fnir = observed_fnir(searches, k, observed_threshold(searches, targets))
        tables.append(pd.DataFrame({"method": name, "fpir": targets, "fnir": fnir}))
    targets = tables[0]["fpir"].to_numpy()
    k = np.full(POINTS, matrix.n_classes - 1)
    for key, (name, options) in methods.items():
        fitted = make_open_set_method(name, seed=seed, **options).fit(Searches.of(sample))
        fnir = fitted.fnir_at_fpir(k, targets, 1)
        tables.append(pd.DataFrame({"method": key, "fpir": targets, "fnir": fnir}))
    return pd.concat(tables, ignore_index=True)


def summarise_rates(rates: pd.DataFrame, intervals: pd.DataFrame | None = None) -> pd.DataFrame:
    """Summarise what `predicted_rates` returns, with experiment, k1 and method beside.

    Returns one row per setting, method, quantity and target, with ``true``; ``repetitions`` (those
    in which the method could be fitted); ``rmse``, ``bias`` (mean error) and ``sd`` (divisor n) of
    the predicted rate; and with intervals what `rate_coverage` counts, empty where none was judged.
    """
    keys = [*SETTING, "quantity", "target"]
    error = rates["predicted"] - rates["true"]
    groups = rates.assign(error=error, square=error**2).groupby(keys, sort=False, as_index=False)
    table: pd.DataFrame = groups.agg(
        true=("true", "first"),
        repetitions=("error", "count"),
        rmse=("square", "mean"),
        bias=("error", "mean"),
        sd=("error", lambda own: own.std(ddof=0)),
    )
    table["rmse"] = np.sqrt(table["rmse"])
    if intervals is None:
        return table
    return table.merge(rate_coverage(intervals), on=keys, how="left")


def rate_coverage(intervals: pd.DataFrame, by: Sequence[str] = SETTING) -> pd.DataFrame:
    """Count how often the intervals of `rate_intervals` hold what they should.

    Returns a row for each group of `by`, quantity and target: ``samples``, ``covered`` (the share
    that holds the expected rate, ends included) and ``width`` (their median).
    """
    keys = [*by, "quantity", "target"]
    covered = intervals["expected"].between(intervals["lower"], intervals["upper"])
    judged = intervals.assign(covered=covered, width=intervals["upper"] - intervals["lower"])
    table: pd.DataFrame = judged.groupby(keys, sort=False, as_index=False).agg(
        samples=("covered", "size"), covered=("covered", "mean"), width=("width", "median")
    )
    return table
