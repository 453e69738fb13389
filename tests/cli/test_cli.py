import csv
import os
import signal
import subprocess
import sys
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves import (
    EXTRAPOLATORS,
    AccuracyWarning,
    FitError,
    ScoreMatrix,
    average_accuracy,
    extrapolate,
    load_scores,
    reversed_auc,
    save_scores,
)
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.observed.accuracy import outscored_and_tied
from accuracy_curves.prediction.predict import grid, observed_grid
from accuracy_curves.utils import progress
from conftest import simulated

K1 = 12
WRITTEN = ["curves.csv", "curves.pdf", "curves.png", "report.html"]
ENDS = ["lower", "upper", "set_lower", "set_upper"]


class PlugIn(FavorabilityExtrapolator):
    """The quickest method there is."""

    name, label, color = "plug_in", "Plug-in", "#123456"

    def __init__(self, *, power: float = 1.0, names: object = None, seed: int = 0) -> None:
        self.power, self.names, self.seed = power, names, seed

    def _favorability(self, sample: ScoreMatrix) -> np.ndarray:
        below, _ = outscored_and_tied(sample)
        return (below / (sample.n_classes - 1)) ** self.power


class Failing(PlugIn):
    """Fails in the middle."""

    name, label = "failing", "Failing"

    def _favorability(self, sample: ScoreMatrix) -> np.ndarray:
        raise FitError("failing did not\nconverge: try another seed")


