"""Multinomial logistic regression, with scikit-learn."""

from typing import Any

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array, FloatArray
from accuracy_curves.utils.validation import Count, Positive
from experiments.datasets.classifiers.base import ScikitLearn, flat


class Logistic(ScikitLearn):
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

    C: Positive = 1.0
    max_iterations: Count = 100

    def estimator(self, n_images: int) -> Any:
        """Make the multinomial regression."""
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=self.C, max_iter=self.max_iterations)

    def _scores(self, images: FloatArray) -> Float64Array:
        logits = self._fitted.decision_function(flat(images))
        return scipy.special.log_softmax(logits.astype(np.float64), axis=1)
