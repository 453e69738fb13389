"""Tables and lists of the pages, made from the classes, the presets and the committed results."""

import importlib
import inspect
import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

import measured
import numpy as np
import pandas as pd
import yaml

import accuracy_curves as ac

NOT_TESTABLE = "not testable here"


def write_all(folder: Path) -> None:
    """Write every generated part below a folder, and leave untouched what did not change."""
    folder.mkdir(exist_ok=True)
    parts = {
        "described": described(),
        "methods": methods(),
        "errors_by_group": errors_by_group(),
        "against_best": against_best(),
        "regret": regret(),
        "coverage": coverage(),
        "random_populations": random_populations(),
        "populations": populations(),
        "populations_by_method": populations_by_method(),
        "claims": claims(),
        "paper_figures": paper_figures(),
        "sensitivity": sensitivity(),
        "kde_bandwidths": kde_bandwidths(),
        "regression_choices": regression_choices(),
        "cleanex_start": cleanex_start(),
        "gallery": gallery(),
        "telugu": telugu(),
        "identification": identification(),
        "rooms": rooms(),
        # Beside the pages of the reference, from where autosummary reads them.
        "../api/_public_names": public_names(),
        "../api/_extrapolators": extrapolators(),
    }
    for name, text in parts.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text + "\n":
            path.write_text(text + "\n", encoding="utf-8")


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def documented(method: type) -> str:
    """Name under which the reference has a method."""
    public = {getattr(ac, name): name for name in ac.__all__ if inspect.isclass(getattr(ac, name))}
    if method in public:
        return f"accuracy_curves.{public[method]}"
    return f"{method.__module__}.{method.__qualname__}"


def first_line(thing: object) -> str:
    """First line of a docstring, without its full stop."""
    return (inspect.getdoc(thing) or "").splitlines()[0].rstrip(".")


def seconds(name: str) -> str:
    """Give the median seconds of a fit over the real sets, where the method was run on them."""
    measured_ones = measured.table("real/methods.csv")["method"].unique()
    if name not in measured_ones:
        return ""
    found = measured.seconds("real", name)
    return f"{found:.2g}" if found >= 0.001 else "below 0.001"


def described() -> str:
    """List what each method fits."""
    rows = [
        [f"{{py:class}}`{name} <{documented(method)}>`", first_line(method)]
        for name, method in ac.EXTRAPOLATORS.items()
    ]
    return markdown(["method", "what it fits"], rows)


def methods() -> str:
    """List what each method says of itself."""
    rows = [
        [
            f"`{name}`",
            method.needs,
            method.minimum_classes,
            f"{method.reach} k1",
            method.splits,
            seconds(name),
            getattr(method, "extra", None) or "",
        ]
        for name, method in ac.EXTRAPOLATORS.items()
    ]
    heads = ["method", "needs", "least k1", "reach", "splits", "seconds", "extra"]
    return markdown(heads, rows)


def place(kind: str) -> str:
    """Name a group of settings, and what they are of."""
    return f"real, {kind}" if "real" in measured.SETTINGS[kind] else kind


def errors_by_group() -> str:
    """Compare the methods' errors with CleaneX's: tuned and looked-at settings apart."""
    groups = {kind: measured.ranking(kind) for kind in measured.SETTINGS}
    paper = {
        name: measured.table("paper/standings.csv").query("group == @name").set_index("method")
        for name in ("tuned", "held")
    }
    columns = [*groups.values(), *paper.values()]
    order = groups["printed characters"]["mean_ratio"].sort_values().index
    rows = [
        [
            f"`{method}`",
            *(
                f"{column.loc[method, 'mean_ratio']:.2f} "
                f"({column.loc[method, 'low']:.2f} to {column.loc[method, 'high']:.2f})"
                for column in columns
            ),
        ]
        for method in order
    ]
    heads = [
        "method",
        *(f"{place(kind)} ({frame['settings'].iloc[0]})" for kind, frame in groups.items()),
        *(f"simulated, {n} ({frame['settings'].iloc[0]})" for n, frame in paper.items()),
    ]
    return markdown(heads, rows)


