import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import norm, t

import accuracy_curves as ac
from accuracy_curves import Identification, InputError, ScoreMatrix, Searches
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.base import AtEachThreshold, OpenSetMethod
from accuracy_curves.scores import reduced_matrix


def gaussian(seed, k1=150, lead=4.0, location=0.0, strangers=0):
    """Impostor scores a_x + N(0, 1), the mate's a_x + lead + N(0, 1)."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(k1 + strangers, k1)) + lead * np.eye(k1 + strangers, k1)
    scores += location * rng.normal(size=(k1 + strangers, 1))
    labels = np.r_[np.arange(k1), np.full(strangers, -1)]
    return Searches(scores, labels)


def true_fpir(k, at, location):
    if location == 0:
        return 1 - norm.cdf(at) ** k
    return quad(lambda a: norm.pdf(a) * (1 - norm.cdf(at - location * a) ** k), -9, 9)[0]


def true_fnir(k, at, lead):
    found = quad(lambda s: norm.pdf(s - lead) * norm.cdf(s) ** (k - 1), at, lead + 9)
    return 1 - found[0]


def test_fnir_at_a_threshold_is_near_its_closed_form():
    k = np.array([150, 1500, 15_000])
    for at in (2.0, 4.0):
        found = np.mean([Identification(gaussian(seed)).fnir(k, at) for seed in range(4)], axis=0)
        np.testing.assert_allclose(found, [true_fnir(j, at, 4.0) for j in k], atol=0.05)


def test_rank_and_threshold_tell_the_misses_apart():
    found = Identification(gaussian(1))
    k = np.array([1, 150, 10_000, 10**8])
    first, fifth, everybody = (found.fnir(k, 3.0, rank) for rank in (1, 5, 10**8))
    assert (np.diff(first) >= 0).all()
    assert (first >= fifth).all()
    assert (fifth >= everybody).all()
    missed = np.mean(found.searches.genuine < 3.0)
    # The rank of all enrolled misses nobody; a gallery of one has one rank.
    np.testing.assert_allclose(everybody, missed)
    assert first[0] == pytest.approx(missed)
    # As the accuracy of the same method where every score is accepted.
    model = ac.Auto().fit(found.searches.mated)
    points = model.tail_.predict(k[1])[0]
    assert 1 - found.fnir(k[1], -99.0)[0] == pytest.approx(points)


@pytest.mark.parametrize("location", [0.0, 0.6])
def test_intervals_cover_closed_forms(location):
    rates, inside = [], []
    for seed in range(8):
        found = Identification(gaussian(seed, 80, location=location), splits=4, seed=seed)
        for k, at in ((79, 3.2), (800, 3.8), (8000, 4.5)):
            truth = true_fpir(k, at, location)
            rate = found.fpir_interval(k, at)
            assert rate.lower <= rate.value <= rate.upper
            assert rate.value[0] == found.fpir(k, at)[0]
            inside.append(rate.lower[0] <= truth <= rate.upper[0])
            rates.append(rate.upper[0] - rate.lower[0])
    assert np.mean(inside) >= 0.75
    assert np.median(rates) < 0.8


def test_intervals_are_wider_at_a_higher_level_and_farther():
    found = Identification(gaussian(3, 60, lead=3.0), splits=3)
    k = np.array([59, 590, 5900])
    for interval in (
        lambda level: found.fpir_interval(k, 3.5, level),
        lambda level: found.fnir_interval(k, 2.0, 1, level),
        lambda level: found.fnir_at_fpir_interval(k, 0.05, 1, level),
        lambda level: found.threshold_interval(k, 0.05, level),
    ):
        narrow, wide = interval(0.8), interval(0.95)
        assert (wide.lower <= narrow.lower).all()
        assert (narrow.lower <= narrow.value).all()
        assert (narrow.value <= narrow.upper).all()
        assert (narrow.upper <= wide.upper).all()
        assert (wide.upper > wide.lower).all()
        # Each of the four rises with the gallery.
        assert (np.diff(narrow.value) >= 0).all()
        assert (np.diff(narrow.lower)[narrow.value[1:] < 0.999] >= -1e-9).all()
    # Their values are the rates.
    np.testing.assert_array_equal(found.fnir_interval(k, 2.0).value, found.fnir(k, 2.0, rank=1))
    at = found.fnir_at_fpir_interval(k, 0.05).value
    np.testing.assert_array_equal(at, found.fnir_at_fpir(k, 0.05, rank=1))


def test_mates_of_a_large_matrix_are_ranked_by_its_lists(monkeypatch):
    """In its halves too: rates stay within a few hundredths of their intervals."""
    searches, k = gaussian(5, 200, lead=3.0), np.array([200, 20_000])
    whole = Identification(searches, splits=3).fnir_at_fpir_interval(k, 0.1)
    for name, value in (("MOST_SCORES", 0), ("LEAST_CLASSES", 2), ("LISTED", 100)):
        monkeypatch.setattr(reduced_matrix, name, value)
    searches = searches.derive()
    half = next(iter(searches.halves(1)))
    assert len(half.mated.whole.labels) == 100
    assert half.mated.reduced.lengths.max() < 99
    lists = Identification(searches, splits=3).fnir_at_fpir_interval(k, 0.1)
    for name in ("value", "lower", "upper"):
        off = np.abs(getattr(lists, name) - getattr(whole, name))
        assert (off < 0.1 * (whole.upper - whole.lower)).all()


def test_an_interval_adds_bias_and_what_the_shape_leaves_open():
    """Squares of the halves' mean error, of half of the shapes' range, and of what differs."""
    found = Identification(gaussian(3, 60), splits=3)
    fitted, halves, shapes = 1.0, [1.5, 2.5] * 3, [2.0, 5.0, 1.25]
    values = iter([fitted, *halves, *shapes])
    at, of_halves, beside = found._errors(lambda part: np.array([next(values)]))
    assert at == fitted
    assert beside == 1.0**2 + 1.5**2 + 0.25**2
    assert of_halves > 0
    assert not list(values)


def test_ends_are_quantiles_of_student_around_the_log_odds(monkeypatch):
    found, k = Identification(gaussian(3, 60), splits=3), np.array([30, 59])
    of_halves, beside, quantile = 0.2, 0.3, t.ppf(0.975, 9)
    errors = lambda of: (of(found.model), of_halves, beside)  # noqa: E731
    monkeypatch.setattr(found, "_errors", errors)
    rate, missed = found.fpir_interval(k, 3.5, 0.95), found.fnir_interval(k, 4.0, 1, 0.95)
    width = quantile * np.sqrt(of_halves / 3 + beside)
    np.testing.assert_allclose(rate.upper, expit(logit(rate.value) + width))
    np.testing.assert_allclose(rate.lower, expit(logit(rate.value) - width))
    # Sixty mates, with half of one added to the accepted and to the missed.
    p = (60 * missed.value + 0.5) / 61
    width = quantile * np.sqrt((6 / (60 * p * (1 - p)) + 3 * of_halves) / 9 + beside)
    np.testing.assert_allclose(missed.upper, expit(logit(p) + width))
    np.testing.assert_allclose(missed.lower, expit(logit(p) - width))
    at = found.threshold_interval(k, 0.05, 0.95)
    np.testing.assert_allclose([at.value - at.lower, at.upper - at.value], quantile * 0.5**0.5)
    # No lower than where 59 and ten times as many are enrolled, if those are recognised better.
    better = np.array([9, 9, 0, 0])
    errors = lambda of: (of(found.model), better, 0.0 * better)  # noqa: E731
    monkeypatch.setattr(found, "_errors", errors)
    np.testing.assert_allclose(found.fpir_interval([58, 600], 4.0).lower[1], found.fpir(590, 4.0))


class NormalScores(OpenSetMethod):
    """Pooled scores with a known law."""

    _low, _high, largest, _failed = -4.0, 4.0, np.inf, (np.empty(0), np.empty(0))

    def _fit(self, searches):
        """Fit nothing."""

    def _rank_mates(self, searches):
        """Rank none."""

    def _fpir(self, k, oriented):
        return -np.expm1(k * norm.logcdf(oriented))


def test_thresholds_are_quantiles_of_the_largest_score():
    k, rates = np.array([1, 1, 1000, 10**9, 1]), np.array([0.5, 1e-3, 0.01, 0.2, 1 - 1e-9])
    found = NormalScores().threshold(k, rates)
    quantiles = norm.isf(-np.expm1(np.log1p(-rates[:4]) / k[:4]))
    # Even the least score alarms more rarely than the last target.
    np.testing.assert_allclose(found, np.append(quantiles, -4), atol=1e-7)


def test_a_threshold_keeps_its_rate_and_det_joins_both():
    found = Identification(gaussian(4, location=0.5))
    rates = np.array([0.3, 0.03, 0.003])
    at = found.threshold(10_000, rates)
    assert (np.diff(at) > 0).all()
    np.testing.assert_allclose(found.fpir(10_000, at), rates, rtol=1e-3)
    np.testing.assert_array_equal(found.fnir_at_fpir(10_000, rates), found.fnir(10_000, at))
    assert (np.diff(found.fnir_at_fpir(10_000, rates)) >= 0).all()


def cosines(seed=0, people=80, d=24):
    """Similarities of two searches for each person, and labels; in double precision."""
    rng = np.random.default_rng(seed)
    centres = (
        rng.normal(size=(people, d)) + 0.8 * rng.normal(size=(6, d))[rng.integers(6, size=people)]
    )
    labels = np.repeat(np.arange(people), 2)
    x = centres[labels] + rng.gamma(4, 0.2, (len(labels), 1)) * rng.normal(size=(len(labels), d))
    x, y = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (x, centres))
    return x @ y.T, labels


@pytest.mark.parametrize(
    ("written", "higher"),
    [
        (lambda s: 1 - s, False),
        (lambda s: 2 - s, False),
        (lambda s: -7 * s, False),
        (lambda s: 100 * s, True),
        (lambda s: (s + 1) / 2, True),
    ],
)
def test_rates_do_not_depend_on_how_a_score_is_written(written, higher):
    s, labels = cosines()
    k, rates = np.array([50, 800, 800, 8000]), np.array([0.3, 0.1, 0.01, 0.01])
    one = Identification(Searches(s, labels), splits=3)
    other = Identification(Searches(written(s), labels, higher), splits=3)
    at = one.threshold(k, rates)
    assert np.isfinite(at).all()
    np.testing.assert_allclose(other.threshold(k, rates), written(at), rtol=1e-6)
    np.testing.assert_allclose(other.fpir(k, written(at)), one.fpir(k, at), rtol=1e-6)
    np.testing.assert_allclose(other.fnir(k, written(at)), one.fnir(k, at), rtol=1e-6)
    for ends in ("lower", "upper"):
        found = [getattr(each.fnir_at_fpir_interval(k, rates), ends) for each in (one, other)]
        np.testing.assert_allclose(*found, rtol=1e-5)


def test_a_rounded_score_gives_a_rate_a_tenth_of_the_interval_away():
    s, labels = cosines()
    one, other = (Identification(Searches(x, labels), splits=5) for x in (s, (100 * s).round()))
    interval = one.fnir_at_fpir_interval(800, 0.05)
    step = one.fnir(800, one.threshold(800, 0.05) + np.array([-0.01, 0.01]))
    room = max(0.1 * (interval.upper - interval.lower)[0], step[1] - step[0])
    assert abs(other.fnir_at_fpir(800, 0.05) - interval.value)[0] <= room


def test_no_threshold_lies_where_no_score_can():
    s, labels = cosines()
    k = np.array([800, 10**9])
    for x, higher in ((s, True), (1 - s, False)):
        found = Identification(Searches(x, labels, higher), splits=3)
        near, none = found.threshold(k, [0.1, 1e-6])
        assert np.isfinite(near)
        # It would lie beyond every score, those of the mates too.
        assert none == (np.inf if higher else -np.inf)
        assert found.fpir(k, none).tolist() == [0, 0]
        assert found.fnir(k, none).tolist() == found.fnir_at_fpir(k, 1e-9).tolist() == [1, 1]
        ends = found.fnir_at_fpir_interval(k, 1e-6)
        assert ends.lower[1] <= ends.value[1] == ends.upper[1] == 1
        rate = found.fpir_interval(k, none)
        assert (rate.lower == 0).all()
        cut = found.threshold_interval(k, [0.1, 1e-6])
        assert np.isfinite([cut.lower[0], cut.upper[0]]).all()
        assert np.isinf(cut.value[1])
        said = found.cautions(k, [0.1, 1e-6])
        assert "no_threshold" in [each.reason for each in said]
    assert found.fpir(800, -0.01) == 0  # No distance is there.


def test_probabilities_are_fitted_before_they_end():
    rng = np.random.default_rng(0)
    logits = 3 * rng.normal(size=(240, 60)) + 9 * np.eye(240, 60)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    labels = np.r_[np.arange(60), np.full(180, -1)]
    found, percent = (Identification(Searches(c * odds, labels), splits=3) for c in (1, 100))
    rates = np.array([0.3, 0.1])
    at = found.threshold(60, rates)
    assert ((at > 0.5) & (at < 1)).all()
    np.testing.assert_allclose(found.observed_fpir(60, at), rates, atol=0.08)
    np.testing.assert_allclose(percent.threshold(60, rates), 100 * at)
    assert found.fpir(60, 1.001) == 0
    interval = found.threshold_interval(60, rates)
    assert (interval.lower < at).all()
    assert (interval.upper[np.isfinite(interval.upper)] <= 1).all()


def test_false_positives_are_those_of_searches_without_a_mate():
    # The strangers' scores are 1 higher; FPIR is theirs, FNIR that of the others.
    searches = gaussian(6, 100, strangers=300)
    raised = searches.scores.copy()
    raised[100:] += 1.0
    found = Identification(Searches(raised, searches.labels), splits=3)
    mated = Identification(searches.mated)
    k = np.array([100, 2000])
    truth = [1 - norm.cdf(3.5 - 1) ** j for j in k]
    np.testing.assert_allclose(found.fpir(k, 3.5), truth, atol=0.08)
    np.testing.assert_array_equal(found.fnir(k, 3.5), mated.fnir(k, 3.5))
    interval = found.fpir_interval(2000, 4.5)
    assert interval.lower < 1 - norm.cdf(3.5) ** 2000 < interval.upper


def test_other_methods():
    searches = gaussian(7, 60, lead=2.5)
    k = np.array([59, 600])
    pooled = Identification(searches, "binomial", splits=3)
    below = [np.mean(searches.impostor < s) for s in searches.genuine]
    expected = 1 - np.mean(np.power(below, 58) * (searches.genuine >= 3.0))
    assert pooled.fnir(59, 3.0)[0] == pytest.approx(expected)
    assert pooled.too_far([120, 121]).tolist() == [False, True]
    each = Identification(searches, "kde", bandwidth="nrd0")
    alone = AtEachThreshold(ac.KDE(bandwidth="nrd0")).fit(searches)
    np.testing.assert_array_equal(each.fpir(k, 3.0), alone.fpir(k, np.full(2, 3.0)))
    model = ac.KDE(bandwidth="nrd0").fit(searches.mated)
    points = (model.favorability_**58 * (searches.genuine >= 3.0) * model.weights_).sum()
    assert each.fnir(59, 3.0)[0] == pytest.approx(1 - points)


@pytest.mark.parametrize("strangers", [0, 90])
@pytest.mark.parametrize("method", [m for m in OPEN_SET_METHODS if m not in ("cleanex", "kde")])
def test_every_method_predicts_what_is_observed_in_the_galleries_that_are(method, strangers):
    searches = gaussian(9, 60, lead=2.0, strangers=strangers)
    found = Identification(searches, method)
    k = np.array([20, 59])
    seen = {"fpir": found.observed_fpir(k, 2.5), "fnir": found.observed_fnir(k, 2.0)}
    assert 0.1 < seen["fpir"][1] < 0.6
    assert 0.2 < seen["fnir"][1] < 0.9
    np.testing.assert_allclose(found.fpir(k, 2.5), seen["fpir"], atol=0.12)
    np.testing.assert_allclose(found.fnir(k, 2.0), seen["fnir"], atol=0.12)


def test_fnir_of_a_curve_is_that_of_the_accepted_searches():
    searches = gaussian(7, 60, lead=2.5)
    matrix, accepted = searches.mated, searches.genuine >= 2.5
    own = ac.ScoreMatrix(matrix.scores[accepted], matrix.labels[accepted])
    curve = ac.extrapolate(own, [60, 600], "two_parameter")
    found = Identification(searches, "two_parameter").fnir([60, 600], 2.5)
    np.testing.assert_allclose(found, 1 - accepted.mean() * curve, rtol=1e-6)
    with pytest.raises(InputError, match="log_linear fits the top-1 curve alone"):
        Identification(searches, "log_linear").fnir(600, 2.5, 2)


@pytest.mark.parametrize("method", ["regression", "binomial_mixture", "empirical_bayes"])
def test_a_search_weighs_the_same_whether_others_of_its_person_are_accepted(method):
    """Of even people one of two searches is found; those of odd ones are accepted and outscored."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(40), 2)
    scores = rng.normal(size=(80, 40)) + 9 * np.eye(40)[labels]
    odd = labels % 2 == 1
    scores[odd, labels[odd]] = 0.01
    scores[1::4] -= 99
    found = Identification(ScoreMatrix(scores, labels), method)
    assert found.fnir(40, 0.0)[0] == pytest.approx(1 - 0.25, abs=0.03)


