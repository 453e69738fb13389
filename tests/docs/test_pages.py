"""The examples of the documentation do what they show; its files work where they are told to go."""

import ast
import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

import accuracy_curves as ac

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import measured  # noqa: E402
import page_parts  # noqa: E402
import substitutions  # noqa: E402

PAGES = [*sorted((ROOT / "docs/guide").glob("*.md")), ROOT / "docs/gallery.md"]
CODE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_the_guide_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(block for block in CODE.findall(page.read_text()))
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, None, 0)
    # A block without a prompt would not be run.
    assert bool(code) == bool(test.examples)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_every_number_that_a_page_names_is_made_and_every_one_made_is_named():
    texts = [path.read_text() for path in ROOT.glob("docs/*/*.md")]
    named = {name for text in texts for name in re.findall(r"{{ (\w+) }}", text)}
    assert named == set(substitutions.numbers())


def test_every_test_that_a_page_names_is_there():
    page = (ROOT / "docs/develop/findings.md").read_text()
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", page)
    assert len(named) == page.count("::") > 40
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / "tests" / file).read_text(), test


def test_every_real_setting_is_tuned_looked_at_or_printed_characters():
    kinds = measured.SETTINGS.values()
    for name in ("real", "glyphs"):
        sorted_ = [each for kind in kinds for each in kind.get(name, [])]
        assert sorted(sorted_) == sorted(set(measured.table(f"{name}/errors.csv")["experiment"]))


def test_the_gallery_shows_every_kind_of_figure_that_a_preset_can_draw():
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    assert set(page_parts.KINDS) == set(schema["properties"]["figures"]["properties"])
    for kind, where in page_parts.SHOWN.items():
        preset, figure = where.split("/")
        if (ROOT / f"figures/published/{preset}").exists():
            assert page_parts.is_drawn(kind), figure


def test_errors_of_rates_stand_on_the_page_once_they_are_committed(tmp_path, monkeypatch):
    monkeypatch.setattr(measured, "RESULTS", tmp_path)
    assert "not committed" in page_parts.identification()
    (tmp_path / "identification").mkdir()
    rows = [
        {"experiment": name, "k1": 50, "method": method, "repetition": r, "quantity": "fpir"}
        | {"error_at_0.3": error * (-1) ** r, "error_at_0.1": error * r / 3}
        for name in page_parts.RATES_SHOWN
        for method, error in (("binomial", 0.2), ("pareto_tail", 0.1))
        for r in range(4)
    ]
    pd.DataFrame(rows).to_csv(tmp_path / "identification/rate_errors.csv", index=False)
    measured.table.cache_clear()
    page = page_parts.identification()
    measured.table.cache_clear()
    assert page.count("| default | `pareto_tail` | 0.100 [0.100, 0.100] | 0.062 [") == 3
    assert page.count("| worst | `binomial` | 0.200 [") == 3
    assert "is 0.50 of the formula" in page
    assert "from 50 people to 517, at the thresholds where the true one is 0.3, 0.1" in page


def test_every_committed_figure_of_the_papers_stands_beside_what_is_printed():
    shown = {ours for *_, ours, _ in page_parts.PRINTED if ours}
    assert [each for each in shown if not (ROOT / f"figures/published/{each}.png").exists()] == []


