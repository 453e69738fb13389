"""What the guides add does what they show: each runs on a copy of the project, as it is printed."""

import ast
import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS
from conftest import ROOT
from running import output

# A file of the project, or rows of one of its tables.
BLOCK = re.compile(
    r"^```(?:python|toml)\n# workflow/(\S+\.\w+)(?:, first in (\w+))?\n(.*?)^```", re.M | re.S
)
PAGES = sorted((ROOT / "docs/develop").glob("*.md"))
TEXTS = {page.stem: page.read_text(encoding="utf-8") for page in PAGES}
GUIDES = {stem: BLOCK.findall(text) for stem, text in TEXTS.items() if BLOCK.search(text)}
# A command, and what it prints.
SHOWN = re.compile(r"^```sh\n(accuracy-curves .*?)\n```\n+```text\n(.*?)^```", re.M | re.S)
PROMPT = re.compile(r"^```python\n(>>> .*?)^```", re.M | re.S)
# Follows a new method through every part that shows methods.
FOLLOW = """
import json, sys
import accuracy_curves as ac
from experiments.datasets import make_dataset
from experiments.evaluation.curve_errors import repetition_errors
from experiments.evaluation.subsampling import Draws, predict, true_curve
from experiments.evaluation.summary import summarise

name = sys.argv[1]
matrix = make_dataset("simulation", n_classes=40).score_matrix(0)
curves, _ = predict(Draws(matrix, 10, range(2), (1, "normal")), 40, name, {})
keys = {"experiment": "normal", "k1": 10, "method": name}
truth = true_curve(matrix, 40, 0).assign(experiment="normal")
table = summarise(repetition_errors(curves.assign(**keys), truth), name)
sample = ac.subsample(matrix, 12, 0)
interval = ac.ClassIntervals(sample, method=name).interval([20, 100])
style = ac.EXTRAPOLATORS[name]
print(json.dumps({
    "table": table["method"].tolist(), "finite": bool(table["rmse_curve_median"].notna().all()),
    "splits": ac.EXTRAPOLATORS[name].splits, "label": style.label, "color": style.color,
    "interval": [interval.lower.tolist(), interval.upper.tolist()],
}))
ac.save_scores(sample, "scores.npz")
"""


USE = """
import sys, importlib
import numpy as np
module = importlib.import_module(sys.argv[1])
from accuracy_curves.answers.plots import save_figure
from experiments.datasets import DATASETS, make_dataset
from experiments.datasets.classifiers import CLASSIFIERS, make_classifier
from experiments.evaluation.subsampling import Draws, predict
from experiments.figures import FIGURES, make_figure
from experiments.stored import write_table

own = [kind for kind in vars(module).values() if getattr(kind, "__module__", "") == sys.argv[1]]
used = 0
for kind in own:
    if kind in DATASETS.values():
        assert make_dataset(kind.kind, n_classes=50).score_matrix(0).n_classes == 50
    elif kind in CLASSIFIERS.values():
        labels = np.repeat(np.arange(3), 10)
        images = np.random.default_rng(0).random((30, 48, 48)) + labels[:, None, None]
        scores = make_classifier(kind.name).fit(images / 4, labels).scores(images / 4)
        assert scores.shape == (30, 3) and (scores.argmax(axis=1) == labels).mean() > 0.9
    elif kind in FIGURES.values():
        draws = Draws(make_dataset("simulation", n_classes=30).score_matrix(0), 10, [0, 1], (1,))
        curves, _ = predict(draws, 30, "regression", {})
        path = "predicted/one/k1_10/regression/0000-0001.parquet"
        write_table(curves, path)
        mine = make_figure(kind.kind, {"experiments": ["one"], "largest": 20})
        table = mine.tabulate({"curves": [path]}, mine.plan_table(None), None)
        means = curves.groupby("k")["accuracy"].mean().loc[:20]
        np.testing.assert_allclose(table["accuracy"], means)
        table.to_csv("mine.csv", index=False)
        plan = {"labels": {"one": "simulation"}, "methods": {"regression": ["Mine", "#000000"]}}
        save_figure(mine.draw_from({"table": ["mine.csv"]}, plan), "drawn")
    else:
        continue
    used += 1
assert used, own
"""


