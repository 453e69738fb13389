"""Multinomial logistic regression, with scikit-learn."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Count, Positive
from experiments.datasets.classifiers.base import Classifier, flat


@dataclass(kw_only=True, eq=False)
class Logistic(Classifier):
    """Log probabilities of a linear model with an L2 penalty, fitted by L-BFGS.

    Parameters
    ----------
    C : float
        Inverse strength of the penalty, above 0, as in scikit-learn.
    max_iterations : int
        Steps of L-BFGS; training may stop there without having converged, which is a
        regularisation as well.
    seed : int
        Not used: nothing is random.
    """

    name = "logistic"
    marginal = False

    C: Positive = 1.0
    max_iterations: Count = 100

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        # max_iterations stops early on purpose.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            fitted = LogisticRegression(C=self.C, max_iter=self.max_iterations)
            self._fitted = fitted.fit(flat(images), labels)

    def _scores(self, images: FloatArray) -> Float64Array:
        logits = self._fitted.decision_function(flat(images))
        return log_softmax(logits.astype(np.float64), axis=1)
