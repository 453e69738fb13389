"""Numbers of README.md and of these pages, read from the published tables."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.interval_coverage import interval_score
from experiments.evaluation.quantities import RESAMPLES

ROOT = Path(__file__).parents[2]
# The folder of results/ and figures/ with what is committed.
PUBLISHED = "published"
RESULTS, FIGURES = ROOT / "results" / PUBLISHED, ROOT / "figures" / PUBLISHED

# Sets of `real` on which constants of our methods were chosen.
TUNED_ON = ("lfw", "hcp", "telugu")
LEAST_ERROR = 0.001
# Random populations below this number were looked at when the intervals were decided.
LOOKED_AT = 120
KEPT_APART = "kept apart"
MULTIPLES = (2, 4, 10)

COVERAGE = {
    "simulations, tuned": ["paper/coverage/tuned_k100.csv"],
    "simulations, held out": ["paper/coverage/held_k100.csv"],
    "simulations, k1 = 500": ["paper/coverage/tuned_k500.csv", "paper/coverage/held_k500.csv"],
    "real data": ["real/coverage/intervals.csv"],
    "printed characters": ["glyphs/coverage/intervals.csv"],
}
# Rules of KDE's bandwidth, by the method of the preset `paper`.
BANDWIDTHS = {
    "kde": "bcv",
    "kde_ucv": "ucv",
    "kde_nrd0": "nrd0",
    "kde_sj": "SJ",
    "kde_mlcv": "mlcv",
}

# Numbers that the papers print, and where ours are.
PRINTED = pd.read_csv(ROOT / "docs/reproduce/printed.csv")


@cache
def table(path: str) -> pd.DataFrame:
    """Read a published CSV file, `PRESET/...csv`."""
    return pd.read_csv(RESULTS / path)


def beside(printed: pd.DataFrame) -> list[float]:
    """Find our numbers for rows of `PRINTED` of one table, and of one k where they have one."""
    rows = table(printed["table"].iloc[0])
    column = printed["column"].iloc[0]
    found = []
    for row in printed.itertuples():
        mine = rows[(rows["method"] == row.method) & (rows["k1"] == row.k1)]
        mine = mine[mine["k"] == row.k] if row.k > 0 else mine
        found.append(float(mine[column].max()))
    return found


@cache
def benchmark(name: str) -> pd.DataFrame:
    """Read benchmarks/studies/NAME.csv, which the script of that name wrote."""
    return pd.read_csv(ROOT / f"benchmarks/studies/{name}.csv")


@cache
def preset(name: str) -> dict:
    """Read a preset of config/."""
    return yaml.safe_load((ROOT / f"config/{name}.yaml").read_text())


def labels(name: str) -> dict[str, str]:
    """Labels of a preset's experiments."""
    return {key: each.get("label", key) for key, each in preset(name)["experiments"].items()}


def random_populations() -> pd.DataFrame:
    """Errors of `auto` on random populations, and whether its interval held the truth."""
    found = benchmark("random_populations")
    held = (found["lower"] <= found["truth"]) & (found["truth"] <= found["upper"])
    error = (found["predicted"] - found["truth"]).abs()
    kind = found["scores"].str.removesuffix(", whole numbers")
    score = interval_score(found["lower"], found["upper"], found["truth"], found["level"])
    return found.assign(held=held, error=error, scores=kind, score=score)


def mean_errors(name: str, methods: list[str]) -> pd.DataFrame:
    """Mean RMSE of the curves, one row per method and a column a set.

    A method is shown if it has as many repetitions as any other on every set.
    """
    errors = table(f"{name}/errors.csv")
    by = errors[errors["method"].isin(methods)].groupby(["method", "experiment"])["rmse_curve"]
    sizes = by.size().unstack()
    return by.mean().unstack().loc[(sizes == sizes.max()).all(axis=1)]


def rate_errors(quantity: str, target: str) -> pd.DataFrame:
    """Mean absolute error of an identification rate, one row per method and a column a set."""
    errors = table("identification/rate_errors.csv")
    errors = errors[errors["quantity"] == quantity]
    size = errors[f"error_at_{target}"].abs()
    return size.groupby([errors["method"], errors["experiment"]]).mean().unstack()


