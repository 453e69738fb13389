"""What counts as a change of a job's code, module by module."""

from pathlib import Path

import pytest

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS
from experiments import code
from experiments.code import code_of
from experiments.datasets import DATASETS

MODULE = '''"""What it is."""

from tools.helper import double

RATE = 2


class Method:
    """A method."""

    label = "Mine"
    color = "#000000"

    def fit(self, x):
        """Fit it."""
        if x < 0:
            raise ValueError(f"x is {x}: it must be at least 0")
        return double(x) * RATE  # Why.
'''


def forget():
    """Digest files again."""
    code._read.cache_clear()
    code_of.cache_clear()


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of a script, a module and its helper; digests after an edit of the module."""
    for path, text in {
        "scripts/job.py": "from tools.method import Method\n",
        "tools/method.py": MODULE,
        "tools/helper.py": "def double(x):\n    return 2 * x\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(code, "WORKFLOW", tmp_path)

    def digests(old="", new="", path="tools/method.py"):
        text = (tmp_path / path).read_text()
        assert old in text
        (tmp_path / path).write_text(text.replace(old, new) if old else text)
        forget()
        found = code_of("job.py")
        (tmp_path / path).write_text(text)
        return found

    yield digests
    forget()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Why.", "# Another reason."),
        ("Fit it.", "Fit the method."),
        ("What it is.", "What it was."),
        ("it must be at least 0", "it must not be below 0"),
        ('"Mine"', '"Ours"'),
        ("#000000", "#ffffff"),
        ("\n\n\nclass", "\n\nclass"),
    ],
)
def test_what_no_number_depends_on_does_not_count(project, old, new):
    assert project(old, new) == project()


@pytest.mark.parametrize(
    ("path", "old", "new", "changed"),
    [
        ("tools/method.py", "RATE = 2", "RATE = 3", "tools.method"),
        ("tools/method.py", "if x < 0", "if x <= 0", "tools.method"),
        ("tools/helper.py", "2 * x", "3 * x", "tools.helper"),
        ("scripts/job.py", "import Method", "import Method as M", "scripts.job"),
    ],
)
def test_what_a_module_does_counts_under_its_name(project, path, old, new, changed):
    before, after = project(), project(old, new, path)
    assert before.keys() == after.keys() == {"scripts.job", "tools.method", "tools.helper"}
    assert [name for name in before if before[name] != after[name]] == [changed]


def test_a_method_counts_for_its_own_jobs_alone():
    spline = code_of("extrapolate.py", EXTRAPOLATORS["spline"])
    cleanex = code_of("extrapolate.py", EXTRAPOLATORS["cleanex"])
    assert "accuracy_curves.extrapolators.spline" in spline.keys() - cleanex.keys()
    assert "accuracy_curves.extrapolators.cleanex.network" in cleanex.keys() - spline.keys()
    # What only refuses, warns and writes is nowhere.
    assert not {"accuracy_curves.exceptions", "accuracy_curves.utils.validation"} & spline.keys()


SCRIPTS = sorted(path.name for path in (code.WORKFLOW / "scripts").glob("*.py"))
RUN = [("extrapolate.py", "kde"), ("extrapolate.py", "regression"),
       ("find_intervals.py", "regression")]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "moved"),
    [
        ("cautions.py", []),
        ("observed/cautions.py", []),
        ("intervals/cautions.py", []),
        ("extrapolators/regression.py", RUN[1:]),
        ("intervals/half_fits.py", RUN[2:]),
    ],
)
def test_a_caution_runs_nothing_again_and_an_estimator_its_own_jobs(monkeypatch, path, moved):
    """On the tree as it is, with a line more; no script's own digest moves by a caution."""

    def digests():
        forget()
        methods = {job: code_of(job[0], EXTRAPOLATORS[job[1]]) for job in RUN}
        return methods | {(script, ""): code_of(script) for script in SCRIPTS}

    before, read = digests(), Path.read_text
    edited = code.WORKFLOW / "accuracy_curves" / path
    assert edited.is_file()

    def read_edited(self, *arguments, **options):
        return read(self, *arguments, **options) + "\nEDITED = 1\n" * (self == edited)

    monkeypatch.setattr(Path, "read_text", read_edited)
    after = digests()
    forget()
    assert [job for job in before if before[job] != after[job] and job[1]] == moved
    if not moved:
        assert after == before


def test_an_open_set_method_counts_for_its_own_jobs_alone():
    """The script finds it by its name: no import leads there."""
    own = {
        name: code_of("predict_rates.py", kind).keys()
        for name, kind in OPEN_SET_METHODS.items()
        if name in ("pareto_tail", "binomial", "kde")
    }
    assert "accuracy_curves.identification.pareto_tail" in own["pareto_tail"] - own["binomial"]
    assert "accuracy_curves.extrapolators.auto" in own["pareto_tail"] - own["binomial"]
    assert "accuracy_curves.extrapolators.kde.estimator" in own["kde"] - own["pareto_tail"]


def test_curves_do_not_run_again_for_a_reader_of_other_files():
    method, dataset = EXTRAPOLATORS["regression"], DATASETS["scores"]
    reached = {**code_of("extrapolate.py", method), **code_of("score.py", dataset)}
    formats = {
        module for module in reached if ".scores.formats." in module or "scores.files" in module
    }
    assert {module.rpartition(".")[2] for module in formats} == {"base", "columns", "scores"}


def test_the_r_code_beside_a_module_counts(tmp_path, project):
    (tmp_path / "tools/helper.R").write_text("# a comment\n")
    with_comment = project()
    (tmp_path / "tools/helper.R").write_text("# another\n")
    assert project() == with_comment
    (tmp_path / "tools/helper.R").write_text("x <- 1\n")
    assert project()["tools.helper"] != with_comment["tools.helper"]
