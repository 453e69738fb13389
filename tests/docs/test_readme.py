"""README.md is short, its examples run, and its numbers are those of the published tables."""

import doctest
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import accuracy_curves as ac
import measured
from accuracy_curves.cli.main import commands
from substitutions import WORDS

ROOT = Path(__file__).parents[2]

README = (ROOT / "README.md").read_text()
BLOCKS = re.compile(r"^```.*?^```", re.M | re.S)
TEXT = " ".join(BLOCKS.sub("", README).split())


def sentences():
    """Every sentence of README.md that states a result, made from the published tables."""
    found = measured.random_populations().query("level == 0.9").groupby("factor")
    error, held = 100 * found["error"].mean(), 100 * found["held"].mean()
    yield (
        f"on average {error[2]:.1f} points of accuracy off at 2 k1 and {error[10]:.1f} at 10 k1 "
        "(k1 is the number of known classes). Its 90 % intervals held the truth in "
        f"{held[2]:.0f} and {held[10]:.0f} %"
    )
    errors = measured.table("real/errors.csv").query("method == 'auto'")
    sizes = 100 * errors["error_at_k2"].abs().groupby(errors["experiment"]).mean()
    yield (
        f"On {WORDS[len(sizes)]} real data sets it was on average {sizes.min():.1f} to "
        f"{sizes.max():.1f} points off at the largest number of classes"
    )


@pytest.mark.parametrize("sentence", list(sentences()))
def test_a_stated_result_is_that_of_the_published_tables(sentence):
    assert sentence in TEXT


def test_auto_has_the_smallest_mean_error_on_real_data_as_the_guide_says():
    found = measured.mean_errors("real", list(measured.preset("real")["methods"]))
    assert found.mean(axis=1).idxmin() == "auto"
    assert 0.005 < measured.seconds("auto") < 0.1


def test_the_python_example_gives_what_it_shows_and_the_command_as_well(tmp_path, monkeypatch):
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
    (shown,) = re.findall(r"^```text\n(.*?)^```", README, re.M | re.S)
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
    assert len(README.splitlines()) <= 150


def test_links_of_pages_lead_to_files():
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCKS.sub("", page.read_text())):
            assert (page.parent / target).exists(), f"{page}: {target}"
