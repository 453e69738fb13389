"""Tables and lists of the pages, made from the classes, the presets and the published tables."""

import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from numpydoc.docscrape import NumpyDocString

import accuracy_curves as ac
import cited
import claimed
import front
import measured
import substitutions
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.scores.formats.registry import FORMATS, KINDS, description
from experiments.figures import FIGURES
from experiments.figures.panels import shown_rows
from layout import markdown, wide

# Where ours of the figures of the papers are.
# Of 90 % intervals, so rarely that the law is named.
HOLDS_TOO_SELDOM = 0.85
# Share of the draws in which a fault is named.
OFTEN = 0.75
PRINTED_FIGURES = pd.read_csv(measured.ROOT / "docs/reproduce/printed_figures.csv")


def pages() -> list[Path]:
    """Find the pages that have generated parts, each between two comments."""
    written = [*measured.ROOT.glob("docs/*.md"), *measured.ROOT.glob("docs/[dgr]*/*.md")]
    written += [measured.ROOT / "config/README.md", measured.ROOT / "README.md"]
    return [page for page in sorted(written) if "<!-- end -->" in page.read_text(encoding="utf-8")]


@cache
def parts() -> dict[str, str]:
    """Make every part of a page, by its name, and every number."""
    return (
        substitutions.numbers()
        | substitutions.printed_beside_ours()
        | {
            "methods": methods(),
            "closed": closed(),
            "open": open_set(),
            "populations": populations(),
            "covered": covered(),
            "coverage": coverage(),
            "random_populations": random_populations(),
            "laws": laws(),
            "pairs": pairs(),
            "claims_counted": claimed.count(),
            "claims_summary": claimed.summary(),
            "finding": front.finding(),
            "first_answer": front.first_answer(),
            "measured_errors": front.measured_errors(),
            "lists": lists(),
            "growth": growth(),
            "faults": faults(),
            "thinned_runs": thinned_runs(),
            "recommenders": recommenders(),
            "levels": levels(),
            "newcomers": newcomers(),
            "trained": trained(),
            "retrieval": retrieval(),
            "claims": claimed.table(),
            "experiment_1": experiment_1(),
            "not_drawn": not_drawn("paper/curves/figure4").strip() or "nothing",
            "paper_figures": paper_figures(),
            "sensitivity": claimed.choices(),
            "kde_bandwidths": kde_bandwidths(),
            "regression_choices": regression_choices(),
            "gallery": gallery(),
            "telugu": telugu(),
            "rooms": rooms(),
            "mutants": mutants(),
            "accidents": accidents(),
            "formats": formats(),
            "figure_keys": figure_keys(),
        }
    )


def renewed(text: str) -> str:
    """Make the parts of a page anew, which stand between <!-- NAME --> and <!-- end -->."""
    part = r"(<!-- (\w+) -->(\s*)).*?<!-- end -->"
    whole = r"{}{}{}<!-- end -->"
    return re.sub(part, lambda m: whole.format(m[1], parts()[m[2]], m[3]), text, flags=re.DOTALL)


def write_all() -> None:
    """Write the parts of every page, and the benchmark's files; leave what did not change."""
    texts = {page: renewed(page.read_text(encoding="utf-8")) for page in pages()} | cited.files()
    # From here autosummary reads the pages of the reference.
    reference = measured.ROOT / "docs/api"
    texts |= {
        reference / "_public_names.md": public_names() + "\n",
        reference / "_extrapolators.md": extrapolators() + "\n",
        reference / "_open_set_methods.md": open_set_methods() + "\n",
    }
    for path, text in texts.items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def documented(method: type) -> str:
    """Name under which the reference has a method."""
    public = {getattr(ac, name): name for name in ac.__all__ if inspect.isclass(getattr(ac, name))}
    if method in public:
        return f"accuracy_curves.{public[method]}"
    return f"{method.__module__}.{method.__qualname__}"


def first_line(thing: object) -> str:
    """First line of a docstring, without its full stop."""
    return (inspect.getdoc(thing) or "").splitlines()[0].rstrip(".")


def formats() -> str:
    """List what a user has, as what file it is read, and by which commands."""
    rows = [
        (*description(name), ", ".join(f"`{command}`" for command in KINDS[kind][0]))
        for name, kind in reversed(FORMATS.items())
    ]
    return markdown(["you have", "the file", "commands"], rows)


