import math
import time

import pandas as pd
import pytest

from conftest import simulated
from experiments.evaluation.methods_table import methods_table
from experiments.evaluation.subsampling import Draws, predict

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


def draws(setting, covered):
    """Intervals of ten repetitions at two multiples, of which so many hold the truth."""
    keys = dict(zip(["experiment", "k1", "method"], setting, strict=True))
    return pd.DataFrame(
        [
            {
                **keys,
                "multiple": multiple,
                "level": level,
                "lower": 0.0,
                "upper": 0.1 * multiple * level,
                "expected": 0.05 if repetition < times else 0.95,
                "too_far": False,
                "accuracy": 0.45,
                **dict.fromkeys(["set_lower", "set_upper", "of_set"], math.nan),
            }
            for repetition in range(10)
            for multiple, times in covered.items()
            for level in (0.8, 0.9)
        ]
    )


def test_errors_time_and_coverage_are_joined(errors, seconds):
    table = methods_table(errors, None, seconds, "auto")
    assert table["seconds"].tolist() == [0.5, 1.5, 2.5]
    assert table["repetitions"].tolist() == [2, 2, 2]
    assert table["rmse_curve_median"].tolist() == pytest.approx([0.15, 0.25, 0.35])
    assert table["ratio_median"].tolist() == pytest.approx([1, (2 / 1 + 3 / 2) / 2, 1])
    assert "rmse_curve_mean" not in table
    assert "covered_2" not in table
    intervals = pd.concat(
        [draws(SETTINGS[0], {2: 2, 4: 4}), draws(SETTINGS[2], {2: 9}).query("level == 0.8")]
    )
    table = methods_table(errors, intervals, seconds, "auto").set_index(["experiment", "method"])
    found = table.loc[("one", "auto"), ["covered_2", "covered_4", "width_2", "width_4"]]
    assert found.tolist() == pytest.approx([0.2, 0.4, 0.18, 0.36])
    assert table.loc[[("one", "kde"), ("two", "auto")], "covered_2"].isna().all()
    assert table["seconds"].tolist() == [0.5, 1.5, 2.5]


def test_curves_that_were_made_elsewhere_have_no_seconds(errors, seconds):
    found = methods_table(errors, None, seconds[seconds["experiment"] == "one"], "auto")["seconds"]
    assert math.isnan(found[2])
    assert found[:2].tolist() == [0.5, 1.5]
    assert methods_table(errors, None, None, "auto")["seconds"].isna().all()


def test_seconds_and_coverage_of_rows_that_are_published_stand(errors, seconds):
    keys = dict(zip(["experiment", "k1", "method"], zip(*SETTINGS[:2], strict=True), strict=True))
    known = pd.DataFrame({**keys, "seconds": [7.0, 8.0], "covered_2": [0.9, math.nan]})
    table = methods_table(errors, None, seconds, "auto", known)
    assert table["seconds"].tolist() == [7, 8, 2.5]
    assert table["covered_2"].tolist() == pytest.approx([0.9, math.nan, math.nan], nan_ok=True)


def test_the_seconds_of_each_repetition_are_the_processors():
    draws = Draws(simulated(20, 2), 10, [0, 2, 5], (1, "here"))
    started = time.process_time()
    _, found = predict(draws, 20, "empirical_bayes", {})
    assert found["repetition"].tolist() == [0, 2, 5]
    assert (found["seconds"] > 0).all()
    assert found["seconds"].sum() <= time.process_time() - started
