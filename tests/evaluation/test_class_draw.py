import itertools

import numpy as np
import pandas as pd
import pytest

from accuracy_curves import ScoreMatrix, subsample
from accuracy_curves.utils.seeds import derive_seed
from conftest import simulated
from experiments.evaluation.class_draw import class_draw_noise, summarise_draws
from experiments.evaluation.result_files import read_draws
from experiments.evaluation.subsampling import Draws

PARTS = (2021, "e0")


def accuracy_of_points(matrix, rows, k):
    """Brute force: over all subsets of k - 1 of the other classes, classes weighing equally."""
    by_class = {}
    for row in rows:
        own = matrix.labels[row]
        others = [c for c in range(matrix.n_classes) if c != own]
        nearest = matrix.scores[row]
        won = [
            all(nearest[own] < nearest[c] for c in subset)
            for subset in itertools.combinations(others, k - 1)
        ]
        by_class.setdefault(own, []).append(np.mean(won))
    return np.mean([np.mean(each) for each in by_class.values()])


def test_noise_by_brute_force_over_all_subsets():
    matrix = simulated(7, 2, variance=1.0)
    # Classes with unequal numbers of points.
    matrix = ScoreMatrix(matrix.scores[1:], matrix.labels[1:], higher_is_better=False)
    found = class_draw_noise(Draws(matrix, 3, range(4), PARTS), 5)
    assert found["repetition"].tolist() == [0, 1, 2, 3]
    for repetition, rmse, rivals_to_k1 in found.itertuples(index=False):
        seed = derive_seed(*PARTS, 3, repetition, "classes")
        drawn = np.random.default_rng(seed).choice(7, size=3, replace=False)
        rows = np.flatnonzero(np.isin(matrix.labels, drawn))
        differences = [
            accuracy_of_points(matrix, rows, k)
            - accuracy_of_points(matrix, range(matrix.n_points), k)
            for k in range(2, 6)
        ]
        assert rmse == pytest.approx(np.sqrt(np.mean(np.square(differences))))
        sample = subsample(matrix, 3, seed)
        among_drawn = [
            accuracy_of_points(sample, range(sample.n_points), k)
            - accuracy_of_points(matrix, rows, k)
            for k in (2, 3)
        ]
        assert rivals_to_k1 == pytest.approx(np.sqrt(np.mean(np.square(among_drawn))))


def test_no_noise_where_all_classes_are_drawn_and_less_with_more():
    matrix = simulated(60, 3, variance=0.5)
    found = [
        class_draw_noise(Draws(matrix, k1, range(20), PARTS), 60).median() for k1 in (10, 30, 60)
    ]
    points = [table["rmse_curve"] for table in found]
    assert points[0] > points[1] > points[2]
    assert found[2].drop("repetition").to_list() == pytest.approx([0, 0], abs=1e-12)


def test_medians_of_each_setting():
    noise = pd.DataFrame(
        {
            "experiment": ["e0"] * 3 + ["e1"],
            "k1": [10] * 3 + [20],
            "repetition": [0, 1, 2, 0],
            "rmse_curve": [0.1, 0.2, 0.4, 0.6],
            "rivals_to_k1": [0.5, 0.6, 0.8, 0.7],
        }
    )
    table = summarise_draws(noise)
    assert table.to_numpy().tolist() == [["e0", 10, 3, 0.2, 0.6], ["e1", 20, 1, 0.6, 0.7]]
    nothing = summarise_draws(read_draws([]))
    assert nothing.empty
    assert [*nothing] == [*table]
