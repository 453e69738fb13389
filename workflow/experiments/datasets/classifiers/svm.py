"""Linear support vector machine, one class against the rest, with scikit-learn."""

from typing import Any

from accuracy_curves.utils.arrays import Float64Array, FloatArray
from accuracy_curves.utils.validation import Positive
from experiments.datasets.classifiers.base import ScikitLearn, flat


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
