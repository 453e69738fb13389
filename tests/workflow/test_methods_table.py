import math
import time

import pandas as pd
import pytest

from conftest import simulated
from experiments.evaluation.subsampling import Draws, predict
from experiments.evaluation.summary import methods_table

SETTINGS = [("one", 20, "auto"), ("one", 20, "kde"), ("two", 30, "auto")]


@pytest.fixture
def errors():
    rows = [(*setting, r, 0.1 * (i + r + 1)) for i, setting in enumerate(SETTINGS) for r in (0, 1)]
    table = pd.DataFrame(rows, columns=["experiment", "k1", "method", "repetition", "rmse_curve"])
    return table.assign(error_at_k2=-table["rmse_curve"])


@pytest.fixture
def seconds():
    rows = [(*setting, r, place + r) for place, setting in enumerate(SETTINGS) for r in (0, 1)]
    return pd.DataFrame(rows, columns=["experiment", "k1", "method", "repetition", "seconds"])


def test_seconds_are_medians_of_what_was_computed_or_published(errors, seconds):
    table = methods_table(errors, seconds)
    assert table["seconds"].tolist() == [0.5, 1.5, 2.5]
    assert table["repetitions"].tolist() == [2, 2, 2]
    own = seconds[seconds["experiment"] == "one"]
    assert methods_table(errors, own)["seconds"][:2].tolist() == [0.5, 1.5]
    assert math.isnan(methods_table(errors, own)["seconds"][2])
    known = pd.DataFrame([(*SETTINGS[2], 7.0)], columns=["experiment", "k1", "method", "seconds"])
    assert methods_table(errors, own, known)["seconds"].tolist() == [0.5, 1.5, 7]
    assert methods_table(errors, None)["seconds"].isna().all()


def test_the_seconds_of_each_repetition_are_the_processors():
    draws = Draws(simulated(20, 2), 10, [0, 2, 5], (1, "here"))
    started = time.process_time()
    _, found = predict(draws, 20, "empirical_bayes", {})
    assert found["repetition"].tolist() == [0, 2, 5]
    assert (found["seconds"] > 0).all()
    assert found["seconds"].sum() <= time.process_time() - started
