"""What the commands write, print and refuse: nothing is lost, nothing hangs."""

import os
import subprocess
import sys

import numpy as np
import pytest

from accuracy_curves import ScoreMatrix, save_scores
from conftest import simulated

QUICK = ("--classes", "40", "--method", "gaussian_tail", "--splits", "0")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_scores(simulated(12, 4, variance=0.5), tmp_path / "scores.npz")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def score_table(path):
    matrix = simulated(4, 3, variance=0.5)
    lines = ["label,a,b,c,d"]
    for label, row in zip(matrix.labels, matrix.scores, strict=True):
        lines.append(",".join(["abcd"[label], *map(str, row)]))
    path.write_text("\n".join(lines))


def write_groups(path, names):
    lines = [f"{j},{name}" for j, name in enumerate(names)]
    path.write_text("\n".join(["class,group", *lines]))


def test_an_input_is_never_overwritten(folder, run):
    for name, command in (("curves.csv", ["predict", *QUICK]), ("observed.csv", ["observe"])):
        score_table(folder / name)
        before = contents(folder)
        status, out, err = run(*command, name, "--lower-is-better", "--out", ".")
        assert (status, out) == (2, "")
        assert err == (
            f"Error: {name} is an input and would be lost: rename it, or choose another folder "
            "with --out\n"
        )
        assert contents(folder) == before
    (folder / "d").mkdir()
    write_groups(folder / "d" / "curves.csv", ["north", "south"] * 6)
    before = contents(folder)
    given = ("predict", "scores.npz", *QUICK, "--out", "d", "--groups")
    assert run(*given, "d/curves.csv")[0] == 2
    os.link("d/curves.csv", "groups.csv")
    assert "is an input" in run(*given, "groups.csv")[2]
    (folder / "groups.csv").unlink()
    assert contents(folder) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("identify", "det.csv", "--splits", 3),
        ("extend", "curves.csv", "--classes", 100),
    ],
)
def test_an_input_of_the_other_commands_is_not_lost(folder, run, arguments):
    name = arguments[1]
    if arguments[0] == "identify":
        score_table(folder / name)
    else:
        (folder / name).write_text("k,accuracy\n2,0.99\n10,0.9\n20,0.85\n")
    before = contents(folder)
    sizes = () if arguments[0] == "extend" else ("--gallery-size", 20)
    status, _, err = run(*arguments, *sizes, "--out", ".")
    assert status == 2
    assert f"Error: {name} is an input and would be lost" in err
    assert contents(folder) == before


def test_a_full_disk_behind_the_output_is_a_sentence(folder):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "accuracy_curves", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"Error: the operating system reports: No space left on device\n"


@pytest.mark.parametrize("name", ["curves.csv", "curves.pdf", "curves.png", "report.html"])
@pytest.mark.parametrize("content", [b"", b"mine", b"%PDF-1.4 mine", b"\x89PNG mine"])
def test_a_file_of_somebody_else_is_not_lost(folder, run, monkeypatch, name, content):
    (folder / "o").mkdir()
    (folder / "o" / name).write_bytes(content)
    before = contents(folder)
    fitted = []
    monkeypatch.setattr(
        "accuracy_curves.extrapolators.gaussian_tail.GaussianTail._fit", fitted.append
    )
    status, _, err = run("predict", "scores.npz", *QUICK, "--out", "o")
    assert status == 2
    assert err.startswith(f"Error: o/{name} was not written by accuracy-curves")
    assert contents(folder) == before
    assert fitted == []


def test_what_the_commands_wrote_is_written_again(folder, run):
    for _ in range(2):
        assert run("predict", "scores.npz", *QUICK, "--out", "o")[0] == 0
        assert run("observe", "scores.npz", "--out", "o")[0] == 0
    before = contents(folder / "o")
    assert run("predict", "scores.npz", *QUICK, "--classes", "50", "--out", "o")[0] == 0
    after = contents(folder / "o")
    changed = {path.name for path in after if before[path] != after[path]}
    assert changed == {"curves.csv", "curves.pdf", "curves.png", "report.html"}


def test_names_with_control_characters_are_printed_escaped(folder, run):
    os.rename("scores.npz", "a\x1b[31mred\n.npz")
    status, out, err = run("predict", "a\x1b[31mred\n.npz", *QUICK)
    assert (status, err) == (0, "")
    assert "wrote a\\x1b[31mred\\n_curves/report.html" in out
    assert "\x1b" not in out
    page = (folder / "a\x1b[31mred\n_curves" / "report.html").read_text(encoding="utf-8")
    assert "a\\x1b[31mred\\n.npz" in page
    assert "\x1b" not in page
    status, _, err = run("observe", "none\x1b[2J.npz")
    assert "none\\x1b[2J.npz" in err


def test_a_name_that_is_not_utf_8(folder):
    os.rename("scores.npz", b"caf\xe9.npz")
    done = subprocess.run(
        [sys.executable, "-m", "accuracy_curves", "predict", b"caf\xe9.npz", *QUICK],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"wrote caf\udce9_curves/report.html" in done.stdout
    page = (folder / os.fsdecode(b"caf\xe9_curves") / "report.html").read_text(encoding="utf-8")
    assert r"caf\udce9.npz: 48 data points" in page


def test_very_long_names_of_groups_are_shortened(folder, run):
    write_groups(folder / "groups.csv", ["a" * 3000, "b" * 3000] * 6)
    status, out, err = run("predict", "scores.npz", *QUICK, "--groups", "groups.csv", "--out", "o")
    assert (status, err) == (0, "")
    assert max(map(len, out.splitlines())) < 600
    page = (folder / "o" / "report.html").read_text(encoding="utf-8")
    assert "a" * 100 + "…" + "a" * 100 + " (6)" in page
    assert "a" * 300 not in page


@pytest.mark.parametrize("path", ["pipe", "/dev/zero", "."])
def test_groups_that_are_no_file_do_not_hang(folder, run, path):
    os.mkfifo("pipe")
    status, _, err = run("predict", "scores.npz", *QUICK, "--groups", path)
    assert status == 2
    assert "is not a file: groups are a CSV file" in err


def test_a_very_large_top_takes_no_longer(folder, run):
    given = ("--classes", 10**12, "--top", 10**9, "--method", "auto", "--splits", 0)
    status, out, err = run("predict", "scores.npz", *given)
    assert (status, err) == (0, "")
    assert "1,000,000,000,000" in out


def test_hundreds_of_groups_take_no_longer(folder, run):
    rng = np.random.default_rng(0)
    save_scores(ScoreMatrix(rng.normal(size=(600, 600)), np.arange(600)), folder / "many.npz")
    write_groups(folder / "groups.csv", np.arange(600) // 2)
    status, out, err = run("predict", "many.npz", *QUICK, "--groups", "groups.csv", "--out", "o")
    assert (status, err) == (0, "")
    assert "and 280 more: exchangeable? permutation p = " in out
