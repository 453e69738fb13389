"""Numbers of README.md and of these pages, made from the committed results by code."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from experiments.evaluation.method_ranking import standings

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results/published"


@cache
def table(path: str) -> pd.DataFrame:
    """Read a CSV file below results/."""
    return pd.read_csv(RESULTS / path)


@cache
def populations() -> pd.DataFrame:
    """Read what `benchmarks/populations.py --draws 20 --out benchmarks/populations.csv` wrote."""
    return pd.read_csv(ROOT / "benchmarks/populations.csv")


@cache
def random_populations() -> pd.DataFrame:
    """Read what `benchmarks/random_populations.py` wrote, with whether the interval held."""
    found = pd.read_csv(ROOT / "benchmarks/random_populations.csv")
    held = (found["lower"] <= found["truth"]) & (found["truth"] <= found["upper"])
    return found.assign(held=held, scores=found["scores"].str.removesuffix(", whole numbers"))


@cache
def preset(name: str) -> dict:
    """Read a preset of config/."""
    return yaml.safe_load((ROOT / f"config/{name}.yaml").read_text())


# Which settings `auto` was made with, as config/real.yaml groups them: constants were chosen on the
# tuned ones (on HCP that of an earlier one). That it uses the order of the scores alone was decided
# after the errors of those that were looked at were seen; the weight of its curves after those of
# printed characters as well.
_GROUPS = preset("real")["standings"]["groups"]
SETTINGS = {
    "tuned": {"real": _GROUPS["tuned"]["experiments"]},
    "looked at": {"real": _GROUPS["looked_at"]["experiments"]},
    "printed characters": {"glyphs": ["centroid", "nearest"]},
}


def labels(name: str) -> dict[str, str]:
    """Labels of a preset's experiments."""
    return {key: each.get("label", key) for key, each in preset(name)["experiments"].items()}


def standing(name: str, group: str = "all", method: str = "auto") -> pd.Series:
    """Give a row of standings.csv: how a method stands against CleaneX in a group of settings."""
    rows = table(f"{name}/standings.csv").set_index(["group", "method"])
    return rows.loc[(group, method)]


@cache
def errors_of(kind: str) -> pd.DataFrame:
    """Errors of the tuned or looked-at real sets, or of printed characters."""
    parts = []
    for name, experiments in SETTINGS[kind].items():
        errors = table(f"{name}/errors.csv")
        errors = errors[errors["experiment"].isin(experiments)]
        parts.append(errors.assign(experiment=f"{name}/" + errors["experiment"]))
    return pd.concat(parts, ignore_index=True)


@cache
def ranking(kind: str) -> pd.DataFrame:
    """Standings over the tuned or looked-at real sets or printed characters, by method."""
    errors = errors_of(kind)
    published = preset("real")["standings"]["published"]
    methods = sorted({*published, "auto", "pooled_tail", "gaussian_tail", "empirical_bayes"})
    members = list(errors[["experiment", "k1"]].drop_duplicates().itertuples(index=False))
    groups = {kind: [tuple(each) for each in members]}
    found = standings(
        errors, groups, published=published, reference="cleanex", methods={kind: methods}
    )
    return found.set_index("method")


@cache
def against_best(name: str, how: str) -> pd.Series:
    """Ratio of auto's mean or median RMSE to that of the best published method, by setting."""
    published = preset(name)["standings"]["published"]
    errors = table(f"{name}/errors.csv")
    wide = errors.pivot_table("rmse_curve", ["experiment", "k1", "repetition"], "method")
    found = {}
    for setting, each in wide[["auto", *published]].groupby(level=["experiment", "k1"]):
        # The methods that the setting has, in the repetitions that all of them have.
        typical = each.dropna(axis="columns", how="all").dropna().agg(how)
        found[setting] = typical["auto"] / typical.drop("auto").min()
    return pd.Series(found).rename_axis(["experiment", "k1"])


