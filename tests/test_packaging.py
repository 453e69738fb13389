"""The wheel: what it brings, what it needs, and that it predicts where nothing else is."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import metadata

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
def installed(tmp_path_factory):
    """An environment with the wheel and what it needs, and nothing else."""
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not here: pip takes minutes for the same")
    folder = tmp_path_factory.mktemp("installed")
    # A copy, because building leaves its files beside the sources.
    source = folder / "source"
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        source.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, source)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(
        ROOT / "workflow/accuracy_curves", source / "workflow/accuracy_curves", ignore=ignored
    )
    checked(uv, "build", "--quiet", "--wheel", "--out-dir", folder, source, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    checked(uv, "venv", "--quiet", "--python", sys.executable, folder / "env", cwd=folder)
    # The lock's versions, so that a new release of something cannot fail this test.
    lock = ROOT / "requirements.txt"
    python = folder / "env/bin/python"
    install = (uv, "pip", "install", "--quiet", "--python", python, "--constraint", lock)
    checked(*install, wheel, cwd=folder)
    return folder


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


@pytest.mark.parametrize(
    ("path", "options", "user", "extra"),
    [
        ("scores.npz", ("--method", "kde", "--option", "kde.engine=R"), "kde needs rpy2", "kde"),
        ("scores.npz", ("--method", "cleanex"), "cleanex needs TensorFlow", "cleanex"),
        ("faces.npz", ("--pca", 2), "pca needs sklearn", "images"),
    ],
)
def test_a_missing_extra_is_one_sentence_with_its_command(predict, path, options, user, extra):
    code, _, errors = predict[1](path, *options)
    assert code == 2
    assert errors.startswith(f"Error: {user}")
    assert len(errors.splitlines()) == 1
    assert f"pip install 'accuracy-curves[{extra}]'" in errors


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
        heavy = {{"numpy", "pandas", "matplotlib", "rich", "bokeh"}} & set(sys.modules)
        print(json.dumps([there, first, sorted(heavy), sysconfig.get_path("purelib")]))"""
    python = installed / "env/bin/python"
    *_, last = checked(python, "-c", code, cwd=installed).splitlines()
    there, imported, for_help, packages = json.loads(last)
    assert there == []
    assert not {"numpy", "scipy", "pandas", "matplotlib", "click", "rich"} & set(imported)
    assert for_help == []
    sizes = [
        os.lstat(os.path.join(folder, name)).st_size
        for folder, _, names in os.walk(packages)
        for name in names
    ]
    assert sum(sizes) < 400 * MEGABYTE


def test_every_public_name_can_be_imported():
    import accuracy_curves as ac

    assert len(ac.__all__) > 40
    for name in ac.__all__:
        assert getattr(ac, name) is not None


def test_every_method_names_an_extra_that_exists():
    for kind in EXTRAPOLATORS.values():
        assert kind.extra is None or set(kind.extra.split(",")) <= set(EXTRAS), kind


def test_what_needs_no_r_names_no_extra():
    assert make_extrapolator("kde", engine="R").extra == "kde"
    assert make_extrapolator("kde").extra is None


def test_metadata_as_an_index_shows_it():
    about = metadata("accuracy-curves")
    assert about["Summary"]
    assert "Typing :: Typed" in PROJECT["classifiers"]
    for key in ("authors", "keywords", "classifiers", "urls"):
        assert PROJECT[key], key
    for version in ("3.11", "3.12", "3.13"):
        assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]


def test_the_citation_is_of_this_version_and_whole():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECT["version"]
    assert citation["license"] == PROJECT["license"]
    required = {"cff-version", "message", "title", "authors"}
    assert required <= set(citation)
    for reference in citation["references"]:
        assert {"type", "title", "authors", "year"} <= set(reference)