def methods() -> str:
    """List what each method fits, needs and costs."""
    rows = []
    for name, method in ac.EXTRAPOLATORS.items():
        took = measured.seconds(name)
        rows.append(
            [
                f"`{name}`",
                first_line(method),
                method.needs,
                f"{method.reach} k1",
                "" if np.isnan(took) else f"{took:.2g}" if took >= 0.001 else "below .001",
                getattr(method, "extra", None) or "",
            ]
        )
    return markdown(["method", "what it fits", "needs", "reach", "seconds", "extra"], rows)


def points(error: float) -> str:
    """Write an error of an accuracy in points; one that no accuracy can have as above 100."""
    return "–" if np.isnan(error) else f"{100 * error:.1f}" if error < 1 else "> 100"


def multiples(table: pd.DataFrame, name: str, scale: float = 100, digits: int = 0) -> list[str]:
    """Join the columns NAME_2, NAME_4 and NAME_10 of each row; nothing where it has none."""
    columns = table[[f"{name}_{each}" for each in measured.MULTIPLES]]
    return [
        "" if np.isnan(row).all() else ", ".join(f"{scale * each:.{digits}f}" for each in row)
        for row in columns.to_numpy()
    ]


def standing(table: pd.DataFrame) -> dict[str, list[str]]:
    """Lay out the method, its error over the best with its interval, and its rank."""
    return {
        "method": [f"`{method}`" for method in table.index],
        "error over the best": [
            f"{row.over_best:.2f} ({row.low:.2f} to {row.high:.2f})" for row in table.itertuples()
        ],
        "rank": [f"{rank:.1f}" for rank in table["rank"]],
    }


def rivals(table: pd.DataFrame, sets: str) -> str:
    """Name the methods that may be as good as the best one."""
    best = table["over_best"].idxmin()
    like = table.index[~table["differs"] & (table.index != best)]
    names = ", ".join(f"`{method}`" for method in like)
    if not names:
        return f"`{best}` is better than every other method on these {sets}."
    return f"On these {sets} other methods may be as good as `{best}`: {names}."


def by_method(table: pd.DataFrame, sets: int, more: Mapping[str, Iterable[str]]) -> str:
    """Lay out `measured.standings` over all sets, with `more` columns."""
    columns = standing(table) | {"mean error": [points(each) for each in table["mean_error"]]}
    columns |= {name: [*cells] for name, cells in more.items()}
    laid_out = wide(list(columns), zip(*columns.values(), strict=True))
    return f"{laid_out}\n\n{rivals(table, f'{sets} sets')}"


def closed() -> str:
    """Errors of every method over real sets and printed characters."""
    table = measured.closed()
    more = {
        "intervals that hold, %": multiples(table, "covered"),
        "score": multiples(table, "score", 1, 2),
        "seconds": [f"{each:.2g}" for each in table["seconds"]],
    }
    return by_method(table, len(measured.judged_sets()), more)


def open_set() -> str:
    """Errors of methods on sets of open-set identification, at an FPIR of 0.01, to the formula."""
    table = measured.open_set()
    titles = measured.labels("identification")
    ratio = table.loc["pareto_tail", list(titles)] / table.loc["binomial", list(titles)]
    typical = np.exp(np.log(ratio.astype(float).clip(1e-3)).mean())
    alarms = measured.rate_errors("fpir", "0.1").mean(axis=1)
    best = table["mean_error"].idxmin()
    shown = table.loc[:"binomial"]
    held = shown["covered"].map(measured.per_cent, na_action="ignore").fillna("")
    more = {"intervals that hold, %": held, "seconds": shown["seconds"].map("{:.2g}".format)}
    return by_method(shown, len(ratio), more) + (
        f"\n\nThe error of `pareto_tail` is {typical:.2f} of that of `binomial`, the formula that "
        f"is often used (geometric mean). The ratio is {ratio.min():.2f} on the best set "
        f"({titles[ratio.idxmin()]}), and {ratio.max():.2f} on the worst "
        f"({titles[ratio.idxmax()]}).\n\n"
        f"`{best}` has the smallest mean error here, but `identify` uses `pareto_tail`. At a known "
        "threshold `pareto_tail` predicts FPIR best: where it is 0.1, its mean error is "
        f"{points(alarms['pareto_tail'])} points, and that of `{best}` {points(alarms[best])}. One "
        f"fit serves all thresholds; `{best}` is fitted anew to each."
    )


