import textwrap

import pytest

from pipeline import fingerprint


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project of two modules, the first importing the second."""

    def write(**modules):
        for name, text in modules.items():
            path = tmp_path / "accuracy_curves" / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(text))
        return fingerprint.code_fingerprint("accuracy_curves.first")

    monkeypatch.setattr(fingerprint, "__file__", str(tmp_path / "pipeline" / "fingerprint.py"))
    (tmp_path / "pipeline").mkdir()
    return write


FIRST = "from accuracy_curves.second import f\ndef g(x):\n    return f(x)\n"
SECOND = "def f(x):\n    return x + 1\n"


def test_comments_docstrings_and_layout_do_not_count(project):
    before = project(first=FIRST, second=SECOND)
    talkative = '"""Say."""\n# why\ndef f(x):\n    """Add."""\n    return (x +\n        1)  # one\n'
    assert project(second=talkative) == before


def test_a_change_behind_an_import_counts(project):
    before = project(first=FIRST, second=SECOND)
    assert project(second=SECOND.replace("1", "2")) != before


def test_a_companion_r_file_counts_but_not_its_comments(project, tmp_path):
    before = project(first=FIRST, second=SECOND)
    companion = tmp_path / "accuracy_curves" / "second.R"
    companion.write_text("f <- function(x) x\n")
    with_r = project()
    assert with_r != before
    companion.write_text("# say\nf <- function(x) x\n\n")
    assert project() == with_r
    companion.write_text("f <- function(x) x + 1\n")
    assert project() != with_r


def test_an_unrelated_module_does_not_count(project):
    before = project(first=FIRST, second=SECOND)
    assert project(third="x = 1\n") == before


def test_real_modules_have_different_fingerprints():
    names = ["kde", "regression", "cleanex"]
    prints = {fingerprint.code_fingerprint(f"accuracy_curves.extrapolators.{n}") for n in names}
    assert len(prints) == 3