def against_best() -> str:
    """Compare `auto` with the best published method on every set, by mean and by median."""
    kinds = {
        (name, experiment): kind
        for kind, sets in measured.SETTINGS.items()
        for name, experiments in sets.items()
        for experiment in experiments
    }
    rows = []
    for name in ("real", "glyphs"):
        mean, median = (measured.against_best(name, how) for how in ("mean", "median"))
        titles = measured.labels(name)
        for experiment, k1 in mean.index:
            rows.append(
                [
                    titles[experiment],
                    k1,
                    kinds[name, experiment],
                    f"{mean[experiment, k1]:.2f}",
                    f"{median[experiment, k1]:.2f}",
                ]
            )
    rows.sort(key=lambda row: list(measured.SETTINGS).index(row[2]))
    return markdown(["data", "k1", "", "mean RMSE", "median RMSE"], rows)


def regret() -> str:
    """Compare `auto`, and the published method of the least regret, with the best mixture."""
    rows = []
    for place, (name, group) in measured.REGRET.items():
        table = measured.regret()
        here = (table["preset"] == name) & (table["group"] == group)
        found = table[here].set_index("method")["regret"]
        others = found.reindex(measured.preset(name)["standings"]["published"])
        best = others.idxmin()
        rows.append([place, f"{found['auto']:.2f}", f"{others[best]:.2f} (`{best}`)"])
    return markdown(["data", "`auto`", "best published method"], rows)


def random_populations() -> str:
    """Coverage of the intervals of `auto` on random populations, by kind of scores and k1."""
    found = measured.random_populations()
    parts = {
        kind: found[found["scores"] == kind] for kind in ("distances", "cosines", "independent")
    }
    few = found["k1"] < 100
    parts |= {"k1 below 100": found[few], "k1 from 100 on": found[~few], "all": found}
    rows = []
    for name, part in parts.items():
        shares = part.groupby(["factor", "level"])["held"].mean()
        rows.append(
            [
                name,
                part["population"].nunique(),
                *(
                    ", ".join(measured.per_cent(share) for share in shares.loc[factor])
                    for factor in shares.index.unique("factor")
                ),
            ]
        )
    return markdown(["scores", "populations", "at 2 k1", "4 k1", "10 k1"], rows)


FAMILY = "family"


def populations() -> str:
    """Errors at 10 k1 on populations of known accuracy, of `auto` and of the others."""
    table = measured.populations()
    rows = []
    for name, part in table[table["factor"] == 10].groupby("population", sort=False):
        of = part.set_index("method")
        rmse = of["rmse"]
        best = rmse.drop(["auto", FAMILY]).idxmin()
        rows.append(
            [
                name,
                f"{of['truth'].iloc[0]:.3f}",
                f"{of.loc['auto', 'bias']:+.3f}",
                f"{rmse['auto']:.3f}",
                f"{rmse[best]:.3f} (`{best}`)",
                "" if np.isnan(rmse[FAMILY]) else f"{rmse[FAMILY]:.3f}",
                *(f"{of.loc[m, 'between ways']:.2f}" for m in ("pooled_tail", "gaussian_tail")),
            ]
        )
    heads = ["population", "truth", "bias", "RMSE", "best other", "family known"]
    return markdown([*heads, "ways: `pooled_tail`", "`gaussian_tail`"], rows)


