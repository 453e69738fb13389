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
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.interval_coverage import count_held
from experiments.evaluation.subsampling import Draws

log = logging.getLogger(__name__)

# FPIR and FNIR at the true threshold of a target; FNIR at the threshold that a method sets for it.
QUANTITIES = ("fpir", "fnir", "fnir_at_fpir")
LEVEL = 0.9
# Of a DET curve.
POINTS = 24


def predicted_rates(
    draws: Draws,
    truth: pd.DataFrame,
    method: str,
    options: Mapping[str, Any],
    *,
    judged: int = 0,
    splits: int = 30,
    of_population: bool = False,
) -> pd.DataFrame:
    """Predict the rates of the largest gallery from k1 identities, in each repetition.

    `truth` is that of `evaluation.identification_truth`. Returns one row per repetition, quantity
    of `QUANTITIES` and target FPIR: repetition, quantity, target, true, predicted; and, empty but
    in the first `judged` repetitions, lower and upper, the ends of the 90 % interval, and
    ``expected``: what it should hold. That is the true rate where this is `of_population`. Where it
    is that of the K identities from which the k1 are sampled, it is moved away from the prediction,
    as in `interval_coverage.interval_draws`. No rate is a number where the method cannot be fitted.
    """
    rest = 1.0 if of_population else float(np.sqrt(1 - draws.k1 / draws.matrix.n_classes))
    k, at, targets = (truth[name].to_numpy() for name in ("gallery_size", "threshold", "target"))
    n, tables = len(truth), []
    for repetition, sample, seed in draws:
        found = np.full((3, 3 * n), np.nan)
        try:
            model = Identification(sample, method, seed=seed, splits=splits, **options)
            predicted = [model.fpir(k, at), model.fnir(k, at), model.fnir_at_fpir(k, targets)]
            found[0] = np.concatenate(predicted)
            if repetition < judged:
                rates = [
                    model.fpir_interval(k, at, LEVEL),
                    model.fnir_interval(k, at, level=LEVEL),
                    model.fnir_at_fpir_interval(k, targets, level=LEVEL),
                ]
                found[1:] = np.hstack([[rate.lower, rate.upper] for rate in rates])
        except FitError as error:
            log.warning("repetition %d: %s", repetition, error)
        rows = pd.DataFrame(
            {
                "repetition": repetition,
                "quantity": np.repeat(QUANTITIES, n),
                "target": np.tile(targets, 3),
                "true": np.concatenate([truth["fpir"], truth["fnir"], truth["fnir"]]),
                **dict(zip(("predicted", "lower", "upper"), found, strict=True)),
            }
        )
        moved = rows["predicted"] + (rows["true"] - rows["predicted"]) / rest
        tables.append(rows.assign(expected=moved.clip(0, 1).where(rows["lower"].notna())))
    return pd.concat(tables, ignore_index=True)


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


def summarise_rates(rates: pd.DataFrame) -> pd.DataFrame:
    """Summarise what `predicted_rates` returns, with experiment, k1 and method beside.

    Returns one row per setting, method, quantity and target, with ``true``; ``repetitions`` (those
    in which the method could be fitted); ``rmse``, ``bias`` (mean error) and ``sd`` (divisor n) of
    the predicted rate; and what `rate_coverage` counts, empty where no interval was judged.
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
    return table.merge(rate_coverage(rates), on=keys, how="left")


def rate_coverage(rates: pd.DataFrame, by: Sequence[str] = SETTING) -> pd.DataFrame:
    """Count how often the intervals of `predicted_rates` hold what they should.

    Returns a row for each group of `by`, quantity and target: ``samples``, ``covered`` (the share
    that holds the expected rate, ends included) and ``width`` (their median).
    """
    return count_held(rates, [*by, "quantity", "target"], "expected").reset_index()
