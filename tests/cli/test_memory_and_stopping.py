"""What does not fit in memory, nests too deep or is interrupted ends in a sentence, or silently."""

import os
import subprocess
import sys

import numpy as np
import pytest

from accuracy_curves import FitError, InputError, Regression, load_scores, save_scores
from accuracy_curves.cli.main import main
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from conftest import simulated


class Greedy(Regression):
    """Asks for eight exabytes."""

    name, label, color = "greedy", "Greedy", "#123456"

    def _fit(self, sample):
        self.curve_ = np.empty((10**9, 10**9))


@pytest.fixture
def scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(EXTRAPOLATORS, "greedy", Greedy)
    sample = simulated(20, 3, variance=0.3)
    save_scores(sample, "scores.npz")
    return sample


def said(capsys, *arguments):
    with pytest.raises(SystemExit) as left:
        main([*map(str, arguments)])
    assert left.value.code == 2
    found = capsys.readouterr().err
    assert found.startswith("Error: ")
    assert found.count("\n") == 1
    return found


def test_a_fit_that_needs_more_memory_than_there_is(scores, capsys):
    with pytest.raises(FitError, match=r"greedy does not fit in the memory.* 60 points of 20 cl"):
        Greedy().fit(scores)
    found = said(capsys, "predict", "scores.npz", "--classes", 40, "--method", "greedy")
    assert "greedy does not fit in the memory of this machine" in found


@pytest.mark.parametrize("knots", [10**9, 10**18])
def test_a_spline_of_too_many_knots(knots):
    with pytest.raises(InputError, match="it must be a whole number from 1 to 100000"):
        make_extrapolator("spline", knots=knots)


def test_memory_that_fails_elsewhere_is_a_sentence(scores, capsys, monkeypatch):
    def much(*_, **__):
        return np.empty((10**9, 10**9))

    monkeypatch.setattr("accuracy_curves.cli.observe.average_accuracy", much)
    assert "the memory of this machine does not suffice" in said(capsys, "observe", "scores.npz")


def test_texts_that_nest_too_deep(scores, capsys):
    brackets = "[" * 100_000
    given = ("--method", "greedy", "--option", f"greedy.solver={brackets}")
    assert len(said(capsys, "predict", "scores.npz", "--classes", 40, *given)) < 5000
    os.mkdir("folder")
    np.save("folder/scores.npy", scores.scores)
    np.save("folder/labels.npy", scores.labels)
    with open("folder/meta.json", "w") as file:
        file.write(brackets)
    with pytest.raises(InputError, match=r"meta\.json"):
        load_scores("folder")


@pytest.mark.parametrize("where", ["scores", "labels"])
def test_a_header_that_promises_exabytes(scores, where, capsys):
    """In a folder and in an npz: neither is allocated."""
    os.mkdir("folder")
    arrays = {"scores": scores.scores, "labels": scores.labels}
    with open("folder/meta.json", "w") as file:
        file.write('{"higher_is_better": false}')
    for name, array in arrays.items():
        head = np.lib.format.header_data_from_array_1_0(array)
        if name == where:
            head["shape"] = (10**9,) * array.ndim
        with open(f"folder/{name}.npy", "wb") as file:
            np.lib.format.write_array_header_1_0(file, head)
            file.write(array.tobytes())
    with pytest.raises(InputError, match=rf"folder/{where}.npy cannot be read"):
        load_scores("folder")
    subprocess.run(
        ["python3", "-m", "zipfile", "-c", "../x.npz", "scores.npy", "labels.npy"],
        cwd="folder",
        check=True,
    )
    with pytest.raises(InputError, match=r"x\.npz (cannot be read|does not fit)"):
        load_scores("x.npz")


INTERRUPTED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == WHERE:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
sys.argv = ["accuracy-curves", "predict", "scores.npz", "--classes", "40", "--splits", "0"]
runpy.run_module("accuracy_curves", run_name="__main__", alter_sys=True)
"""
IMPORTED = ["click", "accuracy_curves.cli.main", "accuracy_curves.cli.predict", "numpy", "pandas"]
IMPORTED += ["scipy.special", "matplotlib.figure", "accuracy_curves.extrapolators.auto", "jinja2"]


@pytest.mark.parametrize("where", IMPORTED)
def test_an_interrupt_during_imports_is_silent(scores, where):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("WHERE", repr(where))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (130, "")
    assert sorted(os.listdir()) == ["scores.npz"]