def populations_by_method() -> str:
    """Errors on populations of known accuracy by method: typical and worst."""
    table = measured.populations()
    wide = table.pivot(index=["population", "factor"], columns="method", values="rmse")
    bias = table.pivot(index=["population", "factor"], columns="method", values="bias")
    ways = table.groupby("method")["between ways"].max()
    methods = wide.columns.drop(FAMILY)
    ratio = wide[methods].div(wide[methods].min(axis=1), axis=0)
    typical = np.exp(np.log(wide[methods]).groupby("factor").mean())
    rows = [
        [
            f"`{method}`",
            *(f"{typical.loc[factor, method]:.4f}" for factor in typical.index),
            f"{100 * (bias[method].abs() <= 0.02).mean():.0f}",
            f"{100 * (ratio[method] <= 1.15).mean():.0f}",
            f"{ratio[method].max():.1f}",
            f"{ways[method]:.2f}" if ways[method] > 0.005 else "0",
        ]
        for method in typical.loc[10].sort_values().index
    ]
    heads = ["method", *(f"RMSE, {factor} k1" for factor in typical.index)]
    heads += ["bias at most .02, %", "RMSE within 1.15 of the best, %", "worst", "ways"]
    return markdown(heads, rows)


def coverage() -> str:
    """Give the measured coverage of the intervals of `auto`, by group of settings."""
    rows = []
    for group in measured.COVERAGE:
        name = group if group.startswith("simulations") else place(group)
        for multiple in (2, 4, 10):
            cells, counted = [], 0
            for of in ("expected", "set"):
                shares = [measured.coverage(group, multiple, p, of=of) for p in (0.8, 0.9, 0.95)]
                counted = max(counted, shares[0][1])
                known = shares[0][1] > 0
                cells.append(
                    ", ".join(measured.per_cent(share) for share, _ in shares) if known else "–"
                )
            if counted:
                rows.append([name, f"{multiple} k1", counted, *cells])
    heads = ["settings", "at", "samples", "expected accuracy", "one new set of classes"]
    return markdown(heads, rows)


VERDICTS = ["reproduced", "not reproduced", "undecided", NOT_TESTABLE]
# A run like this one would rather miss a claim that is true.
LOW_POWER = 0.5


def claims() -> str:
    """List the claims of ICLR 2021 by their verdicts, those without files at the end."""
    frame = measured.table("paper/claims.csv")
    shown = frame.fillna("").assign(
        **{each: frame[each].map("{:.2f}".format).replace("nan", "") for each in ("holds", "power")}
    )
    heads = {
        "claim": "claim",
        "source": "stands in",
        "printed": "printed",
        "ours": "here",
        "repetitions": "repetitions",
        "holds": "true in resamples",
        "power": "power",
    }
    shown["power"] += (frame["power"] < LOW_POWER).map({True: " (low)", False: ""})
    parts = []
    for verdict in [v for v in VERDICTS if (frame["verdict"] == v).any()]:
        columns = list(heads)[: 4 if verdict == NOT_TESTABLE else None]
        rows = shown.loc[shown["verdict"] == verdict, columns]
        listed = markdown([heads[each] for each in columns], rows.itertuples(index=False))
        title = f"{verdict[0].upper()}{verdict[1:]} ({len(rows)})"
        parts.append(f"## {title}\n\n:::{{div}} claims\n{listed}\n:::")
    notes = [
        f"- {claim}: {note}"
        for claim, note in zip(shown["claim"], shown["note"], strict=True)
        if note
    ]
    return "\n\n".join([*parts, "## Notes\n\n" + "\n".join(notes)])


