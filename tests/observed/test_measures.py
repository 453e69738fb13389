"""Measures of ranks, by brute force over all subsets of the classes."""

from itertools import combinations

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError, ScoreMatrix

MEASURES = ["hit@1", "hit@3", "recall@2", "precision@3", "mrr@2", "ndcg@3", "map@4", "recall@20"]


def measured(ranks, measure, top):
    """Take a measure of one query, whose right answers are at these ranks, as trec_eval does."""
    ranks = np.sort(ranks)
    found, ideal = ranks[ranks <= top], np.arange(1, min(len(ranks), top) + 1)
    if measure == "map":
        return np.sum(np.arange(1, len(found) + 1) / found) / len(ranks)
    if measure == "ndcg":
        return np.sum(1 / np.log2(1 + found)) / np.sum(1 / np.log2(1 + ideal))
    of_best = {"hit": float(len(found) > 0), "mrr": 1 / found[0] if len(found) else 0.0}
    divided = {"recall": len(found) / len(ranks), "precision": len(found) / top}
    return {**of_best, **divided}[measure]


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("measure", MEASURES)
def test_a_pair_that_is_set_aside_stays_in_every_subset(measure, higher):
    rng = np.random.default_rng(1)
    scores, labels = rng.normal(size=(14, 7)), np.arange(14) % 7
    rows, columns = np.array([0, 1, 1, 5]), np.array([1, 0, 4, 6])
    own = scores[np.arange(14), labels]
    scores[rows[:3], columns[:3]] = own[rows[:3]] + [1, 2, 3]
    scores[5, 6] = own[5] - 1
    matrix = ScoreMatrix(scores if higher else -scores, labels, higher)
    sample = matrix.setting_aside(rows, columns)
    name, top = measure.split("@")
    fixed = np.zeros(14, int)
    np.add.at(fixed, rows[:3], 1)
    free = scores.copy()
    free[rows, columns] = -99
    for k in (2, 4, 7):
        seen = []
        for subset in combinations(range(7), k):
            points = np.flatnonzero(np.isin(labels, subset))
            ranks = 1 + fixed + (free[:, subset] > own[:, None]).sum(axis=1)
            seen.append(np.mean([measured([ranks[x]], name, int(top)) for x in points]))
        found = ac.average_accuracy(sample, k, measure=measure)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)
    assert sample.select_classes(np.arange(3)).standing.above.tolist() == fixed[labels < 3].tolist()


def test_what_is_set_aside_in_lists_is_what_is_in_the_matrix():
    matrix = ac.simulate(n_classes=60, variance=0.3)
    rows = np.arange(0, 600, 7)
    best = np.where(np.eye(60)[matrix.labels] > 0, np.inf, matrix.scores).argmin(axis=1)
    whole = matrix.setting_aside(rows, best[rows])
    lists = matrix.candidates(60).setting_aside(rows, best[rows])
    for measure in ("hit@1", "mrr@3"):
        found = [ac.average_accuracy(each, [9, 60], measure=measure) for each in (whole, lists)]
        np.testing.assert_allclose(*found)
    assert ac.average_accuracy(whole, 60)[0] < ac.average_accuracy(matrix, 60)[0] + 0.03


def test_measures_that_are_none():
    sample = ac.simulate(n_classes=20)
    for wrong in ("ndcg", "ndcg@0", "auc@10", "hit@x"):
        with pytest.raises(InputError, match="there is no measure"):
            ac.average_accuracy(sample, 5, measure=wrong)
    with pytest.raises(InputError, match="not both"):
        ac.Auto().fit(sample).predict(5, 10, measure="mrr@10")


@pytest.mark.parametrize("method", ["auto", "pooled_tail", "two_parameter", "mple"])
def test_fixed_rivals_are_lost_at_every_size(method):
    """Three tenths of the points lose to a fixed rival, and the others stay what they were."""
    matrix = ac.simulate(n_classes=120, variance=0.1, seed=2)
    rows = np.arange(0, matrix.n_points, 10)[:, None] + np.arange(3)
    rows, moved = rows.ravel(), matrix.scores.copy()
    columns = (matrix.labels[rows] + 5) % 120
    moved[rows, columns] = 0
    sample = ScoreMatrix(moved, matrix.labels, higher_is_better=False)
    assert ac.average_accuracy(sample, 120)[0] < 0.7
    k = [120, 1200, 10**7]
    free, fixed, drawn = (
        ac.EXTRAPOLATORS[method]().fit(each).predict(k)
        for each in (matrix, sample.setting_aside(rows, columns), sample)
    )
    np.testing.assert_allclose(fixed, 0.7 * free, atol=0.03)
    assert drawn[1] < fixed[1] - 0.05