# Groups of settings whose regret is shown, by preset and group of its standings.
REGRET = {
    "real, tuned": ("real", "tuned"),
    "real, looked at": ("real", "looked_at"),
    "real, all": ("real", "all"),
    "printed characters": ("glyphs", "all"),
    "simulated, d = 5, k1 = 100": ("paper", "d5_k100"),
}


def regret() -> pd.DataFrame:
    """Error of methods over that of the best mixture in hindsight, by benchmarks/regret.py."""
    return pd.read_csv(ROOT / "benchmarks/regret.csv")


# Rules of KDE's bandwidth, by the method of the preset `paper`.
BANDWIDTHS = {
    "kde": "bcv",
    "kde_ucv": "ucv",
    "kde_nrd0": "nrd0",
    "kde_sj": "SJ",
    "kde_mlcv": "mlcv",
}


@cache
def bandwidths(k1: int, draws: int) -> pd.Series:
    """Geometric mean over d = 5 of the median RMSE by method, of those with so many first draws."""
    errors = table("paper/errors.csv")
    shown = errors[
        errors["experiment"].str.contains("_d5_v")
        & (errors["k1"] == k1)
        & (errors["repetition"] < draws)
        & errors["method"].isin([*BANDWIDTHS, "regression", "cleanex"])
    ]
    by = shown.groupby(["method", "experiment"])["rmse_curve"]
    medians = by.median()[by.size() == draws]
    return np.exp(np.log(medians).groupby("method").mean())


def least_of_bandwidths(k1: int, draws: int) -> float:
    """Error of KDE by the rule that does best, over that by `bcv`."""
    found = bandwidths(k1, draws)
    return float(found[found.index.isin(BANDWIDTHS)].min() / found["kde"])


@cache
def cleanex_choices(*keys: str) -> pd.DataFrame:
    """Median RMSE at d = 5, k1 = 100 under choices of CleaneX, beside others on the same draws.

    Rows are the settings, columns the methods "cleanex", "regression" and `keys`, and ``draws``.
    """
    settings = preset("sensitivity")["figures"]["matrix"]["k100"]["experiments"]
    both = pd.concat([table("paper/errors.csv"), table("sensitivity/errors.csv")])
    methods = ["cleanex", "regression", *keys]
    shown = both[(both["k1"] == 100) & both["method"].isin(methods)]
    wide = shown.pivot_table("rmse_curve", ["experiment", "repetition"], "method")
    by = wide[methods].loc[settings].dropna().groupby("experiment", sort=False)
    return by.median().assign(draws=by.size())


COVERAGE = {
    "simulations, tuned": ["paper/coverage/tuned_k100.csv"],
    "simulations, held out": ["paper/coverage/held_k100.csv"],
    "simulations, k1 = 500": ["paper/coverage/tuned_k500.csv", "paper/coverage/held_k500.csv"],
    "tuned": ["real/coverage/intervals.csv"],
    "looked at": ["real/coverage/intervals.csv"],
    "printed characters": ["glyphs/coverage/intervals.csv"],
}


@cache
def intervals_of(group: str, method: str = "auto") -> pd.DataFrame:
    """Rows of the measured coverage that belong to a group of `COVERAGE`."""
    parts = []
    for path in COVERAGE[group]:
        rows = table(path)
        rows = rows[(rows["method"] == method) & (rows["experiment"] != "all")]
        if not group.startswith("simulations"):
            rows = rows[rows["experiment"].isin(SETTINGS[group].get(path.split("/")[0], []))]
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)


