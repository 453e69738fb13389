from itertools import combinations

import numpy as np
import pytest
from scipy.stats import hypergeom

from accuracy_curves import EXTRAPOLATORS, InputError, ScoreMatrix, average_accuracy
from accuracy_curves.observed.accuracy import average_earned
from conftest import simulated


@pytest.mark.parametrize("top", [1, 2, 3, 5, 9])
def test_observed_top_accuracy_is_the_mean_over_all_subsets(top):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(21, 7))
    labels = np.arange(21) % 7
    for k in range(2, 8):
        seen = []
        for subset in combinations(range(7), k):
            rows = np.isin(labels, subset)
            among = scores[rows][:, subset]
            own = scores[rows, labels[rows]]
            seen.append(((among > own[:, None]).sum(axis=1) < top).mean())
        found = average_accuracy(ScoreMatrix(scores, labels), k, top=top)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)


@pytest.mark.parametrize("top", [0, -1, 1.5, True])
def test_top_must_be_a_whole_number(top):
    sample = simulated(12, 2)
    with pytest.raises(InputError, match="top is"):
        average_accuracy(sample, 5, top=top)
    with pytest.raises(InputError, match="top is"):
        EXTRAPOLATORS["gaussian_tail"]().fit(sample).predict(5, top=top)


@pytest.mark.parametrize(("top", "n"), [(2, 60), (20, 60), (59, 60), (60, 60), (2, 240_000)])
def test_averages_of_what_ranks_earn_are_hypergeometric(top, n):
    """Of very many classes no table of factorials is kept."""
    outscored, k = np.arange(0, n, n // 20), np.arange(2, 61)
    found = average_earned(outscored, n, k, np.full((top, 20), 0.05))
    chances = hypergeom.cdf(top - 1, n - 1, n - 1 - outscored, k[:, None] - 1)
    np.testing.assert_allclose(found, chances.mean(axis=1), rtol=1e-9 if n == 60 else 1e-7)
