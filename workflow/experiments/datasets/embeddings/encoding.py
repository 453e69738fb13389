"""Encoding model: brain responses predicted from images (Kay 2008, Naselaris et al. 2011)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy_curves.scores.distance_matrix import distances
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import AnyArray, Float64Array, IntArray
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.seeds import derive_seed

FOLDS = 5
# Ridge penalties, as multiples of the number of features.
PENALTIES = np.logspace(-3, 4, 15)


@dataclass(frozen=True, eq=False)
class EncodingModel:
    """Ridge regressions, one a voxel; v voxels."""

    voxels: IntArray  # Columns of the training responses, ascending.
    penalties: Float64Array
    r_squared: Float64Array  # Of predictions of images that are left out.
    covariance: Float64Array  # (v, v), of their residuals, shrunk (Ledoit and Wolf 2004).
    regressions: Any  # Of standardised features, as scikit-learn has them.

    def predict(self, features: AnyArray) -> Float64Array:
        """Predict the responses of the voxels, (n, v), to images of the features (n, p)."""
        with one_thread():
            predicted: Float64Array = self.regressions.predict(features.astype(np.float64))
        return predicted


def fit_encoding_model(
    features: AnyArray, responses: AnyArray, *, n_voxels: int = 1250, seed: int = 0
) -> EncodingModel:
    """Fit ridge regressions to features (n, p) and responses (n, V), and keep the best voxels.

    Features are standardised; a voxel that does not vary is never kept. Each voxel's penalty has
    the least squared error where each image is left out once; the voxels of the largest R^2 of
    these predictions are kept. The covariance of their residuals is estimated in 5-fold
    cross-validation, whose folds the seed decides: it has not seen the images that are predicted.
    """
    from sklearn.covariance import LedoitWolf
    from sklearn.linear_model import Ridge, RidgeCV
    from sklearn.model_selection import KFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    with one_thread():
        x, y = features.astype(np.float64), responses.astype(np.float64)
        penalties = PENALTIES * max(1, int(np.count_nonzero(np.ptp(x, axis=0))))
        chosen = RidgeCV(penalties, alpha_per_target=True).fit(StandardScaler().fit_transform(x), y)
        varies = np.ptp(y, axis=0) > 0
        r_squared = np.full(len(varies), -np.inf)
        r_squared[varies] = 1 + chosen.best_score_[varies] / y[:, varies].var(axis=0)
        voxels = np.sort(np.argsort(-r_squared, kind="stable")[:n_voxels])
        ridge = Ridge(chosen.alpha_[voxels], solver="svd")
        regressions, kept = make_pipeline(StandardScaler(), ridge), y[:, voxels]
        order = derive_seed(seed, "encoding", "folds") % 2**32
        folds = KFold(FOLDS, shuffle=True, random_state=order)
        residuals = kept - cross_val_predict(regressions, x, kept, cv=folds)
        covariance = LedoitWolf().fit(residuals).covariance_
        regressions.fit(x, kept)
    return EncodingModel(voxels, ridge.alpha, r_squared[voxels], covariance, regressions)


def identification_scores(
    model: EncodingModel, features: AnyArray, responses: AnyArray
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
