"""Every public name shows an example, and each example does what it shows."""

import doctest
import inspect
import os
import sys

import matplotlib as mpl
import pytest

import accuracy_curves as ac

mpl.use("agg")
import matplotlib.pyplot as plt

METHODS = {f"EXTRAPOLATORS[{name!r}]": method for name, method in ac.EXTRAPOLATORS.items()}


def documentation(name):
    """Docstring of a public name; of data, which has none, that of the module that makes it."""
    thing = getattr(ac, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        return inspect.getdoc(thing) or ""
    makers = [m for m in map(sys.modules.get, sorted(sys.modules)) if _makes(m, name, thing)]
    # Those that import it are of deeper packages, or have no example.
    docs = [inspect.getdoc(module) or "" for module in makers]
    return next((doc for doc in docs if ">>>" in doc), "")


def _makes(module, name, thing):
    inside = getattr(module, "__name__", "").startswith("accuracy_curves.")
    return inside and vars(module).get(name) is thing


def examples(name):
    return doctest.DocTestParser().get_doctest(documentation(name), {}, name, None, 0)


def test_every_public_name_has_an_example():
    assert [name for name in ac.__all__ if not examples(name).examples] == []


@pytest.mark.parametrize("name", ac.__all__)
def test_the_example_runs(name, tmp_path, monkeypatch):
    if name == "CleaneX":
        pytest.importorskip("tensorflow")
    monkeypatch.chdir(tmp_path)
    assert not any(each.options.get(doctest.SKIP) for each in examples(name).examples)
    failures = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples(name), out=failures.append)
    plt.close("all")
    assert runner.summarize(verbose=False).failed == 0, "".join(failures)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_every_method_describes_its_parameters(method):
    documented = inspect.getdoc(method)
    for parameter in inspect.signature(method).parameters:
        assert f"{parameter}" in documented, f"{method.name}: {parameter} is not described"
