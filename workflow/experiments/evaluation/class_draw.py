"""Noise of the draw of the classes, in two parts: the draw of the points and that of their rivals.

The first has an exact curve up to all K classes, the second up to k1 only.
"""

import numpy as np
import pandas as pd

from accuracy_curves.observed.accuracy import average_accuracy, average_accuracy_of_ranks, ranks
from experiments.evaluation.subsampling import Draws

NAME = "class_draw"
# The draw of the points for k to k2, and that of the rivals for k to k1.
RIVALS = "rivals_to_k1"
DRAWN = ("rmse_curve", RIVALS)


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
    squares over k: rmse_curve of the points for k = 2..k2, and rivals_to_k1 for k = 2..k1.
    """
    matrix = draws.matrix
    seen, k = np.arange(2, draws.k1 + 1), np.arange(2, k2 + 1)
    outscored, weights = ranks(matrix, ties), matrix.weights
    true = average_accuracy_of_ranks(outscored, matrix.n_classes, k, weights)
    rows = []
    for repetition, sample, seed in draws:
        own = np.isin(matrix.labels, draws.classes(repetition))
        share = weights[own] / weights[own].sum()
        curve = average_accuracy_of_ranks(outscored[own], matrix.n_classes, k, share)
        parts = curve - true, average_accuracy(sample, seen, seed) - curve[: len(seen)]
        rows.append((repetition, *(float(np.sqrt(np.square(part).mean())) for part in parts)))
    return pd.DataFrame(rows, columns=["repetition", *DRAWN])


def summarise_draws(noise: pd.DataFrame) -> pd.DataFrame:
    """Take the medians of the noise of the draw of the classes over the repetitions.

    `noise` is of `class_draw_noise` with experiment and k1. Returns rows of experiment, k1,
    repetitions, class_draw_median of the draw of the points, for k to k2, and rivals_to_k1_median.
    """
    return noise.groupby(["experiment", "k1"], as_index=False).agg(
        repetitions=("repetition", "size"),
        class_draw_median=("rmse_curve", "median"),
        rivals_to_k1_median=(RIVALS, "median"),
    )
