"""Open-set rates from genuine and impostor scores alone, without probes and identities."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.rivals import cmc_from_roc
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import check_whole


class PooledScores:
    """Rates as if every search met the same impostor scores: all that two lists of scores allow.

        FPIR(k, T) = 1 - (1 - FMR(T))^k
        FNIR(k, T) = 1 - E_s[1{s >= T} P(Binomial(k - 1, FMR(s)) < R)]

    with FMR(T) the share of impostor scores at or above T, s a genuine score and R the rank
    (Grother and Phillips 2004; Bolle et al. 2005). Searches differ, so that false positives are
    mostly predicted too often in large galleries; `Identification` makes more of a matrix. There is
    no interval, as lists do not tell which scores are of one person.

    Parameters
    ----------
    genuine, impostor : (n,) and (m,) arrays of float
        Scores of trials of the same person and of different ones. Higher is better.

    Raises
    ------
    InputError
        If one of them is empty or has a score that is not finite.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> pooled = ac.PooledScores([3.0, 2.5, 1.0], [0.0, 0.2, 0.9, 1.2])
    >>> pooled.fpir([1, 2], 1.1)
    array([0.25  , 0.4375])
    >>> pooled.fnir(2, 0.5).round(3)
    array([0.083])
    """

    def __init__(self, genuine: npt.ArrayLike, impostor: npt.ArrayLike) -> None:
        self.genuine, self.impostor = (
            np.sort(np.asarray(each, dtype=np.float64).ravel()) for each in (genuine, impostor)
        )
        for name, scores in (("genuine", self.genuine), ("impostor", self.impostor)):
            if not scores.size or not np.isfinite(scores).all():
                raise InputError(f"{name} scores must be finite numbers, at least one")

    def fmr(self, threshold: npt.ArrayLike) -> Float64Array:
        """Share of the impostor scores at or above thresholds, (n,)."""
        at = np.atleast_1d(np.asarray(threshold, dtype=np.float64))
        below = np.searchsorted(self.impostor, at, side="left")
        return np.asarray(1 - below / len(self.impostor))

    def fpir(self, k: npt.ArrayLike, threshold: npt.ArrayLike) -> Float64Array:
        """Predict the false positive identification rate in a gallery of k, (n,)."""
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(_sizes(k) * np.log1p(-self.fmr(threshold))))

    def fnir(self, k: npt.ArrayLike, threshold: npt.ArrayLike, rank: int = 1) -> Float64Array:
        """Predict the false negative identification rate in a gallery of k, (n,)."""
        check_whole("rank", rank, 1)
        at = np.atleast_1d(np.asarray(threshold, dtype=np.float64))
        sizes, at = np.broadcast_arrays(_sizes(k), at)
        found = np.ones(len(sizes))
        for place, (size, cut) in enumerate(zip(sizes, at, strict=True)):
            accepted = self.genuine[self.genuine >= cut]
            if accepted.size:
                share = len(accepted) / len(self.genuine)
                found[place] -= share * cmc_from_roc(accepted, self.impostor, int(size), rank)[0]
        return found

    def threshold(self, k: npt.ArrayLike, fpir: npt.ArrayLike) -> Float64Array:
        """Find the loosest threshold at which FPIR in a gallery of k is at most a target, (n,).

        Infinite where no score tells: the target is below what one impostor score alone makes.
        """
        target = np.atleast_1d(np.asarray(fpir, dtype=np.float64))
        if not ((target > 0) & (target < 1)).all():
            raise InputError("a target FPIR must be above 0 and below 1")
        fmr = -np.expm1(np.log1p(-target) / _sizes(k))
        most = np.floor(fmr * len(self.impostor) * (1 + 1e-12)).astype(np.int64)
        # Just above the largest score that must be refused.
        refused = self.impostor[::-1][np.minimum(most, len(self.impostor) - 1)]
        return np.where(most > 0, np.nextafter(refused, np.inf), np.inf)


def _sizes(k: npt.ArrayLike) -> Float64Array:
    sizes = np.atleast_1d(np.asarray(k, dtype=np.float64))
    if not ((sizes >= 1) & (sizes == np.floor(sizes))).all():
        raise InputError(f"a gallery size is {k!r}: it must be a whole number from 1")
    return sizes
