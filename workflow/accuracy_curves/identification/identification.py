"""Rates of open-set identification in a gallery of any size, with intervals."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from accuracy_curves.cautions import caution, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators.wrong_names import WrongNames, without_wrong_names
from accuracy_curves.identification import OPEN_SET_METHODS, make_open_set_method
from accuracy_curves.identification.base import OpenSetMethod, Rates
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.identification.observed_rates import (
    alarm_errors,
    observed_fnir,
    observed_fpir,
    observed_threshold,
)
from accuracy_curves.identification.rate import Rate
from accuracy_curves.intervals.cautions import cautions_of_names
from accuracy_curves.intervals.half_fits import (
    LEAST_SPLITS,
    LEVEL,
    half_variance,
    log_odds,
    moderated,
    quantile,
)
from accuracy_curves.observed.sample_cautions import cautions_of_sample
from accuracy_curves.scores.same_photos import Photos
from accuracy_curves.scores.score_matrix import ScoreMatrix, as_matrix
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.progress import tracked
from accuracy_curves.utils.representation import Described
from accuracy_curves.utils.validation import (
    LARGEST_CLASSES,
    check_classes,
    check_number,
    check_whole,
)

DEFAULT = "auto"
# Of impostor scores, see `quantile_spread`: where it is larger searches are not comparable.
QUANTILE, LARGEST_SPREAD = 0.9, 1.5
# Standard errors by which a fitted rate may miss the observed one; at this target at least.
MISFIT, USUAL_FPIR = 2.5, 0.1
# Of more targets the thresholds are read from the grid of rates that the intervals use.
MANY = 100


class Identification(Described):
    """Open-set identification: one threshold for all, a gallery of any size.

    With S_xy the score of search x for identity y, s_x that for its mate, F_x(T) = P(S_xy < T) and
    C_x = P(S_xy < s_x), the rates in a gallery of k identities at the threshold T are

        FPIR(k, T) = 1 - E_x[F_x(T)^k]
        FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)]

    (ISO/IEC 19795-1; with a rank R the power of C_x becomes the chance that fewer than R others
    outscore the mate). The first is 1 minus the expected accuracy at k + 1 classes of the score
    matrix whose correct scores are replaced by T. A score that equals T is accepted.

    Sizes, thresholds and rates are numbers or (n,) arrays, and are broadcast against each other.
    Thresholds are scores: a distance is accepted where it is at most T.

    Parameters
    ----------
    searches : ScoreMatrix or Searches
        Scores of searches for the K enrolled identities. A `Searches` may have some without a
        mate; FPIR is then that of those. Of verification trials the method is that of `Binomial`,
        there are no intervals, and only galleries of one are observed.
    method : str
        A key of `accuracy_curves.identification.OPEN_SET_METHODS`; by default the one to take when
        in doubt. A key of `EXTRAPOLATORS` that is no method of open-set identification is fitted
        anew for each threshold: to the score matrix whose correct scores are replaced by it, and to
        the searches whose mate reaches it.
    seed : int
        Seed of every random draw.
    splits : int
        Splits into halves that give the intervals, at least 3. They are fitted when the first
        interval is asked for. Where half of the enrolled are too few for the method there is no
        interval, and its ends are not numbers.
    **options
        The method's options.

    Raises
    ------
    InputError
        If there is no such method or option.
    FitError
        If the method cannot be fitted.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=(100, 100)) + 4 * np.eye(100)
    >>> found = ac.Identification(ac.ScoreMatrix(scores, np.arange(100)))
    >>> found.observed_fpir([10, 99], 3.0).round(3)
    array([0.01, 0.09])
    >>> found.fpir(10_000, 5.0).shape
    (1,)
    """

    def __init__(
        self,
        searches: ScoreMatrix | Searches,
        method: str = DEFAULT,
        *,
        seed: int = 0,
        splits: int = 30,
        **options: object,
    ) -> None:
        check_whole("splits", splits, LEAST_SPLITS)
        self.searches = Searches.of(searches)
        self.n_classes = self.searches.n_classes
        if self.searches.are_trials and method == DEFAULT:
            method = Binomial.name
        self.method, self._options = method, dict[str, Any](options)
        self._seed, self._splits = seed, splits
        # Methods for accuracies are fitted to what is given, with thresholds among the scores.
        self._sample, self._fitted = self.searches, self._made()
        if self._fitted.tail_scale or self.searches.sum_of_probabilities:
            self._sample = self.searches.for_tail()
        if self.searches.are_trials and not self._fitted.takes_trials:
            raise InputError(
                f"{method} takes no list of verification trials, as it needs the scores of every "
                f"search for every identity: take {Binomial.name}, or give those scores"
            )
        self._fitted.fit(self._sample)

    def _made(self) -> OpenSetMethod:
        return make_open_set_method(self.method, seed=self._seed, **self._options)

    def _facts(self) -> list[str]:
        return [self.method, *self.searches._facts()]

    @property
    def _no_interval(self) -> str:
        """Why there is no interval; empty where there is."""
        needed = 2 * self._fitted.minimum_classes
        if self.searches.are_trials:
            return "trials do not tell which scores are of one person"
        if (people := len(np.unique(self.searches.mated.labels))) < needed:
            return (
                f"it needs at least {needed} enrolled people with searches, as the method is "
                f"fitted to halves of them, and there are {people}"
            )
        return ""

    @cached_property
    def _halves(self) -> list[Rates]:
        halves = self._sample.halves(self._splits, self._seed)
        every = tracked(halves, "halves of the identities", 2 * self._splits)
        return [self._made().fit(half).on_grid() for half in every]

    @cached_property
    def _quick(self) -> Rates:
        return self._fitted.on_grid()

    @cached_property
    def _others(self) -> list[Rates]:
        return [other.on_grid() for other in self._fitted.with_other_shapes()]

    @property
    def farthest(self) -> float:
        """Largest gallery for which the intervals were measured; of trials there is no limit."""
        return np.inf if self.searches.are_trials else self._fitted.reach * self.n_classes

    def too_far(self, k: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether a gallery is beyond those for which the intervals were measured, (n,)."""
        sizes, _ = _pairs(k, 0.0)
        return np.asarray(sizes > self.farthest)

    def cautions(self, k: npt.ArrayLike = (), fpir: npt.ArrayLike = ()) -> list[AccuracyWarning]:
        """Say what makes the rates in galleries of these sizes doubtful; an empty list if nothing.

        At the thresholds of these targets. The reasons in the scores are those of
        `accuracy_curves.extrapolate`. Others are ``"fpir_misfit"``: a threshold that is fitted to
        what was observed lets another share of the sample's own searches through, by more than 2.5
        standard errors (see `observed_rates.alarm_errors`), at a target or at .1;
        ``"no_threshold"``: a target is met by no score; ``"not_comparable"``: one threshold does
        not suit all searches; ``"too_far"``: a gallery is larger than the intervals were measured
        for; ``"no_interval"``; ``"trials"``: what a list of trials cannot tell.
        """
        of_scores = self.cautions_of_scores(self.wrong_names(), k, fpir)
        return sort_cautions([*of_scores, *self.cautions_of_rates(k, fpir)])

    def wrong_names(
        self, search: Callable[[ScoreMatrix], WrongNames | None] = without_wrong_names
    ) -> WrongNames | None:
        """Look for wrong names among the searches with a mate; of trials there are none."""
        found = None if self.searches.are_trials else search(self.searches.mated)
        if found is not None and self.searches.has_non_mated:
            rows = np.flatnonzero(self.searches.labels != NO_MATE)
            found.table["row"] = rows[found.table["row"]]
        return found

    def cautions_of_scores(
        self,
        named: WrongNames | None,
        k: npt.ArrayLike = (),
        fpir: npt.ArrayLike = (),
        *,
        embedded: Photos | None = None,
    ) -> list[AccuracyWarning]:
        """Say what in the scores, or distances of embeddings, makes the rates doubtful."""
        if self.searches.are_trials:
            return []
        found = cautions_of_sample(self.searches, self._seed, embedded=embedded)
        if named is not None:
            size = np.asarray(k).max(initial=self.n_classes)
            rate = np.asarray(fpir if np.size(fpir) else USUAL_FPIR).min()
            mated = as_matrix(named.others)
            others = self.searches.with_mated(mated, self.searches.non_mated)
            without = Identification(others, self.method, seed=self._seed, **self._options)
            before, after = (float(each.fnir_at_fpir(size, rate)[0]) for each in (self, without))
            said = f"an FNIR of {share(after)} at an FPIR of {share(rate)} with {size:,} enrolled"
            label = OPEN_SET_METHODS[self.method].label
            found += cautions_of_names(named, label, (before, after), said)
        return found

    def cautions_of_rates(
        self, k: npt.ArrayLike = (), fpir: npt.ArrayLike = ()
    ) -> list[AccuracyWarning]:
        """Say what in the fit, or the question, makes the rates doubtful."""
        rates = _rates(np.unique(np.asarray(fpir, dtype=np.float64)))
        sizes = _pairs(k, 0.0)[0]
        largest, found = int(sizes.max(initial=1)), []
        if self.searches.are_trials:
            n = len(self.searches.non_mated)
            least = -np.expm1(largest * np.log1p(-1 / n))
            return [caution("trials", impostors=n, least=f"{least:.2g}", k=largest)]
        if self._no_interval:
            found.append(caution("no_interval", method=self.method, why=self._no_interval))
        found += [*self._misfits(rates), *self._without_threshold(largest, rates)]
        if (spread := quantile_spread(self.searches)) > LARGEST_SPREAD:
            found.append(caution("not_comparable", spread=f"{spread:.1f}"))
        if largest > self.farthest:
            values = {"times": self._fitted.reach, "k1": self.n_classes}
            found.append(caution("too_far", k=f"{largest:,} people", method="the method", **values))
        return found

    def _misfits(self, rates: Float64Array) -> list[AccuracyWarning]:
        """Compare fitted and observed FPIR in the largest gallery that was seen."""
        size = self._sample.impostor.shape[1]
        rates = np.union1d(rates, USUAL_FPIR)
        at = self._fitted.threshold(np.full(len(rates), size), rates)
        seen, errors = alarm_errors(self._sample, at, rates)
        off = np.abs(seen - rates) / errors
        worst = int(np.argmax(off))
        if off[worst] <= MISFIT:
            return []
        values = {"target": rates[worst], "seen": seen[worst], "errors": f"{off[worst]:.1f}"}
        return [caution("fpir_misfit", k=size, **values)]

    def _without_threshold(self, k: int, rates: Float64Array) -> list[AccuracyWarning]:
        """Say which target is met by no score in a gallery of k, and which rate one meets."""
        none = np.isinf(self._fitted.threshold(np.full(len(rates), k), rates))
        if not none.any():
            return []
        (least,) = self._fitted.fpir(np.array([k]), np.array([self._fitted.largest]))
        at = float(self.searches.as_given(self._fitted.largest))
        values = {"target": rates[none].max(), "least": least, "at": f"{at:.5g}"}
        return [caution("no_threshold", k=k, **values)]

    def observed_fpir(self, k: npt.ArrayLike, threshold: npt.ArrayLike) -> Float64Array:
        """Average FPIR over all galleries of k of the enrolled identities, (n,).

        Exact and unbiased: see `observed_rates.observed_fpir`. k is at most K where some searches
        have no mate, else K - 1.
        """
        sizes, thresholds = _pairs(k, threshold)
        return observed_fpir(self._sample, sizes, self.searches.oriented(thresholds))

    def observed_fnir(
        self, k: npt.ArrayLike, threshold: npt.ArrayLike, rank: int = 1
    ) -> Float64Array:
        """Average FNIR over all galleries of k of the enrolled identities, (n,); k at most K."""
        sizes, thresholds = _pairs(k, threshold, rank)
        at = self.searches.oriented(thresholds)
        return observed_fnir(self._sample, sizes, at, rank, self._seed)

    def observed_threshold(self, fpir: npt.ArrayLike) -> Float64Array:
        """Find the threshold at which FPIR in the largest observed gallery is at most a target."""
        rates = _rates(np.atleast_1d(np.asarray(fpir, dtype=np.float64)))
        return self.searches.as_given(observed_threshold(self._sample, rates))

    def fpir(self, k: npt.ArrayLike, threshold: npt.ArrayLike) -> Float64Array:
        """Predict the false positive identification rate in a gallery of k, (n,)."""
        sizes, thresholds = _pairs(k, threshold)
        return self._fpir(self._fitted, sizes, thresholds)

    def _fpir(self, part: Rates, k: IntArray, thresholds: Float64Array) -> Float64Array:
        at = self.searches.oriented(thresholds)
        found, some = np.zeros(len(k)), at < np.inf
        found[some] = part.fpir(k[some], at[some])
        return found

    def fnir(self, k: npt.ArrayLike, threshold: npt.ArrayLike, rank: int = 1) -> Float64Array:
        """Predict the false negative identification rate in a gallery of k, (n,)."""
        sizes, thresholds = _pairs(k, threshold, rank)
        return self._fitted.fnir(sizes, self.searches.oriented(thresholds), rank)

    def threshold(self, k: npt.ArrayLike, fpir: npt.ArrayLike) -> Float64Array:
        """Find the loosest threshold at which FPIR in a gallery of k is at most a target, (n,).

        Infinite, of the sign that accepts nobody, where it would lie beyond every score of the
        sample, those of the mates included.
        """
        sizes, rates = _pairs(k, fpir)
        return self.searches.as_given(self._fitted.threshold(sizes, _rates(rates)))

    def fnir_at_fpir(self, k: npt.ArrayLike, fpir: npt.ArrayLike, rank: int = 1) -> Float64Array:
        """Predict FNIR in a gallery of k at the threshold of a target FPIR, (n,).

        Over a range of targets this is the DET curve at k.
        """
        sizes, rates = _pairs(k, fpir, rank)
        return self._fitted.fnir_at_fpir(sizes, _rates(rates), rank)

    def fpir_interval(
        self, k: npt.ArrayLike, threshold: npt.ArrayLike, level: float = LEVEL
    ) -> Rate:
        """Predict FPIR with its interval at a nominal coverage from 0.5 to 0.999.

        On log odds it is theta +- t sqrt(V), as of `ClassIntervals`, with 9 degrees of freedom and

            V = (6 s_0^2 + 3 s^2) / 9 + b^2 + B

        with s^2 from how halves of the identities differ, s_0 = 0, as what is expected of them is
        in B, and b what theta of the halves differs by, on average, from that of all. Of auto B is
        what no data tell, (theta_1 - theta_2)^2 / 4 + (theta_0 - theta)^2: theta_1 and theta_2 have
        the shape of the tail one posterior standard deviation above and below, and theta_0 has
        searches that differ no more in larger galleries than was seen. The rate rises with k, so
        that a lower end is at least that in the largest gallery seen, in one ten times as large,
        and so on up to k.
        """
        sizes, thresholds = _pairs(k, threshold)
        asked = {"gallery_size": sizes, "threshold": thresholds}
        return self._interval(self._fpir, asked, level)

    def fnir_interval(
        self, k: npt.ArrayLike, threshold: npt.ArrayLike, rank: int = 1, level: float = LEVEL
    ) -> Rate:
        """Predict FNIR with its interval, as `fpir_interval`.

        s_0^2 is the variance of as many independent mates, 1 / (n p (1 - p)). Where all or none of
        the mates are accepted, halves of them do not differ: half of a mate is added to the
        accepted and to the missed.
        """
        sizes, thresholds = _pairs(k, threshold, rank)
        asked = {"gallery_size": sizes, "threshold": thresholds}

        def missed(part: Rates, k: IntArray, at: Float64Array) -> Float64Array:
            return part.fnir(k, self.searches.oriented(at), rank)

        return self._interval(missed, asked, level, of_mates=True)

    def fnir_at_fpir_interval(
        self, k: npt.ArrayLike, fpir: npt.ArrayLike, rank: int = 1, level: float = LEVEL
    ) -> Rate:
        """Predict FNIR at the threshold of a target FPIR, with its interval, as `fnir_interval`.

        Each half has a threshold of its own, so that its error counts as well.
        """
        sizes, rates = _pairs(k, fpir, rank)
        asked = {"gallery_size": sizes, "target_fpir": _rates(rates)}

        def missed(part: Rates, k: IntArray, at: Float64Array) -> Float64Array:
            return part.fnir_at_fpir(k, at, rank)

        return self._interval(missed, asked, level, of_mates=True)

    def threshold_interval(
        self, k: npt.ArrayLike, fpir: npt.ArrayLike, level: float = LEVEL
    ) -> Rate:
        """Find the threshold of a target FPIR, with an interval for the draw of the identities.

        As `fpir_interval`, but V = s^2 + b^2 + B, on the scale of the scores, of probabilities on
        that of their log odds. An end beyond every score of the sample is infinite.
        """
        sizes, rates = _pairs(k, fpir)
        asked = {"gallery_size": sizes, "target_fpir": _rates(rates)}
        check_number("level", level, 0.5, 0.999)
        if self._no_interval:
            return Rate.alone(self.threshold(sizes, rates), **asked)
        found, of_halves, beside = self._errors(
            lambda part: np.minimum(part.threshold(sizes, rates), part.largest)
        )
        width = quantile(level) * np.sqrt(of_halves + beside)
        one, other = (
            self.searches.as_given(np.where(end > self._fitted.largest, np.inf, end))
            for end in (found - width, found + width)
        )
        value = self.threshold(sizes, rates)
        return Rate(value, np.minimum(one, other), np.maximum(one, other), asked)

    def _interval(
        self,
        predicted: "Callable[[Rates, IntArray, Float64Array], Float64Array]",
        asked: Mapping[str, npt.NDArray[Any]],
        level: float,
        *,
        of_mates: bool = False,
    ) -> Rate:
        """Find the interval of a rate that rises with the size of the gallery.

        `asked` are the sizes, and what is given.
        """
        check_number("level", level, 0.5, 0.999)
        k, given = asked.values()
        # Each threshold of a target is a root, which takes long.
        many = "target_fpir" in asked and len(k) > MANY
        value = predicted(self._quick if many else self._fitted, k, given)
        if self._no_interval:
            return Rate.alone(value, **asked)
        # Smaller galleries, whose lower ends bound those of larger ones: the one seen, and so on.
        smaller = self.searches.impostor.shape[1] * 10.0 ** np.arange(len(str(LARGEST_CLASSES)))
        smaller = smaller[smaller <= k.max(initial=0)].astype(np.int64)
        once, which = np.unique(given, return_inverse=True)
        sizes = np.append(k, np.tile(smaller, len(once)))
        at = np.append(given, np.repeat(once, len(smaller)))
        mates = self._fitted.n_mates

        def theta_of(part: Rates) -> Float64Array:
            rates = predicted(part, sizes, at)
            return log_odds((rates * mates + 0.5) / (mates + 1) if of_mates else rates)

        theta, of_halves, beside = self._errors(theta_of)
        alone = 1 / (expit(theta) * expit(-theta) * mates) if of_mates else np.zeros_like(theta)
        width = quantile(level) * np.sqrt(moderated(of_halves, alone) + beside)
        lower, upper = expit(theta - width), expit(theta + width)[: len(k)]
        before = lower[len(k) :].reshape(len(once), len(smaller))[which]
        before = np.where(smaller <= k[:, None], before, 0.0).max(axis=1, initial=0.0)
        lower = np.maximum(lower[: len(k)], before)
        return Rate(value, np.minimum(lower, value), np.maximum(upper, value), asked)

    def _errors(
        self, predicted: "Callable[[Rates], Float64Array]"
    ) -> "tuple[Float64Array, Float64Array, Float64Array]":
        """Predict by the fit to all, with the variance that halves tell and what is beside it.

        That are the squares of the bias that halves tell, and of what the method assumes.
        """
        found, of_halves = predicted(self._quick), [predicted(half) for half in self._halves]
        beside = np.square(np.mean(of_halves, axis=0) - found)
        others = [predicted(other) for other in self._others]
        if others:
            lower, higher, alike = others
            beside += np.square(higher - lower) / 4 + np.square(alike - found)
        return found, half_variance(of_halves), np.asarray(beside)