def over_best(errors: pd.DataFrame) -> pd.DataFrame:
    """Compare methods over sets: the error over that of the set's best method, and the rank.

    `errors` has one row per method and a column a set. Each row has the geometric mean over the
    sets, `low` and `high`, its 95 % interval, the mean `rank` over the sets, and `differs`: whether
    the interval of its ratio to the method with the smallest mean leaves out 1. The sets are
    resampled for both, as the draws of one set are no sample of sets. Errors below a tenth of a
    point count as that, and those that are equal to a tenth share a rank.
    """
    clipped = errors.clip(lower=LEAST_ERROR)
    logs = np.log(clipped)
    logs -= logs.min(axis=0)
    rng = np.random.default_rng(derive_seed("benchmark", "sets"))
    chosen = rng.integers(errors.shape[1], size=(RESAMPLES, errors.shape[1]))
    means = logs.mean(axis=1)
    resampled = logs.to_numpy()[:, chosen].mean(axis=-1)
    low, high = np.exp(np.quantile(resampled, [0.025, 0.975], axis=1))
    best = means.argmin()
    beside = np.quantile(resampled - resampled[best], 0.025, axis=1)
    return pd.DataFrame(
        {
            "over_best": np.exp(means),
            "low": low,
            "high": high,
            "differs": beside > 0,
            "rank": clipped.round(3).rank().mean(axis=1),
        },
        index=errors.index,
    )


def standings(errors: pd.DataFrame, sets: Sequence[str], tuned: Sequence[str] = ()) -> pd.DataFrame:
    """Compare methods over those of `sets` that have errors, the best first: the benchmark's rows.

    Sets on which our methods were tuned count neither for the comparison nor for the mean error,
    and come last.
    """
    judged = [name for name in sets if name in errors and name not in tuned]
    shown = [*judged, *(name for name in sets if name in tuned)]
    errors = errors.dropna(subset=shown)
    table = over_best(errors[judged]).assign(mean_error=errors[judged].mean(axis=1))
    return table.join(errors[shown]).sort_values("over_best")


def judged_sets() -> list[str]:
    """Name the real sets and those of printed characters on which no constant was chosen."""
    names = [*labels("real"), *labels("glyphs")]
    return [name for name in names if name not in TUNED_ON]


def closed() -> pd.DataFrame:
    """Every method on every real set and on printed characters, with its intervals and seconds."""
    parts = [mean_errors(name, list(preset(name)["methods"])) for name in ("real", "glyphs")]
    errors = parts[0].join(parts[1], how="inner")
    table = standings(errors, [*labels("real"), *labels("glyphs")], TUNED_ON)
    groups = ["real data", "printed characters"]
    for of, multiple in product(("covered", "score"), MULTIPLES):
        found = [coverage(groups, multiple, 0.9, method, of) for method in table.index]
        table[f"{of}_{multiple}"] = [each if samples else np.nan for each, samples in found]
    return table.assign(seconds=[seconds(method) for method in table.index])


def open_set() -> pd.DataFrame:
    """Every method on every set of open-set identification, at an FPIR of 0.01."""
    found = standings(rate_errors("fnir_at_fpir", "0.01"), [*labels("identification")])
    rows = table("identification/rate_coverage/intervals.csv")
    rows = rows[(rows["quantity"] == "fnir_at_fpir") & (rows["target"] == 0.01)]
    of = rows[rows["experiment"] != "all"].groupby("method")
    found = found.join(of[["covered", "width"]].mean())
    return found.join(benchmark("seconds").groupby("method")["seconds"].median())


def populations() -> pd.DataFrame:
    """Every method on populations of known accuracy, with its intervals and seconds."""
    found = benchmark("populations").query("method != 'family'")
    rmse = found.pivot(index="method", columns=["population", "factor"], values="rmse")
    errors = rmse.T.groupby("population").mean().T
    table = over_best(errors)
    table[[f"error_{each}" for each in MULTIPLES]] = rmse.T.groupby("factor").mean().T
    table["worst"] = rmse.max(axis=1)
    table["rewritten"] = found.groupby("method")["between ways"].max()
    reach = benchmark("reach").query("draws > 0").set_index("method")
    for each in MULTIPLES:
        held = (reach[f"{each} k1"] * reach["draws"]).groupby("method").sum()
        table[f"covered_{each}"] = held / reach["draws"].groupby("method").sum()
    table["seconds"] = [seconds(str(method)) for method in table.index]
    return table.sort_values("over_best")


