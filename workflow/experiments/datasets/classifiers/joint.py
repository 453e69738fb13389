"""Classifiers of scikit-learn that are trained on all classes together."""

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Count, Number, Positive
from experiments.datasets.classifiers.base import Classifier, flat, log_softmax


@dataclass(kw_only=True, eq=False)
class EpsilonNN(Classifier):
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
        Not used: nothing is drawn.
    """

    name = "epsilon_nn"
    marginal = False

    epsilon: Annotated[float, Number(0, 1, above=True)] = 0.002

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.neighbors import KNeighborsClassifier

        voting = max(1, round(self.epsilon * len(labels)))
        self._fitted = KNeighborsClassifier(voting, algorithm="brute").fit(flat(images), labels)

    def _scores(self, images: FloatArray) -> Float64Array:
        shares: Float64Array = self._fitted.predict_proba(flat(images))
        return shares


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
        Not used: nothing is drawn.
    """

    name = "logistic"
    marginal = False

    C: Positive = 1.0
    max_iterations: Count = 100

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        # To stop early is what max_iterations asks for.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            fitted = LogisticRegression(C=self.C, max_iter=self.max_iterations)
            self._fitted = fitted.fit(flat(images), labels)

    def _scores(self, images: FloatArray) -> Float64Array:
        # Of two classes scikit-learn gives one column, the log odds of the second.
        logits = self._fitted.decision_function(flat(images))
        if logits.ndim == 1:
            logits = np.stack([np.zeros_like(logits), logits], axis=1)
        return log_softmax(logits)


@dataclass(kw_only=True, eq=False)
class SVM(Classifier):
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
    marginal = False

    C: Positive = 0.1

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.svm import LinearSVC

        # The dual problem of separable classes has a long tail that changes no decision.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            self._fitted = LinearSVC(C=self.C, random_state=self.seed % 2**32).fit(
                flat(images), labels
            )

    def _scores(self, images: FloatArray) -> Float64Array:
        # Of two classes scikit-learn gives one column, the margin of the second.
        margins: Float64Array = self._fitted.decision_function(flat(images))
        return margins if margins.ndim == 2 else np.stack([-margins, margins], axis=1)
