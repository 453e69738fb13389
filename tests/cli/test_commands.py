"""What the commands share: bad input is one sentence, nothing is lost, nothing hangs."""

import inspect
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import accuracy_curves
from accuracy_curves import EXTRAPOLATORS, FitError, ScoreMatrix, reversed_auc, save_scores
from accuracy_curves.answers.answer import text_table
from accuracy_curves.cautions import share
from accuracy_curves.cli import commands
from accuracy_curves.cli.main import ADVICE
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.scores.formats.registry import FORMATS, description
from conftest import simulated
from plug_in import PlugIn

SAMPLE = simulated(12, 4, variance=0.5)


class Failing(PlugIn):
    """Fails in the middle."""

    name, label = "failing", "Failing"

    def _favorability(self, sample):
        raise FitError("failing did not\nconverge: try another seed")


class Greedy(PlugIn):
    """Asks for eight exabytes."""

    name, label = "greedy", "Greedy"

    def _favorability(self, sample):
        return np.empty((10**9, 10**9))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind in (PlugIn, Failing, Greedy):
        monkeypatch.setitem(EXTRAPOLATORS, kind.name, kind)
    save_scores(SAMPLE, tmp_path / "scores.npz")
    good, scores = (tmp_path / "scores.npz").read_bytes(), np.zeros((4, 3))
    (tmp_path / "truncated.npz").write_bytes(good[: len(good) // 2])
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "hole.csv").write_text("label,a,b,c\na,1,,3\n")
    (tmp_path / "a.csv").write_text("label,a,b,c\na,3,1,2\nb,1,3,2\nc,1,2,3\n")
    (tmp_path / "curve.csv").write_text("k,accuracy\n2,0.99\n10,0.9\n20,0.85\n")
    np.savez(tmp_path / "two.npz", scores=scores[:, :2], labels=np.zeros(4, int))
    np.savez(tmp_path / "outside.npz", scores=scores, labels=np.full(4, 3))
    np.savez(tmp_path / "disagree.npz", scores=scores, labels=np.zeros(3, int))
    np.savez(tmp_path / "nan.npz", scores=scores * np.nan, labels=np.zeros(4, int))
    save_scores(simulated(10, 4, variance=0.5), tmp_path / "few.npz")
    save_scores(SAMPLE, tmp_path / "other.npz")
    (tmp_path / "run").write_text("".join(f"q Q0 d{i} {i} {9 - i} x\n" for i in range(9)))
    (tmp_path / "qrels").write_text("q 0 d3 1\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


ANSWER = ["curves.csv", "curves.pdf", "curves.png", "report.html", "report.json"]
PREDICT = ["predict", "scores.npz", "--classes", "40", "--method", "plug_in"]
RUN = ["predict", "run", "--qrels", "qrels", "--searched", "40"]
FILES = {
    "none.npz": "no file", "truncated.npz": "read", "empty.npz": "empty", "hole.csv": "line 2",
    "two.npz": "at least 3", "outside.npz": "row 0", "disagree.npz": "shape", "nan.npz": "finite",
}  # fmt: skip
BAD = [
    *((["predict", name, "--classes", "40"], word) for name, word in FILES.items()),
    *(([*PREDICT, "--classes", k], f"{k} is not a number of classes: whole numbers from 2 to 10^18")
      for k in ("1", "-4", str(10**18 + 1))),
    *(([*PREDICT, "--classes", k], f"'--classes': write {k} as a whole number")
      for k in ("2.5", "many", "1,5")),
    ([*RUN[:4], "--searched", "2", "--classes", "99"], "give the number of all that were searched"),
    (["predict", "scores.npz"], "--classes"),
    (["observe", "scores.npz", "--oute", "x"], "--oute"),
    (["guess", "scores.npz"], "guess"),
    ([*PREDICT, "--method", "failing"], "converge"),
    ([*PREDICT, "--method", "greedy"], "memory"),
    ([*PREDICT, "--option", "plug_in.width=3"], "width"),
    ([*PREDICT, "--option", "kde.bandwidth=ucv"], "none of the methods"),
    ([*PREDICT, "--option", "plug_in.power"], "METHOD.NAME=VALUE"),
    ([*PREDICT, "--out", "scores.npz/below"], "cannot write"),
    ([*PREDICT, "--out", "full"], "--overwrite"),
    ([*PREDICT, "--metric", "cosine"], "metric"),
    ([*PREDICT, "--gallery-photos", "2"], "centroid"),
    (["plan", "scores.npz", "--classes", "9", "--width", ".1", "--splits", "0"], "splits is 0"),
    (["compare", "scores.npz", "--classes", "9"], "OTHER"),
    (["compare", "scores.npz", "few.npz", "--classes", "9"], "such as 10"),
    (["compare", "scores.npz", "scores.npz", "--classes", "9"], "each with a name of its own"),
    (["compare", "scores.npz", "other.npz", "--classes", "9", "--method", "log_linear", "--top",
      "5"], "top-5"),
    (["predict", "run", "--classes", "99"], "not a score matrix by its name"),
    ([*RUN, "--classes", "99", "--lower-is-better"], "are they distances? (--lower-is-better or"),
    ([*RUN[:4], "--searched", "5", "--classes", "99"], "--own-candidates"),
    (["extend", "hole.csv", "--classes", "9"], "holds scores for every class"),
    (["convert", "scores.npz", "out.txt"], "must end in .npz"),
    (["identify", "scores.npz"], "--gallery-size"),
    (["identify", "scores.npz", "--gallery-size", "0"], "0 is not a gallery size"),
    (["plan", "scores.npz", "--gallery-size", "0", "--fpir", ".1", "--width", ".1"],
     "0 is not a gallery size"),
    (["plan", "scores.npz", "--classes", "9", "--width", ".1", "--fpir", ".1"],
     "or --gallery-size and --fpir"),
    (["identify", "scores.npz", "--gallery-size", "9", "--option", "auto.knots=3"], "knots"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "word"), BAD, ids=range(len(BAD)))
def test_bad_input_is_one_sentence_and_nothing_is_written(folder, run, arguments, word):
    before = contents(folder)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert word in err
    assert contents(folder) == before


@pytest.mark.parametrize("words", [("--out", "full"), ("--top", 5, "--method", "log_linear")])
def test_what_cannot_be_answered_is_found_before_the_fits(folder, run, monkeypatch, words):
    fitted = []
    monkeypatch.setattr(PlugIn, "_favorability", lambda self, sample: fitted.append(sample))
    status, _, err = run(*PREDICT, *words)
    assert status == 2
    assert str(words[1]) in err
    assert fitted == []


READ = [
    (["extend", "full/curves.csv", "--classes", "100"], "curve.csv", "curves.csv"),
    (["extend", "linked", "--classes", "100"], "curve.csv", "curves.csv"),
    (["compare", "a.csv", "full/comparison.csv", "--classes", "9"], "a.csv", "comparison.csv"),
    ([*RUN[:3], "full/curves.csv", *RUN[4:], "--classes", "99"], "qrels", "curves.csv"),
    (["convert", "linked", "full/q.npz", "--overwrite"], "a.csv", "q.npz"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "name", "inside"), READ)
def test_an_input_is_never_overwritten(folder, run, words, name, inside):
    (folder / "full" / inside).write_bytes((folder / name).read_bytes())
    os.link(f"full/{inside}", "linked")
    before = contents(folder)
    into = [] if words[0] == "convert" else ["--out", "full", "--overwrite"]
    status, _, err = run(*words, *into)
    assert status == 2
    assert "the input and would be lost" in err
    assert contents(folder) == before


class Unlucky(PlugIn):
    """Does to the folder of the answer what `accident` does."""

    name, label = "unlucky", "Unlucky"
    accident = None

    def _favorability(self, sample):
        type(self).accident()
        return super()._favorability(sample)


def out_of_space(*_given, **_more):
    raise OSError(28, "No space left on device")


def test_an_answer_is_put_in_place_whole_or_not_at_all(folder, run, monkeypatch):
    monkeypatch.setitem(EXTRAPOLATORS, Unlucky.name, Unlucky)
    again = [*PREDICT, "--splits", "3", "--out", "full", "--overwrite"]
    assert run(*again)[0] == 0
    before = contents(folder)
    with monkeypatch.context() as patch:
        patch.setattr("accuracy_curves.answers.answer.save_figure", out_of_space)
        status, _, err = run(*again, "--classes", "50")
    assert (status, contents(folder)) == (2, before)
    assert "No space" in err

    other = [*again, "--method", "unlucky"]
    answers = []
    Unlucky.accident = lambda: answers.append(run(*again))
    assert run(*other)[0] == 0
    assert {status for status, _, _ in answers} == {0}
    # What a killed run left is in nobody's way.
    (folder / "new" / ".accuracy-curves-killed").mkdir(parents=True)
    assert run(*PREDICT, "--out", "new")[0] == 0
    assert {path.name for path in (folder / "full").iterdir()} == {"mine.txt", *ANSWER}

    Unlucky.accident = lambda: shutil.rmtree("full", ignore_errors=True)
    assert run(*other)[0] == 0
    assert {path.name for path in (folder / "full").iterdir()} == {*ANSWER}


def test_each_command_has_a_folder_of_its_own(folder, run):
    for words in (PREDICT, ["identify", "scores.npz", "--gallery-size", "99", "--splits", "3"]):
        assert run(*words)[0] == 0
        assert run(*words)[0] == 2
        assert run(*words, "--overwrite")[0] == 0
    pages = sorted(str(path.relative_to(folder)) for path in folder.rglob("report.html"))
    assert pages == ["scores_identify/report.html", "scores_predict/report.html"]
    # What is not the answer's stays.
    assert run(*PREDICT, "--out", "full", "--overwrite")[0] == 0
    assert (folder / "full" / "mine.txt").exists()


def test_observe(folder, run):
    scores, labels = SAMPLE.scores.copy(), SAMPLE.labels
    scores[3, labels[3]] = scores[3, 5]
    sample = ScoreMatrix(scores, labels, False)
    save_scores(sample, folder / "tied.npz")
    status, out, _ = run("observe", "tied.npz")
    assert status == 0
    page = (folder / "tied_observe" / "report.html").read_text()
    assert f"{sample.n_points} points, 12 classes, lower is better" in page
    assert f"with two, {share(reversed_auc(sample))} (rAUC)" in out
    rows = [row for row in map(str.split, out.splitlines()) if len(row) == 2 and row[0].isdigit()]
    assert [rows[0][0], rows[-1][0]] == ["2", "12"]
    written = (folder / "tied_observe" / "observed.csv").read_text().splitlines()
    accuracies = {line.split(",")[0]: line.split(",")[2] for line in written}
    assert all(each == share(float(accuracies[k])) for k, each in rows)


@pytest.mark.parametrize("width", [40, 80, 300])
def test_tables_never_cut_a_number(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    cells = [[f".{k}{method:02}\n.111-.{k}{method:02}" for method in range(12)] for k in range(5)]
    out = text_table(["classes", *[*EXTRAPOLATORS][:12]], [["10,000", *row] for row in cells])
    assert max(map(len, out.splitlines())) <= width
    assert {word for row in cells for cell in row for word in cell.split()} <= {*out.split()}


def test_embeddings_below_chance_are_not_advised_a_flag_they_refuse(folder, run):
    """Photos of a class lie opposite to each other: the distance to the class is the largest."""
    rng = np.random.default_rng(0)
    person = rng.normal(size=(12, 4))
    x = np.concatenate([person, -person]) + 0.01 * rng.normal(size=(24, 4))
    np.savez("e.npz", embeddings=x, labels=np.tile(np.arange(12), 2))
    out = run("observe", "e.npz")[1]
    assert "guessing" in out
    assert "is-better" not in out


def test_advised_options_are_options(run):
    said = run("predict", "--help")[1] + run("compare", "--help")[1]
    for advice in ADVICE.values():
        assert f"--{advice.split('--')[1].split()[0].rstrip(')')}" in said


@pytest.mark.parametrize("name", ["predict", "identify", "compare", "plan"])
def test_defaults_are_those_of_the_library(name):
    of_command = {each.name: each.default for each in getattr(commands, f"{name}_command").params}
    asked = inspect.signature(getattr(accuracy_curves, name)).parameters.values()
    given = [each for each in asked if isinstance(of_command.get(each.name), str | int | float)]
    assert {"level"} < {each.name for each in given}
    assert [of_command[each.name] for each in given] == [each.default for each in given]


def test_help_is_short_and_methods_and_files_have_a_command_each(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("predict", "--help")[1].splitlines()
    assert len(lines) <= 70
    assert [line for line in lines if line in ("Question:", "Method:", "Input:", "Output:")]
    methods = run("methods")[1].split()
    assert {*EXTRAPOLATORS, *OPEN_SET_METHODS} <= {*methods}
    assert all(description(name)[0] in run("formats")[1] for name in FORMATS)


def process(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, check=False, **options)


def test_a_name_that_is_not_utf_8(folder):
    os.rename("scores.npz", b"caf\xe9.npz")
    words = ("predict", b"caf\xe9.npz", "--classes", "40", "--method", "log_linear")
    done = process("-m", "accuracy_curves", *words)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"caf\xe9_predict" in done.stdout


def test_help_is_quick_because_nothing_heavy_is_imported():
    code = (
        "import sys\nfrom accuracy_curves.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'tensorflow', 'rpy2', 'pandas', 'matplotlib', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    assert process("-c", code).stderr == b"[]\n"


def test_a_full_disk_behind_the_output_is_a_sentence():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "accuracy_curves", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert b"No space left" in done.stderr


INTERRUPTED = """
import signal, time
# A shell's background job starts with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from accuracy_curves.cli.main import main
from accuracy_curves.extrapolators.regression import Regression

def slow(self, sample):
    print("started", flush=True)
    time.sleep(60)

Regression._fit = slow
main(["predict", "scores.npz", "--classes", "40", "--method", "regression"])
"""


def test_an_interrupt_is_silent_and_leaves_nothing(folder):
    before = contents(folder)
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"started\n"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert (running.returncode, err.strip()) == (130, b"")
    assert contents(folder) == before
    assert not (folder / "scores_predict").exists()
