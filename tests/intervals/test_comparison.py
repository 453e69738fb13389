"""The difference of two systems: both are fitted to the same halves of the classes."""

import warnings
from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from scipy.special import expit, logit
from scipy.stats import t

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.comparison import compare_fits, holm
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.scores.parts import random_halves
from conftest import simulated

A, B = simulated(40, 3, variance=0.4), simulated(40, 3, variance=0.3)
K = np.array([10, 40, 80, 400])
NUMBERS = ("difference", "lower", "upper")


def compare(a, b, k=K, **options):
    answer = ac.compare(a, b, k, **({"method": "gaussian_tail", "splits": 5} | options))
    return answer.table


def test_a_system_does_not_differ_from_itself():
    found = compare(A, A)
    for name in NUMBERS:
        np.testing.assert_array_equal(getattr(found, name), 0)


def test_the_interval_is_that_of_the_formula():
    """Of public predictions from the halves, split by split."""
    splits, level, k1, d_0, d = 7, 0.8, 40, 6, 3
    theta = [
        np.array([logit(ac.extrapolate(s.select_classes(half), K, "gaussian_tail"))
                  for half, _ in random_halves(k1, splits)])
        for s in (A, B)
    ]  # fmt: skip
    delta = theta[1] - theta[0]
    one, two = (each[0::2] - each[1::2] for each in theta)
    rho = (one * two).sum(axis=0) / np.sqrt((one**2).sum(axis=0) * (two**2).sum(axis=0))
    doublings = np.maximum(np.log2(K / k1), 0)
    bias, expected = [], []
    for sample, of_halves in zip((A, B), theta, strict=True):
        seen = ac.average_accuracy(sample, k1)
        bias.append(of_halves[:, 1].mean() - logit(seen))
        fit = ac.ClassIntervals.of(*fit_halves(sample, [ac.Regression()], [3]))
        erring = fit.variation.effective_classes()
        expected.append(0.4 / ((erring + 0.2) * seen) + 0.004 * doublings)
    s2 = ((delta[0::2] - delta[1::2]) ** 2).mean(axis=0) / 4 + (bias[1] - bias[0]) ** 2 * doublings
    e = expected[0] + expected[1] - 2 * rho * np.sqrt(expected[0] * expected[1])
    width = t.ppf((1 + level) / 2, d_0 + d) * np.sqrt((d_0 * e + d * s2) / (d_0 + d))
    whole = [logit(ac.extrapolate(sample, K, "gaussian_tail")) for sample in (A, B)]
    m, middle = (whole[0] + whole[1]) / 2, whole[1] - whole[0]
    found = compare(A, B, splits=splits, level=level)
    for end, name in ((middle - width, "lower"), (middle + width, "upper")):
        points = expit(m + end / 2) - expit(m - end / 2)
        np.testing.assert_allclose(getattr(found, name), points, rtol=1e-9)
    np.testing.assert_allclose(found.difference, expit(whole[1]) - expit(whole[0]), rtol=1e-9)


@pytest.mark.parametrize("method", ["log_linear", "auto"])
def test_beside_a_system_without_error_the_other_one_alone_varies(method):
    """Its halves do not differ, so that rho is 0, and no class of it errs: e = 0.4 / 0.2."""
    perfect = ac.ScoreMatrix(A.scores - 100 * np.eye(40)[A.labels], A.labels, False)
    fits = [ac.ClassIntervals(each, method, splits=5).variation for each in (perfect, B)]
    alone = fits[1].variance(K)
    doublings = np.maximum(np.log2(K / 40), 0)
    expected = alone + 6 / 9 * (0.4 / 0.2 + 0.004 * doublings)
    for one, other in (fits, fits[::-1]):
        np.testing.assert_allclose(one.variance_of_difference(other, K), expected, rtol=1e-6)


def test_classes_are_the_same_by_their_names_or_by_their_number():
    names = np.array([f"p{i:02d}" for i in range(40)])
    order = np.random.default_rng(0).permutation(40)
    first = ac.ScoreMatrix(A.scores, A.labels, False, names)
    second = ac.ScoreMatrix(B.scores, B.labels, False, names).select_classes(order)
    without = ac.ScoreMatrix(B.scores, B.labels, False)
    expected = compare(A, B)
    for a, b in ((first, second), (first, without)):
        np.testing.assert_allclose(compare(a, b).lower, expected.lower, rtol=1e-9)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (simulated(39, 3, variance=0.3), "such as 39"),
        (
            ac.ScoreMatrix(B.scores, B.labels, False, [f"q{i:02d}" for i in range(40)]),
            "such as p00",
        ),
        (B.scores, "not ndarray"),
    ],
)
def test_other_classes_are_refused_in_a_sentence(other, words):
    first = ac.ScoreMatrix(A.scores, A.labels, False, [f"p{i:02d}" for i in range(40)])
    with pytest.raises(ac.InputError, match=words):
        compare(A if "39" in words else first, other)


