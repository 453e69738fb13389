"""Another package adds a method."""

import pytest
from sklearn.base import clone

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError, MissingDependencyError
from accuracy_curves.extrapolators import EXTRAPOLATORS, choose, make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.utils.discovery import Registry
from running import output, python

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
    # Found before the package is there, and so for the tests that follow.
    known = set(EXTRAPOLATORS)
    monkeypatch.syspath_prepend(package)
    methods = Registry("accuracy_curves.extrapolators", Extrapolator, "name", GROUP)
    assert known | {"theirs", "broken", "other", "thing"} == set(methods)
    assert len(methods) == len(set(methods))
    theirs = choose(methods, "method", "theirs", {"seed": 0})
    assert (theirs.__module__, theirs.label) == ("theirs", "Their method")
    assert methods["theirs"] is theirs
    with pytest.raises(MissingDependencyError, match="broken = no_such_module:Method cannot be"):
        methods["broken"]
    with pytest.raises(InputError, match=r"theirs:Last must be .* registered under its name"):
        methods["other"]
    with pytest.raises(InputError, match="thing = theirs:np must be a subclass of Extrapolator"):
        methods["thing"]
    assert methods["kde"] is EXTRAPOLATORS["kde"]
    assert "kde = theirs:Last is left out: its name is taken" in caplog.text


def test_the_command_takes_another_packages_method(package):
    ac.save_scores(ac.simulate(n_classes=12), package / "scores.npz")
    predict = ("-m", "accuracy_curves", "predict", "scores.npz", "--classes", 50, "--method")
    assert "Their method" in output(package, *predict, "theirs")
    done = python(package, *predict, "broken", "--overwrite")
    assert done.returncode == 2
    *_, last = done.stderr.splitlines()
    assert last.startswith("Error: the entry point broken")
    assert "install its package again, or remove it" in last


def test_a_method_is_found_as_its_class_or_label_is_written_and_scikit_learn_clones_it():
    assert EXTRAPOLATORS["Auto"] is EXTRAPOLATORS["auto"]
    assert "Gaussian tail" in EXTRAPOLATORS
    assert "tail" not in EXTRAPOLATORS
    for method in (make_extrapolator("auto", seed=3), make_extrapolator("kde", bandwidth="nrd0")):
        assert repr(clone(method)) == repr(method)
