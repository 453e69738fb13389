import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import repetition_errors, spread_over_curve
from experiments.evaluation.summary import add_spread, ratios_to, summarise

TRUE = pd.DataFrame({"experiment": "a", "k": [2, 3, 4], "accuracy": [0.9, 0.8, 0.7]})


def curve(accuracies, *, experiment="a", k1=3, method="kde", repetition=0):
    return pd.DataFrame(
        {
            "experiment": experiment,
            "k1": k1,
            "repetition": repetition,
            "method": method,
            "k": np.arange(2, len(accuracies) + 2),
            "accuracy": accuracies,
        }
    )


def errors(method, rmse, at_k2=None, *, experiment="a", k1=3):
    return pd.DataFrame(
        {
            "experiment": experiment,
            "k1": k1,
            "method": method,
            "repetition": range(len(rmse)),
            "rmse_curve": rmse,
            "error_at_k2": rmse if at_k2 is None else at_k2,
            "n": 3,
        }
    )


def test_the_errors_of_two_curves_worked_by_hand():
    predicted = pd.concat(
        [
            curve([0.9, 0.8, 0.4], method="regression"),
            curve([0.8, 1.0, 0.9], method="kde", repetition=5),
        ]
    )
    found = repetition_errors(predicted, TRUE)
    assert list(found.columns) == [
        *("experiment", "k1", "method", "repetition"),
        *("rmse_curve", "error_at_k2", "largest_rise", "n"),
    ]
    assert found["method"].tolist() == ["kde", "regression"]
    assert found["repetition"].tolist() == [5, 0]
    # Squares (.01 + .04 + .04) / 3 = .03 and .09 / 3 = .03.
    np.testing.assert_allclose(found["rmse_curve"], [np.sqrt(0.03), np.sqrt(0.03)])
    np.testing.assert_allclose(found["error_at_k2"], [0.2, -0.3])
    np.testing.assert_allclose(found["largest_rise"], [0.2, 0.0])
    assert found["n"].tolist() == [3, 3]


def test_a_curve_is_compared_with_its_own_experiment():
    other = pd.DataFrame({"experiment": "b", "k": [2, 3], "accuracy": [0.5, 0.4]})
    predicted = pd.concat([curve([0.9, 0.8, 0.7]), curve([0.6, 0.5], experiment="b")])
    found = repetition_errors(predicted, pd.concat([TRUE, other])).set_index("experiment")
    np.testing.assert_allclose(found["rmse_curve"], [0, 0.1], atol=1e-15)
    assert found["n"].to_dict() == {"a": 3, "b": 2}


def test_predictions_beyond_k2_are_left_out():
    longer = pd.concat([curve([0.8, 0.8, 0.7]), curve([0.1]).assign(k=10**12)])
    short = repetition_errors(curve([0.8, 0.8, 0.7]), TRUE)
    pd.testing.assert_frame_equal(repetition_errors(longer, TRUE), short)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 4), st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_the_errors_are_those_of_a_plain_loop_in_any_order_of_rows(repetitions, n, seed):
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    true = pd.DataFrame({"experiment": "a", "k": np.arange(2, n + 2), "accuracy": truth})
    guesses = {
        (k1, method, repetition): rng.random(n)
        for k1, method, repetition in itertools.product((3, 5), "xy", range(repetitions))
    }
    predicted = pd.concat(
        [curve(g, k1=k1, method=m, repetition=r) for (k1, m, r), g in guesses.items()]
    )
    found = repetition_errors(predicted, true)
    for row in found.itertuples():
        guess = guesses[row.k1, row.method, row.repetition]
        square = sum((g - t) ** 2 for g, t in zip(guess, truth, strict=True)) / n
        assert row.rmse_curve == pytest.approx(np.sqrt(square))
        assert row.error_at_k2 == guess[-1] - truth[-1]
    assert len(found) == len(guesses)
    shuffled = predicted.sample(frac=1, random_state=np.random.RandomState(seed))
    pd.testing.assert_frame_equal(repetition_errors(shuffled, true), found, check_exact=True)


def test_a_curve_that_crosses_the_truth_at_k2_is_biased_over_the_curve():
    true = pd.DataFrame({"experiment": "a", "k": range(2, 6), "accuracy": [0.9, 0.8, 0.7, 0.6]})
    predicted = pd.concat(
        [
            curve([0.1, 0.1, 0.8, 0.5]),
            curve([0.1, 0.1, 0.8, 0.7, 0.3], repetition=1),
            curve([0.9, 0.8, 0.7, 0.6], method="auto"),
        ]
    )
    found = spread_over_curve(predicted, true)
    # Beyond k1 = 3 the mean errors of kde are .1 and 0, their standard deviations 0 and .1.
    assert found["method"].tolist() == ["auto", "kde"]
    assert found["repetitions"].tolist() == [1, 2]
    np.testing.assert_allclose(found["bias_curve"], [0, np.sqrt(0.005)], atol=1e-15)
    np.testing.assert_allclose(found["sd_curve"], [0, np.sqrt(0.005)], atol=1e-15)


