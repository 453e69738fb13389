"""Naive Bayes: each pixel of a class is normal, and independent of the other pixels."""

import numpy as np

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Positive
from experiments.datasets.classifiers.base import Classifier, flat


class NaiveBayes(Classifier):
    """Log density of a normal distribution with the class's means and variances of pixels.

    Classes have equal priors.

    Parameters
    ----------
    ridge : float
        Above 0, added to every variance, in squared units of the pixels, so that a pixel that is
        the same in all training images of a class does not forbid the class.
    seed : int
        Not used: nothing is random.
    """

    name = "naive_bayes"
    marginal = True

    ridge: Positive = 0.01

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        pixels = flat(images)
        counts = np.bincount(labels)[:, None]
        self._means = np.add.reduceat(pixels, starts, axis=0, dtype=np.float64) / counts
        self._variances = np.empty_like(self._means)
        for own, members in enumerate(np.split(pixels, starts[1:])):
            self._variances[own] = members.astype(np.float64).var(axis=0) + self.ridge

    def _scores(self, images: FloatArray) -> Float64Array:
        pixels = flat(images).astype(np.float64)
        squares = (pixels**2) @ (1 / self._variances).T
        squares -= 2 * (pixels @ (self._means / self._variances).T)
        constant = self._means**2 / self._variances + np.log(2 * np.pi * self._variances)
        return -0.5 * (squares + constant.sum(axis=1))
