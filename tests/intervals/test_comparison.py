"""The difference of two systems: both are fitted to the same halves of the classes."""

import warnings

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t

import accuracy_curves as ac
from accuracy_curves.intervals.comparison import compare_fits
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


def test_the_other_way_round_the_difference_has_the_other_sign():
    one, other = compare(A, B, top=2), compare(B, A, top=2)
    np.testing.assert_allclose(one.difference, -other.difference, atol=1e-15)
    np.testing.assert_allclose(one.lower, -other.upper, atol=1e-15)
    np.testing.assert_array_equal(one.accuracy_a, other.accuracy_b)
    assert (one.lower < one.difference).all()
    assert (one.difference < one.upper).all()


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
