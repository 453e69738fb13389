from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import repetition_errors
from experiments.evaluation.method_ranking import mixture_errors, standings


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
OPTIONS = {"published": ["cleanex", "kde"], "reference": "cleanex"}


def row(table, method, group="both"):
    return table.set_index(["group", "method"]).loc[(group, method)]


def test_standings_worked_by_hand():
    found = standings(TABLE, {"both": [("a", 10), ("b", 10)], "one": [("b", 10)]}, **OPTIONS)
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
    found = standings(table, {"one": [("a", 10)]}, **OPTIONS)
    kde, ours = row(found, "kde", "one"), row(found, "ours", "one")
    assert kde["low"] == pytest.approx(2)
    assert kde["high"] == pytest.approx(2)
    assert ours["low"] < ours["mean_ratio"] < ours["high"]
    # Two independent means of 200 uniforms with coefficient of variation .19.
    assert ours["high"] - ours["low"] == pytest.approx(4 * 0.19 * np.sqrt(2 / 200), rel=0.2)


def test_settings_without_every_method_are_left_out():
    groups = {"all": [("a", 10), ("c", 10), ("d", 10), ("a", 11)], "none": [("c", 10)]}
    found = standings(TABLE, groups, **OPTIONS)
    assert set(found["group"]) == {"all"}
    assert set(found["settings"]) == {1}


def test_a_group_may_compare_some_methods_in_the_repetitions_that_these_have():
    table = pd.concat([TABLE, errors("c", kde=[0.3, 0.1], late=[0.2])])
    groups = {"two": [("c", 10)], "last": [("c", 10)]}
    chosen = {"two": ["kde", "cleanex"], "last": ["cleanex", "late"]}
    found = standings(table, groups, methods=chosen, **OPTIONS)
    assert found[["group", "method"]].values.tolist() == [
        *(["two", "cleanex"], ["two", "kde"], ["last", "cleanex"], ["last", "late"])
    ]
    assert row(found, "kde", "two")[["repetitions", "mean_ratio"]].tolist() == [2, 2]
    assert row(found, "late", "last")["repetitions"] == 1
    # The published method that a group does not compare is no rival in it.
    assert row(found, "late", "last")["worst_ratio"] == 2


def test_a_method_that_is_not_there():
    for chosen, message in (
        (["x"], "no errors of 'x'"),
        (["kde"], "'one' does not compare"),
    ):
        with pytest.raises(InputError, match=message):
            standings(TABLE, {"one": [("a", 10)]}, methods={"one": chosen}, **OPTIONS)
    with pytest.raises(InputError, match="no errors of 'spline', only of cleanex, kde, ours"):
        standings(TABLE, {}, published=["spline"], reference="kde")
    with pytest.raises(InputError, match="no column rmse_curve"):
        standings(TABLE.drop(columns="rmse_curve"), {}, **OPTIONS)


K = np.arange(2, 13)
TRUTH = 1 / np.sqrt(K)


def curves(experiment, seed, repetitions):
    """Curves of some methods: (method, repetition) -> (11,) accuracies, and as a table."""
    rng = np.random.default_rng(seed)
    of = {
        (method, repetition): np.clip(TRUTH + 0.1 * rng.normal(), 0, 1) ** rng.uniform(0.8, 1.2)
        for method, n in repetitions.items()
        for repetition in range(n)
    }
    # A curve that leaves the range from 0 to 1.
    of["cleanex", 0] = of["cleanex", 0] + 0.5
    rows = [
        pd.DataFrame({"method": m, "repetition": r, "k": np.append(K, 99), "accuracy": [*a, 0.5]})
        for (m, r), a in of.items()
    ]
    return of, pd.concat(rows).sample(frac=1, random_state=0).assign(experiment=experiment, k1=5)


def log_odds(accuracy):
    bounded = np.clip(accuracy, 1e-6, 1 - 1e-6)
    return np.log(bounded / (1 - bounded))


