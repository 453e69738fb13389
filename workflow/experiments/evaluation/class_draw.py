"""Noise of the draw of the classes, in two parts: the draw of the points and that of their rivals.

The first has an exact curve up to all K classes, the second up to k1 only.
"""

from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.observed.accuracy import average_accuracy, average_accuracy_of_ranks, ranks
from experiments.evaluation.subsampling import Draws

NAME = "class_draw"
# Both parts where both are known.
TO_K1 = ("points_to_k1", "rivals_to_k1")
DRAWN = ("rmse_curve", *TO_K1)


def class_draw_noise(draws: Draws, k2: int, ties: int = 0) -> pd.DataFrame:
    """Measure the two parts of the error that comes from the draw of a repetition's k1 classes.

    The draw of the points: the curve of a repetition averages, over the points of its k1 classes
    alone, the accuracy among k of all K classes, so that nothing is extrapolated. What it differs
    from the true curve is that these classes are easier or harder than all. It is no lower bound of
    a method's error, but the scale below which differences of methods mean little.

    The draw of the rivals, for these points: the accuracy that is observed, whose rivals are the
    other sampled classes, less that curve. It is known up to k1 only. The two parts add up to the
    observed accuracy less the true one.

    `ties` is the seed of the tie-breaking of the true curve. Returns repetition, and root mean
    squares over k: rmse_curve of the points for k = 2..k2, points_to_k1 and rivals_to_k1 for
    k = 2..k1.
    """
    matrix = draws.matrix
    seen, k = np.arange(2, draws.k1 + 1), np.arange(2, max(draws.k1, k2) + 1)
    outscored, weights = ranks(matrix, ties), matrix.weights
    true = average_accuracy_of_ranks(outscored, matrix.n_classes, k, weights)
    rows = []
    for repetition, sample, seed in draws:
        own = np.isin(matrix.labels, draws.classes(repetition))
        share = weights[own] / weights[own].sum()
        curve = average_accuracy_of_ranks(outscored[own], matrix.n_classes, k, share)
        points = curve - true
        rivals = average_accuracy(sample, seen, seed) - curve[: len(seen)]
        parts = points[: k2 - 1], points[: len(seen)], rivals
        rows.append((repetition, *(float(np.sqrt(np.square(part).mean())) for part in parts)))
    return pd.DataFrame(rows, columns=["repetition", *DRAWN])


def summarise_draws(noise: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """Set the methods' median errors beside the noise of the draw of the classes.

    `noise` is of `class_draw_noise` with experiment and k1, `errors` of `repetition_errors`.
    Returns rows of experiment, k1, repetitions, class_draw_median, _q1 and _q3 of the draw of the
    points' classes, for k to k2, points_to_k1_median and rivals_to_k1_median, and the median
    rmse_curve of each method, under its key. All numbers of a row are of the same
    repetitions. Where some methods of a setting have fewer, the first row is without them, and a
    next one of the repetitions that they have as well.
    """
    # Nothing may be published of the draws.
    rows: list[dict[str, Any]] = []
    names = ["experiment", "k1"]
    for (experiment, k1), drawn in noise.groupby(names):
        own = drawn.set_index("repetition")[[*DRAWN]]
        here = errors[(errors["experiment"] == experiment) & (errors["k1"] == k1)]
        wide = here.pivot(index="repetition", columns="method", values="rmse_curve")
        wide = wide.reindex(own.index)
        counts = wide.count()
        for n in sorted(set(counts), reverse=True):
            common = wide.loc[:, counts >= n].dropna()
            beside = own.loc[common.index]
            median, q1, q3 = beside["rmse_curve"].quantile([0.5, 0.25, 0.75])
            row = {"experiment": experiment, "k1": k1, "repetitions": len(common)}
            row |= {"class_draw_median": median, "class_draw_q1": q1, "class_draw_q3": q3}
            row |= dict(beside[[*TO_K1]].median().add_suffix("_median"))
            names = [*row]
            rows.append({**row, **common.median()})
    return pd.DataFrame(rows, columns=[*names, *sorted(set().union(*rows) - {*names})])
