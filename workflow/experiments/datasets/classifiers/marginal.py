"""Classifiers that learn a class's score from that class's own images alone."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.linalg import solve_triangular

from accuracy_curves.exceptions import FitError
from accuracy_curves.scores.distance_ranks import distances
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Number
from experiments.datasets.classifiers.base import Classifier, flat


class Centroid(Classifier):
    """Minus the euclidean distance to the mean of the class's training images.

    Parameters
    ----------
    seed : int
        Not used: nothing is drawn.
    """

    name = "centroid"
    marginal = True

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        sums = np.add.reduceat(flat(images), starts, axis=0)
        self._means = sums / np.bincount(labels)[:, None].astype(sums.dtype)

    def _scores(self, images: FloatArray) -> FloatArray:
        return -distances(flat(images), self._means, "euclidean")


class NearestNeighbor(Classifier):
    """Minus the euclidean distance to the nearest training image of the class.

    Parameters
    ----------
    seed : int
        Not used: nothing is drawn.
    """

    name = "nearest_neighbor"
    marginal = True

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        self._gallery = flat(images)
        self._starts = np.flatnonzero(np.diff(labels, prepend=-1))

    def _scores(self, images: FloatArray) -> FloatArray:
        from sklearn.metrics import pairwise_distances_chunked

        def nearest(distances: FloatArray, _: int) -> FloatArray:
            return -np.minimum.reduceat(distances, self._starts, axis=1)

        blocks = pairwise_distances_chunked(flat(images), self._gallery, reduce_func=nearest)
        return np.concatenate(list(blocks))


@dataclass(kw_only=True, eq=False)
class NaiveBayes(Classifier):
    """Log density of a normal distribution with the class's means and variances of pixels.

    Classes have equal priors.

    Parameters
    ----------
    ridge : float
        Added to every variance, in squared units of the pixels, so that a pixel that is the same
        in all training images of a class does not forbid the class.
    seed : int
        Not used: nothing is drawn.
    """

    name = "naive_bayes"
    marginal = True

    ridge: Annotated[float, Number(0)] = 0.01

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        pixels = flat(images)
        counts = np.bincount(labels)[:, None]
        self._means = np.add.reduceat(pixels, starts, axis=0, dtype=np.float64) / counts
        self._variances = np.empty_like(self._means)
        for own, members in enumerate(np.split(pixels, starts[1:])):
            self._variances[own] = members.astype(np.float64).var(axis=0) + self.ridge
        if not self._variances.all():
            raise FitError(
                "naive_bayes: a pixel is the same in all training images of a class: "
                "give a ridge above 0"
            )

    def _scores(self, images: FloatArray) -> Float64Array:
        pixels = flat(images).astype(np.float64)
        squares = (pixels**2) @ (1 / self._variances).T
        squares -= 2 * (pixels @ (self._means / self._variances).T)
        constant = self._means**2 / self._variances + np.log(2 * np.pi * self._variances)
        result: Float64Array = -0.5 * (squares + constant.sum(axis=1))
        return result


@dataclass(kw_only=True, eq=False)
class QDA(Classifier):
    """Log density of a normal distribution with the class's mean and covariance.

    Classes have equal priors, and no covariance is shared between them.

    Parameters
    ----------
    ridge : float
        Added to the covariances' diagonals, in squared units of the pixels; needed where a class
        has fewer training images than there are pixels.
    seed : int
        Not used: nothing is drawn.
    """

    name = "qda"
    marginal = True

    ridge: Annotated[float, Number(0)] = 0.01

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        pixels = flat(images)
        self._means: list[Float64Array] = []
        self._roots: list[Float64Array] = []
        for members in np.split(pixels, np.flatnonzero(np.diff(labels)) + 1):
            mean = members.mean(axis=0, dtype=np.float64)
            residuals = members - mean
            covariance = residuals.T @ residuals / len(members)
            covariance[np.diag_indices_from(covariance)] += self.ridge
            try:
                root = np.linalg.cholesky(covariance)
            except np.linalg.LinAlgError as error:
                raise FitError(
                    f"qda: the covariance of class {len(self._means)}, from {len(members)} images "
                    f"of {pixels.shape[1]} pixels, is singular: give a larger ridge than "
                    f"{self.ridge:g}"
                ) from error
            self._means.append(mean)
            self._roots.append(root)

    def _scores(self, images: FloatArray) -> Float64Array:
        pixels = flat(images)
        result = np.empty((len(pixels), self.n_classes_))
        for own, (mean, root) in enumerate(zip(self._means, self._roots, strict=True)):
            whitened = solve_triangular(root, (pixels - mean).T, lower=True)
            result[:, own] = -0.5 * np.einsum("ij,ij->j", whitened, whitened)
            result[:, own] -= np.log(np.diag(root)).sum() + len(mean) / 2 * np.log(2 * np.pi)
        return result
