"""The input of CleaneX's network: scores in one scale, whole or as a product of low rank."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError
from accuracy_curves.scores.incorrect_scores import split_at_most
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.linear_algebra import one_thread

Float32Array = npt.NDArray[np.float32]


def standardised(sample: ScoreMatrix, most: int | None = None, seed: int = 0) -> Float32Array:
    """Arrange a sample as the network's inputs, (N, min(k1, most + 1)).

    The correct score, then the incorrect ones ascending (higher is better), less the mean of all
    these scores, divided by their standard deviation: `FitError` if there is none. Of the incorrect
    ones `most` at most are drawn for each point, see `split_at_most`.
    """
    correct, incorrect = split_at_most(sample, most, seed)
    inputs = np.concatenate([correct[:, None], incorrect], axis=1).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        mean, deviation = inputs.mean(), inputs.std()
    if inputs.min() == inputs.max() or not 0 < deviation < np.inf:
        raise FitError(
            "cleanex cannot standardise the scores, which are all equal or too large or small "
            f"for a standard deviation (from {inputs.min():g} to {inputs.max():g}): "
            "check or rescale them"
        )
    result: Float32Array = ((inputs - mean) / deviation).astype(np.float32)
    return result


def factored(inputs: Float32Array, rank: int | None) -> tuple[Float32Array, Float32Array | None]:
    """Write the inputs, (N, k1), as a product of rank r, the best one in least squares.

    inputs = projected @ basis.T, with `basis`, (k1, r), the r leading right singular vectors;
    without a rank the inputs stay whole.
    """
    if rank is None:
        return inputs, None
    with one_thread():
        wide = inputs.astype(np.float64)
        # The k1 x k1 product is small, and its eigenvectors are the right singular vectors.
        basis = np.linalg.eigh(wide.T @ wide)[1][:, : -rank - 1 : -1]
        projected = wide @ basis
    return projected.astype(np.float32), np.ascontiguousarray(basis, dtype=np.float32)
