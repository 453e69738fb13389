import csv

import numpy as np
import pytest

from accuracy_curves import PooledScores
from accuracy_curves.cli.main import main

WRITTEN = ["det.csv", "fnir_by_size.csv", "identification.csv"]
WRITTEN += ["identification.pdf", "identification.png"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with both lists."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    np.savetxt("genuine.txt", rng.normal(3, 1, size=200))
    np.savetxt("impostor.txt", rng.normal(size=5000))
    return tmp_path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as caught:
            main(["pool", *(str(argument) for argument in arguments)])
        captured = capsys.readouterr()
        return caught.value.code, captured.out, captured.err

    return call


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_two_lists_give_the_pooled_rates(folder, run):
    status, out, err = run(
        "genuine.txt", "impostor.txt", "--gallery-size", 100, "--gallery-size", 1_000_000,
        "--fpir", 0.1, "--threshold", 2.5, "--rank", 2, "--out", "pooled",
    )  # fmt: skip
    assert (status, err) == (0, "")
    assert "no intervals" in out
    assert "no threshold has an FPIR of at most 0.1 in a gallery of 1,000,000" in out
    assert sorted(path.name for path in (folder / "pooled").iterdir()) == WRITTEN
    pooled = PooledScores(np.loadtxt("genuine.txt"), np.loadtxt("impostor.txt"))
    small, large, fixed, _ = table(folder / "pooled" / "identification.csv")
    assert float(small["threshold"]) == pytest.approx(pooled.threshold(100, 0.1)[0], rel=1e-6)
    assert float(small["fpir"]) <= 0.1
    assert (large["threshold"], large["fnir"]) == ("", "")
    assert float(fixed["fpir"]) == pytest.approx(pooled.fpir(100, 2.5)[0], rel=1e-6)
    assert float(fixed["fnir"]) == pytest.approx(pooled.fnir(100, 2.5, 2)[0], rel=1e-6)
    # Again: files of its own are written over.
    arguments = ("genuine.txt", "impostor.txt", "--gallery-size", 100, "--out", "pooled")
    assert run(*arguments)[0] == 0


def test_distances_give_the_same_rates_at_the_negated_threshold(folder, run):
    for name in ("genuine", "impostor"):
        np.savetxt(f"far_{name}.txt", -np.loadtxt(f"{name}.txt"))
    question = ("--gallery-size", 50, "--fpir", 0.2)
    assert run("genuine.txt", "impostor.txt", *question, "--out", "a")[0] == 0
    lists = ("far_genuine.txt", "far_impostor.txt")
    assert run(*lists, *question, "--lower-is-better", "--out", "b")[0] == 0
    (one,), (other,) = (table(folder / name / "identification.csv") for name in "ab")
    assert float(other["threshold"]) == -float(one["threshold"])
    assert (other["fpir"], other["fnir"]) == (one["fpir"], one["fnir"])


def test_trials_with_gaps_are_pooled(folder, run):
    lines = ["ann ann p1 0.9", "ben ann p1 0.2", "ben ben p2 0.7", "cat ben p2 0.3"]
    (folder / "scores-dev").write_text("\n".join(lines))
    question = ("--gallery-size", 3, "--threshold", 0.25)
    status, out, _ = run("scores-dev", "--format", "bob", *question)
    assert status == 0
    assert "2 genuine scores, 2 impostor scores" in out
    assert "convert" not in out
    (row,) = table(folder / "scores-dev_curves" / "identification.csv")
    assert float(row["fpir"]) == pytest.approx(1 - 0.5**3)
    lines += ["ann ben p2 0.1", "cat ann p1 0.0"]
    (folder / "scores-dev").write_text("\n".join(lines))
    assert "`identify` makes more" in run("scores-dev", "--format", "bob", *question)[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["genuine.txt"], "impostor scores, or one and its --format: 1 found"),
        (["genuine.txt", "impostor.txt", "--format", "bob"], "its --format: 2 found"),
        (["genuine.txt", "impostor.txt", "--targets", "t"], "--targets belongs to --format kaldi"),
        (["genuine.txt", "none.txt"], "there is no file none.txt"),
    ],
)
def test_what_is_wrong_gets_a_sentence(folder, run, arguments, sentence):
    status, _, err = run(*arguments, "--gallery-size", 10)
    assert status == 2
    assert sentence in err