def test_a_warning_names_the_system_and_the_caller():
    wrong = ac.ScoreMatrix(A.scores, A.labels)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare(A, wrong, [60])
    of = [str(each.message)[:3] for each in caught if each.message.reason == "wrong_direction"]
    assert of == ["b: "]
    assert {each.filename for each in caught} == {__file__}
    assert all(each.message.weight for each in caught)


def test_without_splits_there_is_no_interval():
    fit = ac.ClassIntervals.of(*fit_halves(A, [ac.Regression()], [0]))
    assert compare_fits(fit, fit, K)[["lower", "upper"]].isna().all(axis=None)


def test_holm_is_the_closure_of_bonferroni():
    """By brute force: a hypothesis falls with every set that it is in."""
    p = np.random.default_rng(0).random((5, 40)) ** 4
    sets = [*chain.from_iterable(combinations(range(5), n) for n in range(1, 6))]
    of_sets = {each: np.minimum(len(each) * p[[*each]].min(axis=0), 1) for each in sets}
    expected = [np.max([of_sets[each] for each in sets if i in each], axis=0) for i in range(5)]
    np.testing.assert_allclose(holm(p, 5), expected)
    # Some of all hypotheses: as where the others are not below any of them.
    np.testing.assert_allclose(holm(p[:3], 5), holm(np.vstack([p[:3], p[:2] * 0 + 1]), 5)[:3])


def equal_systems(rng):
    """Draw systems that keep six of eight dimensions each: none is better than another."""
    centres, labels = rng.normal(size=(40, 8)), np.repeat(np.arange(40), 3)
    points = centres[labels] + 0.5 * rng.normal(size=(120, 8))
    for left_out in ((6, 7), (0, 1), (3, 4), (1, 5)):
        of_points, of_classes = (np.delete(each, left_out, axis=1) for each in (points, centres))
        yield ac.ScoreMatrix(cdist(of_points, of_classes), labels, higher_is_better=False)


def test_of_equal_systems_all_intervals_hold_zero_together():
    """As often as they say; against the best one too, which is one of them by chance."""
    rng, draws, level = np.random.default_rng(5), 20, 0.6
    held = np.zeros(3, dtype=int)
    for _ in range(draws):
        systems = equal_systems(rng)
        fits = [fit_halves(each, [make_extrapolator("gaussian_tail")], [3]) for each in systems]
        fits = [ClassIntervals.of(*each) for each in fits]
        best = np.argmax([each.accuracy(200)[0] for each in fits])
        for how, (reference, together) in enumerate(((0, 1), (0, 3), (best, 6))):
            others = (each for place, each in enumerate(fits) if place != reference)
            found = pd.concat(
                compare_fits(fits[reference], each, 200, level=level, together=together)
                for each in others
            )
            holds = found["lower"].le(0).all() and found["upper"].ge(0).all()
            held[how] += holds
            assert (holm(found[["p"]].to_numpy(), together) > 1 - level).all() == holds
    assert held[0] < held[1]
    assert held[1:].min() >= level * draws


@pytest.mark.parametrize(("against", "together"), [("first", 2), ("best", 3)])
def test_several_systems_are_compared_with_one(against, together):
    systems = dict(zip("xyz", (A, B, simulated(40, 3, variance=0.35)), strict=True))
    answer = ac.compare(
        [*systems.values()], K, method="log_linear", splits=3, names="xyz", against=against
    )
    first = answer.reference
    assert first == ("x" if against == "first" else "y")
    fits = {
        name: ClassIntervals.of(*fit_halves(each, [make_extrapolator("log_linear")], [3]))
        for name, each in systems.items()
    }
    others = [name for name in "xyz" if name != first]
    pairs = [compare_fits(fits[first], fits[each], K, together=together) for each in others]
    p = holm(np.array([each["p"] for each in pairs]), together)
    table = answer.table
    for name, pair, adjusted in zip(others, pairs, p, strict=True):
        found = table[table["system"] == name]
        np.testing.assert_allclose(found["accuracy"], pair["accuracy_b"])
        for column in NUMBERS:
            np.testing.assert_allclose(found[column], pair[column])
        np.testing.assert_allclose(found["p"], adjusted)
    assert (table.groupby("k")["accuracy"].diff().dropna() <= 0).all()
    np.testing.assert_allclose(
        table.loc[table["system"] == first, "accuracy"], pairs[0]["accuracy_a"]
    )
    assert table.loc[table["system"] == first, "difference"].isna().all()
