"""The examples of the documentation do what they show; its files work where the pages say."""

import doctest
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accuracy_curves as ac
import cited
import claimed
import measured
import page_parts
from experiments import provenance

ROOT = Path(__file__).parents[2]

PAGES = [*sorted((ROOT / "docs/guide").glob("*.md")), ROOT / "docs/gallery.md"]
CODE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_the_guide_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(block for block in CODE.findall(page.read_text()))
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, None, 0)
    # A block without a prompt would not be run.
    assert bool(code) == bool(test.examples)
    assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_every_figure_of_the_papers_that_is_published_is_shown():
    for ours in page_parts.PRINTED_FIGURES["ours"]:
        assert (measured.FIGURES / f"{ours}.png").exists(), ours


@pytest.fixture(scope="module")
def known_methods():
    """The methods whose answers are frozen: `make docs` adds a new one to its table."""
    frozen = json.loads((ROOT / "tests/test_answers.json").read_text())["names"]
    known = {name: method for name, method in ac.EXTRAPOLATORS.items() if name in frozen}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ac, "EXTRAPOLATORS", known)
        yield


@pytest.mark.usefixtures("known_methods")
@pytest.mark.parametrize("page", page_parts.pages(), ids=lambda page: page.stem)
def test_tables_and_numbers_of_a_page_are_those_of_the_published_results(page):
    text = page.read_text(encoding="utf-8")
    assert page_parts.renewed(text) == text, "make docs writes it"


def test_the_files_of_the_benchmark_are_those_of_the_published_results():
    for path, text in cited.files().items():
        assert path.read_text(encoding="utf-8") == text, f"make docs writes {path.name}"


def test_a_table_that_is_new_is_of_this_commit():
    known = json.loads(cited.SOURCES.read_text())["tables"]["laws"]["laws"]
    assert cited.of_study("laws", known["seeds"], known) == known
    fresh = cited.of_study("laws", known["seeds"], {**known, "files": {"laws.csv": "another"}})
    assert fresh == {**known, **provenance.commit(), "versions": provenance.versions()}


def test_a_reader_of_the_repository_sees_them():
    names = {page.name for page in page_parts.pages()}
    assert {"benchmark.md", "claims.md", "intervals.md", "figures.md"} <= names
    for page in page_parts.pages():
        shown = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
        assert [path for path in shown if not (page.parent / path).exists()] == []


def test_a_claim_counts_once_and_its_verdict_is_in_the_sentence():
    counted = claimed.counted()
    assert counted["name"].is_unique
    assert f"Of {len(counted)} claims of ICLR 2021, " in claimed.count()
    for verdict, n in counted["verdict"].value_counts().items():
        assert str(n) in claimed.count(), verdict


def test_the_reference_has_every_public_name_and_every_method():
    listed = page_parts.public_names() + page_parts.extrapolators()
    assert [name for name in ac.__all__ if f"accuracy_curves.{name}\n" not in listed + "\n"] == []
    assert [m for m in ac.EXTRAPOLATORS.values() if page_parts.documented(m) not in listed] == []


def test_errors_by_method_are_means_over_draws_and_sets(monkeypatch):
    rows = [
        {"experiment": name, "method": method, "repetition": r, "rmse_curve": error * (1 + r)}
        for name, scale in (("a", 1), ("b", 3))
        for method, error in (("auto", 0.01 * scale), ("kde", 0.02))
        for r in range(2)
    ]
    rows.append({"experiment": "a", "method": "slow", "repetition": 0, "rmse_curve": 0.001})
    monkeypatch.setattr(measured, "table", lambda path: pd.DataFrame(rows))
    found = measured.mean_errors("real", ["auto", "kde", "slow"])
    assert list(found.index) == ["auto", "kde"]
    assert found.loc["auto"].tolist() == pytest.approx([0.015, 0.045])
    # The errors over the best are .5 and 1.5 times those of the other method.
    standing = measured.over_best(found)
    ratio = np.sqrt(1.5)
    assert standing["over_best"].tolist() == pytest.approx([ratio, np.sqrt(2)])
    assert standing["low"].tolist() == pytest.approx([1, 1])
    assert standing["high"].tolist() == pytest.approx([1.5, 2])
    assert standing["rank"].tolist() == [1.5, 1.5]
    # Of two sets, one is in favour of each.
    assert not standing["differs"].any()
    more = {"seconds": ["1", "2"]}
    table = measured.standings(found, ["a", "b", "not run"])
    shown = page_parts.by_method(table, 2, more).splitlines()
    assert shown[4] == "| `auto` | 1.22 (1.00 to 1.50) | 1.5 | 3.0 | 1 |"
    assert shown[-1] == "On these 2 sets other methods may be as good as `auto`: `kde`."
    table = measured.standings(found, ["a", "b"], ["a"])
    shown = page_parts.by_method(table, 1, more).splitlines()
    assert shown[4] == "| `kde` | 1.00 (1.00 to 1.00) | 1.0 | 3.0 | 1 |"
    assert shown[-1] == "`kde` is better than every other method on these 1 sets."