# Follows a new open-set method through an interval, an error table and the style of figures.
RATES = """
import sys
import accuracy_curves as ac, numpy as np
from accuracy_curves.identification import OPEN_SET_METHODS
from experiments.datasets import make_dataset
from experiments.evaluation.identification_errors import predicted_rates
from experiments.evaluation.identification_truth import observed_truth
from experiments.evaluation.subsampling import Draws
from experiments.figures.shown import key_styles

name = sys.argv[1]
matrix = make_dataset("simulation", n_classes=60, points_per_class=1).score_matrix(0)
truth = observed_truth(matrix, [0.3, 0.1])
draws = Draws(matrix, 20, range(2), (1, "normal"))
assert np.isfinite(predicted_rates(draws, truth, name, {})["predicted"]).all()
found = ac.Identification(matrix, name, splits=3).fpir_interval(1000, 1.0)
assert found.lower <= found.value <= found.upper
print(key_styles({name: name}, OPEN_SET_METHODS)[name].color)
ac.save_scores(matrix, "scores.npz")
"""


def identified(workflow, name):
    """Follow an open-set method, also through its command."""
    assert output(workflow, "-c", RATES, name).startswith("#")
    asked = ("scores.npz", "--gallery-size", 1000, "--method", name, "--splits", 3)
    output(workflow, "-m", "accuracy_curves", "identify", *asked, "--out", "out")
    assert f"\n{name},1000," in (workflow / "out/identification.csv").read_text()
    assert (workflow / "out/identification.png").stat().st_size
    return (workflow / "out/report.html").read_text()


@pytest.fixture
def workflow(tmp_path):
    """A copy of the library and the workflow, to which files can be added."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    return shutil.copytree(ROOT / "workflow", tmp_path / "workflow", ignore=ignored)


def followed(workflow, name):
    """What every part shows of a method; its attributes, and the command's output."""
    found = json.loads(output(workflow, "-c", FOLLOW, name))
    predict = ("predict", "scores.npz", "--classes", 50, "--method", name, "--out", "out")
    printed = output(workflow, "-m", "accuracy_curves", *predict)
    assert found["table"] == [name]
    assert found["finite"]
    (low, high) = found["interval"]
    assert all(a <= b for a, b in zip(low, high, strict=True))
    rows = (workflow / "out/curves.csv").read_text()
    assert f"\n{name},50," in rows
    return found, printed


def add(workflow, path, table, code):
    """Add what a guide prints: a module, the end of one, or the first rows of a table in one."""
    file = workflow / path
    if table:
        begins = re.compile(rf"^{table}\b.*[\[({{]$", re.M)
        text, n = begins.subn(lambda found: f"{found[0]}\n{code.rstrip()}", file.read_text(), 1)
        assert n == 1, f"{path} has no {table}"
    else:
        text = f"{file.read_text()}\n\n{code}" if file.exists() else code
    file.write_text(text)
    if file.suffix != ".py":
        return
    assert ast.get_docstring(ast.parse(text))
    config = ("--config", ROOT / "pyproject.toml")
    for check in ("check",), ("format", "--check", "--quiet"):
        subprocess.run([sys.executable, "-m", "ruff", *check, *config, file], check=True, cwd=ROOT)


@pytest.mark.parametrize("guide", GUIDES)
def test_what_a_guide_adds_runs_as_it_is_printed(workflow, guide):
    for block in GUIDES[guide]:
        add(workflow, *block)
    path, _, code = GUIDES[guide][0]
    looks = dict(re.findall(r'^    (name|label|color) = "(.*)"', code, re.M))
    if path.startswith("accuracy_curves/extrapolators"):
        found, printed = followed(workflow, looks["name"])
        assert looks["label"] in printed
        assert (found["label"], found["color"]) == (looks["label"], looks["color"])
        assert looks["name"] in output(workflow, "-m", "accuracy_curves", "methods")
    elif path.startswith("accuracy_curves/identification"):
        assert looks["label"] in identified(workflow, looks["name"])
    elif path.startswith("experiments"):
        output(workflow, "-c", USE, path.removesuffix(".py").replace("/", "."))
    known = {kind.color.lower() for of in (EXTRAPOLATORS, OPEN_SET_METHODS) for kind in of.values()}
    assert looks.get("color", "").lower() not in known
    prompts = doctest.DocTestParser().get_examples("\n".join(PROMPT.findall(TEXTS[guide])))
    output(workflow, "-c", "".join(each.source for each in prompts))
    for command, shown in SHOWN.findall(TEXTS[guide]):
        _, *words = shlex.split(command)
        assert shown in output(workflow, "-m", "accuracy_curves", *words)
