"""A method whose variance is known, for the tests of intervals."""

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator


class Observed(CurveExtrapolator):
    """The average accuracy of two classes, whatever k: a mean over pairs, of known variance."""

    name, label, color = "observed_pairs", "Pairs", "#123456"

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def _fit_curve(self, k, accuracy):
        self.pairs_ = accuracy[0]

    def _predict(self, k):
        return np.full(len(k), self.pairs_)
