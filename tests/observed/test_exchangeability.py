import numpy as np
import pytest

from accuracy_curves import InputError, ScoreMatrix
from accuracy_curves.observed.exchangeability import exchangeability, warn_of_groups
from conftest import simulated

N, POINTS = 40, 4


def two_sites(seed, *, noise=1.0, apart=0.0):
    """Classes of two sites in turn: the second has noisier points, or lies elsewhere."""
    rng = np.random.default_rng(seed)
    site = np.arange(N) % 2
    centres = rng.normal(size=(N, 5))
    centres[:, 0] += apart * site
    labels = np.repeat(np.arange(N), POINTS)
    spread = np.sqrt(0.2) * np.where(site[labels] == 1, noise, 1.0)
    points = centres[labels] + spread[:, None] * rng.normal(size=(len(labels), 5))
    distances = np.linalg.norm(points[:, None] - centres[None], axis=2)
    return ScoreMatrix(distances, labels, higher_is_better=False), site


def p_values(**difference):
    return np.array(
        [
            exchangeability(*two_sites(seed, **difference), permutations=99, seed=seed).p_value
            for seed in range(100)
        ]
    )


def test_level_where_the_groups_say_nothing():
    p = p_values()
    for level in (0.05, 0.1, 0.2, 0.5):
        # Three standard errors of 100 draws.
        assert abs(np.mean(p <= level) - level) < 3 * np.sqrt(level * (1 - level) / 100)


@pytest.mark.parametrize("difference", [{"noise": 1.5}, {"apart": 3.0}])
def test_power_where_they_differ(difference):
    assert np.mean(p_values(**difference) <= 0.05) > 0.7


def test_block_means_and_statistic_by_brute_force():
    sample, site = two_sites(3, noise=2.0)
    scores = np.round(sample.scores, 1)  # With ties.
    sample = ScoreMatrix(scores, sample.labels, higher_is_better=False)
    groups = np.where(site == 1, "b", "a")
    found = exchangeability(sample, groups, permutations=99)
    sums, pairs, total = np.zeros((2, 2)), np.zeros((2, 2)), []
    for c in range(N):
        for d in set(range(N)) - {c}:
            rows = scores[sample.labels == c]
            share = np.mean((rows[:, d] < rows[:, c]) + 0.5 * (rows[:, d] == rows[:, c]))
            sums[site[c], site[d]] += share
            pairs[site[c], site[d]] += 1
            total.append(share)
    np.testing.assert_allclose(found.confusion, sums / pairs)
    statistic = (pairs * (sums / pairs - np.mean(total)) ** 2).sum()
    assert found.statistic == pytest.approx(statistic)
    assert (found.groups, found.sizes.tolist()) == (["a", "b"], [N // 2, N // 2])
    within, between = found.within_and_between()
    assert within == pytest.approx(np.trace(sums) / np.trace(pairs))
    assert between == pytest.approx((sums[0, 1] + sums[1, 0]) / (pairs[0, 1] + pairs[1, 0]))


def test_doubt_only_where_the_groups_differ():
    alike = exchangeability(*two_sites(1), permutations=99)
    assert alike.p_value > 0.05
    assert warn_of_groups(alike) == []
    (said,) = warn_of_groups(exchangeability(*two_sites(1, noise=3.0), permutations=99))
    assert str(said).startswith("the groups of classes differ (permutation p = 0.01)")


def test_many_classes_are_drawn_from_and_classes_without_points_left_out(monkeypatch):
    monkeypatch.setattr("accuracy_curves.observed.exchangeability.MOST_CLASSES", 20)
    sample = simulated(60, 2, variance=0.3)
    only = sample.labels < 50
    sample = ScoreMatrix(sample.scores[only], sample.labels[only], higher_is_better=False)
    found = exchangeability(sample, np.arange(60) % 3, permutations=99)
    assert found.sizes.sum() == 20
    again = exchangeability(sample, np.arange(60) % 3, permutations=99)
    assert (found.statistic, found.p_value) == (again.statistic, again.p_value)


def test_two_groups_of_two_classes_are_enough():
    assert exchangeability(simulated(6, 2), list("aaaabb"), permutations=99).sizes.tolist() == [
        4,
        2,
    ]


def test_bad_groups():
    sample = simulated(6, 2)
    with pytest.raises(InputError, match=r"groups have shape \(5,\): one group for each of the 6"):
        exchangeability(sample, np.zeros(5))
    with pytest.raises(InputError, match=r"at least two groups.*there are 0 \(6\)"):
        exchangeability(sample, np.zeros(6, dtype=int))
    with pytest.raises(InputError, match=r"there are a \(5\), b \(1\)"):
        exchangeability(sample, ["a"] * 5 + ["b"])
    with pytest.raises(InputError, match="permutations is 9"):
        exchangeability(sample, list("aaabbb"), permutations=9)
