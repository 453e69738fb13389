"""Repetitions: random subsamples of k1 classes, observed and extrapolated."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import draw_classes
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import IntArray
from accuracy_curves.utils.extras import gpus
from accuracy_curves.utils.seeds import derive_seed
from experiments.stored import load_matrix

log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Draws:
    """Repetitions that draw k1 of the classes of a matrix, the same for every method.

    The seeds derive from `seed_parts`, (config seed, experiment). An iteration gives each
    repetition, the scores of its classes and the seed of its fits; how long it took is logged. With
    `lists` that is of so many candidates of each point.
    """

    matrix: ScoreMatrix
    k1: int
    repetitions: Sequence[int]
    seed_parts: tuple[object, ...]
    lists: int | None = None

    def seed(self, repetition: int, purpose: str) -> int:
        """Derive a seed of one repetition."""
        return derive_seed(*self.seed_parts, self.k1, repetition, purpose)

    def classes(self, repetition: int) -> IntArray:
        """Draw the classes of one repetition."""
        seed = self.seed(repetition, "classes")
        return draw_classes(self.matrix.n_classes, self.k1, seed)

    def sample(self, repetition: int) -> Any:
        """Give the scores of the classes of one repetition."""
        found = self.matrix.select_classes(self.classes(repetition))
        return found if self.lists is None else found.candidates(self.lists)

    def __iter__(self) -> Iterator[tuple[int, Any, int]]:
        for repetition in self.repetitions:
            started = time.perf_counter()
            sample = self.sample(repetition)
            yield repetition, sample, self.seed(repetition, "fit")
            seconds = time.perf_counter() - started
            log.info("repetition %d: %d points, %.3f s", repetition, sample.n_points, seconds)


def read_draws(files: Sequence[str], snakemake: Any) -> Iterator[Draws]:
    """Read a job's scores, and yield those of its repetitions that draw from each file.

    That is one file of all classes; or, where the classifier is trained anew on each repetition's
    classes, a file for each repetition with all classes sampled.
    """
    params, k1 = snakemake.params, int(snakemake.wildcards.k1)
    every = params.repetitions
    parts = [every] if len(files) == 1 else [[each] for each in every]
    for path, part in zip(files, parts, strict=True):
        yield Draws(load_matrix(path), k1, part, tuple(params.seed_parts), params.get("lists"))


def true_curve(matrix: ScoreMatrix, k2: int, seed: int) -> pd.DataFrame:
    """Average accuracies over all subsets of the data set's classes: columns k and accuracy."""
    k = np.arange(2, k2 + 1)
    return pd.DataFrame({"k": k, "accuracy": average_accuracy(matrix, k, seed)})


def observe(draws: Draws) -> pd.DataFrame:
    """Average each repetition's accuracies: columns repetition, k (2..k1), accuracy."""
    k = np.arange(2, draws.k1 + 1)
    curves = [
        pd.DataFrame({"repetition": number, "k": k, "accuracy": average_accuracy(sample, k, seed)})
        for number, sample, seed in draws
    ]
    return pd.concat(curves, ignore_index=True)


def predict(
    draws: Draws, k2: int, method: str, options: Mapping[str, Any]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Extrapolate from each repetition's k1 classes.

    Returns the curves, columns repetition, k (2..k2), accuracy; and columns repetition, seconds:
    the processor's time of a repetition's draw, fit and prediction. A `FitError` names the
    repetition.
    """
    k = np.arange(2, k2 + 1)
    curves, seconds = [], []
    started = time.process_time()
    models = EXTRAPOLATORS[method].fit_each(
        (make_extrapolator(method, seed=seed, **options), sample) for _, sample, seed in draws
    )
    for repetition in draws.repetitions:
        try:
            model = next(models)
        except FitError as error:
            raise FitError(f"repetition {repetition}: {error}") from error
        curve = {"repetition": repetition, "k": k, "accuracy": model.predict(k)}
        curves.append(pd.DataFrame(curve))
        ended = time.process_time()
        seconds.append((repetition, ended - started))
        started = ended
    table = pd.DataFrame(seconds, columns=["repetition", "seconds"])
    if gpus():
        # The first repetition waited for the training of all.
        table["seconds"] = table["seconds"].mean()
    return pd.concat(curves, ignore_index=True), table
