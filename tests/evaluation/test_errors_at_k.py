import numpy as np
import pandas as pd
import pytest

from drawn import tables
from experiments.evaluation.curve_errors import errors_at_k
from experiments.evaluation.summary import summarise


def test_errors_are_those_of_the_summary_at_k2_and_of_the_definition_elsewhere():
    predicted, _, true, errors = tables([(10, 60), (20, 90)], repetitions=7)
    table = errors_at_k(predicted, true, [20, 60]).set_index(["experiment", "k1", "method", "k"])
    summary = summarise(errors, "kde").set_index(["experiment", "k1", "method"])
    at_k2 = table.xs("e0", drop_level=False).xs(60, level="k")
    for mine, theirs in (("bias", "bias_at_k2"), ("sd", "sd_at_k2"), ("rmse", "rmse_at_k2")):
        np.testing.assert_allclose(at_k2[mine], summary.loc[["e0"], theirs])
    np.testing.assert_allclose(table["rmse"] ** 2, table["bias"] ** 2 + table["sd"] ** 2)
    row = table.loc[("e1", 20, "kde", 20)]
    here = predicted.query("experiment == 'e1' and method == 'kde' and k == 20")["accuracy"]
    truth = true.query("experiment == 'e1' and k == 20")["accuracy"].item()
    assert row["true_accuracy"] == truth
    assert row["bias"] == pytest.approx((here - truth).mean())
    assert row["repetitions"] == 7
    assert len(table) == 2 * 3 * 2


def test_standard_errors_are_the_spread_of_the_measures_over_repeated_studies():
    rng = np.random.default_rng(0)
    n, studies = 100, 2000
    found = rng.normal(0.53, 0.04, size=(studies, n))
    predicted = pd.DataFrame(
        {
            "experiment": np.repeat([f"e{i}" for i in range(studies)], n),
            "k1": 10,
            "method": "kde",
            "repetition": np.tile(np.arange(n), studies),
            "k": 50,
            "accuracy": found.ravel(),
        }
    )
    true = pd.DataFrame({"experiment": predicted["experiment"].unique(), "k": 50, "accuracy": 0.5})
    table = errors_at_k(predicted, true, [50])
    for measure in ("bias", "rmse"):
        assert table[f"{measure}_se"].mean() == pytest.approx(table[measure].std(), rel=0.05)


def test_one_repetition_has_no_standard_error():
    predicted, _, true, _ = tables([(10, 60)], repetitions=1)
    table = errors_at_k(predicted, true, [60])
    assert table[["bias_se", "rmse_se"]].isna().all(axis=None)
    assert (table["sd"] == 0).all()