# What the papers print, where ours is (a preset and a figure of it), and what differs.
ICLR, JMLR, THESIS, DRAFT = "ICLR 2021", "JMLR 2018", "Thesis 2017", "Draft 2016"
SIMULATED = "CleaneX has 5 repetitions at k1 = 500, the paper 50"
BEHIND_LOGIN = "fMRI needs an account; see [running](running.md)"
DIAGRAM = "a diagram; its quantities are in [the mathematics](../mathematics.md)"
SCORES = "a sketch in print; ours, at the right, are densities of the toy example"
OTHER_DATA = "five other sets; curves of ten repetitions, and our own method beside"
NOT_PRINTED = "the paper shows nothing of these; see [sensitivity](sensitivity.md)"
ALL_DRAWS = "ours shows all 100 repetitions"
TOY = "zheng/bivariate_normal/figure{}"
PRINTED = [
    (ICLR, "Figure 1", "reversed ROC", "real/reversed_roc/figure1", "another data set"),
    (ICLR, "Figure 2", "RMSE in the simulations, d = 5", "paper/boxplots/figure2", SIMULATED),
    (ICLR, "Figure 3", "three experiments", None, BEHIND_LOGIN),
    (ICLR, "Figure 3", "the same on other data", "real/comparison/figure3", OTHER_DATA),
    (ICLR, "Figure 4", "predicted curves, k1 = 100", "paper/curves/figure4", ""),
    (ICLR, "Figure 5", "predicted curves, k1 = 500", "paper/curves/figure5", SIMULATED),
    (ICLR, "Figure 6", "RMSE in the simulations, d = 3", "paper/boxplots/figure6_d3", SIMULATED),
    (ICLR, "Figure 6", "RMSE in the simulations, d = 10", "paper/boxplots/figure6_d10", SIMULATED),
    (ICLR, "Section 6", "other scales of scores", "sensitivity/verdicts/claims", NOT_PRINTED),
    (JMLR, "Figure 1", "what is drawn at random", None, DIAGRAM),
    (JMLR, "Figure 2", "scores of three classes, and the rule", TOY.format(3), SCORES),
    (JMLR, "Figure 7", "photographs of LFW", None, "photographs of people"),
    (JMLR, "Figure 3", "toy example: the model", TOY.format(3), ""),
    (JMLR, "Figure 4", "toy example: accuracies", TOY.format(4), ""),
    (JMLR, "Figure 5", "toy example: favorability", TOY.format(5), ""),
    (JMLR, "Figure 6", "toy example: correlations", TOY.format(6), ""),
    (JMLR, "Figures 8, 9", "faces by k1", "zheng/by_k1/figure9", "MobileFaceNet, not OpenFace"),
    (JMLR, "Table 1", "errors on faces by k1", "zheng/sweep/lfw_k1", "MobileFaceNet, not OpenFace"),
    (JMLR, "Figure 10", "errors by k1", "zheng/sweep/figure10_k1", ""),
    (JMLR, "Figure 10", "errors by noise", "zheng/sweep/figure10_sigma", ""),
    (JMLR, "Figure 10", "six bases to k = 2000", "zheng/curves/figure10_bases", ALL_DRAWS),
    (JMLR, "", "one of them to k = 10,000", "zheng/by_k1/figure10_curves", "not in print"),
    (JMLR, "Figure 10", "D(u) by noise", "zheng/distributions/figure10_favorability", ""),
    (THESIS, "Figures 1, 3, 4", "what is drawn at random", None, DIAGRAM),
    (THESIS, "Figure 2", "scores of three classes, and the rule", TOY.format(3), SCORES),
    (THESIS, "Figure 5", "toy example: the model", TOY.format(3), ""),
    (THESIS, "Figure 6", "toy example: risks", TOY.format(4), "ours are accuracies, 1 - risk"),
    (THESIS, "Figure 7", "toy example: U-function", TOY.format(5), ""),
    (THESIS, "Figure 8", "correlations; errors of polynomials", TOY.format(6), ""),
    (THESIS, "Figures 9, 10", "definition of the U-function", TOY.format(5), DIAGRAM),
    (THESIS, "Figures 11, 12", "faces", "zheng/by_k1/figure9", "MobileFaceNet, not OpenFace"),
    (THESIS, "Table 1", "Telugu characters", "telugu/boxplots/telugu", "see the table below"),
    (DRAFT, "Theorem 3.1, Section 3.3", "general costs; weighted regression", None, "as code"),
]


def paper_figures() -> str:
    """Put every figure and table of the papers beside ours."""
    rows = []
    for document, printed, what, ours, differs in PRINTED:
        shown, command, status = "", "", "not drawn"
        if ours is not None:
            name, kind, figure = ours.split("/")
            path = measured.ROOT / f"figures/published/{ours}.png"
            status = "drawn, committed" if path.exists() else "drawn where the data are"
            shown = (
                f"[{kind} {figure}](../../figures/published/{ours}.png)" if path.exists() else ""
            )
            command = "`make paper`" if name == "paper" else f"`make figures PRESET={name}`"
        rows.append([document, printed, what, shown, command, status, differs])
    heads = ["document", "printed as", "what", "ours", "command", "status", "what differs"]
    return markdown(heads, rows)


