import numpy as np
import pandas as pd
import pytest

from experiments.evaluation.standings import standings


def errors(experiment, **rmse):
    return pd.concat(
        pd.DataFrame(
            {
                "experiment": experiment,
                "k1": 10,
                "method": method,
                "repetition": range(len(values)),
                "rmse_curve": values,
            }
        )
        for method, values in rmse.items()
    )


TABLE = pd.concat(
    [
        errors("a", cleanex=[0.2, 0.4], kde=[0.1, 0.2], ours=[0.1, 0.1]),
        errors("b", cleanex=[0.1, 0.1], kde=[0.4, 0.4], ours=[0.2, 0.2]),
        errors("c", cleanex=[0.1, 0.1]),
    ]
)
METHODS = ["cleanex", "kde", "ours"]
OPTIONS = {"published": ["cleanex", "kde"], "reference": "cleanex"}


def group(*settings, methods=METHODS):
    return {"settings": settings, "methods": methods}


def row(table, method, group="both"):
    return table.set_index(["group", "method"]).loc[(group, method)]


def test_standings_worked_by_hand():
    groups = {"both": group(("a", 10), ("b", 10)), "one": group(("b", 10))}
    found = standings(TABLE, groups, **OPTIONS)
    ours = row(found, "ours")
    assert (ours["settings"], ours["repetitions"]) == (2, 2)
    # Mean RMSE .1 against .3 and .15 in a, .2 against .1 and .4 in b.
    assert ours["mean_ratio"] == pytest.approx(np.sqrt(1 / 3 * 2))
    assert ours["better"] == 0.5
    assert ours["worst_ratio"] == pytest.approx(2)
    kde = row(found, "kde")
    assert kde["mean_ratio"] == pytest.approx(np.sqrt(0.5 * 4))
    # A published method is compared with the other published ones.
    assert kde["better"] == 0.5
    assert kde["worst_ratio"] == pytest.approx(4)
    assert row(found, "cleanex")[["mean_ratio", "low", "high"]].tolist() == [1, 1, 1]
    assert row(found, "ours", "one")["mean_ratio"] == pytest.approx(2)


def test_the_interval_is_over_repetitions_that_all_methods_share():
    rng = np.random.default_rng(0)
    base = rng.uniform(0.1, 0.2, 200)
    table = errors("a", cleanex=base, kde=2 * base, ours=rng.uniform(0.1, 0.2, 200))
    found = standings(table, {"one": group(("a", 10))}, **OPTIONS)
    kde, ours = row(found, "kde", "one"), row(found, "ours", "one")
    assert kde["low"] == pytest.approx(2)
    assert kde["high"] == pytest.approx(2)
    assert ours["low"] < ours["mean_ratio"] < ours["high"]
    # Two independent means of 200 uniforms with coefficient of variation .19.
    assert ours["high"] - ours["low"] == pytest.approx(4 * 0.19 * np.sqrt(2 / 200), rel=0.2)


def test_settings_without_every_method_are_left_out():
    groups = {"all": group(("a", 10), ("c", 10), ("d", 10), ("a", 11)), "none": group(("c", 10))}
    found = standings(TABLE, groups, **OPTIONS)
    assert set(found["group"]) == {"all"}
    assert set(found["settings"]) == {1}


def test_a_group_may_compare_some_methods_in_the_repetitions_that_these_have():
    table = pd.concat([TABLE, errors("c", kde=[0.3, 0.1], late=[0.2])])
    groups = {
        "two": group(("c", 10), methods=["kde", "cleanex"]),
        "last": group(("c", 10), methods=["cleanex", "late"]),
    }
    found = standings(table, groups, **OPTIONS)
    assert found[["group", "method"]].values.tolist() == [
        *(["two", "cleanex"], ["two", "kde"], ["last", "cleanex"], ["last", "late"])
    ]
    assert row(found, "kde", "two")[["repetitions", "mean_ratio"]].tolist() == [2, 2]
    assert row(found, "late", "last")["repetitions"] == 1
    # The published method that a group does not compare is no rival in it.
    assert row(found, "late", "last")["worst_ratio"] == 2
