"""The method to take when in doubt: a tail of the order of all scores, and a curve."""

from typing import Annotated, Any

import numpy as np
import scipy

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators import favorability
from accuracy_curves.extrapolators._gumbel_scores import gumbel_scale
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.fitted import Prepared, by_place
from accuracy_curves.extrapolators.pooled_tail import FEWEST_BEYOND, PooledTail, Scale
from accuracy_curves.extrapolators.two_parameter import TwoParameter
from accuracy_curves.extrapolators.wrong_names import look_for_wrong_names
from accuracy_curves.observed.accuracy import (
    average_accuracy,
    effective_classes,
    informative_classes,
)
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.parts import random_halves
from accuracy_curves.scores.sample import Sample, set_aside_failures
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray, log_odds
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.validation import Choice

# Gauss and Hermite's rule for a standard normal variable.
NODES, _weights = np.polynomial.hermite_e.hermegauss(11)
LOG_CHANCES = np.log(_weights / _weights.sum())[:, None]
LARGEST, PRIOR_SD = 3.0, 2.0


def hazards(log_rho: Float64Array, s: float) -> Float64Array:
    """Multiply -log(1 - rho) by z at each node, (nodes, N)."""
    hazard = -np.log1p(-np.exp(np.minimum(log_rho, -1e-9)))
    z = np.exp(s * NODES - s**2 / 2)[:, None]
    return np.asarray(z * np.maximum(hazard, 1e-300))


def log_shares(log_rho: Float64Array, s: float) -> Float64Array:
    """Log of 1 - (1 - rho)^z at each node, (nodes, N)."""
    return np.log(-np.expm1(-hazards(log_rho, s)))


def log_joint(log_rho: Float64Array, losses: IntArray, trials: int, s: float) -> Float64Array:
    """Log of the chance of each node and of the J of each point there, (nodes, N)."""
    hazard = hazards(log_rho, s)
    lost = np.log(-np.expm1(-hazard))
    return np.asarray(losses * lost - (trials - losses) * hazard + LOG_CHANCES)


def log_chance_of(joint: Float64Array) -> Float64Array:
    """Log of the sum over the nodes, (N,); SciPy's is eight times as slow for few points."""
    most = joint.max(axis=0)
    return np.asarray(most + np.log(np.exp(joint - most).sum(axis=0)))


def fit_frailty(
    log_rho: Float64Array, losses: IntArray, trials: int, weights: Float64Array
) -> float:
    """Fit s, from 0 to 3, by the likelihood of all J with a half normal prior of sd 2.

    Points differ in what the features of their scores do not show. Let rho be the share of the
    rivals beyond its anchor that beat a point. Then J of these m - 1 do, Binomial(m - 1, rho).
    Where points are unlike, J is more spread than that: the hazard -log(1 - rho) of each point is
    multiplied by a z of its own, log z ~ N(-s^2 / 2, s^2), of mean 1.
    """

    def cost(s: float) -> float:
        log_chances = log_chance_of(log_joint(log_rho, losses, trials, s))
        return (s / PRIOR_SD) ** 2 / 2 - float((weights * log_chances).sum())

    best = float(scipy.optimize.minimize_scalar(cost, bounds=(0.0, LARGEST), method="bounded").x)
    return best if cost(best) < cost(0.0) else 0.0


def posterior(log_rho: Float64Array, losses: IntArray, trials: int, s: float) -> Float64Array:
    """Chance of each node given the J of each point, (nodes, N)."""
    joint = log_joint(log_rho, losses, trials, s)
    return np.asarray(np.exp(joint - log_chance_of(joint)))


# Prior weight of the curve, w_0 = m / 2 (m + 10), m = effective number of classes with errors.
LARGEST_WEIGHT, MANY_ERRING = 0.5, 10
# Its weight: splits of the classes, and the error of a part whose halves miss nothing.
SPLITS, PART_ERROR = 3, 0.05


