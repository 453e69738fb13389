"""Each kind of figure, from an entry of a preset to the drawing."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import accuracy_curves as ac
from accuracy_curves.answers.plots import save_figure
from accuracy_curves.exceptions import InputError
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.utils.files import write_csv
from conftest import ROOT
from drawn import tables, texts
from experiments.evaluation.curve_errors import SETTING, errors_at_k
from experiments.evaluation.identification_errors import QUANTITIES
from experiments.evaluation.interval_coverage import POOLED
from experiments.figures import FIGURES, make_figure
from experiments.figures.base import settings_of
from experiments.figures.panels import lacking, plotted, shown_rows
from experiments.stored import write_table
from presets import checked

SIZES = {"e0": (10, 60), "e1": (20, 80)}
EXPERIMENTS = {
    name: {
        "label": f"set {name}",
        "dataset": {"kind": "simulation", "n_classes": k2, "variance": 0.25},
        "k1": [k1],
        "k2": k2,
    }
    for name, (k1, k2) in SIZES.items()
}
ACCURACY = {
    "preset": "made",
    "methods": {
        "regression": {},
        "kde": {"options": {"bandwidth": "nrd0"}},
        "kde_b": {"method": "kde"},
    },
    "experiments": EXPERIMENTS,
    "repetitions": 3,
    "figures": {
        "boxplots": {"a": {"hide_above": 0.5}},
        "curves": {"a": {"experiments": ["e1"], "repetitions": 2}},
        "comparison": {"a": {"methods": ["regression", "kde"]}},
        "matrix": {"a": {"show": "bias"}},
        "by_k1": {"a": {"methods": ["kde", "regression"]}},
        "reversed_roc": {"a": {"experiment": "e1"}},
        "distributions": {"a": {}},
        "sweep": {"a": {"over": "accuracy", "experiments": ["e0"]}},
        "coverage": {"a": {"methods": ["regression"]}},
        "bivariate_normal": {"a": {"part": "correlations"}},
        "verdicts": {"a": {}},
    },
}
IDENTIFICATION = {
    "preset": "made",
    "question": "identification",
    "repetitions": 3,
    "methods": {"binomial": {}, "pareto_tail": {}},
    "experiments": EXPERIMENTS,
    "figures": {
        "rate_matrix": {"a": {"quantity": "fnir"}},
        "rate_coverage": {"a": {}},
        "det": {"a": {"experiments": ["e0"]}},
    },
}
KINDS = [(preset, kind) for preset in (ACCURACY, IDENTIFICATION) for kind in preset["figures"]]


def test_a_preset_is_read_without_matplotlib():
    """Each job of a run reads it."""
    code = (
        "import sys\nfrom experiments.datasets import DATASETS\n"
        "from experiments.figures import FIGURES\nassert len(DATASETS) and len(FIGURES)\n"
        "assert 'matplotlib' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def figure_of(kind, preset):
    return make_figure(kind, preset.config["figures"][kind]["a"])


def made_files(kind, preset):
    """What a figure reads, made up, where the workflow has it."""
    drawn = figure_of(kind, preset)
    shown, methods = drawn.shown_settings(preset), drawn.shown_methods(preset)
    like = {"regression": "regression", "kde": "kde", "kde_b": "cleanex"}
    predicted, observed, true, errors = (
        table.replace({"method": {each: key for key, each in like.items()}})
        for table in tables(SIZES.values())
    )
    files = {name: [] for name in drawn.reads}

    def put(name, path, table):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".csv"):
            write_csv(table, path)
        else:
            said = [] if name == "errors" else ["experiment", "k1"]
            here = table.drop(columns=said, errors="ignore")
            write_table(here.reset_index(drop=True), path)
        files[name].append(path)

    for setting in shown:
        name = setting.experiment
        at = f"results/made/KIND/{setting.path}.parquet"

        def of(table, name=name):
            return table[table["experiment"] == name]

        if "curves" in files:
            put("curves", f"results/made/true/{name}.parquet", of(true))
            seen = of(observed).drop(columns="method")
            put("curves", at.replace("KIND", "observed"), seen)
            for method in methods:
                found = of(predicted)[of(predicted)["method"] == method].drop(columns="method")
                (path,) = preset.curves(setting, method)
                put("curves", path, found)
        if "errors" in files:
            put("errors", at.replace("KIND", "errors"), of(errors))
        if "class_draw" in files:
            noise = {"repetition": range(3), "rmse_curve": 0.01, "rivals_to_k1": 0.005}
            put("class_draw", at.replace("KIND", "class_draw"), pd.DataFrame(noise))
        if "scores" in files:
            path = Path(f"results/made/scores/{name}.npz")
            path.parent.mkdir(parents=True, exist_ok=True)
            ac.save_scores(preset.datasets[name].score_matrix(seed=0), path)
            files["scores"].append(str(path))
    if kind == "sweep":
        put("table", "results/made/sweep/a.csv", errors_at_k(predicted, true, [40, 60]))
    whole = {"experiment": POOLED, "k1": np.nan, "samples": 5, "covered": 0.8, "width": 0.1}
    if kind == "coverage":
        more = {"new_sets": 5, "set_covered": 0.9, "set_width": 0.2, "too_far": True}
        rows = [{**whole, **more, "method": m, "level": 0.9, "multiple": 2} for m in methods]
        own = [
            {**row, "experiment": name, "k1": k1, "samples": 25}
            for row in rows
            for name, k1 in shown
        ]
        put("table", "results/made/coverage/a.csv", pd.DataFrame(rows + own))
    if kind == "rate_matrix":
        rows = itertools.product(shown, methods, range(3), QUANTITIES)
        table = pd.DataFrame([(*s, *rest, 0.1, 0.2) for s, *rest in rows])
        errors = ["error_at_0.3", "error_at_0.1"]
        table.columns = [*SETTING, "repetition", "quantity", *errors]
        put("rate_errors", "results/made/rate_errors.csv", table)
    if kind == "rate_coverage":
        rows = itertools.product(methods, QUANTITIES, (0.3, 0.1))
        table = pd.DataFrame(rows, columns=["method", "quantity", "target"]).assign(**whole)
        own = [table.assign(experiment=name, k1=k1, covered=0.1, samples=25) for name, k1 in shown]
        put("table", "results/made/rate_coverage/a.csv", pd.concat([*own, table]))
    if kind == "verdicts":
        row = {"choice": "c", "group": "", "label": "", "name": "one", "claim": "is so"}
        put("choices", "results/made/choices.csv", pd.DataFrame([{**row, "verdict": "reproduced"}]))
    return files


@pytest.mark.parametrize(("preset", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_every_kind_is_drawn_from_its_files(preset, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    preset = checked(preset, figures={kind: preset["figures"][kind]})
    drawn = figure_of(kind, preset)
    assert drawn.shows_anything(preset)
    plan = drawn.plan(preset, "a")
    assert "{" not in plan["caption"]
    files = made_files(kind, preset)
    figure = drawn.draw_from(files, plan)
    # The layout warns where text leaves no room for the panels.
    FigureCanvasAgg(figure).draw()
    assert all(axes.get_position().height > 0.02 for axes in figure.axes)
    # What is named is plotted, and said; what is not plotted is not said.
    named = drawn.named_rows(preset)
    save_figure(figure, "whole", json.dumps({"shows": plotted(figure)}))
    rows, _ = shown_rows(Path("whole.png"))
    assert lacking("it", rows, named, []) == []
    if "methods" in plan:
        gone, *others = reversed(plan["methods"])
        plan["methods"] = {key: plan["methods"][key] for key in others}
        less = plotted(drawn.draw_from(files, plan))
        save_figure(Figure(), "less", json.dumps({"shows": less}))
        missing = lacking("it", shown_rows(Path("less.png"))[0], named, [])
        assert missing
        assert all(f"lacks {gone} in e" in each for each in missing)
    else:
        assert all(method == "true" for *_, method in named)


def test_a_figure_that_does_not_say_what_it_shows_is_the_poorest(tmp_path):
    save_figure(Figure(), tmp_path / "old", '{"commit": "1"}')
    named = {("e0", 10, "kde"): 5}
    for name in ("old.png", "none.png"):
        assert shown_rows(tmp_path / name) == ({}, set())
    assert lacking("the figure a", {}, named, []) == ["the figure a lacks kde in e0, k1 = 10"]
    assert lacking("it", {("e0", 10, "kde"): 3}, named, []) == [
        "it lacks kde in e0, k1 = 10 in 2 of 5 repetitions"
    ]
    assert lacking("it", {}, named, ["e0"]) == []


def test_every_kind_is_tried():
    assert {kind for _, kind in KINDS} == set(FIGURES)


def test_a_plan_has_what_decides_the_figure_and_no_more():
    preset = checked(ACCURACY)
    plan = figure_of("curves", preset).plan(preset, "a")
    assert plan.pop("caption").startswith("Accuracy curves")
    assert plan == {
        "settings": [["e1", 20]],
        "labels": {"e1": "set e1"},
        "repetitions": {"e1": 2},
        "methods": plan["methods"],
        "entry": {"experiments": ["e1"], "repetitions": 2},
    }
    assert [label for label, _ in plan["methods"].values()] == ["Regression", "KDE", "KDE, b"]
    plans = {
        kind: figure_of(kind, preset).plan(preset, "a")
        for kind in ("sweep", "comparison", "reversed_roc")
    }
    assert plans["sweep"]["sigma"] == {"e0": 0.5}
    assert plans["comparison"]["reference"] == "regression"
    assert "methods" not in plans["reversed_roc"]
    assert figure_of("sweep", preset).classes(preset) == [60]


def test_methods_without_curves_are_left_out_of_figures_of_curves():
    preset = checked(ACCURACY, compute=["kde"], beside=[], figures={}, reference="kde")
    assert FIGURES["curves"]().shown_methods(preset) == ["kde"]
    assert FIGURES["matrix"]().shown_methods(preset) == ["kde"]
    sweep = FIGURES["sweep"](over="k1")
    assert sweep.shown_methods(preset) == ["regression", "kde", "kde_b"]
    assert FIGURES["by_k1"](methods=["kde"]).shows_anything(preset)
    assert not FIGURES["curves"](methods=["regression"]).shows_anything(preset)


def test_several_settings_of_each_k1_have_a_panel_a_k1():
    labels = {"a": "A", "b": "B"}
    plan = {"settings": [["a", 5], ["b", 5], ["a", 9], ["b", 9]], "labels": labels}
    assert [setting.panel for setting in settings_of(plan)] == ["$k_1 = 5$"] * 2 + ["$k_1 = 9$"] * 2
    assert {setting.panel for setting in settings_of({**plan, "settings": [["a", 5]]})} == {""}


@pytest.mark.parametrize(
    ("kind", "entry", "word"),
    [
        ("matrix", {"methods": ["lda"]}, "lda"),
        ("matrix", {"k1": [11]}, "k1"),
        ("reversed_roc", {"experiment": "e2"}, "e2"),
        ("sweep", {"over": "k1"}, "experiments"),
        ("sweep", {"over": "accuracy"}, "k1"),
        ("sweep", {"over": "accuracy", "experiments": ["e0"], "k2": [61]}, "k2 = 61"),
        ("coverage", {"k1": [10], "methods": ["cleanex"]}, "cleanex"),
        ("comparison", {"methods": ["kde"]}, "lacks the reference 'regression'"),
        ("rate_matrix", {}, "identification"),
    ],
)
def test_an_entry_that_cannot_be_drawn_is_refused(kind, entry, word):
    methods = {**ACCURACY["methods"], "cleanex": {}}
    with pytest.raises(InputError, match=f"figures.{kind}.a: .*{word}"):
        checked(ACCURACY, methods=methods, figures={kind: {"a": entry}})


def test_a_preset_of_identification_has_its_own_figures():
    preset = checked(IDENTIFICATION)
    with pytest.raises(InputError, match="matrix"):
        FIGURES["matrix"]().check(preset, "figures.matrix.a")
    methods = [OPEN_SET_METHODS[name] for name in IDENTIFICATION["methods"]]
    assert figure_of("det", preset).runs(preset) == [FIGURES["det"], *methods]


def test_rates_are_covered_over_all_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    preset = checked(IDENTIFICATION)
    files = made_files("rate_coverage", preset)
    drawn = figure_of("rate_coverage", preset)
    figure = drawn.draw_from(files, drawn.plan(preset, "a"))
    bars = [each for each in figure.axes[0].containers if hasattr(each, "has_yerr")]
    assert [set(each.lines[0].get_ydata()) for each in bars] == [{0.8}, {0.8}]
    assert "measured coverage" in texts(figure)
