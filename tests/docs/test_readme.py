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
TEXT = " ".join(BLOCKS.sub("", README).split())


def test_auto_has_the_smallest_mean_error_on_real_data_as_the_guide_says():
    found = measured.mean_errors("real", list(measured.preset("real")["methods"]))
    assert found.mean(axis=1).idxmin() == "auto"
    assert 0.005 < measured.seconds("auto") < 0.1


def test_the_python_example_gives_what_it_shows_and_the_command_as_well(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"^```python\n(>>> .*?)^```", README, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", None, 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(test, clear_globs=False).failed == 0
    truth = ac.average_accuracy(test.globs["everybody"], [400, 2000])
    assert "The truth is .{:.0f} and .{:.0f}.".format(*1000 * truth) in TEXT
    # And the command that follows, on the file that the example has written.
    (command,) = re.findall(r"^accuracy-curves (predict scores.npz .*)$", README, re.M)
    printed = CliRunner().invoke(commands, command.split(), catch_exceptions=False).output
    # The first screen shows the same answer in Python.
    (first,) = re.findall(r"^```python\n(import accuracy_curves.*?)^```", README, re.M | re.S)
    (shown,) = re.findall(r"^```text\n(.*?)^```", README, re.M | re.S)
    exec(first)
    assert capsys.readouterr().out == shown
    lines = {line.rstrip() for line in printed.splitlines()}
    assert [line for line in shown.splitlines() if line not in lines] == []
    assert (tmp_path / "answer/report.html").exists()


def test_the_recipe_for_faces_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = np.repeat([f"person {i}" for i in range(60)], 2)
    rng = np.random.default_rng(0)
    embeddings = rng.normal(size=(60, 8)).repeat(2, axis=0) + 0.3 * rng.normal(size=(120, 8))
    (code,) = re.findall(r"^```python\n(import numpy.*?)^```", README, re.M | re.S)
    exec(code, {"embeddings": embeddings, "names": names})
    for command in re.findall(r"^accuracy-curves (.* faces\.npz .*)$", README, re.M):
        done = CliRunner().invoke(commands, [*command.split(), "--splits", "3"])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "accuracy/report.html").exists()
    assert (tmp_path / "rates/report.html").exists()


def test_it_is_short():
    assert len(README.splitlines()) <= 140


def test_links_of_pages_lead_to_files():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCKS.sub("", page.read_text())):
            assert (page.parent / target).exists(), f"{page}: {target}"