def sensitivity() -> str:
    """Count the verdicts under each choice, and say how many repetitions they rest on."""
    frame = measured.table("sensitivity/choices.csv").fillna({"group": "", "label": ""})
    rows = []
    for _, found in frame.groupby("choice", sort=False):
        counts = found["verdict"].value_counts()
        n = found.loc[found["repetitions"] > 0, "repetitions"]
        chosen = f"{found['group'].iloc[0]} {found['label'].iloc[0]}".strip()
        each = [counts.get(verdict, 0) for verdict in VERDICTS]
        repetitions = " to ".join(dict.fromkeys([str(n.min()), str(n.max())]))
        rows.append([chosen or "as in the preset", *each, repetitions])
    return markdown(["choice", *VERDICTS, "repetitions"], rows)


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


def regression_choices() -> str:
    """Count the settings in which CleaneX is better than the regression, by choice of its basis."""
    frame = measured.table("sensitivity/choices.csv").fillna({"label": "as in the preset"})
    rows = frame[(frame["name"] == "regression_d5_k100") & (frame["repetitions"] > 0)]
    shown = rows[["label", "ours", "repetitions", "verdict"]]
    heads = ["choice", "settings (ratio of the errors)", "n", "verdict"]
    return markdown(heads, shown.itertuples(index=False))


def cleanex_start() -> str:
    """Give CleaneX's error from two other starts, beside the default's on the same draws."""
    others = {"cleanex_start": "other weights", "cleanex_zero": "biases at 0"}
    found = measured.cleanex_choices(*others)
    columns = ["cleanex", *others, "regression"]
    means = np.exp(np.log(found[columns]).mean())
    rows = [[f"`{name}`", row["draws"], *row[columns]] for name, row in found.iterrows()]
    rows.append(["*geometric mean*", found["draws"].min(), *means])
    cells = []
    for label, n, own, *starts, rival in rows:
        each = [f"{start:.4f} ({start / own:.2f})" for start in starts]
        cells.append([label, f"{n:.0f}", f"{own:.4f}", *each, f"{rival:.4f}"])
    return markdown(["setting", "n", "CleaneX", *others.values(), "regression"], cells)


def telugu() -> str:
    """Put the accuracies of Table 1 of the thesis beside ours."""
    frame = measured.table("telugu/tables/table1.csv")
    numbers = frame.select_dtypes("number").columns
    shown = frame.copy()
    for column in numbers:
        if column not in ("k1", "k2", "repetitions"):
            shown[column] = frame[column].map("{:.3f}".format).replace("nan", "")
    heads = [column.replace("_", " ") for column in shown.columns]
    return markdown(heads, shown.itertuples(index=False))


# Data that the page on identification shows; the table has all.
RATES_SHOWN = ("lfw", "face_c", "finger_left")
DEFAULT_OF_RATES, FORMULA = "pareto_tail", "binomial"
RESAMPLES = 1000