def populations() -> str:
    """Name the best method on populations of known accuracy, and say what `auto` does there."""
    table = measured.populations()
    number = measured.benchmark("populations")["population"].nunique()
    best, auto = table.iloc[0], table.loc["auto"]
    of = {name: multiples(table.loc[[name]], "error", digits=1)[0] for name in (best.name, "auto")}
    held = multiples(table.loc[["auto"]], "covered")[0]
    return (
        f"{rivals(table, f'{number} populations')} Its errors at 2, 4 and 10 k1 are "
        f"{of[best.name]} points, and those of `auto` {of['auto']}. But where scores are rewritten "
        f"`{best.name}` moves by up to {points(best['rewritten'])} points, and `auto` by "
        f"{points(auto['rewritten'])}. Intervals of `auto` hold in {held} %."
    )


def random_populations() -> str:
    """Errors and 90 % intervals of `auto` on random populations, by kind of scores and k1."""
    table = measured.random_groups()
    columns = {
        "populations": table.index,
        "number": table["populations"],
        "error": multiples(table, "error", digits=1),
        "intervals that hold, %": [
            ", ".join(measured.per_cent(row[f"covered_{k}_at_0.9"]) for k in measured.MULTIPLES)
            for _, row in table.iterrows()
        ],
        "score": multiples(table, "score"),
    }
    return wide(list(columns), zip(*columns.values(), strict=True))


def lists() -> str:
    """Answers of `auto` from candidate lists of each length beside those from whole matrices."""
    rows = []
    for length, of in measured.lists().groupby("length"):
        kind = f"lists of {length}" if length else "whole matrix"
        cells = [f"{each:.2f}".removeprefix("0") for each in of["covered"]]
        moved = [f"{each:.4f}".removeprefix("0") if length else "" for each in of["difference"]]
        rows.append([kind, *cells, *moved, f"{of['width_ratio'].mean():.2f}"])
    heads = [f"{what} {each} K" for what in ("held at", "moved at") for each in (2, 10, 50)]
    return markdown(["", *heads, "width over the matrix's"], rows)


def with_error(share: float, answers: float) -> str:
    """Write a share of intervals that hold, in whole per cent, with its standard error."""
    return f"{100 * share:.0f} ± {100 * np.sqrt(share * (1 - share) / answers):.0f}"


def growth() -> str:
    """Errors and intervals of `auto` where documents, groups or candidates come, over measures."""
    table = measured.growth().reset_index()
    table["what"] = table["setting"].str.split().str[0]
    rows = []
    for what, of in table.groupby("what", sort=False):
        by = of.groupby("factor")
        largest = by["error"].agg(lambda each: each.loc[each.abs().idxmax()])
        cells = [", ".join(map(points, each)) for each in (largest, by["rmse"].mean())]
        shares = ", ".join(map(measured.per_cent, by["held"].mean()))
        rows.append([what, of["setting"].nunique(), of["measure"].nunique(), *cells, shares])
    heads = ["what comes", "settings", "measures", "largest bias", "error"]
    return markdown([*heads, "intervals that hold, %"], rows)


def faults() -> str:
    """Group the faults by what is said of them, each with the error of its answer."""
    table = measured.faults().drop(index="none", level="fault").reset_index()
    names = table["fault"].str.replace("alike by", "correlated by")
    names += table["answer"].map({"accuracy": "", "rates": ", in rates"})
    table["name"] = names + table["error"].map(lambda error: f" ({points(error)})")
    often = table[["doubted", "noted"]] >= OFTEN
    groups = {
        "doubtful or not to be used": often["doubted"],
        "a note": often["noted"],
        "either, less often": ~often.any(axis=1),
    }
    rows = [[said, "<br>".join(table.loc[members, "name"])] for said, members in groups.items()]
    return markdown(["what is said", "faults"], rows)


def thinned_runs() -> str:
    """Errors and intervals of `auto` on runs of which a tenth was kept, by measure."""
    rows = [
        [
            measure,
            *map(points, of[["seen", "truth", "error", "rmse"]]),
            with_error(of.held, of.answers),
        ]
        for measure, of in measured.thinned_runs().iterrows()
    ]
    heads = ["measure", "of the tenth, %", "of the whole, %", "bias", "error"]
    return markdown([*heads, "intervals that hold, %"], rows)


