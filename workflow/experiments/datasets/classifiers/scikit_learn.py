"""Classifiers of scikit-learn: logistic regression, a support vector machine, neighbours."""

import warnings
from abc import abstractmethod
from typing import Annotated, Any

import numpy as np
from scipy.special import log_softmax

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Count, Number, Positive
from experiments.datasets.classifiers.base import Classifier, flat


class ScikitLearn(Classifier):
    """Base of these: a subclass implements `estimator` and `_scores`."""

    marginal = False

    @abstractmethod
    def estimator(self, n_images: int) -> Any:
        """Make the estimator, for so many training images."""

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.exceptions import ConvergenceWarning

        # A few steps are a regularisation, and a long tail changes no decision.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            self._fitted = self.estimator(len(images)).fit(flat(images), labels)


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
        return log_softmax(logits.astype(np.float64), axis=1)


class SVM(ScikitLearn):
    """Margins of linear support vector machines, each of one class against all others.

    The squared hinge loss with an L2 penalty, by LIBLINEAR. At 45,000 images of 576 pixels a
    class takes about 0.4 s.

    Parameters
    ----------
    C : float
        Inverse strength of the penalty, above 0, as in scikit-learn.
    seed : int
        Order of the coordinate descent, where there are more pixels than images.
    """

    name = "svm"

    C: Positive = 0.1

    def estimator(self, n_images: int) -> Any:
        """Make the machines."""
        from sklearn.svm import LinearSVC

        return LinearSVC(C=self.C, random_state=self.seed % 2**32)

    def _scores(self, images: FloatArray) -> Float64Array:
        margins: Float64Array = self._fitted.decision_function(flat(images))
        return margins


class EpsilonNN(ScikitLearn):
    """Share of the class among the k nearest training images, k = epsilon * M rounded.

    Many classes have no vote and tie; ties are broken at random where accuracies are averaged.
    An arbitrary choice votes among training images at the same distance as the k-th, always the
    same one.

    Parameters
    ----------
    epsilon : float
        Above 0, at most 1; 0.002 in the thesis of Zheng (2017), Section 5.2, Table 1. At least
        one image votes.
    seed : int
        Not used: nothing is random.
    """

    name = "epsilon_nn"

    epsilon: Annotated[float, Number(0, 1, above=True)] = 0.002

    def estimator(self, n_images: int) -> Any:
        """Make the vote of the nearest images."""
        from sklearn.neighbors import KNeighborsClassifier

        return KNeighborsClassifier(max(1, round(self.epsilon * n_images)), algorithm="brute")

    def _scores(self, images: FloatArray) -> Float64Array:
        return self._fitted.predict_proba(flat(images))