class Demanding(PlugIn):
    """Needs many classes."""

    name, label = "demanding", "Demanding"
    minimum_classes = 1000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with scores.npz of 12 classes, and quick methods."""
    monkeypatch.chdir(tmp_path)
    for kind in (PlugIn, Failing, Demanding):
        monkeypatch.setitem(EXTRAPOLATORS, kind.name, kind)
    save_scores(simulated(K1, 4, variance=0.5), tmp_path / "scores.npz")
    return tmp_path


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def curve(rows, method):
    chosen = [row for row in rows if row["method"] == method]
    k = np.array([int(row["k"]) for row in chosen])
    return k, np.array([float(row["accuracy"]) for row in chosen])


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_predict_writes_curves_and_figures(folder, run):
    status, out, err = run(
        "predict", "scores.npz", "--classes", 400, "--classes", 30, "--classes", 400,
        "--method", "plug_in", "--out", "deep/results",
    )  # fmt: skip
    assert (status, err) == (0, "")
    results = folder / "deep" / "results"
    assert names_in(results) == WRITTEN
    assert (results / "curves.pdf").read_bytes().startswith(b"%PDF")
    assert (results / "curves.png").read_bytes().startswith(b"\x89PNG")
    rows = table(results / "curves.csv")
    assert list(rows[0]) == ["method", "k", "accuracy", *ENDS]
    for row in rows:
        if row["method"] == "observed":
            assert "".join(row[name] for name in ENDS) == ""
        else:
            low, high, set_low, set_high = (float(row[name]) for name in ENDS)
            assert set_low <= low <= float(row["accuracy"]) <= high <= set_high
    sample = load_scores("scores.npz")
    k, seen = curve(rows, "observed")
    np.testing.assert_array_equal(k, np.arange(2, K1 + 1))
    np.testing.assert_allclose(seen, average_accuracy(sample, k), rtol=1e-8)
    k, found = curve(rows, "plug_in")
    assert {2, K1, 30, 400} <= set(k)
    assert (k.min(), k.max()) == (2, 400)
    assert len(k) <= 300
    np.testing.assert_allclose(found, extrapolate(sample, k, "plug_in"), rtol=1e-8)
    assert f"48 points, k1 = {K1} classes: observed accuracy {seen[-1]:.4f}" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["classes", "Plug-in"] in lines
    starts = [line[:2] for line in lines]
    assert ["30", f"{found[k == 30][0]:.4f}"] in starts
    assert ["400", f"{found[k == 400][0]:.4f}"] in starts
    assert "Note: there are very few classes with data points, 12:" in out
    assert "Note: 30 and 400 classes are more than 2 times k1, beyond the range in which" in out
    assert sum(line[:1] == ["400"] for line in lines) == 1
    for name in names_in(results):
        assert f"wrote deep/results/{name}" in out


def test_predict_top_target_and_level(folder, run):
    arguments = ["predict", "scores.npz", "--classes", 40, "--method", "plug_in"]
    status, out, err = run(
        *arguments, "--top", 5, "--top", 1, "--target", 0.85, "--level", 0.8, "--out", "o"
    )
    assert (status, err) == (0, "")
    rows = table(folder / "o" / "curves.csv")
    assert list(rows[0]) == ["method", "k", "top", "accuracy", *ENDS]
    sample = load_scores("scores.npz")
    with pytest.warns(AccuracyWarning, match="Plug-in misses what was observed"):
        intervals = ClassIntervals(sample, PlugIn(), seed=0)
    assert "Note: Plug-in misses what was observed" in out
    for top in (1, 5):
        chosen = [row for row in rows if row["top"] == str(top)]
        k, seen = curve(chosen, "observed")
        np.testing.assert_allclose(seen, average_accuracy(sample, k, top=top), rtol=1e-8)
        (row,) = [r for r in chosen if r["method"] == "plug_in" and r["k"] == "40"]
        found = intervals.interval(40, top, 0.8)
        names = ["accuracy", *ENDS]
        exact = [getattr(found, name)[0] for name in names]
        written = [float(row[name]) for name in names]
        np.testing.assert_allclose(written, exact, rtol=1e-8)
        assert f"{exact[1]:.3f}-{exact[2]:.3f}".replace("0.", ".") in out
        assert ["40", str(top), f"{exact[0]:.4f}"] in [
            line.split()[:3] for line in out.splitlines()
        ]
    found = intervals.classes_below(0.85, level=0.8)
    assert found[0] is not None
    estimate, lower, upper = ("beyond 10^12" if k is None else k for k in found)
    assert f"below 0.85 at {estimate} classes (80 % interval: {lower} to {upper})" in out


def test_notes_on_direction_and_missing_intervals(folder, run):
    status, out, _ = run(
        "predict", "scores.npz", "--classes", 20, "--method", "plug_in",
        "--higher-is-better", "--splits", 0,
    )  # fmt: skip
    assert status == 0
    assert "below chance: are the scores given in the wrong direction?" in out
    assert "They were taken for similarities; try --lower-is-better" in out
    assert "as no splits into halves were asked for (--splits 0)" in out
    rows = table(folder / "scores_curves" / "curves.csv")
    assert {"".join(row[name] for name in ENDS) for row in rows} == {""}


@pytest.mark.parametrize("scores", ["scores.npz", "matrix.v1", "../here/scores.npz"])
def test_default_folder_has_the_name_of_the_input(folder, run, monkeypatch, scores):
    (folder / "here").mkdir()
    monkeypatch.chdir(folder / "here")
    matrix = simulated(4, 2)
    save_scores(matrix, "scores.npz")
    os.mkdir("matrix.v1")
    np.save("matrix.v1/scores.npy", matrix.scores)
    np.save("matrix.v1/labels.npy", matrix.labels)
    (folder / "here" / "matrix.v1" / "meta.json").write_text('{"higher_is_better": false}')
    status, _, err = run("predict", scores, "--classes", 10, "--method", "plug_in")
    assert (status, err) == (0, "")
    expected = "matrix_curves" if scores == "matrix.v1" else "scores_curves"
    assert names_in(folder / "here" / expected) == [
        "curves.csv",
        "curves.pdf",
        "curves.png",
        "report.html",
    ]


def test_the_same_command_writes_the_same_bytes(folder, run):
    for out in ("a", "b"):
        run("predict", "scores.npz", "--classes", 99, "--method", "plug_in", "--out", out)
        run("observe", "scores.npz", "--out", out)
    assert len(names_in(folder / "a")) == 7
    for name in names_in(folder / "a"):
        assert (folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes()


def test_two_processes_write_the_same_bytes(folder, run):
    said = []
    for jobs in (1, 2):
        asked = "--classes", 99, "--splits", 4, "--jobs", jobs, "--out", f"o{jobs}"
        status, out, _ = run("predict", "scores.npz", *asked)
        assert status == 0
        said.append(out.replace(f"o{jobs}", "o"))
    assert said[0] == said[1]
    for name in WRITTEN:
        assert (folder / "o1" / name).read_bytes() == (folder / "o2" / name).read_bytes()


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_shows_how_many_fits_are_left(folder, run, monkeypatch, terminal):
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    asked = "--classes", 99, "--method", "regression"
    for command in (["predict"], ["plan", "--accuracy-width", 0.1]):
        status, _, err = run(*command, "scores.npz", *asked)
        assert status == 0
        assert ("/61 " in err) == terminal  # 30 splits, and the fit to all classes.
        assert terminal or not err


def test_fewer_classes_than_the_sample_and_very_many(folder, run):
    status, out, err = run(
        "predict", "scores.npz", "--classes", 5, "--classes", 10**18, "--method", "plug_in"
    )
    assert (status, err) == (0, "")
    k, _ = curve(table(folder / "scores_curves" / "curves.csv"), "plug_in")
    assert {5, K1, 10**18} <= set(k)
    assert f"{10**18:,}" in out


def test_options_reach_their_method(folder, run):
    status, _, err = run(
        "predict", "scores.npz", "--classes", 50, "--method", "plug_in", "--out", "o",
        "--option", "plug_in.power=5e-1", "--option", "plug_in.names=[1,2]",
    )  # fmt: skip
    assert (status, err) == (0, "")
    k, found = curve(table(folder / "o" / "curves.csv"), "plug_in")
    expected = extrapolate(load_scores("scores.npz"), k, "plug_in", power=0.5)
    np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize(("flag", "higher"), [("--higher-is-better", True), (None, False)])
def test_orientation_of_the_file_is_kept_unless_told(folder, run, flag, higher):
    flags = [flag] if flag else []
    status, _, _ = run(
        "predict", "scores.npz", "--classes", 50, "--method", "plug_in", "--out", "o", *flags
    )
    assert status == 0
    k, seen = curve(table(folder / "o" / "curves.csv"), "observed")
    sample = load_scores("scores.npz", higher_is_better=higher)
    np.testing.assert_allclose(seen, average_accuracy(sample, k), rtol=1e-8, atol=1e-12)


def test_seed_breaks_the_ties(folder, run):
    rng = np.random.default_rng(0)
    matrix = ScoreMatrix(rng.integers(0, 3, size=(30, 6)), np.arange(30) % 6)
    save_scores(matrix, folder / "tied.npz")
    curves = []
    for seed in (1, 2):
        run("observe", "tied.npz", "--seed", seed, "--out", "o")
        curves.append(curve(table(folder / "o" / "observed.csv"), "observed"))
        np.testing.assert_allclose(
            curves[-1][1], average_accuracy(matrix, curves[-1][0], seed), rtol=1e-8
        )
    assert not np.array_equal(curves[0][1], curves[1][1])


def test_observe(folder, run):
    scores = simulated(K1, 4, variance=0.5).scores.copy()
    labels = np.repeat(np.arange(K1), 4)
    scores[3, labels[3]] = scores[3, 5]
    save_scores(ScoreMatrix(scores, labels, False), folder / "tied.npz")
    status, out, err = run("observe", "tied.npz")
    assert (status, err) == (0, "")
    results = folder / "tied_curves"
    assert names_in(results) == ["observed.csv", "reversed_roc.pdf", "reversed_roc.png"]
    sample = load_scores("tied.npz")
    k, seen = curve(table(results / "observed.csv"), "observed")
    np.testing.assert_array_equal(k, np.arange(2, K1 + 1))
    np.testing.assert_allclose(seen, average_accuracy(sample, k), rtol=1e-8)
    assert "48 points, 12 classes; points that tie with an incorrect class: 1\n" in out
    assert f"rAUC = {reversed_auc(sample):.4f}" in out
    lines = [line.split() for line in out.splitlines()]
    assert ["2", f"{seen[0]:.4f}"] in lines
    assert [str(K1), f"{seen[-1]:.4f}"] in lines


def test_observe_the_smallest_matrix(folder, run):
    save_scores(ScoreMatrix(np.eye(3), np.arange(3)), folder / "small.npz")
    status, out, err = run("observe", "small.npz")
    assert (status, err) == (0, "")
    assert "rAUC = 1.0000" in out


@given(largest=st.integers(2, 10**18), asked=st.lists(st.integers(2, 10**18), max_size=9))
def test_grid_is_ascending_and_has_its_ends_and_what_is_asked(largest, asked):
    asked = [min(each, largest) for each in asked]
    k = grid(largest, asked)
    assert np.all(np.diff(k) > 0)
    assert (k[0], k[-1]) == (2, largest)
    assert set(asked) <= set(k.tolist())
    assert len(k) <= 300
    if largest <= 280:
        assert len(k) == largest - 1


def test_observed_curve_has_every_k_unless_there_are_very_many():
    np.testing.assert_array_equal(observed_grid(10_000), np.arange(2, 10_001))
    assert len(observed_grid(10**5)) <= 300
    assert observed_grid(10**5)[-1] == 10**5


def write(path, content):
    path.write_bytes(content)


def bad_files(folder):
    good = (folder / "scores.npz").read_bytes()
    write(folder / "truncated.npz", good[: len(good) // 2])
    write(folder / "empty.npz", b"")
    write(folder / "hole.csv", b"label,a,b,c\na,1,,3\n")
    scores = np.zeros((4, 3))
    np.savez(folder / "two.npz", scores=scores[:, :2], labels=np.zeros(4, int))
    np.savez(folder / "outside.npz", scores=scores, labels=np.full(4, 3))
    np.savez(folder / "disagree.npz", scores=scores, labels=np.zeros(3, int))
    np.savez(folder / "nan.npz", scores=scores * np.nan, labels=np.zeros(4, int))


PREDICT = ["predict", "scores.npz", "--classes", "40", "--method", "plug_in"]
BAD = {
    "no such file": (["predict", "none.npz", "--classes", "40"], "there is no file"),
    "truncated": (["predict", "truncated.npz", "--classes", "40"], "cannot be read"),
    "empty": (["predict", "empty.npz", "--classes", "40"], "empty.npz is empty"),
    "hole": (["predict", "hole.csv", "--classes", "40"], "line 2: b is empty"),
    "two classes": (["predict", "two.npz", "--classes", "40"], "at least 3 are needed"),
    "outside": (["predict", "outside.npz", "--classes", "40"], "label in row 0 is 3"),
    "disagree": (["predict", "disagree.npz", "--classes", "40"], "labels have shape (3,)"),
    "nan": (["predict", "nan.npz", "--classes", "40"], "every score must be finite"),
    "observe truncated": (["observe", "truncated.npz"], "cannot be read"),
    "one class": ([*PREDICT, "--classes", "1"], "--classes 1: a number of classes is a whole"),
    "negative": ([*PREDICT, "--classes", "-4"], "--classes -4: a number of classes"),
    "half": ([*PREDICT, "--classes", "2.5"], "--classes 2.5: a number of classes"),
    "word": ([*PREDICT, "--classes", "many"], "--classes many: a number of classes"),
    "too many": ([*PREDICT, "--classes", str(10**18 + 1)], "a whole number from 2 to 10^18"),
    "no classes": (["predict", "scores.npz"], "Missing option '--classes'"),
    "no scores": (["observe"], "Missing argument 'SCORES'"),
    "no such option": (["observe", "scores.npz", "--oute", "x"], "No such option"),
    "no such command": (["guess", "scores.npz"], "No such command 'guess'"),
    "seed": ([*PREDICT, "--seed", "-1"], "Invalid value for '--seed'"),
    "no such method": ([*PREDICT, "--method", "kdee"], "no method is called 'kdee': there are"),
    "k1 too small": ([*PREDICT, "--method", "demanding"], "demanding needs at least k1 = 1000"),
    "fit": ([*PREDICT, "--method", "failing"], "failing did not converge: try another seed"),
    "method's option": (
        [*PREDICT, "--option", "plug_in.width=3"],
        "plug_in has no option 'width': it has power, names, seed",
    ),
    "option of another": ([*PREDICT, "--option", "kde.bandwidth=ucv"], "was not chosen"),
    "no value": ([*PREDICT, "--option", "plug_in.power"], "is not METHOD.NAME=VALUE"),
    "no name": ([*PREDICT, "--option", "power=3"], "is not METHOD.NAME=VALUE"),
    "out below a file": ([*PREDICT, "--out", "scores.npz/below"], "cannot write to the folder"),
    "out is a file": ([*PREDICT, "--out", "scores.npz"], "cannot write to the folder scores.npz"),
    "out in /proc": ([*PREDICT, "--out", "/proc/here"], "cannot write to the folder /proc/here"),
    "observe out": (["observe", "scores.npz", "--out", "scores.npz/x"], "cannot write to the"),
}


@pytest.mark.parametrize(("arguments", "sentence"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_nothing_is_written(folder, run, arguments, sentence):
    bad_files(folder)
    before = names_in(folder)
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert sentence in err
    assert err.startswith("Error: ")
    assert err.count("\n") == 1
    assert names_in(folder) == before


@pytest.mark.parametrize("out", ["scores.npz/below", "/proc"])
def test_unwritable_folder_is_found_before_the_fit(folder, run, monkeypatch, out):
    fitted = []
    monkeypatch.setattr(PlugIn, "_favorability", lambda self, sample: fitted.append(sample))
    status, _, err = run(*PREDICT, "--out", out)
    assert status == 2
    assert err.startswith(f"Error: cannot write to the folder {out}: ")
    assert fitted == []


def test_slow_methods_wait_for_the_quick_ones(folder, run, monkeypatch):
    class Slow(PlugIn):
        name = "slow"
        slow = True

        def __init__(self, *, progress: bool = False, seed: int = 0) -> None:
            super().__init__(seed=seed)
            assert progress is False  # the standard error stream is not a terminal here

        def _favorability(self, sample: ScoreMatrix) -> np.ndarray:
            raise AssertionError("the slow method ran first")

    monkeypatch.setitem(EXTRAPOLATORS, "slow", Slow)
    status, _, err = run(
        "predict", "scores.npz", "--classes", 40, "--method", "slow", "--method", "failing"
    )
    assert status == 2
    assert "failing did not converge" in err


def test_failure_keeps_the_folder_that_was_there(folder, run):
    (folder / "o" / "kept").mkdir(parents=True)
    write(folder / "o" / "curves.csv", b"old")
    status, _, _ = run(*PREDICT, "--method", "failing", "--out", "o/kept/new/deeper")
    assert status == 2
    status, _, _ = run(*PREDICT, "--method", "failing", "--out", "o")
    assert status == 2
    assert sorted(str(path.relative_to(folder)) for path in (folder / "o").rglob("*")) == [
        "o/curves.csv",
        "o/kept",
    ]
    assert (folder / "o" / "curves.csv").read_bytes() == b"old"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_shows_examples(run, arguments):
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "accuracy-curves predict scores.npz --classes 400 --classes 1000\n" in out


@pytest.mark.parametrize("command", ["predict", "observe"])
def test_help_of_the_commands(run, command):
    status, out, _ = run(command, "--help")
    assert status == 0
    assert f"accuracy-curves {command} scores.npz" in out
    assert "--lower-is-better" in out
    assert "_curves in this" in out


def test_version(run):
    assert run("--version")[1].split()[-1] == version("accuracy-curves")


def process(*arguments, **options):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, **options
    )


def test_help_is_quick_because_nothing_heavy_is_imported():
    code = (
        "import sys\nfrom accuracy_curves.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'tensorflow', 'rpy2', 'pandas', 'matplotlib', 'sklearn', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    assert process("-c", code).stderr == "[]\n"


def test_python_m(folder):
    done = process("-m", "accuracy_curves", "observe", "none.npz")
    assert done.returncode == 2
    assert done.stderr == "Error: there is no file or folder none.npz: check its name\n"


def test_without_r(folder):
    environment = {name: value for name, value in os.environ.items() if name != "R_HOME"}
    done = process(
        "-m", "accuracy_curves", "predict", "scores.npz", "--classes", "40", "--method", "kde",
        env={**environment, "PATH": str(folder)},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert names_in(folder) == ["scores.npz"]


INTERRUPTED = """
import signal
import time
# A shell's background job starts with Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
from accuracy_curves.cli import main
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator

