import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.evaluation.claims import AS_THEY_ARE, Choice, Claim, judge, judge_choices


def errors(experiment, method, rmse, *, at_k2=None, rise=0.0, k1=10):
    return pd.DataFrame(
        {
            "experiment": experiment,
            "k1": k1,
            "method": method,
            "repetition": range(len(rmse)),
            "rmse_curve": rmse,
            "error_at_k2": rmse if at_k2 is None else at_k2,
            "largest_rise": rise,
            "n": 9,
        }
    )


def claim(quantity="median", **options):
    defaults = {"methods": ["ours"], "experiments": ["a"], "k1": [10]}
    return Claim(claim="words", source="Figure 1", quantity=quantity, **defaults | options)


def verdict(table, **options):
    return judge(table, {"one": claim(**options)}).iloc[0]


TABLE = pd.concat(
    [
        errors("a", "ours", [0.01, 0.02, 0.03, 0.04, 0.05], at_k2=[0.1, -0.1, 0.1, -0.1, 0.0]),
        errors("a", "rival", [0.02, 0.04, 0.06, 0.08, 0.10], rise=[0, 0, 0.1, 0.2, 1e-12]),
        errors("a", "third", [0.02, 0.02, 0.02, 0.02, 0.90], at_k2=[-0.5] * 5),
        errors("b", "ours", [0.10] * 5),
        errors("b", "rival", [0.05] * 5),
        errors("b", "third", [0.20] * 5),
    ]
)


@pytest.mark.parametrize(
    ("options", "ours"),
    [
        ({"quantity": "median"}, 0.03),
        ({"quantity": "mean", "against": ["rival"]}, 2.0),
        ({"quantity": "mean", "against": ["rival", "third"]}, 2.0),
        ({"quantity": "median", "against": ["rival", "third"]}, 0.02 / 0.03),
        ({"quantity": "smallest", "methods": ["rival"]}, 0.02),
        ({"quantity": "bias", "methods": ["third"]}, 0.5),
        ({"quantity": "sd"}, np.sqrt(0.008)),
        ({"quantity": "rising", "methods": ["rival"]}, 0.4),
        ({"quantity": "ratio", "against": ["rival"]}, 2.0),
        ({"quantity": "ratio", "against": ["rival", "third"]}, 1.0),
        ({"quantity": "mean", "other_experiments": ["b"]}, 0.1 / 0.03),
    ],
)
def test_quantities_worked_by_hand(options, ours):
    holds = verdict(TABLE, **options, above=ours - 1e-9, below=ours + 1e-9)
    assert holds["ours"] == f"1 of 1 ({ours:.3g})"
    assert holds["repetitions"] == 5
    for bounds in ({"above": ours + 1e-9}, {"below": ours - 1e-9}):
        assert verdict(TABLE, **options, **bounds)["ours"].startswith("0 of 1")


def test_cases_are_counted_over_settings_and_methods():
    both = {"experiments": ["a", "b"], "against": ["rival"], "above": 1.0}
    row = verdict(TABLE, **both)
    assert row["ours"] == "1 of 2 (0.5 to 2)"
    assert row["verdict"] == "not reproduced"
    assert row["holds"] == 0
    row = verdict(TABLE, **both, at_least=1)
    assert row["verdict"] == "reproduced"
    assert row["holds"] == 1
    assert (row["low"], row["high"]) == (1, 1)
    each = {"experiments": ["a", "b"], "methods": ["ours", "rival"], "below": 0.055}
    assert verdict(TABLE, **each)["ours"].startswith("2 of 4 ")


def test_the_interval_is_that_of_the_mean_of_a_normal_sample():
    rng = np.random.default_rng(0)
    sample = rng.normal(5, 1, 400)
    row = verdict(errors("a", "ours", sample), quantity="mean", above=sample.mean())
    half = 1.96 * sample.std() / 20
    assert row["low"] == pytest.approx(sample.mean() - half, abs=0.01)
    assert row["high"] == pytest.approx(sample.mean() + half, abs=0.01)
    assert row["holds"] == pytest.approx(0.5, abs=0.05)
    assert row["verdict"] == "undecided"


@pytest.mark.parametrize(
    ("above", "decided"),
    [(4.93, "reproduced"), (4.95, "undecided"), (5.05, "undecided"), (5.08, "not reproduced")],
)
def test_a_verdict_needs_nine_of_ten_resamples(above, decided):
    # The mean of 400 draws has standard error 0.05: 0.9 of the resamples are above -1.28 of it.
    sample = np.random.default_rng(0).normal(0, 1, 400)
    sample = 5 + (sample - sample.mean()) / sample.std()
    row = verdict(errors("a", "ours", sample), quantity="mean", above=above)
    assert row["verdict"] == decided


def test_power_is_that_of_a_test_of_a_normal_mean():
    # True by a factor of two: the mean is 2, and is above 1 in 0.9 of the resamples if the
    # observed mean is above 1 + 1.28 se. So the power is P(N(2, se) > 1 + 1.28 se).
    sample = np.random.default_rng(0).normal(0, 1, 400)
    for se, expected in ((0.02, 1.0), (0.3, 0.98), (0.6, 0.65)):
        values = 2 + se * 20 * (sample - sample.mean()) / sample.std()
        found = verdict(errors("a", "ours", values), quantity="mean", above=1.0)["power"]
        # The scatter is by factors, and 200 runs are imagined.
        assert found == pytest.approx(expected, abs=0.1)


def test_power_of_equal_methods_within_a_factor_falls_with_the_scatter():
    rng = np.random.default_rng(0)
    bounds = {"quantity": "mean", "against": ["rival"], "above": 1 / 1.5, "below": 1.5}
    power = []
    for sd in (0.05, 0.5, 2.0):
        own, rival = (
            errors("a", name, np.exp(sd * rng.normal(size=10))) for name in ("ours", "rival")
        )
        power.append(verdict(pd.concat([own, rival]), **bounds)["power"])
    assert power[0] == 1.0
    assert power[0] > power[1] > power[2]