def recommenders() -> str:
    """Errors and intervals of `auto` on recommenders, over the models of each set."""
    table = measured.recommenders()
    table["squared"] = np.square(table["rmse"])
    rows = []
    for (name, items), of in table.groupby(level=[0, 1], sort=False):
        cells = []
        means = of.groupby("measure")[["truth", "squared", "held"]].mean()
        for _, mean in means.loc[["hit@1", "hit@10"]].iterrows():
            cells += [points(mean["truth"]), points(np.sqrt(mean["squared"]))]
            cells.append(measured.per_cent(mean["held"]))
        rows.append([name.replace("_", " "), f"{items:,}", *cells])
    heads = [f"{what}@{t}" for t in (1, 10) for what in ("HR", "error", "held")]
    by = table.groupby("measure")[["squared", "held"]].mean()
    overall = "; ".join(
        f"{measure} {points(np.sqrt(each.squared))} points, {100 * each.held:.0f} %"
        for measure, each in by.iterrows()
    )
    laid_out = wide(["set", "items", *heads], rows)
    return f"{laid_out}\n\nOver all sets, error and share of intervals that hold: {overall}."


def retrieval() -> str:
    """Errors and intervals on lists of searched texts, of methods whose intervals are measured."""
    sets, rows = measured.labels("retrieval"), []
    for (experiment, method), of in measured.retrieval().groupby(level=[0, 1], sort=False):
        if of["covered"].notna().all():
            cells = [", ".join(map(points, of[each])) for each in ("true_accuracy", "bias", "rmse")]
            held = ", ".join(map(measured.per_cent, of["covered"]))
            rows.append([sets[experiment], f"`{method}`", *cells, held])
    heads = ["documents", "method", "found first, %", "bias", "error", "intervals that hold, %"]
    return wide(heads, rows)


def laws() -> str:
    """Name the laws of scores on which too few intervals of `auto` hold, and give the means."""
    table, rows = measured.laws(), []
    for name, of in table.groupby("law", sort=False):
        of = of.droplevel("law")
        if of.loc[10, "covered"] < HOLDS_TOO_SELDOM:
            shown = {"rmse": "{:.1f}", "covered": "{:.0%}", "error_ratio": "{:.2f}"}
            cells = [", ".join(of[each].map(form.format)) for each, form in shown.items()]
            true = points(1 - of.loc[10, "accuracy"])
            rows.append([name, true, *(each.replace("%", "") for each in cells)])
    mean = table.groupby("factor")[["rmse", "covered"]].mean()
    error = ", ".join(mean["rmse"].map("{:.1f}".format))
    held = ", ".join(map(measured.per_cent, mean["covered"]))
    heads = ["law", "true errors at 10 k1, %", "error", "intervals that hold, %"]
    return (
        f"Over the {table.index.unique('law').size} laws the error is {error} points on average, "
        f"and {held} % of the intervals hold. Fewer than {100 * HOLDS_TOO_SELDOM:.0f} % hold at "
        f"10 k1 on {substitutions.WORDS[len(rows)]} of them:\n\n"
        f"{wide([*heads, 'predicted over true error rate'], rows)}"
    )


def pairs() -> str:
    """Coverage and width of the intervals of the difference of two systems, at 1, 2 and 10 k1."""
    rows = []
    for name, of in measured.benchmark("pairs").groupby("law", sort=False):
        known = (100 * (of["accuracy_b"] - of["accuracy_a"])).map("{:+.1f}".format)
        shares = [of[each].map(measured.per_cent) for each in ("covered", "called_different")]
        columns = known, shares[0], of["width_ratio"].map("{:.2f}".format), shares[1]
        rows.append([name, of["draws"].min(), *(", ".join(each) for each in columns)])
    heads = ["systems", "tests", "true difference, points", "held, %", "width", "different, %"]
    return markdown(heads, rows)


def levels() -> str:
    """Give the error of FPIR and coverage on scores of few levels, by law and method."""
    table = measured.levels()
    methods = table.index.unique("how")
    rows = []
    for law, of in table.groupby("law", sort=False):
        at = of.droplevel("law").loc[methods]
        cells = at["ratio"].map("{:.1f}".format), at["factor"].map("{:.1f}".format)
        rows.append([law, *map(", ".join, cells), ", ".join(map(measured.per_cent, at["held"]))])
    heads = ["law", "predicted over true rate", "error, a factor of", "intervals that hold, %"]
    return markdown(heads, rows)


