"""Linear support vector machine, one class against the rest, with scikit-learn."""

import warnings
from dataclasses import dataclass

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Positive
from experiments.datasets.classifiers.base import Classifier, flat


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
        margins: Float64Array = self._fitted.decision_function(flat(images))
        return margins
