import numpy as np
import pandas as pd
import pytest

import populations
import reach
from accuracy_curves import average_accuracy
from accuracy_curves.extrapolators import EXTRAPOLATORS
from populations import POPULATIONS, Population

K = np.array([2, 20, 200, 2000])
BY_NAME = {population.name: population for population in POPULATIONS}


@pytest.mark.parametrize("n", [300, 3000])
def test_highest_of_n_others_is_known_in_closed_form(n):
    found = BY_NAME[f"independent, highest of {n}"].accuracy(K)
    np.testing.assert_allclose(found, n / (n + K - 1), rtol=1e-6)


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.name)
def test_the_truth_is_what_many_draws_show(population: Population):
    # k1 classes of one point each: the mean of observed accuracies has no bias.
    k = np.array([2, 8, 25])
    seen = []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        transform, higher = next(iter(population.written.values()))
        scores = transform(population.draw(25, 1, rng))
        sample = populations.ScoreMatrix(scores, np.arange(25), higher)
        seen.append(average_accuracy(sample, k, seed))
    error = np.std(seen, axis=0) / np.sqrt(len(seen))
    assert (np.abs(np.mean(seen, axis=0) - population.accuracy(k)) < 4 * error + 1e-9).all()


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda population: population.name)
def test_every_way_of_writing_keeps_the_order(population: Population):
    counts = [sample.outscored_and_tied() for sample in population.samples(20, 2, 0).values()]
    assert len(counts) >= 3
    for outscored, tied in counts[1:]:
        np.testing.assert_array_equal(outscored, counts[0][0])
        np.testing.assert_array_equal(tied, counts[0][1])


def test_no_method_declares_more_reach_than_was_measured():
    """Of the committed table, on populations of several kinds."""
    table = pd.read_csv(reach.TABLE)
    assert set(table["population"]) == set(BY_NAME)
    assert len(set(table["method"])) >= 10
    for name, method in EXTRAPOLATORS.items():
        assert name in set(table["method"]) or method.reach <= 2
    for method, measured in reach.reaches(table).items():
        assert EXTRAPOLATORS[method].reach <= measured, method


def test_a_reach_is_the_largest_factor_up_to_which_intervals_hold():
    rows = [
        ("a", 10, 0.9, 0.9, 0.5, 1.0),
        ("a", 10, 0.9, 0.8, 0.9, 1.0),
        ("b", 10, 0.7, 1.0, 1.0, 1.0),
    ]
    table = pd.DataFrame(rows, columns=["method", "draws", "1 k1", "2 k1", "4 k1", "10 k1"])
    assert reach.reaches(table) == {"a": 2, "b": 0}