def newcomers() -> str:
    """Errors and intervals with newcomers and without, by population."""
    return _two_ways(measured.newcomers(), "newcomers are", "known", "newcomers", "unlike")


def trained() -> str:
    """Errors and intervals of classifiers that learned their classes together."""
    return _two_ways(measured.trained(), "classifier", "plain", "trained")


def _two_ways(found: pd.DataFrame, what: str, before: str, after: str, *shares: str) -> str:
    """Give errors, coverage and width of two ways to predict, one after the other."""
    rows = []
    for name, row in found.iterrows():
        rmse = ", ".join(f"{row[f'rmse_{way}']:.1f}" for way in (before, after))
        held, width = (
            ", ".join(measured.per_cent(row[f"{of}_{way}"]) for way in (before, after))
            for of in ("held", "width")
        )
        rows.append([name, rmse, held, width, *(measured.per_cent(row[each]) for each in shares)])
    heads = ["error, points", "held, %", "width, points", *(f"found {each}, %" for each in shares)]
    return markdown([what, *heads], rows)


def covered() -> str:
    """Say how often the intervals held the truth, over all samples."""
    lines, groups = [], list(measured.COVERAGE)
    for multiple in (2, 4, 10):
        found = [measured.coverage(groups, multiple, level) for level in (0.8, 0.9, 0.95)]
        low, middle, high = (measured.per_cent(share) for share, _ in found)
        lines.append(f"- in {low}, {middle} and {high} % of {found[0][1]} at {multiple} k1")
    return ";\n".join(lines) + "."


def coverage() -> str:
    """Give the measured coverage of the intervals of `auto`, by group of settings."""
    rows = []
    for group in measured.COVERAGE:
        for multiple in (2, 4, 10):
            cells, counted = [], 0
            for of in ("covered", "set_covered"):
                shares = [measured.coverage([group], multiple, p, of=of) for p in (0.8, 0.9, 0.95)]
                known, counted = shares[0][1] > 0, max(counted, shares[0][1])
                held = ", ".join(measured.per_cent(share) for share, _ in shares)
                cells.append(held if known else "–")
            score, scored = measured.coverage([group], multiple, 0.9, of="score")
            if counted:
                cells.append(f"{score:.2f}" if scored else "–")
                rows.append([group, f"{multiple} k1", counted, *cells])
    heads = ["settings", "at", "samples", "expected accuracy", "one new set", "score at 90 %"]
    return markdown(heads, rows)


def beside_printed(ours: str) -> str:
    """Put the numbers of a figure of the papers beside ours, where it has any."""
    numbers = measured.PRINTED[measured.PRINTED["figure"] == ours]
    if numbers.empty:
        return ""
    rows = []
    for (what, k), part in numbers.fillna({"k": 0}).groupby(["what", "k"], sort=False):
        k1 = ", ".join(str(each) for each in part["k1"])
        pair = (part["printed"], measured.beside(part))
        cells = (", ".join(f"{each:.3f}" for each in of) for of in pair)
        rows.append([what, f"{k:,.0f}" if k else "all", k1, *cells])
    return markdown(["what", "k2", "k1", "printed", "here"], rows)


def not_drawn(ours: str) -> str:
    """Name the methods of a preset's figure of curves that the published one does not show."""
    preset, kind, figure = ours.split("/")
    shown = {method for _, _, method in shown_rows(measured.FIGURES / f"{ours}.png")[0]}
    if kind != "curves" or not shown:
        return ""
    methods = measured.preset(preset)["figures"][kind][figure].get("methods", [])
    left = [f"`{name}`" for name in methods if name not in shown]
    return f" Not drawn yet: {', '.join(left)}." if left else ""


def paper_figures() -> str:
    """Show each of our figures of the papers, and what is printed beside it."""
    parts = []
    for row in PRINTED_FIGURES.fillna("").itertuples():
        name = row.ours.split("/")[0]
        command = "make paper" if name == "paper" else f"make figures PRESET={name}"
        picture = f"![{row.what}](../../figures/published/{row.ours}.png)"
        differs = f" What differs: {row.differs}." if row.differs else ""
        says = f"`{command}` draws it.{differs}{not_drawn(row.ours)}"
        parts += [f"## {row[2]}: {row.what}", picture, says]
        parts += [beside_printed(row.ours), claimed.beside_figure(row.ours, row[2])]
    return "\n\n".join(part for part in parts if part)