class GumbelTail(PooledTail):
    """`PooledTail` on the Gumbel scale, where the order of the scores alone counts.

    Points differ in what the features of their scores do not show: the hazard -log(1 - rho_x) of
    each is multiplied by a z of its own, log z ~ N(-s^2 / 2, s^2). s is fitted to all J_x, and each
    point is valued by its posterior given its J_x (`fit_frailty`).

    Attributes
    ----------
    frailty_ : float
        s, from 0 to 3.
    """

    def _favorability(self, sample: ScoreMatrix | CandidateLists) -> Float64Array:
        tail = self._fit_tail(sample)
        beyond = tail.beyond
        evidence = tail.log_rho[beyond], np.minimum(tail.losses[beyond], tail.m - 1), tail.m - 1
        self.frailty_, self._nodes = 0.0, None
        if np.count_nonzero(beyond) >= FEWEST_BEYOND:
            self.frailty_ = fit_frailty(*evidence, sample.weights[beyond] * sample.n_points)
        if not self.frailty_:
            return favorability.favorability_of_eta(tail.eta(tail.log_rho))
        log_rho, chances = np.zeros((2, len(NODES), sample.n_points))
        log_rho[:, beyond] = log_shares(evidence[0], self.frailty_)
        chances[:] = 1 / len(NODES)
        chances[:, beyond] = posterior(*evidence, self.frailty_)
        log_c = -favorability.hazard_of_eta(tail.eta(log_rho))
        self._nodes = log_c, chances
        return np.asarray((np.exp(log_c) * chances).sum(axis=0))

    @property
    def favorabilities(self) -> favorability.Favorabilities:
        """The points' estimates at the first node, then at the next, with their weights."""
        if self._nodes is None:
            return super().favorabilities
        log_c, chances = self._nodes
        return favorability.Favorabilities.of_logs(log_c.ravel(), (self.weights_ * chances).ravel())

    def _scale(self, sample: ScoreMatrix | CandidateLists) -> Scale:
        return gumbel_scale(sample, self.seed)


