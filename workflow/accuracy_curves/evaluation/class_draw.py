"""The noise of the draw of the classes: how far their own points are from the data set's."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from accuracy_curves.evaluation.curve_errors import SETTING
from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, ranks
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES, ScoreMatrix, draw_classes
from accuracy_curves.utils.seeds import derive_seed

NAME = "class_draw"


def class_draw_noise(
    matrix: ScoreMatrix,
    k1: int,
    k2: int,
    repetitions: Iterable[int],
    seed_parts: tuple[object, ...],
    ties: int = 0,
) -> pd.DataFrame:
    """Compare the exact accuracy curve of the drawn classes' points with that of all points.

    The curve of a repetition averages, over the points of its k1 classes alone, the accuracy among
    k = 2..k2 of all K classes, so that nothing is extrapolated: what it differs from the true curve
    is that these classes are easier or harder than all. It is no lower bound of a method's error,
    but the scale below which differences of methods mean little.

    The classes are those of `evaluation.subsampling`; `ties` is the seed of the tie-breaking of the
    true curve. Returns repetition and rmse_curve, the root mean square over k of the difference.
    """
    if not (MINIMUM_CLASSES <= k1 <= matrix.n_classes and 2 <= k2 <= matrix.n_classes):
        raise InputError(
            f"k1 = {k1} and k2 = {k2} are not both numbers of classes of the data set, "
            f"which has {matrix.n_classes}"
        )
    k = np.arange(2, k2 + 1)
    outscored, weights = ranks(matrix, ties), matrix.weights
    true = average_accuracy_of_ranks(outscored, matrix.n_classes, k, weights)
    rows = []
    for repetition in repetitions:
        seed = derive_seed(*seed_parts, k1, repetition, "classes")
        own = np.isin(matrix.labels, draw_classes(matrix.n_classes, k1, seed))
        if not own.any():
            raise InputError(f"repetition {repetition}: none of the drawn classes has a point")
        share = weights[own] / weights[own].sum()
        curve = average_accuracy_of_ranks(outscored[own], matrix.n_classes, k, share)
        rows.append((repetition, float(np.sqrt(np.square(curve - true).mean()))))
    return pd.DataFrame(rows, columns=["repetition", "rmse_curve"])


def summarise_draws(noise: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """Set the methods' median errors beside the noise of the draw of the classes.

    `noise` is of `class_draw_noise` with experiment and k1, `errors` of `repetition_errors`.
    Returns a row a setting: experiment, k1, repetitions, class_draw_median, _q1 and _q3 of the
    noise, and the median rmse_curve of each method, under its key.
    """
    setting = SETTING[:2]
    drawn = noise.groupby(setting)["rmse_curve"]
    summary = drawn.agg(repetitions="count", class_draw_median="median")
    summary["class_draw_q1"], summary["class_draw_q3"] = drawn.quantile(0.25), drawn.quantile(0.75)
    medians = errors.groupby(SETTING)["rmse_curve"].median().unstack("method")
    table: pd.DataFrame = summary.join(medians).reset_index()
    return table
