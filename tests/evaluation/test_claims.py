from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.evaluation.bivariate_normal_model import polynomial_errors
from experiments.evaluation.claims import Choice, Claim, read_claims
from experiments.evaluation.quantities import with_curve_columns
from experiments.evaluation.verdicts import AS_THEY_ARE, judge

ROOT = Path(__file__).parents[2]


def errors(experiment, method, rmse, *, at_k2=None, rise=0.0, k1=10, bias=np.nan, sd=np.nan):
    return pd.DataFrame(
        {
            "experiment": experiment,
            "k1": k1,
            "method": method,
            "repetition": range(len(rmse)),
            "rmse_curve": rmse,
            "error_at_k2": rmse if at_k2 is None else at_k2,
            "largest_rise": rise,
            "bias_curve": bias,
            "sd_curve": sd,
        }
    )


def claim(quantity="median", **options):
    defaults = {"methods": ["ours"], "experiments": ["a"], "k1": [10]}
    return Claim(claim="words", source="Figure 1", quantity=quantity, **defaults | options)


def verdict(errors, tables=None, **options):
    return judge(errors, {"one": claim(**options)}, tables=tables).iloc[0]


TABLE = pd.concat(
    [
        errors(
            "a",
            "ours",
            [0.01, 0.02, 0.03, 0.04, 0.05],
            at_k2=[0.1, -0.1, 0.1, -0.1, 0.0],
            bias=0.3,
            sd=0.2,
        ),
        errors("a", "rival", [0.02, 0.04, 0.06, 0.08, 0.10], rise=[0, 0, 0.1, 0.2, 1e-12]),
        errors("a", "third", [0.02, 0.02, 0.02, 0.02, 0.90], at_k2=[-0.5] * 5, bias=0.6, sd=0.1),
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
        ({"quantity": "bias"}, 0.3),
        ({"quantity": "bias", "against": ["third"]}, 2.0),
        ({"quantity": "sd"}, 0.2),
        ({"quantity": "large", "methods": ["third"]}, 0.2),
        ({"quantity": "distance_at_k2"}, 0.08),
        ({"quantity": "rmse_at_k2"}, np.sqrt(0.008)),
        ({"quantity": "rising", "methods": ["rival"]}, 0.4),
        ({"quantity": "ratio", "against": ["rival"]}, 2.0),
        ({"quantity": "ratio", "against": ["rival", "third"]}, 1.0),
        ({"quantity": "mean", "other_experiments": ["b"]}, 0.1 / 0.03),
        ({"quantity": "mean", "other_experiments": ["b"], "against": ["rival"]}, 0.5 / 2),
        ({"quantity": "median", "experiments": [["a", "b"]]}, np.sqrt(0.03 * 0.1)),
        ({"quantity": "median", "experiments": [["a", "b"]], "against": ["rival"]}, 1.0),
        ({"quantity": "median", "experiments": [["a", "b"]], "pool": "largest"}, 0.1),
        (
            {
                "quantity": "large",
                "experiments": [["a", "b"]],
                "methods": ["third"],
                "pool": "mean",
            },
            0.6,
        ),
        ({"quantity": "median", "over": [0.06]}, 0.5),
    ],
)
def test_quantities_worked_by_hand(options, ours):
    holds = verdict(TABLE, **options, above=ours - 1e-9, below=ours + 1e-9)
    assert holds["ours"] == f"1 of 1 ({ours:.3g})"
    assert holds["repetitions"] == 5
    for bounds in ({"above": ours + 1e-9}, {"below": ours - 1e-9}):
        assert verdict(TABLE, **options, **bounds)["ours"].startswith("0 of 1")


def test_the_rival_that_speaks_most_against_a_claim_decides():
    both = {"quantity": "mean", "against": ["rival", "third"], "experiments": ["b"]}
    # In b the rivals' means are half and twice the method's.
    assert verdict(TABLE, **both, above=1)["ours"] == "0 of 1 (0.5)"
    assert verdict(TABLE, **both, below=1)["ours"] == "0 of 1 (2)"


def test_bias_and_spread_over_the_curve_move_with_those_at_k2():
    rng = np.random.default_rng(0)
    at_k2 = rng.normal(0.5, 1, 100)
    # A curve whose error is the same at every k: over the curve is at k2.
    same = {"bias": abs(at_k2.mean()), "sd": at_k2.std()}
    table = errors("a", "ours", at_k2, **same)
    row, mean = (verdict(table, quantity=each, above=0.01) for each in ("bias", "mean"))
    assert row["low"] == pytest.approx(mean["low"])
    assert row["high"] == pytest.approx(mean["high"])
    row = verdict(table, quantity="sd", above=0.01)
    assert row["high"] - row["low"] == pytest.approx(3.92 * at_k2.std() / np.sqrt(200), rel=0.2)
    # And where its errors shrink to a half everywhere, so does what is uncertain.
    halved = errors("a", "ours", at_k2, at_k2=at_k2, bias=same["bias"] / 2, sd=same["sd"] / 2)
    assert verdict(halved, quantity="sd", above=0.01)["high"] == pytest.approx(row["high"] / 2)