def kde_bandwidths() -> str:
    """Give the error of KDE by the rule of its bandwidth, on the same draws at d = 5."""
    columns = [(100, 50), (500, 50), (500, 5)]
    labels = {key: f"KDE, `{rule}`" for key, rule in measured.BANDWIDTHS.items()}
    labels |= {"regression": "regression", "cleanex": "CleaneX"}
    found = [measured.bandwidths(*column) for column in columns]
    rows = [
        [label, *(f"{each[key]:.3f}" if key in each else "" for each in found)]
        for key, label in labels.items()
    ]
    return markdown(["method", *(f"k1 = {k1}, n = {n}" for k1, n in columns)], rows)


def experiment_1() -> str:
    """Give the mean error of methods over CleaneX's, by preprocessing and gallery."""
    means = {}
    for preset, suffix in (("paper", ""), ("sensitivity", "_imagenet")):
        errors = measured.table(f"{preset}/errors.csv").groupby(["experiment", "method"])
        for gallery in ("cifar100", "cifar100_nearest"):
            found = errors["rmse_curve"].mean()[gallery + suffix]
            means[gallery + suffix] = found / found["cleanex"]
    labels = {"regression": "regression", "auto": "`auto`"}
    labels |= {key: f"KDE, `{rule}`" for key, rule in measured.BANDWIDTHS.items()}
    rows = [
        [label, *(f"{of[key]:.2f}" if key in of else "" for of in means.values())]
        for key, label in labels.items()
    ]
    galleries = [f"{how}, {of}" for how in ("raw", "ImageNet's") for of in ("centroid", "nearest")]
    return markdown(["mean RMSE over CleaneX's", *galleries], rows)


def regression_choices() -> str:
    """Count the settings in which CleaneX is better than the regression, by choice of its basis."""
    frame = measured.table("sensitivity/choices.csv").fillna({"label": "as in the preset"})
    rows = frame[(frame["name"] == "regression_d5_k100") & (frame["repetitions"] > 0)]
    shown = rows[["label", "ours", "repetitions", "verdict"]]
    heads = ["choice", "settings (ratio of the errors)", "n", "verdict"]
    return markdown(heads, shown.itertuples(index=False))


def telugu() -> str:
    """Put the accuracies of Table 1 of the thesis beside ours."""
    frame = measured.table("telugu/tables/table1.csv")
    shown = frame.drop(columns=["repetitions", "accuracy_k1_sd", "predicted_k2_sd"])
    for column in shown.select_dtypes("number").columns.drop(["k1", "k2"]):
        shown[column] = shown[column].map("{:.3f}".format).replace("nan", "")
    heads = [column.replace("_", " ") for column in shown.columns]
    return wide(heads, shown.itertuples(index=False))


def rooms() -> str:
    """List the packages of the library, the upper ones first, with what each says of itself."""
    project = tomllib.loads((measured.ROOT / "pyproject.toml").read_text())
    (layers,) = (
        contract["layers"]
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract.get("containers") == ["accuracy_curves"]
    )
    # Layers that may not import each other stand in one line of the contract.
    names = [name.strip() for layer in layers for name in re.split("[|:]", layer)]
    rows = [
        [f"`{name}`", first_line(importlib.import_module(f"accuracy_curves.{name}"))]
        for name in names
    ]
    return markdown(["package", "holds"], rows)


def mutants() -> str:
    """Say of each package how many planted errors its tests see."""
    table = pd.read_csv(measured.ROOT / "benchmarks/mutation/mutants.csv", dtype=str)
    share = 100 * table["seen"].astype(int) / table["tried"].astype(int)
    shown = pd.DataFrame({
        "package": "`" + table["package"] + "`",
        "seen": table["seen"] + " of " + table["tried"] + share.map(" ({:.0f} %)".format),
        "change no answer": table["equal"],
        **table[["date", "commit", "seed"]],
    })  # fmt: skip
    return markdown([*shown], shown.to_numpy().tolist())


def accidents() -> str:
    """Say of each kind of accident how often it was survived, and what else came of it."""
    table = pd.read_csv(measured.ROOT / "benchmarks/accidents/accidents.csv")
    table["accident"] = table["accident"].str.replace(r"(--.*)", r"`\1`", regex=True)

    def came(row: pd.Series) -> str:
        worse = [f"{row[name]} {name}" for name in row.index[4:] if row[name]]
        return f"{row['ok']} of {row['tried']}" + (f" ({', '.join(worse)})" if worse else "")

    shown = table.assign(came=table.apply(came, axis=1))
    wide = shown.pivot(index="accident", columns="code", values="came")
    wide = wide.loc[table["accident"].unique()].fillna("")
    return markdown(["accident", *map(str, wide)], wide.reset_index().to_numpy().tolist())