def quantile_spread(searches: Searches) -> float:
    """Measure how far the upper quantiles of single searches' impostor scores lie apart.

    With q_x the 90 % quantile and m_x the median of the impostor scores of search x, it is the
    range of the middle 90 % of the q_x, in units of the median of q_x - m_x. It is about 0.4 where
    200 normal scores of each search have one distribution, and 0.7 where 50 do; infinite where most
    searches' upper scores are all equal. Searches that failed are set aside.
    """
    others, *_ = searches.set_aside_failures()
    middle, upper = np.quantile(others.impostor, [0.5, QUANTILE], axis=1)
    low, high = np.quantile(upper, [0.05, 0.95])
    unit = float(np.median(upper - middle))
    if unit == 0:
        return float("inf") if high > low else 0.0
    return float((high - low) / unit)


def _pairs(k: npt.ArrayLike, other: npt.ArrayLike, rank: int = 1) -> tuple[IntArray, Float64Array]:
    """Check gallery sizes and broadcast them against thresholds or rates, both (n,)."""
    sizes = check_classes(k, 1, "a gallery size")
    try:
        values = np.asarray(other, dtype=np.float64)
        first, second = np.broadcast_arrays(sizes, np.atleast_1d(values))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"gallery sizes {k!r} and {other!r} do not fit together: give one of them once, or "
            "as many numbers of both"
        ) from error
    if np.isnan(second).any():
        raise InputError("a threshold or a rate is not a number")
    check_whole("rank", rank, 1)
    return first, second


def _rates(fpir: Float64Array) -> Float64Array:
    """Check target rates."""
    wrong = fpir[(fpir <= 0) | (fpir >= 1)]
    if wrong.size:
        raise InputError(f"a target FPIR is {wrong[0]:g}: it must be above 0 and below 1")
    return fpir
