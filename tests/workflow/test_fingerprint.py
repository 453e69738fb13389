import re
import shutil
import textwrap

import grimp
import pytest

from accuracy_curves.extrapolators import EXTRAPOLATORS
from conftest import ROOT
from pipeline import fingerprint

SCRIPTS = sorted(path.name for path in (ROOT / "workflow/scripts").glob("*.py"))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project: a script that imports a module that imports another."""
    monkeypatch.setattr(fingerprint, "LIBRARY", tmp_path)
    for folder in ("scripts", "tools"):
        (tmp_path / folder).mkdir()
    (tmp_path / "tools/__init__.py").touch()

    def write(**modules):
        for name, text in modules.items():
            folder = "scripts" if name == "script" else "tools"
            (tmp_path / folder / f"{name}.py").write_text(textwrap.dedent(text))
        return fingerprint.code_of("script.py")

    write(
        script="from tools.first import g\nprint(g(1))\n",
        first="from tools.second import f\ndef g(x):\n    return f(x)\n",
        second=SECOND,
    )
    return write


SECOND = "def f(x):\n    return x + 1\n"


def test_comments_docstrings_layout_and_types_do_not_count(project):
    before = project()
    talkative = '"""Say."""\n# why\ndef f(x):\n    """Add."""\n    return (x +\n        1)  # one\n'
    assert project(second=talkative) == before
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tools.third import T\n"
    assert project(second=typed + SECOND) == project(second=typed.split("\n")[0] + "\n" + SECOND)


def test_what_a_module_does_without_a_type_checker_counts(project):
    guarded = "if TYPE_CHECKING:\n    A = 1\nelse:\n    A = {}\n"
    assert project(second=guarded.format(2)) != project(second=guarded.format(3))


def test_a_change_behind_an_import_counts(project):
    before = project()
    assert project(second=SECOND.replace("1", "2")) != before


def test_which_name_is_imported_counts(project):
    two = "def f(x):\n    return x + 1\ndef h(x):\n    return x + 2\n"
    before = project(second=two)
    assert project(first="from tools.second import h as f\ndef g(x):\n    return f(x)\n") != before


def test_an_import_inside_a_function_counts(project):
    before = project(first="def g(x):\n    from tools.second import f\n    return f(x)\n")
    assert project(second=SECOND.replace("1", "2")) != before


def test_modules_that_import_each_other_count(project):
    before = project(second="from tools.first import g\n" + SECOND)
    assert project(second="from tools.first import g\n" + SECOND.replace("1", "2")) != before


def test_a_companion_r_file_counts_but_not_its_comments(project, tmp_path):
    before = project()
    companion = tmp_path / "tools/second.R"
    companion.write_text("f <- function(x) x\n")
    with_r = project()
    assert with_r != before
    companion.write_text("# say\nf <- function(x) x\n\n")
    assert project() == with_r
    companion.write_text("f <- function(x) x + 1\n")
    assert project() != with_r


def test_an_unrelated_module_does_not_count(project):
    before = project()
    assert project(third="x = 1\n") == before


def test_a_moved_module_does_not_count(project, tmp_path):
    before = project()
    (tmp_path / "tools/deep").mkdir()
    (tmp_path / "tools/second.py").rename(tmp_path / "tools/deep/other.py")
    (tmp_path / "tools/deep/__init__.py").touch()
    moved = "from tools.deep.other import f\ndef g(x):\n    return f(x)\n"
    assert project(first=moved) == before


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the project's modules and scripts, and the fingerprints of its scripts."""
    for folder in ("accuracy_curves", "experiments", "pipeline", "scripts"):
        shutil.copytree(ROOT / "workflow" / folder, tmp_path / folder)
    monkeypatch.setattr(fingerprint, "LIBRARY", tmp_path)
    return tmp_path, lambda: {name: fingerprint.code_of(name) for name in SCRIPTS}


def reached():
    """Of each script, the modules of this project that it reaches, as import-linter finds them."""
    graph = grimp.build_graph(
        "accuracy_curves", "experiments", "pipeline", exclude_type_checking_imports=True
    )
    found = {}
    for name in SCRIPTS:
        text = (ROOT / "workflow/scripts" / name).read_text()
        direct = set(
            re.findall(r"^from ((?:accuracy_curves|experiments|pipeline)[\w.]*) import", text, re.M)
        )
        found[name] = direct.union(*(graph.find_upstream_modules(module) for module in direct))
    return found


def test_an_edit_changes_exactly_the_scripts_that_reach_the_module(copied):
    folder, fingerprints = copied
    found = reached()
    modules = sorted(set().union(*found.values()))
    assert len(modules) > 40
    before = fingerprints()
    for module in modules:
        path = folder.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        text = path.read_text()
        path.write_text(f"{text}\n# said\n")
        assert fingerprints() == before, f"a comment in {module} counts"
        path.write_text(f"{text}\nEDITED = True\n")
        after = fingerprints()
        changed = {name for name in SCRIPTS if after[name] != before[name]}
        assert changed == {name for name in SCRIPTS if module in found[name]}, module
        path.write_text(text)


def test_a_rename_of_a_real_module_changes_no_script(copied):
    folder, fingerprints = copied
    before = fingerprints()
    (folder / "accuracy_curves/utils/tables.py").rename(folder / "accuracy_curves/a_frames.py")
    for path in folder.rglob("*.py"):
        text = path.read_text()
        path.write_text(text.replace("accuracy_curves.utils.tables", "accuracy_curves.a_frames"))
    assert fingerprints() == before


def test_each_method_counts_for_its_own_jobs_only(monkeypatch):
    names = ["kde", "regression", "cleanex", "log_linear"]

    def fingerprints():
        return {n: fingerprint.code_of("extrapolate.py", EXTRAPOLATORS[n]) for n in names}

    before = fingerprints()
    assert len(set(before.values())) == len(names)
    real = fingerprint._read

    def edited(path):
        own, imports = real(path)
        return (f"{own}\nEDITED = True" if path.name == "bandwidths.py" else own), imports

    monkeypatch.setattr(fingerprint, "_read", edited)
    after = fingerprints()
    assert [name for name in names if after[name] != before[name]] == ["kde"]
