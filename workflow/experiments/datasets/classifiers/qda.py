"""Quadratic discriminant analysis: each class is multivariate normal."""

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Positive
from experiments.datasets.classifiers.base import Classifier, flat


class QDA(Classifier):
    """Log density of a normal distribution with the class's mean and covariance.

    Classes have equal priors, and no covariance is shared between them.

    Parameters
    ----------
    ridge : float
        Above 0, added to the covariances' diagonals, in squared units of the pixels; needed where
        a class has fewer training images than there are pixels.
    seed : int
        Not used: nothing is random.
    """

    name = "qda"
    marginal = True

    ridge: Positive = 0.01

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        pixels = flat(images)
        self._means: list[Float64Array] = []
        self._roots: list[Float64Array] = []
        for members in np.split(pixels, np.flatnonzero(np.diff(labels)) + 1):
            mean = members.mean(axis=0, dtype=np.float64)
            residuals = members - mean
            covariance = residuals.T @ residuals / len(members)
            covariance[np.diag_indices_from(covariance)] += self.ridge
            self._means.append(mean)
            self._roots.append(np.linalg.cholesky(covariance))

    def _scores(self, images: FloatArray) -> Float64Array:
        pixels = flat(images)
        result = np.empty((len(pixels), len(self._means)))
        for own, (mean, root) in enumerate(zip(self._means, self._roots, strict=True)):
            whitened = scipy.linalg.solve_triangular(root, (pixels - mean).T, lower=True)
            result[:, own] = -0.5 * np.einsum("ij,ij->j", whitened, whitened)
            result[:, own] -= np.log(np.diag(root)).sum() + len(mean) / 2 * np.log(2 * np.pi)
        return result
