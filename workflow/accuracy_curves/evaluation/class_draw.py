"""One part of the noise of the draw of the classes: their own points against all rivals.

The other part is the draw of the rivals. It has no exact curve beyond k1.
"""

from collections.abc import Iterable
from typing import Any

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
    """Set the methods' median errors beside the noise of the draw of the points' classes.

    `noise` is of `class_draw_noise` with experiment and k1, `errors` of `repetition_errors`.
    Returns rows of experiment, k1, repetitions, class_draw_median, _q1 and _q3 of the noise, and
    the median rmse_curve of each method, under its key. All numbers of a row are of the same
    repetitions. Where some methods of a setting have fewer, the first row is without them, and a
    next one of the repetitions that they have as well.
    """
    rows: list[dict[str, Any]] = []
    for (experiment, k1), drawn in noise.groupby(SETTING[:2]):
        own = drawn.set_index("repetition")["rmse_curve"]
        here = errors[(errors["experiment"] == experiment) & (errors["k1"] == k1)]
        wide = here.pivot(index="repetition", columns="method", values="rmse_curve")
        wide = wide.reindex(own.index)
        counts = wide.count()
        for n in sorted(set(counts), reverse=True):
            common = wide.loc[:, counts >= n].dropna()
            beside = own[common.index]
            row = {
                "experiment": experiment,
                "k1": k1,
                "repetitions": len(common),
                "class_draw_median": beside.median(),
                "class_draw_q1": beside.quantile(0.25),
                "class_draw_q3": beside.quantile(0.75),
            }
            rows.append({**row, **common.median()})
    return pd.DataFrame(rows, columns=[*row, *sorted(set().union(*rows) - set(row))])
