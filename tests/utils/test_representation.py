"""What public objects show of themselves."""

import numpy as np
import pandas as pd
import pytest

import accuracy_curves as ac
from accuracy_curves.utils.representation import MOST_ROWS, Tabular
from conftest import simulated

MATRIX = simulated(40, 4, variance=0.3)
GALLERY = np.random.default_rng(0).normal(size=(2000, 5))
SHOWN = {
    "<ScoreMatrix: 160 points, 40 classes, distances, float64>": MATRIX,
    "<DistanceMatrix: 1 points, 2,000 classes, euclidean distances in 5 dimensions>": (
        ac.DistanceMatrix(GALLERY[:1] + 1, GALLERY, [0])
    ),
    "<Ranks: 2 points, 10 classes>": ac.Ranks([9, 4], [0, 0], [0, 1], 10),
    "<Searches: 2 searches with a mate, 1 without, 3 enrolled identities, similarities>": (
        ac.Searches(np.eye(3), [0, 1, -1])
    ),
    "Auto()": ac.Auto(),
    "CleaneX(seed=3, steps=10)": ac.CleaneX(steps=10, seed=3),
    "<Identification: auto, 160 searches with a mate, 0 without, 40 enrolled identities, "
    "distances>": ac.Identification(MATRIX),
}


@pytest.mark.parametrize("shown", SHOWN)
def test_a_line_says_what_it_is(shown):
    assert repr(SHOWN[shown]) == shown


def test_intervals_say_what_was_fitted():
    intervals = ac.ClassIntervals(MATRIX, "regression", splits=3, seed=2)
    assert repr(intervals).startswith("<ClassIntervals: Regression(seed=2), 40 classes, 3 splits ")
    found = intervals.interval([50, 4000], top=1, level=0.8)
    table = found.to_frame()
    assert table["k"].tolist() == [50, 4000]
    assert set(table["level"]) == {0.8}
    np.testing.assert_array_equal(table["set_upper"], found.set_upper)


class Long(Tabular):
    def to_frame(self):
        return pd.DataFrame({"value": np.full(1000, np.pi)})


def test_a_long_table_is_shown_in_part():
    lines = repr(Long()).splitlines()
    assert len(lines) <= MOST_ROWS + 3
    assert lines[2].strip() == "3.142"