def test_a_symmetric_matrix_is_no_photos_of_themselves_where_a_threshold_replaces_the_mates():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(40, 40))
    scores = scores + scores.T + np.diag(6 + rng.normal(size=40))
    found = Identification(ScoreMatrix(scores, np.arange(40)), "pooled_tail")
    assert np.isfinite(found.fpir([39, 400], 9.0)).all()


def test_searches_weigh_the_same_or_people_do():
    """Of 30 people with 2 searches all are found, of 30 with 10 none."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(60), np.tile([2, 10], 30))
    scores = rng.normal(size=(360, 60))
    scores[np.arange(360), labels] = np.where(labels % 2, -9.0, 9.0) + rng.normal(size=360)
    scores[labels % 2 == 1] += 1  # They also alarm more often.
    for people, missed in ((False, 10 / 12), (True, 1 / 2)):
        searches = Searches(scores, labels, weigh_points=not people)
        found = Identification(searches, splits=3)
        assert found.observed_fnir(60, 4.0)[0] == pytest.approx(missed)
        assert found.fnir(60, 4.0)[0] == pytest.approx(missed)
        above = (searches.impostor[:, -1] >= 3.0) * searches.impostor_weights
        assert found.observed_fpir(59, 3.0)[0] == pytest.approx(above.sum())
        for half in found.sample.halves(1):
            assert half.weigh_points != people
    weights = Searches(scores, labels).impostor_weights
    np.testing.assert_array_equal(weights, 1 / 360)
    # With an equal number nothing changes.
    even = np.repeat(np.arange(60), 6)
    given = [Identification(Searches(scores, even, weigh_points=each)) for each in (False, True)]
    np.testing.assert_array_equal(*(each.fpir([59, 900], 3.0) for each in given))
    np.testing.assert_array_equal(*(each.fnir([59, 900], 3.0) for each in given))


def test_a_fit_that_misses_what_was_observed_is_reported():
    """One search in five meets much higher scores: the formula takes all for equal."""
    searches = gaussian(4, 120)
    scores = searches.scores + 3.0 * (np.arange(120) % 5 == 0)[:, None]
    cautions = Identification(ScoreMatrix(scores, np.arange(120)), "binomial").cautions(119, 0.5)
    (misfit,) = [each for each in cautions if each.reason == "fpir_misfit"]
    assert "FPIR of .500 among the 119 observed" in str(misfit)
    well = Identification(searches).cautions(119, [0.3, 0.1])
    assert "fpir_misfit" not in [each.reason for each in well]


def test_what_is_doubtful_is_said():
    near = Identification(gaussian(2, 60, lead=2.5))
    assert near.cautions(60_000) == []
    assert [each.reason for each in near.cautions([60, 10**12])] == ["too_far"]
    assert near.too_far([60, 10**12]).tolist() == [False, True]
    assert near.cautions(6000, [0.1, 0.003]) == []


def few_levels(kind, seed, n=160):
    rng = np.random.default_rng(seed)
    labels = np.r_[np.arange(n // 2), np.full(n // 2, -1)]
    own = np.eye(n // 2)[labels] * (labels >= 0)[:, None]
    if kind == "counts":
        return Searches(rng.poisson(1.0, size=own.shape) + 8 * own, labels)
    if kind == "distances of hashes":
        return Searches(rng.binomial(64, 0.45 - 0.3 * own), labels, higher_is_better=False)
    fields = zip((0.02, 0.1, 0.2, 0.5), (5.4, 3.2, 2.1, 0.9), strict=True)
    weights = [
        np.where(rng.random(own.shape) < chance + (0.95 - chance) * own, weight, -1.5)
        for chance, weight in fields
    ]
    return Searches(np.sum(weights, axis=0).round(2), labels)


@pytest.mark.parametrize("kind", ["counts", "distances of hashes", "agreement of fields"])
def test_thresholds_of_few_levels_are_levels(kind):
    searches = few_levels(kind, 1)
    found, levels = Identification(searches, splits=3), np.unique(searches.scores)
    k, target = np.repeat([80, 400], 2), np.tile([0.1, 0.3], 2)
    at = found.threshold(k, target)
    assert np.isin(at[np.isfinite(at)], levels).all()
    assert np.isfinite(at).sum() >= 2
    assert (found.fpir(k, at) <= target + 1e-9).all()
    continuous = found.model.threshold(k, target)
    np.testing.assert_array_equal(found.fnir(k, at), found.model.fnir(k, continuous, 1))
    rate = found.threshold_interval(k, target)
    ends = np.r_[rate.value, rate.lower, rate.upper]
    assert np.isin(ends[np.isfinite(ends)], levels).all()
    assert gaussian(2, 60).levels is None
    (said,) = [each for each in found.cautions(400, 0.1) if each.reason == "few_levels"]
    # None in 80 has a chance of .05 where the rate is this.
    assert (1 - said.values["most"]) ** (80 * 80 / 400) == pytest.approx(0.05)
    assert "few_levels" not in [each.reason for each in found.cautions(80, 0.1)]


def test_none_accepted_is_no_certainty():
    """The exact upper bound of a share of which none in n was seen is 3 / n at 95 %."""
    searches = gaussian(3, 60, lead=2.0)
    at = searches.genuine.max() + 1e-9
    found = Identification(searches, splits=5)
    interval = found.fnir_interval([60, 1000], at)
    np.testing.assert_array_equal(interval.value, 1)
    np.testing.assert_array_equal(interval.upper, 1)
    assert 0.5 * 3 / 60 < 1 - interval.lower[0] < 3 * 3 / 60
    everybody = found.fnir_interval(1, searches.genuine.min())
    assert everybody.value == everybody.lower == 0
    assert 0.5 * 3 / 60 < everybody.upper[0] < 3 * 3 / 60


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda found: found.fpir(0, 1.0), "0 is not a gallery size: whole numbers"),
        (
            lambda found: found.fpir("many", 1.0),
            "a gallery size must be a whole number, not 'many'",
        ),
        (lambda found: found.fpir([1, 2], [1.0, 2, 3]), "do not fit together"),
        (lambda found: found.fpir(10, np.nan), "is not a number"),
        (lambda found: found.threshold(10, 0.0), "a target FPIR is 0: it must be above 0"),
        (lambda found: found.fnir(10, 1.0, 0), "rank is 0"),
        (lambda found: found.fpir_interval(10, 1.0, 0.4), "level is 0.4"),
        (lambda found: Identification(found.searches, "none"), "no method is called 'none'"),
        (lambda found: Identification(found.searches, splits=2), "splits is 2"),
        (lambda found: Identification(found.searches, knots=3), "argument 'knots'"),
        (lambda found: Identification(found.searches, "binomial", n=3), "binomial takes seed"),
    ],
)
def test_bad_questions_get_a_sentence(call, sentence):
    found = Identification(gaussian(0, 20))
    with pytest.raises(InputError, match=sentence) as error:
        call(found)
    assert "\n" not in str(error.value)


def test_too_few_for_an_interval():
    found = Identification(gaussian(0, 9))
    assert np.isfinite(found.fpir(100, 3.0)).all()
    for rate in (found.fpir_interval(100, 3.0), found.threshold_interval(100, 0.1)):
        assert np.isfinite(rate.value).all()
        assert np.isnan([rate.lower, rate.upper]).all()
    (said,) = [each for each in found.cautions(100) if each.reason == "no_interval"]
    assert "at least 12 enrolled people" in str(said)
    for method, fewest in (("auto", 12), ("binomial", 6)):
        enough = Identification(gaussian(0, fewest), method, splits=3)
        assert np.isfinite(enough.fpir_interval(100, 3.0).upper)
    # Nor where few of the enrolled have a search: halves without any show nothing.
    searches = gaussian(0, 40, strangers=30)
    few = Identification(Searches(searches.scores[35:], searches.labels[35:]))
    assert np.isnan(few.fnir_interval(100, 3.0).upper)
    assert "searches, not 5" in few.missing


def failing(strangers, weigh_points=True):
    """Searches, the same with some that failed, and which failed: marked by one low score each."""
    searches = gaussian(9, 60, lead=2.0, strangers=strangers)
    scores, labels = (
        np.repeat(each, 2, axis=0)[:-7] for each in (searches.scores, searches.labels)
    )
    scores += np.random.default_rng(0).normal(scale=0.1, size=scores.shape)
    failed = np.arange(len(scores)) % 9 == 4
    marked = np.where(failed[:, None], -10.0, scores)
    whole, others = (Searches(x, y, weigh_points=weigh_points) for x, y in (
        (marked, labels), (scores[~failed], labels[~failed])
    ))  # fmt: skip
    return whole, others, failed


@pytest.mark.parametrize("strangers", [0, 90])
@pytest.mark.parametrize("method", ["auto", "binomial", "regression", "empirical_bayes"])
def test_searches_that_failed_are_set_aside_in_the_fit(method, strangers):
    """They alarm nobody, and their mates are missed; the others are as if those were not there."""
    whole, others, failed = failing(strangers)
    found, alone = (Identification(each, method) for each in (whole, others))
    k, absent = np.array([20, 59, 600]), whole.labels == -1
    alarming = np.mean(~failed[absent] if strangers else ~failed)
    np.testing.assert_allclose(found.fpir(k, 2.5), alarming * alone.fpir(k, 2.5), rtol=1e-9)
    share = np.mean(failed[~absent])
    expected = share + (1 - share) * alone.fnir(k, 2.0)
    np.testing.assert_allclose(found.fnir(k, 2.0), expected, rtol=1e-6)
    # A mark that is accepted is an alarm, and a mate that ties with all.
    assert found.fpir(59, -11.0)[0] == pytest.approx(1, abs=1e-3)
    np.testing.assert_allclose(
        found.fnir(k, -11.0), share * (1 - 1 / k) + (1 - share) * alone.fnir(k, -11.0), rtol=1e-6
    )
    if method == "auto":
        at = found.threshold(59, 0.1)
        assert found.fpir(59, at)[0] == pytest.approx(0.1, abs=1e-4)
        said = [each.reason for each in found.cautions()]
        assert "marks" in said


def test_people_keep_their_weight_where_one_of_their_searches_failed():
    whole, _, failed = failing(0, weigh_points=False)
    others, scores, weights = whole.set_aside_failures()
    np.testing.assert_array_equal(scores, -10)
    np.testing.assert_allclose(weights, whole.mated.weights[failed])
    kept = whole.mated.weights[~failed] / (1 - weights.sum())
    np.testing.assert_allclose(others.impostor_weights, kept)


def test_where_all_strangers_failed_none_is_set_aside():
    searches = gaussian(9, 60, lead=2.0, strangers=9)
    scores = np.where((searches.labels == -1)[:, None], -10.0, searches.scores)
    whole = Searches(scores, searches.labels)
    assert whole.set_aside_failures()[0] is whole


def test_names_that_look_wrong_are_reported():
    rng = np.random.default_rng(0)
    labels = np.r_[np.full(40, -1), np.repeat(np.arange(120), 2)]
    scores = rng.normal(size=(280, 120)) + 6 * np.eye(121, 120)[labels]
    labels[[50, 70]] = labels[[70, 50]]
    found = Identification(Searches(scores, labels))
    named = found.wrong_names()
    assert {50} <= set(named.table["row"]) <= {50, 70}
    assert "wrong_names" in [each.reason for each in found.cautions(600, 0.1)]
