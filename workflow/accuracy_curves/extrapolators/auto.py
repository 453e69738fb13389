"""The method to take when in doubt: tails of the scores, and with few classes the curve as well."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.base import Favorabilities, FavorabilityExtrapolator
from accuracy_curves.extrapolators.gaussian_tail import GaussianTail
from accuracy_curves.extrapolators.pooled_tail import PooledTail, shrinkage
from accuracy_curves.extrapolators.regression import Regression
from accuracy_curves.observed.accuracy import erring_classes
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array

TINY = 1e-300
GAUSSIAN_WEIGHT = 0.5
# Exponents that differ from 1 by less than about a tenth matter little.
NEAR_ONE = 0.1
# The regression's weight is 25 / k1, at most 2/3.
CLASSES_OF_THE_TAILS = 25
LARGEST_WEIGHT = 2 / 3
FEW_ERRING = 2
# Beyond 1000 k1 classes the regression's plateau is given up.
PLATEAU_END = 1000
# Where the regression's curve is checked to be one.
CHECKED = np.unique(np.geomspace(2, 10**18, 400).astype(np.int64))
ROUNDING = 1e-12


class Auto(FavorabilityExtrapolator):
    """Pooled and Gaussian tail, and with few classes a regression on the accuracies.

    The tails are joined by how well the pooled tail suits the correct scores. With
    eta = log(-log C), for each point

        eta_x = (1 - w) eta_x[pooled tail] + w eta_x[Gaussian tail].

    The pooled tail says how incorrect scores behave near the correct one, and is nearly exact
    where correct scores meet the same tail as incorrect ones. How far they do not is said by its
    fitted exponent b, and whether b differs from 1 by chance by its misfit z^2. For distances

        w = max(0, 1 - 1 / z^2) / 2 * (log b)^2 / ((log b)^2 + 0.01),

    as with thousands of points an exponent is significant that is too near to 1 to matter. Other
    scores have no known law near their best end, so that neither is preferred: w = 1/2.

    The scores near the correct one tell much, but with few classes they are few, and the tail
    varies with the draw of the classes more than the accuracies do. So the curve is

        E_k[A] = (1 - v) mean_x C_x^(k - 1) + v r_k exp(-(k - 1) / (1000 k1))
        v = min(2/3, 25 / k1) m / (m + 2)

    with r_k that of `Regression`; its factor lets a plateau end where nothing tells of one. m is
    the number of classes that errors come from (`observed.accuracy.erring_classes`), as few
    errors tell little of the curve. v = 0 where r_k is not a curve: increases somewhere, or leaves
    [0, 1].

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    gaussian_weight_ : float
        w, from 0 to 1/2.
    regression_weight_ : float
        v, from 0 to 2/3.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> from accuracy_curves.datasets.simulation import Simulation
    >>> matrix = Simulation(n_classes=100, variance=0.2).score_matrix(seed=0)
    >>> model = ac.Auto().fit(matrix)
    >>> bool(model.predict(1000)[0] < model.predict(100)[0])
    True
    >>> model.predict(1000, top=5).shape
    (1,)
    """

    name = "auto"
    label = "Auto"
    color = "#D55E00"
    minimum_classes = PooledTail.minimum_classes
    reach = 10

    gaussian_weight_: float
    regression_weight_: float

    def _fit(self, sample: ScoreMatrix) -> None:
        super()._fit(sample)
        self._regression = Regression(solver="newton_cg", seed=self.seed)
        self._fall = 1.0 / (PLATEAU_END * sample.n_classes)
        self.regression_weight_ = 0.0
        try:
            self._regression.fit(sample)
        except FitError:
            return
        curve = self._regression.predict(CHECKED)
        inside = curve.min() >= -ROUNDING and curve.max() <= 1 + ROUNDING
        if inside and np.diff(curve).max() <= ROUNDING:
            erring = erring_classes(sample, self.seed)
            most = min(LARGEST_WEIGHT, CLASSES_OF_THE_TAILS / sample.n_classes)
            self.regression_weight_ = most * erring / (erring + FEW_ERRING)

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        tails, weight = super()._predict(k), self.regression_weight_
        if weight == 0.0:
            return tails
        steady = self._regression.predict(k) * np.exp(-(k - 1) * self._fall)
        mixed: Float64Array = (1 - weight) * tails + weight * np.clip(steady, 0.0, 1.0)
        return mixed

    def _favorabilities(self) -> Favorabilities:
        weight, points = self.regression_weight_, super()._favorabilities()
        if weight == 0.0:
            return points
        nodes = self._regression._favorabilities()
        log_favorability = nodes[0] - self._fall
        log_loss = np.log(-np.expm1(log_favorability))
        return (
            np.concatenate([points[0], log_favorability]),
            np.concatenate([points[1], log_loss]),
            np.concatenate([(1 - weight) * points[2], weight * nodes[2]]),
        )

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        pooled = PooledTail(seed=self.seed).fit(sample)
        self.gaussian_weight_ = GAUSSIAN_WEIGHT
        if pooled.distances_:
            square = np.log(pooled.fitted_exponent_) ** 2
            matters = float(square / (square + NEAR_ONE**2))
            self.gaussian_weight_ *= shrinkage(pooled.misfit_) * matters
        if self.gaussian_weight_ == 0.0:
            return pooled.favorability_
        gaussian = GaussianTail(seed=self.seed).fit(sample)
        return joined(pooled.favorability_, gaussian.favorability_, self.gaussian_weight_)


def joined(first: Float64Array, second: Float64Array, weight: float) -> Float64Array:
    """Average two favorabilities on the scale of log(-log C).

    exp(-(-log C_first) ** (1 - weight) (-log C_second) ** weight).
    """
    log_hazards = [np.log(np.maximum(-np.log(np.maximum(c, TINY)), TINY)) for c in (first, second)]
    return np.exp(-np.exp((1 - weight) * log_hazards[0] + weight * log_hazards[1]))