class Auto(Extrapolator):
    """A tail that depends on the order of the scores alone, and a curve fitted to the accuracies.

    The answer is the same for every way of writing the scores: each score s is replaced by its
    place among all incorrect scores of the sample,

        v = -log(-log(1 - G(s))),

    where G(s) is the share of them that is better. `PooledTail` is then fitted to v. Two systems
    with one order of all pairs of a point and a class get the same answer: distances and
    similarities, probabilities and their logarithms. On this scale the tail needs no assumption
    about the scores: its excesses are exponential where the points share one law of incorrect
    scores, and for distances near zero.

    Points differ in what their scores do not show, and a frailty says by how much: see
    `GumbelTail`.

    Equal scores of a row are put into a random order, once: that of two depends on the seed, their
    row and their columns alone. A point with equal scores for all classes has failed, and stays so.

    The order does not show how far correct scores lie beyond the best of all incorrect ones, as
    most do where few points err. There the hazard of the correct scores stays what it
    is over the last 2 units of v. Few errors of bad points then mean few more errors, and the
    accuracy falls about linearly in log k.

    If many classes err, the observed accuracies show the curve as well, and err in other ways
    than the tail. So

        E_k[A] = (1 - w) mean_x C_x^(k - 1) + w E[Phi(Z)^(k - 1)],  Z ~ N(mu, sigma^2)

    with C_x of the tail, mu and sigma of `TwoParameter`. By the number of classes that errors come
    from, m (`observed.accuracy.effective_classes`), w is w_0 = 1/2 m / (m + 10). Halves of the
    classes show more: fits to both halves of three random splits predict the accuracy at k1, and
    miss the observed one by b, a mean of log odds. The weights of tail and curve are in proportion
    to

        (1 - w_0) / (0.05^2 + 1 / m' + b_tail^2)   and   w_0 / (0.05^2 + 1 / m' + b_curve^2)

    where m' - 1/5 is the number of classes that errors come from or go to, whichever is less. They
    are found at top 1, and serve every top. With fewer than 12 classes w is w_0.

    Parameters
    ----------
    two_names : {"fixed", "drawn"}
        Pairs of a point and a class that look like one class under two names (see
        `find_wrong_names`). "fixed" keeps them at every number of classes, and fits without them.
        "drawn" treats them as all other rivals.
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    tail_ : GumbelTail
        The fitted tail, with its `exponent_`, `misfit_` and `frailty_`.
    curve_ : TwoParameter
        The fitted curve; the tail again where lists are too short for one.
    curve_weight_ : float
        w, from 0 to 1.

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
    minimum_classes = GumbelTail.minimum_classes
    reach = 10
    has_tops = True
    sees_fixed = True
    takes_lists = True

    two_names: Annotated[str, Choice("fixed", "drawn")] = "fixed"

    def prepare(self, sample: Sample) -> Prepared:
        """Set pairs under two names aside, and find the weight of the curve: halves take it."""
        prepared = self._without_pairs(super().prepare(sample).sample)
        _, best = by_place(prepared)[0]
        with one_thread():
            weight, near = self._weigh(set_aside_failures(best)[0])
        return Prepared(prepared, {"curve_weight": weight, "near": near})

    def _without_pairs(self, sample: Any) -> Any:
        if self.two_names == "drawn" or not (named := look_for_wrong_names(sample)):
            return sample
        return sample.setting_aside(named.rows, named.columns)

    def _weigh(self, sample: ScoreMatrix | CandidateLists) -> tuple[float, Float64Array | None]:
        """Find the weight of the curve by what fits to halves miss, and about where it lies."""
        k1, seed = sample.counted_classes, self.seed
        erring = effective_classes(sample.unbeaten(), seed)
        prior = LARGEST_WEIGHT * erring / (erring + MANY_ERRING)
        if not prior or sample.n_classes < self.classes_for_halves:
            return prior, None
        tail_of, curve_of = GumbelTail(seed=seed).fit_part, TwoParameter(seed=seed).fit_part
        fits = []
        try:
            for classes, _ in random_halves(sample.n_classes, SPLITS, seed):
                half = Prepared(sample.select_classes(classes))
                fits.append((tail_of(half), curve_of(half)))
            predictions = [[part.predict(k1)[0] for part in of_half] for of_half in fits]
        except (FitError, InputError):
            return prior, None
        least = 0.5 / sample.n_points
        seen = average_accuracy(sample, k1, seed)
        theta, observed = (
            log_odds(np.clip(accuracy, least, 1 - least)) for accuracy in (predictions, seen)
        )
        missed = theta.mean(axis=0) - observed
        error = PART_ERROR**2 + 1 / (informative_classes(sample, seed) + 0.2) + missed**2
        tail, curve = np.array([1 - prior, prior]) / error
        return float(curve / (tail + curve)), fits[0][1].parameters

    def _fit(
        self, sample: ScoreMatrix | CandidateLists, curve_weight: float, near: Float64Array | None
    ) -> None:
        self.curve_: TwoParameter | GumbelTail
        self.tail_ = GumbelTail(seed=self.seed).fit_part(Prepared(sample))
        self.curve_weight_ = curve_weight
        try:
            self.curve_ = TwoParameter(seed=self.seed).fit_part(Prepared(sample, {"near": near}))
        except FitError as error:
            if error.reason != "no_curve":
                raise
            self.curve_, self.curve_weight_ = self.tail_, 0.0

    @property
    def parts(self) -> list[tuple[float, Extrapolator]]:
        """Tail and curve."""
        return [(1 - self.curve_weight_, self.tail_), (self.curve_weight_, self.curve_)]

    def value_points(self, sample: Sample) -> favorability.Favorabilities | None:
        """Estimate the favorability of each point, by the tail: the curve is of all of them."""
        tail, prepared = GumbelTail(seed=self.seed), super().prepare(sample).sample
        return tail.value_points(self._without_pairs(prepared))
