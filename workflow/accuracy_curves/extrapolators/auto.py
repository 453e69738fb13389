"""The method to take when in doubt: a tail of the order of all scores, and curves beside it."""

from contextlib import suppress

import numpy as np

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators._gumbel_scores import gumbel_scores
from accuracy_curves.extrapolators.base import Favorabilities
from accuracy_curves.extrapolators.pooled_tail import PooledTail
from accuracy_curves.extrapolators.regression import Regression
from accuracy_curves.extrapolators.two_parameter import TwoParameter
from accuracy_curves.observed.accuracy import effective_classes
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray

# Mixing weight w = m / 2 (m + 10), m = effective number of classes with errors.
LARGEST_WEIGHT, MANY_ERRING = 0.5, 10
# Beyond 1000 k1 classes a curve's plateau is given up.
PLATEAU_END = 1000
# A curve may not rise from one of these to the next.
GRID = np.unique(np.geomspace(2, 10**18, 2000).astype(np.int64))


class Auto(PooledTail):
    """A tail that depends on the order of the scores alone, and curves fitted to the accuracies.

    The answer is the same for every way of writing the scores: each score s is replaced by its
    place among all incorrect scores of the sample,

        v = -log(-log(1 - G(s))),

    where G(s) is the share of them that is better. `PooledTail` is then fitted to v. Two systems
    that order all pairs of a point and a class alike get the same answer: distances and
    similarities, probabilities and their logarithms. On this scale the tail needs no assumption
    about the scores: its excesses are exponential where the points share one law of incorrect
    scores, and for distances near zero.

    The order cannot tell how far correct scores lie beyond the best of all incorrect scores, as
    most do where few points err. There the hazard of the correct scores stays what it
    is over the last 2 units of v: few errors of bad points mean few more errors, and the accuracy
    falls about linearly in log k.

    If many classes err, the observed accuracies tell the curve as well, and err in other ways
    than the tail. So

        E_k[A] = (1 - w) mean_x C_x^(k - 1) + w mean_j c_j(k) exp(-(k - 1) / (1000 k1))
        w = 1/2 m / (m + 10)

    with C_x of the tail, c_j the curves of `TwoParameter` and `Regression`, and m the number of
    classes that errors come from (`observed.accuracy.effective_classes`). The factor lets a plateau
    end where nothing tells of one. That of `Regression` may rise somewhere or leave [0, 1]: c_j(k)
    is the least value that it has up to k, but at least 0 and at most 1.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    exponent_ : float
        b of `PooledTail`.
    fitted_exponent_ : float
        b by the likelihood and prior alone.
    misfit_ : float
        z^2 of the fitted log b.
    curve_weight_ : float
        w, from 0 to 1/2.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> distances = ac.simulate(n_classes=100, variance=0.2)
    >>> model = ac.Auto().fit(distances)
    >>> bool(model.predict(1000)[0] < model.predict(100)[0])
    True
    >>> similarities = ac.ScoreMatrix(np.exp(-distances.scores), distances.labels)
    >>> bool(np.allclose(ac.Auto().fit(similarities).predict(1000), model.predict(1000)))
    True
    """

    name = "auto"
    label = "Auto"
    color = "#D55E00"
    reach = 10

    def _fit(self, sample: ScoreMatrix) -> None:
        super()._fit(sample)
        self._fall = 1.0 / (PLATEAU_END * sample.n_classes)
        self._curves = []
        for curve in (TwoParameter(seed=self.seed), Regression(seed=self.seed)):
            with suppress(FitError):
                curve.fit(sample)
                # That of two parameters never rises.
                falls = isinstance(curve, TwoParameter)
                least = np.ones(len(GRID)) if falls else np.minimum.accumulate(curve.predict(GRID))
                self._curves.append((curve, least))
        erring = effective_classes(sample, self.seed) if self._curves else 0.0
        self.curve_weight_ = LARGEST_WEIGHT * erring / (erring + MANY_ERRING)

    def _predict(self, k: IntArray) -> Float64Array:
        tail, weight = super()._predict(k), self.curve_weight_
        if weight == 0.0:
            return tail
        before = np.searchsorted(GRID, k, side="right") - 1
        curves = [np.minimum(curve.predict(k), least[before]) for curve, least in self._curves]
        curve = np.clip(curves, 0.0, 1.0).mean(axis=0) * np.exp(-(k - 1) * self._fall)
        return (1 - weight) * tail + weight * curve

    def _predict_top(self, k: IntArray, top: int) -> Float64Array:
        # The distribution of a curve that would rise has negative weights.
        return np.clip(super()._predict_top(k, top), self._predict(k), 1.0)

    def _favorabilities(self) -> Favorabilities:
        tail, weight = super()._favorabilities(), self.curve_weight_
        if weight == 0.0:
            return tail
        parts = [(*tail[:2], (1 - weight) * tail[2])]
        for curve, _ in self._curves:
            favorabilities = curve._favorabilities()
            assert favorabilities is not None
            logs = favorabilities[0] - self._fall
            share = weight / len(self._curves)
            parts.append((logs, np.log(-np.expm1(logs)), share * favorabilities[2]))
        logs, log_losses, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
        return logs, log_losses, weights

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        return super()._favorability(gumbel_scores(sample))