def test_the_reference_has_every_public_name_and_every_method():
    listed = page_parts.public_names() + page_parts.extrapolators()
    assert [name for name in ac.__all__ if f"accuracy_curves.{name}\n" not in listed + "\n"] == []
    assert [m for m in ac.EXTRAPOLATORS.values() if page_parts.documented(m) not in listed] == []


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the library with every file of the developer guide in its place."""
    copy = tmp_path_factory.mktemp("extended")
    hidden = shutil.ignore_patterns("__pycache__")
    for package in ("accuracy_curves", "experiments"):
        shutil.copytree(ROOT / "workflow" / package, copy / "workflow" / package, ignore=hidden)
    pages = {page.stem: FILE.findall(page.read_text()) for page in ROOT.glob("docs/develop/*.md")}
    written = [found for files in pages.values() for found in files]
    for path, text in written:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text)
    assert {page for page, files in pages.items() if files} == {
        "methods",
        "datasets",
        "classifiers",
        "figures",
    }
    return copy, written


def run(extended, code):
    environment = {"PYTHONPATH": str(extended[0] / "workflow"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore:My method misses", "-c", code],
        capture_output=True,
        text=True,
        cwd=extended[0],
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_files_of_the_developer_guide_are_documented_and_typed(extended):
    for path, text in extended[1]:
        assert ast.get_docstring(ast.parse(text)), path
    paths = [str(extended[0] / path) for path, _ in extended[1]]
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--config", ROOT / "pyproject.toml", *paths],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout


def test_the_method_is_found_by_its_name_and_fits(extended):
    printed = run(
        extended,
        "import accuracy_curves as ac, numpy as np\n"
        "from experiments.datasets.simulation import Simulation\n"
        "matrix = Simulation(n_classes=50, variance=0.2).score_matrix(seed=0)\n"
        "print(*ac.extrapolate(matrix, [50, 500], method='mine', added=0.5))\n"
        "print(ac.__file__)\n",
    )
    curve, file = printed.splitlines()
    first, second = map(float, curve.split())
    assert 0 < second < first < 1
    assert file.startswith(str(extended[0]))


def test_the_command_offers_the_method(extended):
    code = "from accuracy_curves.cli.main import commands; commands(['predict', '--help'])"
    assert re.search(r"\bmine\b", run(extended, code))


def test_the_data_set_is_found_by_its_kind(extended):
    printed = run(
        extended,
        "from experiments.datasets import make_dataset\n"
        "import accuracy_curves as ac\n"
        "matrix = make_dataset('sphere', n_classes=200, noise=0.2).score_matrix(0)\n"
        "print(matrix.n_classes, ac.average_accuracy(matrix, 200)[0])\n",
    )
    classes, accuracy = printed.split()
    assert classes == "200"
    assert 0.2 < float(accuracy) < 1


def test_the_classifier_is_found_by_its_name_and_recognises(extended):
    printed = run(
        extended,
        "import numpy as np\n"
        "from experiments.datasets.classifiers import CLASSIFIERS\n"
        "labels = np.repeat(np.arange(10), 6)\n"
        "rng = np.random.default_rng(0)\n"
        "images = np.eye(10)[labels].reshape(-1, 2, 5) + 0.1 * rng.random((60, 2, 5))\n"
        "model = CLASSIFIERS['median']().fit(images, labels)\n"
        "print((model.scores(images).argmax(axis=1) == labels).mean())\n",
    )
    assert float(printed) == 1


def test_the_figure_is_drawn(extended):
    run(
        extended,
        "from experiments.figures.mine import observed_figure\n"
        "from accuracy_curves.prediction.plots.style import save_figure\n"
        "from experiments.datasets.simulation import Simulation\n"
        "matrix = Simulation(n_classes=30).score_matrix(seed=0)\n"
        "save_figure(observed_figure({'simulation': matrix}, seed=0), 'drawn')\n",
    )
    assert (extended[0] / "drawn.png").stat().st_size > 5000


def test_populations_are_told_by_population_and_by_method(monkeypatch):
    rmse = {"auto": (0.01, 0.04), "kde": (0.02, 0.03), "family": (0.005, None)}
    columns = ["population", "factor", "method", "truth", "bias", "rmse", "between ways"]
    rows = [
        (name, factor, method, 0.5, 0.03 if name == "b" else 0.01, error, 0.0)
        for method, errors in rmse.items()
        for name, error in zip("ab", errors, strict=True)
        for factor in (2, 4, 10)
    ]
    rows += [
        (n, 10, m, 0.5, 0.01, 0.04, 0.3) for m in ("pooled_tail", "gaussian_tail") for n in "ab"
    ]
    table = pd.DataFrame(rows, columns=columns)
    monkeypatch.setattr(measured, "populations", lambda: table)
    *_, first, second = page_parts.populations().splitlines()
    assert first == "| a | 0.500 | +0.010 | 0.010 | 0.020 (`kde`) | 0.005 | 0.30 | 0.30 |"
    assert second == "| b | 0.500 | +0.030 | 0.040 | 0.030 (`kde`) |  | 0.30 | 0.30 |"
    own = next(row for row in page_parts.populations_by_method().splitlines() if "`auto`" in row)
    # The geometric mean of .01 and .04; .04 is 1.33 times the smallest.
    assert own == "| `auto` | 0.0200 | 0.0200 | 0.0200 | 50 | 50 | 1.3 | 0 |"
