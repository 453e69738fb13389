"""README.md is short, and its examples do what it shows; the build inserts its numbers."""

import doctest
import re
from pathlib import Path

import numpy as np
from click.testing import CliRunner

import accuracy_curves as ac
import measured
from accuracy_curves.cli.main import commands

ROOT = Path(__file__).parents[2]

README = (ROOT / "README.md").read_text()
BLOCKS = re.compile(r"^```.*?^```", re.M | re.S)


def test_auto_has_the_smallest_mean_error_on_real_data_as_the_guide_says():
    found = measured.mean_errors("real", list(measured.preset("real")["methods"]))
    assert found.mean(axis=1).idxmin() == "auto"
    assert 0.005 < measured.seconds("auto") < 0.1


def run(command, *more):
    """Run a command of README.md."""
    words = [*command.removeprefix("accuracy-curves ").split(), *more]
    done = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_python_example_gives_what_it_shows_and_the_command_as_well(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"^```python\n(>>> .*?)^```", README, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", None, 0)
    assert len(test.examples) == 5
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0
    # And the command that follows, on the file that the example has written.
    (command,) = re.findall(r"^accuracy-curves predict scores.npz .*$", README, re.M)
    printed = run(command)
    # The first screen shows the same answer in Python.
    (first,) = re.findall(r"^```python\n(import accuracy_curves.*?)^```", README, re.M | re.S)
    (shown,) = re.findall(r"^```text\n(.*?)^```", README, re.M | re.S)
    exec(first)
    assert capsys.readouterr().out == shown
    lines = {line.rstrip() for line in printed.splitlines()}
    assert [line for line in shown.splitlines() if line not in lines] == []
    assert (tmp_path / "answer/report.html").exists()


def save_inputs():
    """Save a small file of each kind that the table of inputs names."""
    rng = np.random.default_rng(0)
    matrix = ac.simulate(n_classes=60, variance=0.2)
    for name in ("scores", "a", "b", "pilot"):
        ac.save_scores(matrix, f"{name}.npz")
    people = np.repeat([f"person {i}" for i in range(60)], 2)
    embeddings = rng.normal(size=(60, 8)).repeat(2, axis=0) + 0.3 * rng.normal(size=(120, 8))
    np.savez("faces.npz", embeddings=embeddings, labels=people)
    candidates = rng.normal(size=(200, 99))
    np.savez("items.npz", correct=rng.normal(2, size=200), candidates=candidates)
    Path("curve.csv").write_text("k,accuracy\n10,.98\n20,.97\n50,.95\n100,.93\n")
    documents = rng.normal(size=(2000, 6))
    queries = documents[:150] + 0.3 * rng.normal(size=(150, 6))
    distances = np.linalg.norm(queries[:, None] - documents, axis=2)
    run_lines, right = [], []
    for query, row in enumerate(distances):
        right.append(f"q{query} 0 d{query} 1")
        for place, document in enumerate(np.argsort(row)[:50]):
            run_lines.append(f"q{query} Q0 d{document} {place + 1} {-row[document]} mine")
    Path("run.trec").write_text("\n".join(run_lines))
    Path("qrels.txt").write_text("\n".join(right))


def test_every_command_of_the_table_of_inputs_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_inputs()
    table = re.findall(r"^\|.*\| `(accuracy-curves .*)` \|$", README, re.M)
    assert len(table) == 8
    for number, command in enumerate(table):
        out = ["--out", f"out{number}"]
        assert run(command, *out, *([] if " extend " in command else ["--splits", "3"]))


def test_it_is_short():
    assert len(README.splitlines()) <= 140


def test_links_of_pages_lead_to_files():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCKS.sub("", page.read_text())):
            assert (page.parent / target).exists(), f"{page}: {target}"