def test_the_spread_of_curves_that_are_not_all_there_is_the_published_one():
    table = pd.concat([errors("kde", [0.1, 0.2]), errors("auto", [0.3]), errors("spline", [0.1])])
    keys = {"experiment": "a", "k1": 3}
    here = [["kde", 1, 0.1, 0.1], ["auto", 1, 0.2, 0.3]]
    known = [["kde", 2, 0.4, 0.5], ["auto", 1, 0.7, 0.7]]
    names = ["method", "repetitions", "bias_curve", "sd_curve"]
    spread, published = (pd.DataFrame(rows, columns=names).assign(**keys) for rows in (here, known))
    found = add_spread(summarise(table, "kde"), spread, published).set_index("method")
    assert found.loc["kde", ["bias_curve", "sd_curve"]].tolist() == [0.4, 0.5]
    assert found.loc["auto", ["bias_curve", "sd_curve"]].tolist() == [0.2, 0.3]
    assert found.loc["spline", ["bias_curve", "sd_curve"]].isna().all()
    # Of a preset that has neither, and a table from before they were measured.
    nothing = pd.DataFrame(columns=spread.columns)
    older = published.drop(columns=["bias_curve", "sd_curve"])
    assert add_spread(summarise(table, "kde"), nothing, older)["sd_curve"].isna().all()


def test_the_summary_of_four_repetitions_worked_by_hand():
    table = errors("kde", [0.1, 0.2, 0.3, 0.6], at_k2=[0.1, -0.1, 0.3, 0.1])
    (row,) = summarise(table, "kde").to_dict("records")
    assert row["repetitions"] == 4
    assert row["rmse_curve_median"] == pytest.approx(0.25)
    assert row["rmse_curve_mean"] == pytest.approx(0.3)
    assert row["rmse_curve_q1"] == pytest.approx(0.175)
    assert row["rmse_curve_q3"] == pytest.approx(0.375)
    # Squares .01 + .01 + .09 + .01 = .12.
    assert row["rmse_at_k2"] == pytest.approx(np.sqrt(0.03))
    assert row["bias_at_k2"] == pytest.approx(0.1)
    assert row["sd_at_k2"] == pytest.approx(np.sqrt(0.02))
    assert row["rmse_at_k2"] ** 2 == pytest.approx(row["bias_at_k2"] ** 2 + row["sd_at_k2"] ** 2)


def test_each_setting_is_summarised_by_itself():
    table = pd.concat([errors("kde", [0.1]), errors("kde", [0.3], k1=9), errors("cleanex", [0.2])])
    found = summarise(table, "kde").set_index(["k1", "method"])["rmse_curve_mean"]
    assert found.to_dict() == pytest.approx({(3, "kde"): 0.1, (9, "kde"): 0.3, (3, "cleanex"): 0.2})


def test_ratios_are_formed_within_a_repetition():
    table = pd.concat([errors("cleanex", [0.1, 0.2, 0.4]), errors("kde", [0.4, 0.2, 0.2])])
    found = ratios_to(table, "cleanex")
    assert list(found.columns) == ["experiment", "k1", "method", "repetition", "ratio"]
    assert found["method"].unique().tolist() == ["kde"]
    np.testing.assert_allclose(found["ratio"], [4, 1, 0.5])
    other = ratios_to(table, reference="kde")
    np.testing.assert_allclose(other["ratio"], [0.25, 1, 2])


def test_the_summary_compares_with_a_reference():
    table = pd.concat(
        [errors("cleanex", [0.1, 0.2, 0.3], [0.1] * 3), errors("kde", [0.4, 0.2, 0.9], [-0.3] * 3)]
    )
    found = summarise(table, reference="cleanex").set_index("method")
    assert found["rmse_curve_mean_ratio"].to_dict() == pytest.approx({"cleanex": 1, "kde": 2.5})


def test_only_repetitions_that_both_have_are_compared():
    table = pd.concat(
        [errors("cleanex", [0.1, 0.2], [0.1, 0.3]), errors("kde", [0.4, 0.2, 9.0], [0.3, 0.1, 9.0])]
    )
    assert ratios_to(table, "cleanex")["ratio"].tolist() == pytest.approx([4, 1])
    found = summarise(table, reference="cleanex").set_index("method").loc["kde"]
    assert (found["repetitions"], found["compared"]) == (3, 2)
    assert found["rmse_curve_mean"] == pytest.approx(3.2)
    # (.4 + .2) / (.1 + .2).
    assert found["rmse_curve_mean_ratio"] == pytest.approx(2)


def test_there_is_no_ratio_to_an_error_of_zero():
    table = pd.concat([errors("cleanex", [0.0, 0.2]), errors("kde", [0.0, 0.6])])
    np.testing.assert_array_equal(np.isnan(ratios_to(table, "cleanex")["ratio"]), [True, False])
    none = table.assign(rmse_curve=table["rmse_curve"].where(table["method"] == "kde", 0))
    assert summarise(none, "cleanex")["rmse_curve_mean_ratio"].isna().all()


def test_without_the_reference_in_a_setting_nothing_is_compared_there():
    table = pd.concat(
        [errors("kde", [0.1]), errors("kde", [0.2], k1=4), errors("cleanex", [0.1], k1=4)]
    )
    found = summarise(table, "cleanex").set_index(["k1", "method"])
    assert found["compared"].to_dict() == {(3, "kde"): 0, (4, "cleanex"): 1, (4, "kde"): 1}
    ratios = found["rmse_curve_mean_ratio"].to_dict()
    assert ratios == pytest.approx(
        {(3, "kde"): np.nan, (4, "cleanex"): 1, (4, "kde"): 2}, nan_ok=True
    )


@pytest.mark.parametrize("compare", [ratios_to, summarise])
def test_a_missing_reference_is_said_in_a_sentence(compare):
    with pytest.raises(
        InputError, match="no errors of the reference method 'cleanex', only of kde"
    ):
        compare(errors("kde", [0.1]), "cleanex")