def test_what_is_missing_may_be_either():
    three = {"experiments": ["a", "b", "c"], "quantity": "mean", "above": 0.05}
    # In a .03, in b .1, of c nothing is known.
    row = verdict(TABLE, **three)
    assert (row["verdict"], row["ours"]) == (
        "not reproduced",
        "1 of 3 (0.03 to 0.1); no errors of c",
    )
    assert verdict(TABLE, **three, at_least=1)["verdict"] == "reproduced"
    row = verdict(TABLE, **three, at_least=2)
    assert row["verdict"] == "not testable here"
    assert np.isnan(row["holds"])
    # Bias and spread over the curve are not known of every method.
    bias = {"quantity": "bias", "above": 0.1}
    row = verdict(TABLE, **bias, methods=["ours", "rival"])
    assert (row["verdict"], row["ours"]) == (
        "not judged yet",
        "1 of 2 (0.3); bias and spread over the curve are not published",
    )
    assert verdict(TABLE, **bias, methods=["ours", "rival"], at_least=1)["verdict"] == "reproduced"
    # A run of ours would not decide what two of three experiments without files do.
    absent = {"experiments": ["a", "c", "d"], "methods": ["rival"], "at_least": 2}
    assert verdict(TABLE, **bias, **absent)["verdict"] == "not testable here"
    summary = pd.DataFrame(
        {"experiment": ["a"], "k1": 10, "method": "rival", "bias_curve": 0.2, "sd_curve": 0.1}
    )
    known = with_curve_columns(TABLE.drop(columns=["bias_curve", "sd_curve"]), summary)
    assert verdict(known, **bias, methods=["rival"])["ours"] == "1 of 1 (0.2)"
    old = with_curve_columns(known.drop(columns=["bias_curve", "sd_curve"]), summary.iloc[:, :3])
    assert verdict(old, **bias, methods=["rival"])["verdict"] == "not judged yet"


def test_a_claim_may_be_about_a_table_of_the_run():
    table = pd.DataFrame(
        {
            "experiment": ["a", "a", "a"],
            "k1": [10, 20, 20],
            "method": "ours",
            "k": [50, 50, 90],
            "repetitions": 100,
            "rmse": [0.3, 0.1, 0.7],
            "rmse_se": [0.03, 0.01, 0.0],
        }
    )
    of = {"tables": {"sweep": table}, "table": "sweep", "k": 50, "quantity": "rmse"}
    row = verdict(TABLE, **of, k1=[10, 20], over=[0.3, 0.2], above=0.8, below=1.25)
    assert (row["ours"], row["repetitions"]) == ("1 of 2 (0.5 to 1)", 100)
    row = verdict(TABLE, **of, k1=[20], other_k1=[10], above=2.9)
    assert row["ours"] == "1 of 1 (3)"
    # The quotient has a standard error of 14 %.
    assert row["low"] == pytest.approx(3 * (1 - 1.96 * 0.14), rel=0.1)
    assert verdict(TABLE, **{**of, "k": 51}, above=0)["verdict"] == "not testable here"


def test_polynomials_of_the_toy_example_are_worse_for_a_higher_correlation():
    table = polynomial_errors().set_index(["experiment", "method"])["error"]
    assert table["rho_0.3", "degree_3"] < table["rho_0.9", "degree_3"]
    assert (table.groupby("experiment").diff().dropna() < 1e-12).all()
    of = {"tables": {"toy": polynomial_errors()}, "table": "toy", "quantity": "error", "k1": []}
    pair = {"experiments": ["rho_0.3"], "other_experiments": ["rho_0.9"], "methods": ["degree_3"]}
    assert verdict(TABLE, **of, **pair, above=1)["verdict"] == "reproduced"


def test_what_does_not_count_names_the_claim_that_does():
    claims = read_claims(sorted(map(str, (ROOT / "config/claims").glob("*.yaml"))))
    counted = {name for name, claim in claims.items() if not claim.belongs_to}
    assert {claim.belongs_to for claim in claims.values()} - {""} <= counted
    assert [name for name in counted - {"kde"} if not claims[name].short] == []
    assert list(judge(TABLE, {"one": claim(below=1, belongs_to="two")})["belongs_to"]) == ["two"]


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
        assert row["ours"] in ("no errors of a", "no errors of c")
        assert np.isnan(row["holds"])


def test_the_verdicts_do_not_depend_on_each_other():
    one, two = claim(above=0.025), claim("mean", experiments=["b"], below=1)
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
        ({"above": 1, "other_experiments": ["a", "b"]}, "other_experiments must pair off"),
        ({"above": 1, "other_k1": [1, 2]}, "other_k1 must pair off"),
        ({"above": 1, "over": [1, 2]}, "over has 1 numbers"),
        ({"above": 1, "pool": "median"}, "pool is 'median'"),
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
    table = judge(TABLE, claims, choices=choices)
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
    absent = {"none": Choice(group="", label="", methods={"rival": "nobody"})}
    assert judge(TABLE, claims, choices=absent)["verdict"].iloc[-1] == "not testable here"


def test_outside_is_the_contrary_of_between():
    bounds = {"against": ["rival"], "experiments": ["a", "b"], "above": 0.8, "below": 1.25}
    # The rival's median is twice ours in a, half of it in b.
    assert verdict(TABLE, **bounds)["ours"].startswith("0 of 2")
    row = verdict(TABLE, **bounds, outside=True)
    assert row["ours"] == "2 of 2 (0.5 to 2)"
    assert row["verdict"] == "reproduced"
    assert row["power"] == 1


def test_without_k1_an_experiment_has_those_of_its_errors():
    table = pd.concat([TABLE, errors("c", "ours", [0.2] * 5, k1=30)])
    row = verdict(table, experiments=["a", "c"], k1=[], below=0.1)
    assert row["ours"] == "1 of 2 (0.03 to 0.2)"
    two = pd.concat([table, errors("c", "ours", [0.2] * 5, k1=40)])
    # Several are pooled.
    assert verdict(two, experiments=["c"], k1=[], below=0.1)["ours"] == "0 of 1 (0.2)"
