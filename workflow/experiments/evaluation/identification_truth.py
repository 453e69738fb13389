"""True rates of open-set identification: of all identities of a data set, or of a population."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import scipy

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.observed_rates import (
    observed_fnir,
    observed_fpir,
    observed_threshold,
)
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array
from experiments.datasets.base import Dataset
from experiments.datasets.simulation import Simulation

NODES = 200
# Of two variables each.
NODES_OF_TWO = 60


def true_rates(
    dataset: Dataset, matrix: ScoreMatrix, k2: int, targets: Sequence[float]
) -> pd.DataFrame:
    """Find the rates in a gallery of k2 - 1: of the population, or what k2 identities show."""
    if population := closed_form(dataset):
        return population.truth(k2 - 1, targets)
    return observed_truth(matrix.select_classes(np.arange(k2)), targets)


def observed_truth(matrix: ScoreMatrix, targets: Sequence[float]) -> pd.DataFrame:
    """Find the rates that all K identities show in the largest gallery, K - 1.

    Returns one row per target FPIR: target, gallery_size, threshold (the loosest at which FPIR is
    at most the target), fpir and fnir there.
    """
    given = Searches.of(matrix)
    searches = given.for_tail()
    wanted = np.asarray(targets, dtype=np.float64)
    k = np.full(len(wanted), matrix.n_classes - 1)
    at = observed_threshold(searches, wanted)
    fpir, fnir = observed_fpir(searches, k, at), observed_fnir(searches, k, at)
    unseen = wanted < searches.impostor_weights.min()
    if unseen.any():
        raise InputError(
            f"a target FPIR of {wanted[unseen][0]:g} is below what {len(searches.impostor)} "
            "searches can show: leave it out"
        )
    truth = pd.DataFrame({"target": wanted, "gallery_size": k})
    return truth.assign(threshold=given.as_given(at), fpir=fpir, fnir=fnir)


def closed_form(dataset: Dataset) -> "NormalDistances | None":
    """Give the true rates of the population behind a data set, where they are known."""
    if (
        isinstance(dataset, Simulation)
        and dataset.classes == dataset.points == "normal"
        and not dataset.gallery_noise
    ):
        return NormalDistances(dataset.dimension, dataset.variance)
    return None


class NormalDistances:
    """Rates where identities y ~ N(0, I) in d dimensions are met by x ~ N(y, sigma^2 I).

    The score is the distance. With r = |x| and e = |x - y| the squared distance of x to another
    identity is noncentral chi-squared with parameter r^2, so that with its distribution function G,

        FPIR(k, T) = 1 - E_r[(1 - G(T^2; d, r^2))^k],  r^2 / (1 + sigma^2) ~ chi^2_d
        FNIR(k, T) = 1 - E_e,r[1{e <= T} (1 - G(e^2; d, r^2))^(k - 1)],

    e^2 / sigma^2 ~ chi^2_d, and r^2 given e is noncentral chi-squared with parameter e^2. Both are
    integrals over quantiles by Gauss and Legendre's rule.
    """

    def __init__(self, dimension: int, variance: float) -> None:
        self._d, self._variance = dimension, variance

    def fpir(self, k: int, threshold: float) -> float:
        """FPIR in a gallery of k at a largest distance."""
        nodes, weights = _quantiles(NODES)
        squares = (1 + self._variance) * scipy.stats.chi2.ppf(nodes, self._d)
        with np.errstate(divide="ignore"):
            none = np.exp(k * np.log1p(-scipy.stats.ncx2.cdf(threshold**2, self._d, squares)))
        return float(1 - (weights * none).sum())

    def fnir(self, k: int, threshold: float) -> float:
        """FNIR in a gallery of k, the mate among them, at a largest distance."""
        accepted = float(scipy.stats.chi2.cdf(threshold**2 / self._variance, self._d))
        nodes, weights = _quantiles(NODES_OF_TWO)
        own = self._variance * scipy.stats.chi2.ppf(accepted * nodes, self._d)
        squares = scipy.stats.ncx2.ppf(nodes[:, None], self._d, own)
        with np.errstate(divide="ignore"):
            none = np.exp((k - 1) * np.log1p(-scipy.stats.ncx2.cdf(own, self._d, squares)))
        return float(1 - accepted * (weights[:, None] * weights * none).sum())

    def threshold(self, k: int, fpir: float) -> float:
        """Distance at which FPIR in a gallery of k is a given one."""
        found = scipy.optimize.brentq(
            lambda log: self.fpir(k, np.exp(log)) - fpir, -20.0, 5.0, xtol=1e-10
        )
        return float(np.exp(found))

    def truth(self, k: int, targets: Sequence[float]) -> pd.DataFrame:
        """Give the rates in a gallery of k, columns as of `observed_truth`."""
        at = [self.threshold(k, target) for target in targets]
        truth = pd.DataFrame({"target": np.asarray(targets, dtype=np.float64), "gallery_size": k})
        fnir = [self.fnir(k, each) for each in at]
        return truth.assign(threshold=at, fpir=truth["target"], fnir=fnir)


def _quantiles(n: int) -> tuple[Float64Array, Float64Array]:
    """Nodes in (0, 1), dense towards both ends, where the integrands are steep, and weights."""
    t, w = np.polynomial.legendre.leggauss(n)
    s, w = (t + 1) / 2, w / 2
    return s**2 * (3 - 2 * s), w * 6 * s * (1 - s)