def identification() -> str:
    """Tabulate the errors of FPIR of five methods, with a verdict and figures, once committed."""
    where = measured.RESULTS / "identification/rate_errors.csv"
    if not where.exists():
        return "`make figures PRESET=identification` makes them; they are not committed."
    errors = measured.table("identification/rate_errors.csv")
    errors = errors[errors["quantity"] == "fpir"]
    experiments = measured.preset("identification")["experiments"]
    columns = [name for name in errors if name.startswith("error_at_")]
    targets = [name.removeprefix("error_at_") for name in columns]
    parts = [rates_verdict(errors, columns)]
    for name in RATES_SHOWN:
        here = errors[errors["experiment"] == name]
        found = {method: rmse_with_interval(own[columns]) for method, own in here.groupby("method")}
        ranked = sorted(found, key=lambda method: np.log(found[method][0].clip(1e-6)).mean())
        first = {"default": DEFAULT_OF_RATES, "the formula": FORMULA}
        rest = {"best": ranked[0], "second": ranked[1], "worst": ranked[-1]}
        rows = []
        for role, method in (first | rest).items():
            values = zip(*found[method], strict=True)
            cells = [f"{a:.3f} [{b:.3f}, {c:.3f}]" for a, b, c in values]
            rows.append([role, f"`{method}`", *cells])
        described = experiments[name]
        parts.append(
            f"RMSE of FPIR on {described['label']}, from {described['k1'][0]} people to "
            f"{described['k2']:,}, at the thresholds where the true one is {', '.join(targets)} "
            f"({here['repetition'].nunique()} repetitions, {len(found)} methods):\n\n"
            + markdown(["", "method", *targets], rows)
        )
    table = os.path.relpath(where, measured.ROOT / "docs/generated")
    parts.append(f"All methods, sets and rates: {{download}}`rate_errors.csv <{table}>`.")
    for kind in ("rate_matrix", "rate_coverage", "det"):
        if is_drawn(kind):
            figure = SHOWN[kind].split("/")[1]
            parts.append(
                f"```{{image}} ../../figures/published/identification/{kind}/{figure}.png\n"
                f":alt: {KINDS[kind]}\n```\n\n{KINDS[kind]}"
            )
    return "\n\n".join(parts)


def rates_verdict(errors: pd.DataFrame, columns: list[str]) -> str:
    """Say how the default's errors compare with the formula's, and where it loses."""
    rmse = errors.groupby(["experiment", "method"])[columns].apply(lambda e: (e**2).mean() ** 0.5)
    ratio = rmse.xs(DEFAULT_OF_RATES, level="method") / rmse.xs(FORMULA, level="method")
    of_set = np.exp(np.log(ratio).mean(axis=1)).sort_values()
    lost = [
        f"{name} at {column.removeprefix('error_at_')} ({ratio.loc[name, column]:.2f})"
        for name in ratio.index
        for column in columns
        if ratio.loc[name, column] > 1
    ]
    return (
        f"On the {len(of_set)} sets of the preset the RMSE of the default is "
        f"{np.exp(np.log(of_set).mean()):.2f} of the formula's (geometric means over the rates, "
        f"then the sets): {of_set.iloc[0]:.2f} on {of_set.index[0]}, its best set, and "
        f"{of_set.iloc[-1]:.2f} on {of_set.index[-1]}, its worst. "
        + (f"It loses on {', '.join(lost)}." if lost else "It loses on no set and rate.")
    )