class Slow(FavorabilityExtrapolator):
    name = "slow"
    def __init__(self, *, seed=0):
        pass
    def _favorability(self, sample):
        print("started", flush=True)
        time.sleep(60)

EXTRAPOLATORS["slow"] = Slow
main(["predict", "scores.npz", "--classes", "40", "--method", "slow"])
"""


def test_interrupted(folder):
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "started\n"
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert err.strip() == ""
    assert names_in(folder) == ["scores.npz"]


def test_the_methods_themselves(folder):
    done = process(
        "-m", "accuracy_curves", "predict", "scores.npz", "--classes", "40",
        "--method", "auto", "--method", "kde", "--method", "cleanex",
        "--option", "cleanex.steps=50", "--option", "cleanex.hidden=[8,4]",
        "--option", "cleanex.learning_rate=1e-2", "--option", "kde.bandwidth=nrd0",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "there is no interval" not in done.stdout
    rows = table(folder / "scores_curves" / "curves.csv")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    assert methods == ["observed", "auto", "kde", "cleanex"]
    sample = load_scores("scores.npz")
    k, found = curve(rows, "kde")
    np.testing.assert_allclose(found, extrapolate(sample, k, "kde", bandwidth="nrd0"), rtol=1e-8)
    _, found = curve(rows, "cleanex")
    assert np.all(np.diff(found) <= 0)


def test_by_default_auto_and_others_without_r_or_tensorflow(folder):
    code = (
        "import sys\nfrom accuracy_curves.cli.main import main\n"
        "try:\n    main(['predict', 'scores.npz', '--classes', '40'])\n"
        "except SystemExit:\n    pass\n"
        "print(sorted({'tensorflow', 'rpy2'} & set(sys.modules)), file=sys.stderr)"
    )
    assert process("-c", code).stderr == "[]\n"
    rows = table(folder / "scores_curves" / "curves.csv")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    assert methods == ["observed", "auto", "gaussian_tail", "empirical_bayes", "regression"]
    sample = load_scores("scores.npz")
    k, found = curve(rows, "auto")
    np.testing.assert_allclose(found, extrapolate(sample, k), rtol=1e-8)