def test_mixtures_are_those_of_a_loop():
    of, table = curves("a", 1, {"cleanex": 3, "kde": 3, "ours": 3, "late": 1})
    found = mixture_errors(table, pd.DataFrame({"k": K, "accuracy": TRUTH}))
    found = found.set_index(["methods", "repetition"])["rmse_curve"]
    names, count = ["cleanex", "kde", "late", "ours"], 0
    for size in (1, 2, 3):
        for mixed in combinations(names, size):
            for repetition in range(1 if "late" in mixed else 3):
                if size == 1:
                    curve = of[mixed[0], repetition]
                else:
                    odds = np.mean([log_odds(of[name, repetition]) for name in mixed], axis=0)
                    curve = 1 / (1 + np.exp(-odds))
                error = np.sqrt(np.mean((curve - TRUTH) ** 2))
                assert found[" + ".join(mixed), repetition] == pytest.approx(error)
                count += 1
    assert len(found) == count


def test_regret_is_over_the_best_mixture_of_the_group_in_each_setting():
    true = pd.DataFrame({"k": K, "accuracy": TRUTH})
    errors, mixtures = [], []
    for seed, experiment in enumerate("ab"):
        _, table = curves(experiment, seed, {"cleanex": 4, "kde": 4, "ours": 4, "late": 2})
        errors.append(repetition_errors(table, true.assign(experiment=experiment)))
        mixtures.append(mixture_errors(table, true).assign(experiment=experiment, k1=5))
    errors, mixtures = pd.concat(errors), pd.concat(mixtures)
    members = [("a", 5), ("b", 5)]
    groups = {"two": members, "all": members}
    chosen = {"two": ["cleanex", "kde"]}
    given = {"methods": chosen, "mixtures": mixtures, "published": ["cleanex", "kde", "late"]}
    found = standings(errors, groups, reference="cleanex", **given)
    for group, own, shared in (("two", ["cleanex", "kde"], 4), ("all", None, 2)):
        logs = []
        for experiment, _ in members:
            here = mixtures[mixtures["experiment"] == experiment]
            here = here[here["repetition"] < shared]
            if own:
                here = here[here["methods"].isin(["cleanex", "kde", "cleanex + kde"])]
            means = here.groupby("methods")["rmse_curve"].mean()
            logs.append(np.log(means["kde"] / means.min()))
        assert row(found, "kde", group)["regret"] == pytest.approx(np.exp(np.mean(logs)))
    assert (found["regret"] >= 1 - 1e-9).all()
    assert found["regret"].max() > 1.01
    means = errors.query("repetition < 2").groupby(["experiment", "method"])["rmse_curve"].mean()
    typical = np.exp(np.log(means.unstack()).mean())
    assert row(found, "ours", "all")["best_published"] == typical[given["published"]].idxmin()
    assert row(found, "cleanex", "two")["best_published"] == "kde"
    assert row(found, "kde", "two")["best_published"] == "cleanex"


def test_regret_is_over_mixtures_of_the_mixed_methods_alone():
    true = pd.DataFrame({"k": K, "accuracy": TRUTH})
    _, table = curves("a", 0, {"cleanex": 4, "kde": 4, "ours": 4})
    errors = repetition_errors(table, true.assign(experiment="a"))
    own = mixture_errors(table[table["method"] != "cleanex"], true).assign(experiment="a", k1=5)
    given = {"mixtures": own, "mixed": ["kde", "ours"], "published": ["kde"]}
    found = standings(errors, {"one": [("a", 5)]}, reference="cleanex", **given)
    best = own.groupby("methods")["rmse_curve"].mean().min()
    for method, mean in errors.groupby("method")["rmse_curve"].mean().items():
        assert row(found, method, "one")["regret"] == pytest.approx(mean / best)


def test_regret_is_empty_where_a_method_has_no_curves():
    true = pd.DataFrame({"k": K, "accuracy": TRUTH})
    _, table = curves("a", 0, {"cleanex": 2, "kde": 2, "ours": 2})
    errors = repetition_errors(table, true.assign(experiment="a"))
    some = mixture_errors(table[table["method"] != "kde"], true).assign(experiment="a", k1=5)
    nothing = pd.DataFrame({"methods": [], "repetition": [], "rmse_curve": []})
    for mixtures in (some, nothing.assign(experiment=[], k1=[]), None):
        found = standings(errors, {"one": [("a", 5)]}, mixtures=mixtures, **OPTIONS)
        assert found["regret"].isna().all()
        assert found["mean_ratio"].notna().all()