def random_groups() -> pd.DataFrame:
    """Errors and intervals of `auto` on random populations, by kind of scores, k1 and number."""
    found = random_populations()
    parts = {
        kind: found[found["scores"] == kind] for kind in ("distances", "cosines", "independent")
    }
    names = ["k1 below 50", "k1 50 to 99", "k1 from 100 on"]
    sizes = pd.cut(found["k1"], [0, 50, 100, np.inf], right=False, labels=names)
    parts |= {name: found[sizes == name] for name in names}
    old = found["population"] < LOOKED_AT
    parts |= {"looked at": found[old], KEPT_APART: found[~old], "all": found}
    rows = []
    for name, part in parts.items():
        row = {"group": name, "populations": part["population"].nunique()}
        of = part[part["level"] == 0.9].groupby("factor")
        row |= {f"error_{each}": error for each, error in of["error"].mean().items()}
        for (factor, level), held in part.groupby(["factor", "level"])["held"].mean().items():
            row[f"covered_{factor}_at_{level}"] = held
        rows.append(row | {f"score_{each}": score for each, score in of["score"].mean().items()})
    return pd.DataFrame(rows).set_index("group")


def laws() -> pd.DataFrame:
    """Errors and intervals of `auto` on laws of scores, far beyond k1."""
    found = benchmark("laws").query("code == 'now'")
    return found.drop(columns="code").set_index(["law", "factor"])


def lists() -> pd.DataFrame:
    """Answers of `auto` from candidate lists of each length, over laws; 0: from whole matrices."""
    found = benchmark("lists")
    of = found.assign(squared=np.square(found["difference"])).groupby(["length", "factor"])
    table = of[["covered", "width_ratio"]].mean()
    return table.assign(difference=np.sqrt(of["squared"].mean()), draws=of["draws"].sum())


def growth() -> pd.DataFrame:
    """Errors and intervals of `auto` where documents, groups or candidates come, by measure."""
    return benchmark("growth").set_index(["setting", "measure", "factor"])


def cautioned() -> pd.DataFrame:
    """Read tests in order and with a fault: what was said, the error, and what held."""
    found = benchmark("cautions").fillna({"fault": "", "said": ""})
    found["error"] = (found["predicted"] - found["truth"]).abs()
    found["held"] = found["truth"].between(found["lower"], found["upper"])
    by = found.groupby(["draw", "answer", "fault", "source"], sort=False)
    tests = by.agg(said=("said", "first"), error=("error", "mean"), held=("held", "mean"))
    tests = tests.assign(missed=tests["held"] < 1).reset_index()
    # Of a test of few classes there is no answer.
    return tests[(tests["fault"] != "") | (tests["said"] != "refused")]


def cautions() -> pd.DataFrame:
    """How often each caution is given in order and with a fault, by answer, reason and weight."""
    rows = []
    for answer, found in cautioned().groupby("answer"):
        said = found["said"].str.split()
        clear, faulty = found["fault"] == "", found["fault"] != ""
        for reason in sorted({each for of in said for each in of if ":" in each}):
            has = said.map(lambda of, reason=reason: reason in of)
            row = dict(zip(("reason", "weight"), reason.split(":"), strict=True))
            row |= {"answer": answer, "good": has[clear & ~found["missed"]].mean()}
            row["missed"] = has[clear & found["missed"]].mean()
            for name, part in (("order", clear), ("fault", faulty)):
                of = found[has & part]
                row |= {f"{name}_draws": len(of), f"{name}_error": of["error"].mean()}
                row[f"{name}_held"] = of["held"].mean()
            rows.append(row)
    return pd.DataFrame(rows).set_index(["answer", "reason"])


def faults() -> pd.DataFrame:
    """Errors of each fault, and how many draws with it are said to be doubtful or useless."""
    found = cautioned()
    found["doubted"] = found["said"].str.contains(":(?:doubtful|useless)|^refused")
    found["noted"] = found["said"].str.contains(":mild") & ~found["doubted"]
    by = found.assign(fault=found["fault"].replace("", "none")).groupby(["answer", "fault"])
    table = by[["error", "held", "doubted", "noted"]].mean()
    return table.assign(draws=by.size()).sort_values("error", ascending=False)


