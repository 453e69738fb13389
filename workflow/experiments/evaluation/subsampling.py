"""Repetitions: random subsamples of k1 classes, observed and extrapolated."""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.score_matrix import ScoreMatrix, draw_classes
from accuracy_curves.utils.seeds import derive_seed

Scored = ScoreMatrix | DistanceMatrix
Matrix = TypeVar("Matrix", bound=Scored)

log = logging.getLogger(__name__)


def true_curve(matrix: Scored, k2: int, seed: int) -> pd.DataFrame:
    """Average accuracies over all subsets of the data set's classes: columns k and accuracy."""
    if k2 > matrix.n_classes:
        raise InputError(f"k2 = {k2} is above the data set's {matrix.n_classes} classes")
    k = np.arange(2, k2 + 1)
    return pd.DataFrame({"k": k, "accuracy": average_accuracy(matrix, k, seed)})


def observe(
    matrix: Scored,
    k1: int,
    repetitions: Iterable[int],
    seed_parts: tuple[object, ...],
) -> pd.DataFrame:
    """Average accuracies of each repetition's k1 classes: columns repetition, k (2..k1), accuracy.

    The seeds derive from `seed_parts`, (config seed, experiment).
    """
    k = np.arange(2, k1 + 1)
    curves = []
    for repetition in repetitions:
        sample, seed = _draw(matrix, k1, repetition, seed_parts)
        curve = {"repetition": repetition, "k": k, "accuracy": average_accuracy(sample, k, seed)}
        curves.append(pd.DataFrame(curve))
    return pd.concat(curves, ignore_index=True)


def predict(
    matrix: Scored,
    k1: int,
    k2: int,
    repetitions: Iterable[int],
    seed_parts: tuple[object, ...],
    method: str,
    options: Mapping[str, Any],
) -> pd.DataFrame:
    """Extrapolate from each repetition's k1 classes: columns repetition, k (2..k2), accuracy.

    The seeds derive from `seed_parts`, (config seed, experiment); repetition i draws the same
    classes for every method. A `FitError` names the repetition.
    """
    k = np.arange(2, k2 + 1)
    curves = []
    left = iter(repetitions)
    together = make_extrapolator(method, **options).together
    while group := list(islice(left, together)):
        started = time.perf_counter()
        drawn = [_draw(matrix, k1, repetition, seed_parts) for repetition in group]
        models = [make_extrapolator(method, seed=seed, **options) for _, seed in drawn]
        samples = [sample for sample, _ in drawn]
        if models[0].needs == "scores":
            samples = [s.stored() if isinstance(s, DistanceMatrix) else s for s in samples]
        try:
            models[0].fit_all(models, samples)
        except FitError as error:
            named = " to ".join(map(str, dict.fromkeys([group[0], group[-1]])))
            raise FitError(f"repetition {named}: {error}") from error
        for repetition, model in zip(group, models, strict=True):
            curve = {"repetition": repetition, "k": k, "accuracy": model.predict(k)}
            curves.append(pd.DataFrame(curve))
        seconds = (time.perf_counter() - started) / len(group)
        for repetition, sample in zip(group, samples, strict=True):
            log.info("repetition %d: %d points, %.3f s", repetition, sample.n_points, seconds)
    return pd.concat(curves, ignore_index=True)


def drawn(
    matrix: Matrix, k1: int, repetitions: Iterable[int], seed_parts: tuple[object, ...]
) -> Iterator[tuple[int, Matrix, int]]:
    """Yield each repetition, its classes and its fits' seed; log how long it took with them."""
    for repetition in repetitions:
        started = time.perf_counter()
        sample, seed = _draw(matrix, k1, repetition, seed_parts)
        yield repetition, sample, seed
        seconds = time.perf_counter() - started
        log.info("repetition %d: %d points, %.3f s", repetition, sample.n_points, seconds)


def _draw(
    matrix: Matrix, k1: int, repetition: int, seed_parts: tuple[object, ...]
) -> tuple[Matrix, int]:
    """Draw a repetition's classes; also give the seed that all its methods share."""
    seed = derive_seed(*seed_parts, k1, repetition, "classes")
    classes = draw_classes(matrix.n_classes, k1, seed)
    fit_seed = derive_seed(*seed_parts, k1, repetition, "fit")
    return cast(Matrix, matrix.select_classes(classes)), fit_seed
