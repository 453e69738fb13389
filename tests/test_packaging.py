"""The wheel: what it brings, what it needs, and that it predicts where nothing else is."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import numpy as np
import pytest
import yaml

from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from conftest import ROOT, simulated

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
HEAVY = ("tensorflow", "keras", "rpy2", "snakemake", "sklearn", "h5py", "pyarrow")
MEGABYTE = 2**20


def done(*command, cwd, **environment):
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "", **environment},
        capture_output=True,
        text=True,
    )


def checked(*command, cwd):
    process = done(*command, cwd=cwd)
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the wheel and the sdist of a clean clone."""
    folder = tmp_path_factory.mktemp("built")
    checked("git", "clone", "--quiet", ROOT, folder / "clone", cwd=folder)
    checked(sys.executable, "-m", "build", "--outdir", folder, folder / "clone", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(built):
    """An environment with the wheel and what it needs, and nothing else."""
    (wheel,) = built.glob("*.whl")
    checked(sys.executable, "-m", "venv", built / "env", cwd=built)
    # The lock's versions, so that a new release of something cannot fail this; hashes are none.
    lock = re.sub(r"\s*\\\n\s*--hash=\S+", "", (ROOT / "requirements.txt").read_text())
    (built / "constraints.txt").write_text(lock)
    pinned = ("-q", "-c", built / "constraints.txt")
    checked(built / "env/bin/python", "-m", "pip", "install", *pinned, wheel, cwd=built)
    return built


@pytest.fixture(scope="module")
def predict(installed):
    """Run the installed command on scores of 30 classes."""
    sample = simulated(30, 4, variance=0.3)
    arrays = {"scores": sample.scores, "labels": sample.labels}
    np.savez(installed / "scores.npz", **arrays, higher_is_better=sample.higher_is_better)
    np.savez(installed / "faces.npz", embeddings=np.eye(8), labels=np.arange(8) // 2)

    def run(path, *options):
        command = (installed / "env/bin/accuracy-curves", "predict", path, "--classes", 600)
        process = done(*command, "--out", "out", "--overwrite", *options, cwd=installed)
        return process.returncode, process.stdout, process.stderr

    return sample, run


@pytest.mark.slow
def test_an_empty_environment_predicts(installed, predict):
    sample, run = predict
    code, printed, errors = run("scores.npz")
    assert (code, errors) == (0, "")
    assert "600" in printed
    assert (installed / "out/report.html").stat().st_size > 0
    wanted = make_extrapolator("auto").fit(sample).predict(600)[0]
    rows = (installed / "out/curves.csv").read_text().splitlines()
    (row,) = (row.split(",") for row in rows if row.startswith("auto,600,"))
    assert float(row[2]) == pytest.approx(wanted, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "options", "user", "extra"),
    [
        ("scores.npz", ("--method", "kde"), "kde needs rpy2", "kde"),
        ("scores.npz", ("--method", "cleanex"), "cleanex needs tensorflow", "cleanex"),
        ("faces.npz", ("--pca", 2), "pca needs sklearn", "images"),
    ],
)
def test_a_missing_extra_is_one_sentence_with_its_command(predict, path, options, user, extra):
    code, _, errors = predict[1](path, *options)
    assert code == 2
    assert errors.startswith(f"Error: {user}")
    assert len(errors.splitlines()) == 1
    assert f"pip install 'accuracy-curves[{extra}]'" in errors


@pytest.mark.slow
def test_the_base_is_light(installed):
    code = f"""if True:
        import importlib.util, json, sys, sysconfig
        there = [name for name in {HEAVY!r} if importlib.util.find_spec(name)]
        import accuracy_curves
        first = sorted(sys.modules)
        from accuracy_curves.cli.main import main
        try:
            main(["--help"])
        except SystemExit:
            pass
        heavy = {{"numpy", "pandas", "matplotlib"}} & set(sys.modules)
        print(json.dumps([there, first, sorted(heavy), sysconfig.get_path("purelib")]))"""
    python = installed / "env/bin/python"
    *_, last = checked(python, "-c", code, cwd=installed).splitlines()
    there, imported, for_help, packages = json.loads(last)
    assert there == []
    assert not {"numpy", "scipy", "pandas", "matplotlib", "click"} & set(imported)
    assert for_help == []
    sizes = [
        os.lstat(os.path.join(folder, name)).st_size
        for folder, _, names in os.walk(packages)
        for name in names
    ]
    assert sum(sizes) < 500 * MEGABYTE


@pytest.mark.slow
def test_the_sdist_brings_what_its_tests_need(built):
    (sdist,) = built.glob("*.tar.gz")
    shutil.unpack_archive(sdist, built / "unpacked", filter="data")
    (folder,) = (built / "unpacked").iterdir()
    pytest_ = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    paths = {"PYTHONPATH": str(folder / "workflow")}
    assert done(*pytest_, "--collect-only", cwd=folder, **paths).returncode == 0
    ran = done(*pytest_, "tests/observed", "tests/intervals", "tests/cli", cwd=folder, **paths)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.slow
def test_the_quick_starts_run_in_an_empty_environment(installed):
    python = installed / "env/bin/python"
    readme = (ROOT / "README.md").read_text()
    shown = "\n".join(re.findall(r"^```python\n(>>> .*?)^```", readme, re.M | re.S))
    (installed / "shown.txt").write_text(shown)
    checked(python, "-m", "doctest", "shown.txt", cwd=installed)
    (recipe,) = re.findall(r"^```python\n(import numpy.*?)^```", readme, re.M | re.S)
    made = "import numpy; names = numpy.repeat(range(60), 2).astype(str)\n"
    made += "embeddings = numpy.random.default_rng(0).normal(size=(60, 8)).repeat(2, axis=0)\n"
    made += "embeddings += 0.3 * numpy.random.default_rng(1).normal(size=(120, 8))\n"
    checked(python, "-c", made + recipe, cwd=installed)
    commands = re.findall(r"^accuracy-curves .*(?:scores|faces)\.npz .*$", readme, re.M)
    assert len(commands) == 3
    for command in commands:
        checked(installed / "env/bin" / command.split()[0], *command.split()[1:], cwd=installed)


def test_every_method_names_an_extra_that_exists():
    for kind in EXTRAPOLATORS.values():
        assert kind.extra is None or set(kind.extra.split(",")) <= set(EXTRAS), kind


def test_what_needs_no_r_names_no_extra():
    assert make_extrapolator("kde").extra == "kde"
    assert make_extrapolator("kde", bandwidth="nrd0").extra is None


def test_the_citation_is_of_the_last_release():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
    released = [each for each in headings if ".dev" not in each]
    assert citation["version"] == released[0]
    assert PROJECT["version"] in (released[0], headings[0])
    assert citation["license"] == PROJECT["license"]