def rmse_with_interval(table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """RMSE of each column, and its 90 % interval over resampled repetitions."""
    squares = np.square(table.dropna().to_numpy())
    drawn = np.random.default_rng(0).integers(len(squares), size=(RESAMPLES, len(squares)))
    resampled = np.sqrt(squares[drawn].mean(axis=1))
    low, high = np.quantile(resampled, [0.05, 0.95], axis=0)
    return np.sqrt(squares.mean(axis=0)), low, high


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


KINDS = {
    "reversed_roc": "Scores of example points, their reversed ROC, and the average of all points.",
    "boxplots": "RMSE of the predicted curves over the repetitions, a panel a setting.",
    "curves": "The predicted curves of every repetition, beside the true one.",
    "matrix": "An error of each method in each setting, with the ratio to the reference as colour.",
    "comparison": "Curves, errors and ratios on several data sets: Figure 3 of ICLR 2021.",
    "by_k1": "Predicted curves by the number of observed classes, with errors below.",
    "sweep": "Errors at k2 against the number of classes, the noise or the accuracy.",
    "coverage": "How often the intervals hold the truth, and how wide they are.",
    "distributions": "D(u), the distribution function of the favorability.",
    "bivariate_normal": "The toy example of Zheng, Achanta and Benjamini.",
    "verdicts": "The verdict on each claim under each choice that a paper does not print.",
    "rate_matrix": "An error of each method for each identification rate, as a matrix.",
    "rate_coverage": "How often intervals of identification rates hold the truth.",
    "det": "False negative against false positive identification rate, observed and predicted.",
}
# No preset with committed figures has the others.
SHOWN = {
    "reversed_roc": "real/figure1",
    "boxplots": "paper/figure2",
    "curves": "paper/figure4",
    "matrix": "real/all",
    "comparison": "real/figure3",
    "by_k1": "zheng/lfw_methods",
    "sweep": "zheng/figure10_sigma",
    "coverage": "real/intervals",
    "distributions": "zheng/figure10_favorability",
    "bivariate_normal": "zheng/figure5",
    "verdicts": "sensitivity/claims",
    "rate_matrix": "identification/fnir_at_fpir",
    "rate_coverage": "identification/intervals",
    "det": "identification/det",
}


def is_drawn(kind: str) -> bool:
    """Whether the figure that shows a kind is committed."""
    name, figure = SHOWN[kind].split("/") if kind in SHOWN else ("", "")
    return (measured.ROOT / f"figures/published/{name}/{kind}/{figure}.png").exists()


def gallery() -> str:
    """Show each kind of figure with the lines of the preset that draw it."""
    parts = []
    for kind, text in KINDS.items():
        if not is_drawn(kind):
            parts.append(f"### `{kind}`\n\n{text}")
            continue
        name, figure = SHOWN[kind].split("/")
        lines = {"figures": {kind: {figure: measured.preset(name)["figures"][kind][figure]}}}
        drawn = yaml.dump(lines, Dumper=Spelled, sort_keys=False, default_flow_style=None, width=88)
        parts.append(
            f"### `{kind}`\n\n{text}\n\n"
            f"```{{image}} ../figures/published/{name}/{kind}/{figure}.png\n"
            f":alt: A figure of the kind {kind}, {figure} of the preset {name}\n```\n\n"
            f"The lines of `config/{name}.yaml` that draw it:\n\n```yaml\n{drawn}```"
        )
    return "\n\n".join(parts)


class Spelled(yaml.SafeDumper):
    """Writes lists in full: anchors would point at lines that the page does not show."""

    def ignore_aliases(self, data: object) -> bool:
        """Ignore them all."""
        return True


def _summary(names: Iterable[str], template: str = "") -> str:
    lines = "\n".join(f"   ~{name}" for name in names)
    options = "   :toctree: generated\n   :nosignatures:\n" + template
    return f"```{{eval-rst}}\n.. autosummary::\n{options}\n{lines}\n```"


def public_names() -> str:
    """List the public names: functions, classes, errors, data."""
    things = {name: getattr(ac, name) for name in sorted(ac.__all__)}
    methods = list(ac.EXTRAPOLATORS.values())
    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors and warnings": []}
    data = []
    for name, thing in things.items():
        if inspect.isfunction(thing):
            groups["Functions"].append(name)
        elif not inspect.isclass(thing):
            data.append(name)
        elif issubclass(thing, Exception):
            groups["Errors and warnings"].append(name)
        elif thing not in methods:
            groups["Classes"].append(name)
    parts = [
        f"## {title}\n\n{_summary(f'accuracy_curves.{name}' for name in names)}"
        for title, names in groups.items()
    ]
    listed = [
        f"```{{eval-rst}}\n.. py:data:: accuracy_curves.{name}\n\n"
        f"   {first_line(inspect.getmodule(ac.extrapolate))}. Its keys: "
        + ", ".join(f"``{key}``" for key in things[name])
        + ".\n```"
        for name in data
    ]
    return "\n\n".join([*parts, "## Data", *listed])


def extrapolators() -> str:
    """List every extrapolator."""
    return _summary(documented(method) for method in ac.EXTRAPOLATORS.values())