def test_what_has_no_factor_has_no_power():
    row = verdict(TABLE, quantity="rising", methods=["rival"], above=0)
    assert np.isnan(row["power"])


def test_derived_claims_and_notes_are_shown():
    row = verdict(TABLE, above=0.001, derived=True, note="a word")
    assert (row["basis"], row["note"]) == ("derived", "a word")
    assert verdict(TABLE, above=0.001)["basis"] == "stated"


def test_methods_are_resampled_together():
    # The rival is always twice as bad in the same repetition, whatever is drawn.
    rmse = np.random.default_rng(1).uniform(0.01, 1, 30)
    table = pd.concat([errors("a", "ours", rmse), errors("a", "rival", 2 * rmse)])
    row = verdict(table, quantity="mean", against=["rival"], above=1.99, below=2.01)
    assert row["holds"] == 1
    assert row["low"] == pytest.approx(2)
    assert row["high"] == pytest.approx(2)


def test_repetitions_that_a_method_lacks_are_left_out():
    table = pd.concat([errors("a", "ours", [0.1, 0.2, 0.9]), errors("a", "rival", [0.1, 0.2])])
    row = verdict(table, quantity="mean", against=["rival"], above=0.999, below=1.001)
    assert (row["verdict"], row["repetitions"]) == ("reproduced", 2)
    assert verdict(table, quantity="mean", above=0)["repetitions"] == 3


def test_what_is_not_there_is_not_testable():
    for missing in ({"experiments": ["c"]}, {"k1": [11]}, {"against": ["fourth"]}):
        row = verdict(TABLE, **missing, above=1)
        assert row["verdict"] == "not testable here"
        assert row["ours"].startswith("no errors of ")
        assert np.isnan(row["holds"])


def test_the_verdicts_do_not_depend_on_each_other():
    one, two = claim(above=0.025), claim("bias", experiments=["b"], below=1)
    alone = judge(TABLE, {"two": two}, seed=3)
    beside = judge(TABLE, {"one": one, "two": two}, seed=3)
    pd.testing.assert_frame_equal(beside.iloc[1:].reset_index(drop=True), alone)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quantity": "worst", "above": 1}, "must be one of median, mean"),
        ({"quantity": "ratio", "above": 1}, "needs rivals"),
        ({}, "needs `above` or `below`"),
        ({"above": 2, "below": 1}, "needs `above` or `below`"),
        ({"above": 1, "at_least": 2}, "from 1 to 1"),
        ({"above": 1, "at_least": 0}, "from 1 to 1"),
        ({"above": 1, "other_experiments": ["a", "b"]}, "pair off"),
    ],
)
def test_claims_that_say_nothing(options, message):
    with pytest.raises(InputError, match=message):
        claim(**options)


def test_a_choice_puts_others_in_the_place_of_what_a_claim_names():
    claims = {
        "smaller": claim(against=["rival"], above=1.0),
        "there": claim(other_experiments=["b"], above=1.0),
        "about": claim(methods=["third"], below=0.5),
    }
    choices = {
        "third": Choice(group="rival", label="third", methods={"rival": "third"}),
        "swapped": Choice(group="data", label="b", experiments={"a": "b", "b": "a"}),
    }
    table = judge_choices(TABLE, claims, choices)
    assert list(table["choice"]) == [AS_THEY_ARE] * 3 + ["third"] + ["swapped"] * 2
    found = table.set_index(["choice", "name"])
    # Medians in a: ours .03, rival .06, third .02; in b: ours .1, rival .05, third .2.
    assert found.loc[(AS_THEY_ARE, "smaller"), "ours"] == "1 of 1 (2)"
    assert found.loc[("third", "smaller"), "ours"] == "0 of 1 (0.667)"
    assert found.loc[("third", "smaller"), ["group", "label"]].tolist() == ["rival", "third"]
    assert found.loc[("swapped", "smaller"), "ours"] == "0 of 1 (0.5)"
    assert found.loc[("swapped", "there"), "ours"] == "0 of 1 (0.3)"
    # Each is what judging the settled claim says.
    settled = claim(against=["third"], above=1.0)
    one = judge(TABLE, {"smaller": settled}).iloc[0]
    assert one["holds"] == found.loc[("third", "smaller"), "holds"]
    assert choices["third"].settle(claims["about"]) is None
    absent = {"none": Choice(group="", label="", methods={"rival": "nobody"})}
    assert judge_choices(TABLE, claims, absent)["verdict"].iloc[-1] == "not testable here"


def test_outside_is_the_contrary_of_between():
    bounds = {"against": ["rival"], "experiments": ["a", "b"], "above": 0.8, "below": 1.25}
    # The rival's median is twice ours in a, half of it in b.
    assert verdict(TABLE, **bounds)["ours"].startswith("0 of 2")
    row = verdict(TABLE, **bounds, outside=True)
    assert row["ours"] == "2 of 2 (0.5 to 2)"
    assert row["verdict"] == "reproduced"
    assert row["power"] == 1


def test_without_k1_each_experiment_has_its_own():
    table = pd.concat([TABLE, errors("c", "ours", [0.2] * 5, k1=30)])
    row = verdict(table, experiments=["a", "c"], k1=[], below=0.1)
    assert row["ours"] == "1 of 2 (0.03 to 0.2)"
    two = pd.concat([table, errors("c", "ours", [0.2] * 5, k1=40)])
    assert verdict(two, experiments=["c"], k1=[], below=0.1)["verdict"] == "not testable here"
