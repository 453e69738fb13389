"""Costs of mistakes against the mean over all subsets, and a population whose risk is known."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.risk import average_risk, mean_of_largest, rank_costs
from conftest import simulated


def over_all_subsets(matrix, cost, k):
    sign = 1 if matrix.higher_is_better else -1
    risks = []
    for subset in combinations(range(matrix.n_classes), k):
        columns = list(subset)
        for correct in subset:
            rows = matrix.scores[matrix.labels == correct]
            if len(rows):
                predicted = np.array(columns)[(sign * rows[:, columns]).argmax(axis=1)]
                risks.append(cost[predicted, correct].mean())
    return np.mean(risks)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(3, 6), st.booleans())
def test_equals_the_mean_over_all_subsets(seed, n_classes, higher):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, size=9)
    matrix = ac.ScoreMatrix(rng.normal(size=(9, n_classes)), labels, higher_is_better=higher)
    cost = rng.uniform(size=(n_classes, n_classes))
    np.fill_diagonal(cost, 0)
    k = np.arange(2, n_classes + 1)
    expected = [over_all_subsets(matrix, cost, one) for one in k]
    np.testing.assert_allclose(average_risk(matrix, k, cost), expected, atol=1e-12)


def test_zero_one_cost_is_one_minus_accuracy():
    matrix = simulated(40, 3, variance=0.4)
    k = np.arange(2, 41)
    accuracy = ac.average_accuracy(matrix, k)
    cost = 1 - np.eye(40)
    np.testing.assert_allclose(average_risk(matrix, k), 1 - accuracy, atol=1e-12)
    np.testing.assert_allclose(average_risk(matrix, k, cost), 1 - accuracy, atol=1e-12)
    np.testing.assert_allclose(rank_costs(matrix, cost), rank_costs(matrix), atol=1e-12)


def test_ties_are_broken_at_random():
    # All scores equal: the correct class of three is the best of a random order.
    matrix = ac.ScoreMatrix(np.zeros((30_000, 3)), np.arange(30_000) % 3)
    cost = np.array([[0, 0.2, 0.2], [0.2, 0, 1], [1, 1, 0]])
    expected = cost.sum(axis=0).mean() / 3
    assert average_risk(matrix, 3, cost, seed=4)[0] == pytest.approx(expected, abs=0.01)
    assert average_risk(matrix, 3, seed=4)[0] == pytest.approx(2 / 3, abs=0.01)
    np.testing.assert_array_equal(rank_costs(matrix, cost, 7), rank_costs(matrix, cost, 7))


def test_mean_of_the_largest_by_counting():
    costs = np.random.default_rng(0).uniform(size=7)
    found = mean_of_largest(costs, np.arange(2, 9))
    for size in range(1, 8):
        mean = np.mean([costs[max(subset)] for subset in combinations(range(7), size)])
        assert found[size - 1] == pytest.approx(mean, abs=1e-13)
    assert mean_of_largest(np.ones(5000), 2501)[0] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (np.zeros((4, 4)), "4 classes|shape"),
        (2 * (1 - np.eye(5)), "from 0 to 1"),
        (-(1 - np.eye(5)), "from 0 to 1"),
        (np.full((5, 5), np.nan), "from 0 to 1"),
        (np.ones((5, 5)), "diagonal"),
        ([["a"] * 5] * 5, "<U1 of shape"),
    ],
)
def test_refuses_other_costs(cost, message):
    with pytest.raises(InputError, match=message):
        rank_costs(simulated(5, 2), cost)


def test_refuses_more_classes_than_observed():
    with pytest.raises(InputError, match="an extrapolation"):
        average_risk(simulated(5, 2), [3, 6])