def thinned_runs() -> pd.DataFrame:
    """Errors and intervals of `auto` on runs, by measure."""
    return errors_of("thinned_runs", ["measure"], ["seen", "truth"])


def newcomers() -> pd.DataFrame:
    """Errors and intervals of `auto` with newcomers and without, by population."""
    return benchmark("newcomers").set_index("population")


def levels() -> pd.DataFrame:
    """FPIR predicted of scores of few levels, by law and method, and the means over the laws."""
    found = benchmark("levels").assign(square=lambda of: of["rmse"] ** 2)
    by = found.groupby(["law", "how"], sort=False)[["error", "square", "held", "draws"]].mean()
    over = by.groupby("how", sort=False).mean()
    table = pd.concat([by, pd.concat({"all": over}, names=["law"])])
    return table.assign(factor=np.exp(np.sqrt(table["square"])), ratio=np.exp(table["error"]))


def trained() -> pd.DataFrame:
    """Errors and intervals of `auto` of classifiers that learned their classes together."""
    return benchmark("trained").set_index("classifier")


def recommenders() -> pd.DataFrame:
    """Errors and intervals of `auto` on recommenders, by set, model and measure."""
    return errors_of("recommenders", ["set", "items", "model", "measure"], ["truth"])


def errors_of(study: str, keys: list[str], more: list[str]) -> pd.DataFrame:
    """Mean error, root mean square error and share of intervals that hold, of a study's rows."""
    found = benchmark(study)
    found["error"] = found["predicted"] - found["truth"]
    found["rmse"] = np.square(found["error"])
    found["held"] = found["truth"].between(found["lower"], found["upper"])
    of = found.groupby(keys, sort=False)
    table = of[[*more, "error", "rmse", "held"]].mean()
    return table.assign(rmse=np.sqrt(table["rmse"]), answers=of.size())


def retrieval() -> pd.DataFrame:
    """Errors and 90 % intervals of methods on searched texts, by set, method and multiple of k1."""
    keys = ["experiment", "method", "multiple"]
    errors, held = table("retrieval/sweep/errors.csv"), table("retrieval/coverage/intervals.csv")
    errors = errors.assign(multiple=errors["k"] // errors["k1"]).set_index(keys)
    held = held[held["level"] == 0.9].set_index(keys)
    return errors[["true_accuracy", "bias", "rmse"]].join(held[["covered", "width"]])


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
def intervals_of(group: str, method: str = "auto") -> pd.DataFrame:
    """Rows of the measured coverage of a group of `COVERAGE`."""
    rows = pd.concat([table(path) for path in COVERAGE[group]], ignore_index=True)
    return rows[(rows["method"] == method) & (rows["experiment"] != "all")]


def coverage(
    groups: list[str], multiple: int, level: float, method: str = "auto", of: str = "covered"
) -> tuple[float, int]:
    """Share of the intervals at `multiple` k1 that held the truth, and the number of samples.

    `of` is "covered" for the expected accuracy, "set_covered" for that on one new set of classes;
    "score" gives the mean interval score, of the rows that have one.
    """
    rows = pd.concat([intervals_of(group, method) for group in groups])
    rows = rows[(rows["multiple"] == multiple) & np.isclose(rows["level"], level)]
    rows = rows[rows["score"].notna()] if of == "score" else rows
    weights = rows["new_sets" if of == "set_covered" else "samples"].fillna(0)
    return float((rows[of] * weights).sum()) / max(weights.sum(), 1), int(weights.sum())


def draw_alone() -> float:
    """Error that the draw of the points' classes alone makes, over CleaneX's (real sets)."""
    drawn = table("real/draws.csv").groupby(["experiment", "k1"])["rmse_curve"].median()
    errors = table("real/summary.csv").query("method == 'cleanex'").set_index(["experiment", "k1"])
    return float(np.exp(np.log(drawn / errors["rmse_curve_median"]).mean()))


def seconds(method: str) -> float:
    """Median over the real sets of a method's seconds a fit; NaN where it was not run on them."""
    rows = table("real/methods.csv")
    return float(rows.loc[rows["method"] == method, "seconds"].median())


def per_cent(share: float) -> str:
    """Round a share to whole per cent, half to even, from the exact count."""
    return f"{100 * share:.0f}"
