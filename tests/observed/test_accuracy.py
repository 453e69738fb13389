import logging
import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from accuracy_curves import (
    InputError,
    ScoreMatrix,
    average_accuracy,
    discriminability,
    ranks,
    reversed_auc,
    reversed_roc,
)
from accuracy_curves.observed.accuracy import (
    attracting_classes,
    average_accuracy_of_ranks,
    effective_classes,
    expected_accuracy,
)
from conftest import simulated


def equal(points):
    """Equal weights."""
    return np.full(len(points), 1 / len(points))


def brute_force(matrix: ScoreMatrix, k: int) -> float:
    """Mean over all pairs of a subset of k classes and one of its classes that has points."""
    sign = 1 if matrix.higher_is_better else -1
    scores = sign * np.asarray(matrix.scores, dtype=float)
    shares = []
    for subset in combinations(range(matrix.n_classes), k):
        for label in subset:
            own = scores[matrix.labels == label]
            if len(own):
                others = [column for column in subset if column != label]
                shares.append(np.mean(own[:, label] > own[:, others].max(axis=1)))
    return float(np.mean(shares))


def random_matrix(seed: int, n_classes: int, n_points: int, n_levels: int = 0) -> ScoreMatrix:
    """Scores that grow with the right class; n_levels > 0 makes ties."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, size=n_points)
    scores = rng.normal(size=(n_points, n_classes))
    scores[np.arange(n_points), labels] += 1
    if n_levels:
        scores = np.clip(np.round(scores), -1, n_levels - 2)
    higher = bool(rng.integers(2))
    return ScoreMatrix(scores if higher else -scores, labels, higher)


def with_ties_broken(matrix: ScoreMatrix, outscored: np.ndarray) -> ScoreMatrix:
    """The matrix with ties moved up or down until each point outscores as many as given."""
    scores = np.asarray(matrix.scores, dtype=float) * (1 if matrix.higher_is_better else -1)
    for row, (label, below) in enumerate(zip(matrix.labels, outscored, strict=True)):
        own = scores[row, label]
        tied = [c for c in np.flatnonzero(scores[row] == own) if c != label]
        beaten = below - np.count_nonzero(scores[row] < own)
        assert 0 <= beaten <= len(tied)
        scores[row, tied[:beaten]] -= 1e-6
        scores[row, tied[beaten:]] += 1e-6
    return ScoreMatrix(scores, matrix.labels)


shapes = {
    "seed": st.integers(0, 10_000),
    "n_classes": st.integers(3, 7),
    "n_points": st.integers(1, 20),
}


@settings(max_examples=40, deadline=None)
@given(**shapes)
def test_average_accuracy_equals_all_subsets(seed, n_classes, n_points):
    # Unequal points a class, and classes without points, come with the random labels.
    matrix = random_matrix(seed, n_classes, n_points)
    k = np.arange(2, n_classes + 1)
    expected = [brute_force(matrix, each) for each in k]
    np.testing.assert_allclose(average_accuracy(matrix, k), expected, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(**shapes)
def test_average_accuracy_with_ties_equals_all_subsets(seed, n_classes, n_points):
    matrix = random_matrix(seed, n_classes, n_points, n_levels=3)
    broken = with_ties_broken(matrix, ranks(matrix, seed))
    k = np.arange(2, n_classes + 1)
    expected = [brute_force(broken, each) for each in k]
    np.testing.assert_allclose(average_accuracy(matrix, k, seed), expected, atol=1e-12)


def test_mean_over_tie_breakings_is_the_expectation_over_them():
    matrix = random_matrix(3, 6, 8, n_levels=2)
    outscored, tied = matrix.outscored_and_tied()
    assert tied.max() > 1
    n_seeds = 4000
    for k in (2, 4, 6):
        expected, variance = 0.0, 0.0
        for weight, low, ties in zip(matrix.weights, outscored, tied, strict=True):
            outcomes = [
                math.comb(r, k - 1) / math.comb(5, k - 1) for r in range(low, low + ties + 1)
            ]
            expected += weight * np.mean(outcomes)
            variance += weight**2 * np.var(outcomes)
        drawn = [average_accuracy(matrix, k, seed)[0] for seed in range(n_seeds)]
        assert abs(np.mean(drawn) - expected) < 5 * math.sqrt(variance / n_seeds)


def test_ranks_by_loop_and_ties_in_the_log(caplog):
    matrix = random_matrix(5, 6, 30, n_levels=3)
    scores = matrix.scores if matrix.higher_is_better else -matrix.scores
    lower, upper = [], []
    for row, label in zip(scores, matrix.labels, strict=True):
        lower.append(sum(row[label] > value for value in row))
        upper.append(sum(row[label] >= value for value in row) - 1)
    with caplog.at_level(logging.INFO):
        found = ranks(matrix, 1)
    assert np.all(found >= lower)
    assert np.all(found <= upper)
    n_tied = np.count_nonzero(np.array(lower) < upper)
    assert f"{n_tied} of 30 points tie with an incorrect class" in caplog.text
    np.testing.assert_array_equal(ranks(matrix, 1), found)
    assert any(not np.array_equal(ranks(matrix, seed), found) for seed in range(10))


def test_a_hundred_thousand_classes():
    n_classes = 10**5
    rng = np.random.default_rng(0)
    outscored = np.concatenate(
        [[0, 1, 49_999, n_classes - 2, n_classes - 1], rng.integers(90_000, n_classes, size=20)]
    )
    k = np.unique(np.geomspace(2, n_classes, 400).astype(int))
    curve = average_accuracy_of_ranks(outscored, n_classes, k, equal(outscored))
    assert np.all(np.isfinite(curve))
    assert curve.min() >= 0
    assert curve.max() <= 1
    assert np.all(np.diff(curve) <= 0)
    for each in (2, 3, 50, 1000, 30_000, n_classes - 1, n_classes):
        # binom(R, k - 1) / binom(K - 1, k - 1), written with the shorter products.
        exact = sum(
            Fraction(
                math.comb(n_classes - each, n_classes - 1 - int(r)),
                math.comb(n_classes - 1, n_classes - 1 - int(r)),
            )
            for r in outscored[outscored > 80_000]
        )
        exact += sum(
            Fraction(math.perm(int(r), each - 1), math.perm(n_classes - 1, each - 1))
            for r in outscored[outscored <= 80_000]
            if each <= 1000
        )
        found = average_accuracy_of_ranks(outscored, n_classes, each, equal(outscored))[0]
        assert found == pytest.approx(float(exact / len(outscored)), rel=1e-8, abs=1e-300)


@settings(max_examples=100, deadline=None)
@given(
    ranks_and_classes=st.integers(3, 300).flatmap(
        lambda n: st.tuples(st.lists(st.integers(0, n - 1), min_size=1, max_size=20), st.just(n))
    )
)
def test_curve_is_a_non_increasing_average_of_exact_ratios(ranks_and_classes):
    outscored, n_classes = ranks_and_classes
    k = np.arange(2, n_classes + 1)
    curve = average_accuracy_of_ranks(np.array(outscored), n_classes, k, equal(outscored))
    exact = [
        float(
            Fraction(sum(math.comb(r, each - 1) for r in outscored))
            / (math.comb(n_classes - 1, each - 1) * len(outscored))
        )
        for each in k
    ]
    np.testing.assert_allclose(curve, exact, rtol=1e-10, atol=1e-290)
    assert np.all(np.diff(curve) <= 1e-12)


@given(**shapes, levels=st.sampled_from([0, 3]), top=st.integers(1, 3))
def test_classes_that_errors_go_to_by_a_loop(seed, n_classes, n_points, levels, top):
    matrix = random_matrix(seed, n_classes, n_points, levels)
    scores = matrix.scores if matrix.higher_is_better else -matrix.scores
    share = np.zeros(n_classes)
    wrong = n_classes - 1 - ranks(matrix, seed) >= top
    for row, own, weight in zip(
        scores[wrong], matrix.labels[wrong], matrix.weights[wrong], strict=True
    ):
        beats = (row > row[own]) + 0.5 * (row == row[own]) - 0.5 * (np.arange(n_classes) == own)
        share += weight * beats / beats.sum()
    expected = share.sum() ** 2 / (share**2).sum() if share.any() else 0
    assert attracting_classes(matrix, seed, top) == pytest.approx(expected)


def test_large_tables_are_done_in_blocks():
    matrix = simulated(30, 4)
    k = np.arange(2, 31)
    for top in (1, 2):
        curve = average_accuracy(matrix, k, top=top)
        many = average_accuracy(matrix, np.tile(k, 999), top=top)
        np.testing.assert_array_equal(many, np.tile(curve, 999))


def test_threads_do_not_change_a_bit():
    rng = np.random.default_rng(0)
    n = 10**5
    outscored, weights = rng.integers(0, n, size=n), rng.random(n)
    curves = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            curves.append(average_accuracy_of_ranks(outscored, n, 5, weights / weights.sum()))
    np.testing.assert_array_equal(*curves)


def test_more_classes_than_there_are_is_one_sentence():
    with pytest.raises(InputError, match="on 20"):
        average_accuracy(simulated(20, 1), 21)


def literal_reversed_roc(correct: float, incorrect: np.ndarray, u: float) -> float:
    """Definition 1 of ICLR 2021 as it is written, with the supremum over t."""
    edges = np.concatenate([[-np.inf], np.sort(incorrect), [np.inf]])
    inside = np.concatenate([[edges[1] - 1], (edges[1:-2] + edges[2:-1]) / 2, [edges[-2] + 1]])
    false_positive_rate = np.array([np.mean(incorrect > t) for t in inside])
    # P(S' > t) does not change from one score up to the next, so the supremum is a right edge.
    threshold = edges[1:][false_positive_rate >= u].max()
    return float(correct > threshold)


def test_definition_1_literally():
    matrix = random_matrix(7, 6, 12)
    scores = matrix.scores if matrix.higher_is_better else -matrix.scores
    u = np.array([0, 0.01, 0.1, 0.2, 0.25, 0.4, 0.5, 0.6, 0.75, 0.8, 0.99, 1.0])
    points = [
        [literal_reversed_roc(row[label], np.delete(row, label), each) for each in u]
        for row, label in zip(scores, matrix.labels, strict=True)
    ]
    np.testing.assert_allclose(reversed_roc(matrix, u), matrix.weights @ points, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(**shapes, levels=st.sampled_from([0, 3]))
def test_reversed_roc_is_the_weighted_mean_and_mirrors_the_discriminability(
    seed, n_classes, n_points, levels
):
    matrix = random_matrix(seed, n_classes, n_points, levels)
    between_jumps = (np.arange(n_classes - 1) + 0.5) / (n_classes - 1)
    curve = reversed_roc(matrix, between_jumps, seed)
    discriminating = discriminability(matrix, between_jumps, seed)
    np.testing.assert_allclose(
        discriminating, 1 - reversed_roc(matrix, 1 - between_jumps, seed), atol=1e-14
    )
    favorability = ranks(matrix, seed) / (n_classes - 1)
    shares = [matrix.weights[favorability <= u].sum() for u in between_jumps]
    np.testing.assert_allclose(discriminating, shares, atol=1e-14)
    shares = [matrix.weights[1 - favorability < u].sum() for u in between_jumps]
    np.testing.assert_allclose(curve, shares, atol=1e-14)
    # The curve is constant between its jumps, so the mean of these values is its area.
    assert reversed_auc(matrix, seed) == pytest.approx(curve.mean(), abs=1e-13)
    assert reversed_auc(matrix, seed) == pytest.approx(
        average_accuracy(matrix, 2, seed)[0], abs=1e-13
    )


@pytest.mark.parametrize("top", [1, 2])
def test_the_expected_accuracy_is_the_mean_over_all_ways_to_break_ties(top):
    rng = np.random.default_rng(4)
    labels = np.array([0, 1, 1, 2, 4])
    matrix = ScoreMatrix(rng.integers(0, 3, (5, 5)).astype(float), labels)
    outscored, tied = matrix.outscored_and_tied()
    every = [
        (average_accuracy_of_ranks(outscored + more, 5, [2, 4, 5], matrix.weights, top=top))
        for more in np.array(list(product(*(range(t + 1) for t in tied))))
    ]
    found = expected_accuracy(matrix, [2, 4, 5], top=top)
    np.testing.assert_allclose(found, np.mean(every, axis=0), atol=1e-12)
    if top == 1:
        assert reversed_auc(matrix) == pytest.approx(found[0])
    np.testing.assert_array_equal(
        expected_accuracy(simulated(9, 2), [2, 9]), average_accuracy(simulated(9, 2), [2, 9])
    )


def test_one_hub_attracts_errors_of_all():
    scores = np.eye(9)
    scores[[0, 1, 2, 3], 5] = 2
    matrix = ScoreMatrix(scores, np.arange(9))
    assert effective_classes(matrix) == pytest.approx(4)
    assert attracting_classes(matrix) == pytest.approx(1)
    for count in (effective_classes, attracting_classes):
        assert count(ScoreMatrix(np.eye(9), np.arange(9))) == 0
    # Class 0 errs on both of its points and class 1 on one of two: (1 + 1/2)^2 / (1 + 1/4).
    two = ScoreMatrix(np.repeat(np.eye(9), 2, axis=0), np.repeat(np.arange(9), 2))
    two.scores[[0, 1, 2], 5] = 2
    assert effective_classes(two) == pytest.approx(1.8)
