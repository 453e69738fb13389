"""Encoding model: brain responses predicted from images (Kay 2008, Naselaris et al. 2011)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.scores.distances import distances
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.linear_algebra import one_thread
from accuracy_curves.utils.seeds import derive_seed

FOLDS = 5
# Ridge penalties, as multiples of the number of features.
PENALTIES = np.logspace(-3, 4, 15)
VOXELS_A_BLOCK = 2048


@dataclass(frozen=True, eq=False)
class EncodingModel:
    """Ridge regressions, one a voxel; p features, v voxels."""

    voxels: IntArray  # Columns of the training responses, ascending.
    penalties: Float64Array
    r_squared: Float64Array  # Of the cross-validated predictions.
    covariance: Float64Array  # (v, v), of their residuals, shrunk (Ledoit and Wolf 2004).
    intercepts: Float64Array
    coefficients: Float64Array  # (p, v), of the features as they are given.

    def predict(self, features: npt.NDArray[Any]) -> Float64Array:
        """Predict the responses of the voxels, (n, v), to images of the features (n, p)."""
        with one_thread():
            predicted: Float64Array = features.astype(np.float64) @ self.coefficients
        return predicted + self.intercepts


def fit_encoding_model(
    features: npt.NDArray[Any], responses: npt.NDArray[Any], *, n_voxels: int = 1250, seed: int = 0
) -> EncodingModel:
    """Fit ridge regressions to features (n, p) and responses (n, V), and keep the best voxels.

    Features are standardised; one that does not vary is left out, and a voxel that does not vary is
    never kept. Each voxel's penalty has the least squared error in 5-fold cross-validation, whose
    folds the seed decides; the voxels of the largest cross-validated R^2 are kept, and the
    covariance of their residuals is estimated from the same cross-validated predictions, which have
    not seen the images that they predict.
    """
    variance = responses.astype(np.float64).var(axis=0)
    with one_thread():
        x, scale = _standardised(features.astype(np.float64))
        penalties = PENALTIES * max(1, int(np.isfinite(scale).sum()))
        folds = list(_folds(x @ x.T, seed))
        best, error = _best_penalties(folds, responses, penalties)
        r_squared = np.full(len(variance), -np.inf)
        varies = variance > 0
        r_squared[varies] = 1 - error[varies] / (len(x) * variance[varies])
        voxels = np.sort(np.argsort(-r_squared, kind="stable")[:n_voxels])
        kept, chosen = responses[:, voxels].astype(np.float64), best[voxels]
        residuals = np.empty_like(kept)
        for fold in folds:
            residuals[fold.test] = kept[fold.test] - fold.predicted(kept, chosen)
        from sklearn.covariance import LedoitWolf

        covariance = LedoitWolf().fit(residuals).covariance_
        whole = _Fold.of(x @ x.T, np.arange(len(x)), np.arange(0))
        coefficients = x.T @ whole.dual(kept, chosen) / scale[:, None]
        intercepts = kept.mean(axis=0) - features.astype(np.float64).mean(axis=0) @ coefficients
    return EncodingModel(voxels, chosen, r_squared[voxels], covariance, intercepts, coefficients)


def identification_scores(
    model: EncodingModel, features: npt.NDArray[Any], responses: npt.NDArray[Any]
) -> ScoreMatrix:
    """Score each response (n, V) for each of the images (n, p), which are in the same order.

    Squared Mahalanobis distances (g(y) - x)' Sigma^-1 (g(y) - x) of responses x, of all voxels, and
    images y, with g and Sigma of the model; lower is better, which is the paper's negative
    distance.
    """
    from scipy.linalg import solve_triangular

    both = responses[:, model.voxels].astype(np.float64), model.predict(features)
    with one_thread():
        lower = np.linalg.cholesky(model.covariance)
        # Of whitened responses the euclidean distance is the Mahalanobis distance.
        seen, expected = (solve_triangular(lower, each.T, lower=True).T for each in both)
    return ScoreMatrix(
        distances(seen, expected, "sqeuclidean"), np.arange(len(seen)), higher_is_better=False
    )


class _Fold(NamedTuple):
    """The kernel of a fold's training images, decomposed."""

    train: IntArray
    test: IntArray
    values: Float64Array
    vectors: Float64Array
    across: Float64Array  # (test, train): centred kernel, times the vectors.

    @classmethod
    def of(cls, kernel: Float64Array, train: IntArray, test: IntArray) -> "_Fold":
        own = kernel[np.ix_(train, train)]
        mean = own.mean(axis=0)
        centred = own - mean - mean[:, None] + mean.mean()
        values, vectors = np.linalg.eigh(centred)
        across = kernel[np.ix_(test, train)] - mean
        across -= across.mean(axis=1, keepdims=True)
        return cls(train, test, np.maximum(values, 0), vectors, across @ vectors)

    def predicted(self, responses: Float64Array, penalty: Float64Array | float) -> Float64Array:
        """Predict the test images; one penalty, or one a voxel."""
        mean = responses[self.train].mean(axis=0)
        rotated = self.vectors.T @ (responses[self.train] - mean)
        return self.across @ (rotated / (self.values[:, None] + penalty)) + mean

    def dual(self, responses: Float64Array, penalty: Float64Array) -> Float64Array:
        """(K + penalty)^-1 (responses - mean); times the features, the coefficients."""
        centred = responses[self.train] - responses[self.train].mean(axis=0)
        rotated = (self.vectors.T @ centred) / (self.values[:, None] + penalty)
        return self.vectors @ rotated


def _folds(kernel: Float64Array, seed: int) -> Iterator[_Fold]:
    rng = np.random.default_rng(derive_seed(seed, "encoding", "folds"))
    parts = np.array_split(rng.permutation(len(kernel)), FOLDS)
    for i, test in enumerate(parts):
        yield _Fold.of(kernel, np.concatenate(parts[:i] + parts[i + 1 :]), test)


def _best_penalties(
    folds: list[_Fold], responses: npt.NDArray[Any], penalties: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Find each voxel's penalty of least squared error, and that error, in blocks of voxels."""
    best = np.empty(responses.shape[1])
    least = np.empty(responses.shape[1])
    for start in range(0, responses.shape[1], VOXELS_A_BLOCK):
        block = responses[:, start : start + VOXELS_A_BLOCK].astype(np.float64)
        errors = np.zeros((len(penalties), block.shape[1]))
        for fold in folds:
            for i, penalty in enumerate(penalties):
                errors[i] += ((block[fold.test] - fold.predicted(block, penalty)) ** 2).sum(axis=0)
        chosen = errors.argmin(axis=0)
        best[start : start + VOXELS_A_BLOCK] = penalties[chosen]
        least[start : start + VOXELS_A_BLOCK] = errors.min(axis=0)
    return best, least


def _standardised(features: Float64Array) -> tuple[Float64Array, Float64Array]:
    """Centre and scale the features; the scale of one that does not vary is infinite."""
    centred = features - features.mean(axis=0)
    scale = centred.std(axis=0)
    scale[scale <= 1e-9 * np.abs(features).max(axis=0)] = np.inf
    return centred / scale, scale