def gallery() -> str:
    """Show a published figure of each kind with the lines of the preset that draw it."""
    parts = []
    for kind, drawer in FIGURES.items():
        parts.append(f"### `{kind}`\n\n{drawer.caption}")
        for name in ("real", "paper", "zheng", "identification", "sensitivity"):
            entries = measured.preset(name)["figures"].get(kind, {})
            shown = [f for f in entries if (measured.FIGURES / f"{name}/{kind}/{f}.png").exists()]
            if not shown:
                continue
            lines = {"figures": {kind: {shown[0]: entries[shown[0]]}}}
            drawn = yaml.dump(lines, sort_keys=False, width=88)
            parts.append(
                f"![A figure of the kind {kind}, {shown[0]} of the preset {name}]"
                f"(../figures/published/{name}/{kind}/{shown[0]}.png)\n\n"
                f"In `config/{name}.yaml`:\n\n```yaml\n{drawn}```"
            )
            break
    return "\n\n".join(parts)


def figure_keys() -> str:
    """List what each kind of figure draws, and the keys of its own, as its class says."""
    rows = []
    for kind, drawer in FIGURES.items():
        known = {each.name: each.default for each in fields(drawer)}
        usual = {key: value for key, value in known.items() if value and value is not MISSING}
        keys = [
            f"`{key.name}` ({key.type}): {' '.join(key.desc)}"
            + (f" By default `{json.dumps(usual[key.name])}`." if key.name in usual else "")
            for key in NumpyDocString(inspect.getdoc(drawer) or "")["Parameters"]
        ]
        rows.append([f"`{kind}`", first_line(drawer), "<br>".join(keys)])
    return markdown(["kind", "draws", "keys of its own"], rows)


def _summary(names: Iterable[str]) -> str:
    lines = "\n".join(f"   ~{name}" for name in names)
    options = "   :toctree: generated\n   :nosignatures:\n"
    return f"```{{eval-rst}}\n.. autosummary::\n{options}\n{lines}\n```"


# The public names by what one wants to do.
TASKS = {
    "Answer a question": "predict identify compare plan",
    "Read and write scores": "load_scores save_scores load_searches load_candidates read_curve",
    "Make scores": "score_embeddings score_identities search_embeddings score_classifier simulate",
    "Hold scores": "ScoreMatrix CandidateLists DistanceMatrix Ranks Searches",
    "Look at what was observed": "average_accuracy average_risk ranks discriminability "
    "reversed_roc reversed_auc cmc_from_roc find_wrong_names",
    "Predict with one method": "extrapolate fit_curve fit_risk_curve Auto CleaneX KDE Regression",
    "Say how sure a prediction is": "ClassIntervals Interval Identification",
    "Choose classes": "subsample split",
    "Errors and warnings": "AccuracyCurvesError InputError FitError MissingDependencyError "
    "AccuracyWarning",
}


def public_names() -> str:
    """List the public names by task; new ones last, until they have a task."""
    groups = {
        title: [name for name in names.split() if name in ac.__all__]
        for title, names in TASKS.items()
    }
    grouped = {name for names in groups.values() for name in names}
    data = [name for name in ac.__all__ if not callable(getattr(ac, name))]
    groups["More"] = sorted({*ac.__all__} - grouped - {*data})
    parts = [
        f"## {title}\n\n{_summary(f'accuracy_curves.{name}' for name in names)}"
        for title, names in groups.items()
        if names
    ]
    listed = [
        f"```{{eval-rst}}\n.. py:data:: accuracy_curves.{name}\n\n   Its keys: "
        + ", ".join(f"``{key}``" for key in getattr(ac, name))
        + ".\n```"
        for name in data
    ]
    return "\n\n".join([*parts, "## Data", *listed])


def extrapolators() -> str:
    """List every extrapolator."""
    return _summary(documented(method) for method in ac.EXTRAPOLATORS.values())


def open_set_methods() -> str:
    """List every method of open-set identification alone."""
    return _summary(documented(method) for method in OPEN_SET_METHODS.maps[0].values())
