"""One file adds a method, a data set or a classifier; another package adds a method."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from accuracy_curves.exceptions import InputError, MissingDependencyError
from accuracy_curves.extrapolators import EXTRAPOLATORS, choose
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.utils.discovery import Registry
from conftest import ROOT

GROUP = "accuracy_curves.extrapolators"
METHOD = '''"""A method that says what it has seen at k1."""

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator


class Last(CurveExtrapolator):
    name, label, color = "{name}", "{label}", "#ABCDEF"
    reach, splits = 7, 4

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def _fit_curve(self, k, accuracy):
        self.last_ = accuracy[-1]

    def _predict(self, k):
        return np.full(len(k), self.last_)
'''
# Follows a new method through every part that shows methods.
FOLLOW = """
import json, sys
import accuracy_curves as ac
from experiments.datasets import make_dataset
from experiments.evaluation.curve_errors import repetition_errors
from experiments.evaluation.subsampling import Draws, predict, true_curve
from experiments.evaluation.summary import summarise
from accuracy_curves.answers.style import method_styles

name = sys.argv[1]
matrix = make_dataset("simulation", n_classes=40).score_matrix(0)
curves = predict(Draws(matrix, 10, range(2), (1, "normal")), 40, name, {})
keys = {"experiment": "normal", "k1": 10, "method": name}
truth = true_curve(matrix, 40, 0).assign(experiment="normal")
table = summarise(repetition_errors(curves.assign(**keys), truth), name)
sample = ac.subsample(matrix, 12, 0)
interval = ac.ClassIntervals(sample, method=name).interval([20, 100])
style = method_styles([name])[name]
print(json.dumps({
    "table": table["method"].tolist(), "finite": bool(table["rmse_curve_median"].notna().all()),
    "splits": ac.EXTRAPOLATORS[name].splits, "label": style.label, "color": style.color,
    "interval": [interval.lower.tolist(), interval.upper.tolist()],
}))
ac.save_scores(sample, "scores.npz")
"""


def run(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


def output(folder, *arguments):
    done = run(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


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


def test_one_file_adds_a_method_everywhere(workflow):
    text = METHOD.format(name="last_seen", label="Last seen")
    (workflow / "accuracy_curves/extrapolators/last_seen.py").write_text(text)
    found, printed = followed(workflow, "last_seen")
    assert "Last seen" in printed
    assert (found["label"], found["color"]) == ("Last seen", "#abcdef")
    assert found["splits"] == 4
    names = output(workflow, "-m", "accuracy_curves", "predict", "--help")
    assert "last_seen" in names


BLOCK = re.compile(r"^```python\n(# workflow/(\S+\.py)\n.*?)^```", re.M | re.S)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
PRINTED = {
    path: code for page in PAGES for code, path in BLOCK.findall(page.read_text(encoding="utf-8"))
}
USE = """
import sys, importlib
import numpy as np
module = importlib.import_module(sys.argv[1])
from accuracy_curves.answers.style import save_figure
from accuracy_curves.scores.formats.scores import save_scores
from experiments.datasets import DATASETS, make_dataset
from experiments.datasets.classifiers import CLASSIFIERS, make_classifier
from experiments.figures import FIGURES, make_figure

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
        save_scores(make_dataset("simulation", n_classes=30).score_matrix(0), "one.npz")
        plan = {"labels": {"one": "simulation"}, "seed": 0}
        mine = make_figure(kind.kind, {"experiments": ["one"], "largest": 20})
        save_figure(mine.draw_from({"scores": ["one.npz"]}, plan), "drawn")
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


@pytest.mark.parametrize("path", PRINTED)
def test_what_the_documentation_adds_runs_as_it_is_printed(workflow, path):
    file = workflow / path
    assert not file.exists()
    file.write_text(PRINTED[path])
    assert ast.get_docstring(ast.parse(PRINTED[path]))
    config = ("--config", ROOT / "pyproject.toml")
    subprocess.run([sys.executable, "-m", "ruff", "check", *config, file], check=True, cwd=ROOT)
    if file.parent.name == "extrapolators":
        ((name,),) = (re.findall(r'^    name\b.*?= "(\w+)"', PRINTED[path], re.MULTILINE),)
        followed(workflow, name)
        colors = [kind.color.lower() for kind in EXTRAPOLATORS.values()]
        assert re.search("#[0-9A-Fa-f]{6}", PRINTED[path])[0].lower() not in colors
    elif file.parent.name == "identification":
        name, label, color = re.findall(r'^    (?:name|label|color) = "(.*)"', PRINTED[path], re.M)
        assert label in identified(workflow, name)
        assert color.lower() not in [kind.color.lower() for kind in OPEN_SET_METHODS.values()]
    else:
        output(workflow, "-c", USE, path.removesuffix(".py").replace("/", "."))


@pytest.fixture
def package(tmp_path):
    """Another package that registers two methods; one of them cannot be loaded."""
    (tmp_path / "theirs.py").write_text(METHOD.format(name="theirs", label="Their method"))
    about = tmp_path / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    entries = "theirs = theirs:Last\nbroken = no_such_module:Method\nother = theirs:Last\n"
    entries += "thing = theirs:np\nkde = theirs:Last\n"
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{entries}")
    return tmp_path


def test_another_package_adds_a_method(package, monkeypatch, caplog):
    monkeypatch.syspath_prepend(package)
    methods = Registry("accuracy_curves.extrapolators", Extrapolator, "name", GROUP)
    assert set(EXTRAPOLATORS) | {"theirs", "broken", "other", "thing"} == set(methods)
    assert len(methods) == len(set(methods))
    theirs = choose(methods, "method", "theirs", {"seed": 0})
    assert (theirs.__module__, theirs.label) == ("theirs", "Their method")
    assert methods["theirs"] is theirs
    with pytest.raises(MissingDependencyError, match="broken = no_such_module:Method cannot be"):
        methods["broken"]
    with pytest.raises(InputError, match="other = theirs:Last must be registered under its name"):
        methods["other"]
    with pytest.raises(InputError, match="thing = theirs:np must be a subclass of Extrapolator"):
        methods["thing"]
    assert methods["kde"] is EXTRAPOLATORS["kde"]
    assert "kde = theirs:Last is left out: its name is taken" in caplog.text


def test_the_command_takes_another_packages_method(package):
    program = "import accuracy_curves as ac; from experiments.datasets import make_dataset\n"
    program += "data = make_dataset('simulation', n_classes=12).score_matrix(0)\n"
    program += "ac.save_scores(data, 'scores.npz')"
    output(package, "-c", program)
    predict = ("-m", "accuracy_curves", "predict", "scores.npz", "--classes", 50, "--method")
    assert "Their method" in output(package, *predict, "theirs")
    done = run(package, *predict, "broken")
    assert done.returncode == 2
    *_, last = done.stderr.splitlines()
    assert last.startswith("Error: the entry point broken")
    assert "install its package again, or remove it" in last