def coverage(
    group: str, multiple: int, level: float, method: str = "auto", of: str = "expected"
) -> tuple[float, int]:
    """Count how often the intervals of a group held the truth.

    Parameters
    ----------
    group : str
        A key of `COVERAGE`.
    multiple : int
        k / k1.
    level : float
        Nominal coverage.
    method : str
        Of the interval.
    of : {"expected", "set"}
        The expected accuracy, or the accuracy on one new set of classes.

    Returns
    -------
    share : float
        0 without samples.
    samples : int
    """
    rows = intervals_of(group, method)
    rows = rows[(rows["multiple"] == multiple) & np.isclose(rows["level"], level)]
    covered, counted = {"expected": ("covered", "samples"), "set": ("set_covered", "new_sets")}[of]
    rows = rows[rows[counted] > 0]
    samples = int(rows[counted].sum())
    return float((rows[covered] * rows[counted]).sum()) / max(samples, 1), samples


def coverage_of_all(multiple: int, level: float) -> tuple[float, int]:
    """Coverage over all groups together."""
    found = [coverage(group, multiple, level) for group in COVERAGE]
    samples = sum(n for _, n in found)
    return sum(share * n for share, n in found if n) / samples, samples


def range_over_sets(multiple: int, level: float) -> tuple[float, float]:
    """Smallest and largest coverage of a single set, of those with 20 samples or more."""
    rows = pd.concat([intervals_of(group) for group in COVERAGE])
    rows = rows[(rows["multiple"] == multiple) & np.isclose(rows["level"], level)]
    rows = rows[rows["samples"] >= 20]
    return float(rows["covered"].min()), float(rows["covered"].max())


def cleanex_intervals() -> tuple[float, int, float, float]:
    """Coverage of CleaneX's 80 % intervals at 2 k1, and their width over that of auto's."""
    both = [table(f"real/coverage/{name}.csv") for name in ("intervals", "cleanex")]
    rows = pd.concat(both).drop_duplicates(["experiment", "k1", "method", "multiple", "level"])
    rows = rows.query("experiment != 'all' and multiple == 2")
    rows = rows[np.isclose(rows["level"], 0.8)].set_index(["method", "experiment"])
    own = rows.loc["cleanex"]
    samples = int(own["samples"].sum())
    share = float((own["covered"] * own["samples"]).sum()) / samples
    ratios = (own["width"] / rows.loc["auto"]["width"]).dropna()
    return share, samples, float(ratios.min()), float(ratios.max())


def draw_alone() -> float:
    """Error of the draw of the points' classes over CleaneX's: medians, on the real sets."""
    rows = table("real/class_draw.csv")
    rows = rows[rows["repetitions"] == rows["repetitions"].max()]
    return float(np.exp(np.log(rows["class_draw_median"] / rows["cleanex"]).mean()))


def rivals_over_points(name: str) -> float:
    """Error of the draw of the rivals over that of the points, for k to k1: medians."""
    rows = table(f"{name}/class_draw.csv")
    rows = rows[rows["repetitions"] == rows["repetitions"].max()]
    return float(np.exp(np.log(rows["rivals_to_k1_median"] / rows["points_to_k1_median"]).mean()))


def per_cent(share: float) -> str:
    """Round a share to whole per cent, half to even, from the exact count."""
    return f"{100 * share:.0f}"


def without_interval() -> list[str]:
    """Labels of the real sets for which `auto` gives no interval."""
    rows = table("real/coverage/intervals.csv")
    judged = set(rows.loc[rows["method"] == "auto", "experiment"])
    return [label for key, label in labels("real").items() if key not in judged]


def seconds(name: str, method: str) -> float:
    """Median over the settings of a method's seconds a fit."""
    rows = table(f"{name}/methods.csv")
    return float(rows.loc[rows["method"] == method, "seconds"].median())


def speed() -> float:
    """How many times as long as auto CleaneX takes: median over the real sets."""
    rows = table("real/methods.csv").pivot_table("seconds", ["experiment", "k1"], "method")
    return float((rows["cleanex"] / rows["auto"]).median())


def verdicts() -> pd.Series:
    """Count the claims by verdict."""
    return table("paper/claims.csv")["verdict"].value_counts()
