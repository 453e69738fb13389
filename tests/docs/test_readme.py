"""README.md is short and plain, its examples run, and its numbers are the committed results'."""

import doctest
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from accuracy_curves.cli.main import commands

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
import measured  # noqa: E402

README = (ROOT / "README.md").read_text()
BLOCKS = re.compile(r"^```.*?^```", re.M | re.S)
PROSE = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", BLOCKS.sub("", README))
TEXT = " ".join(re.sub(r"`[^`]*`", "NAME", PROSE).split())
WORDS = {2: "two", 3: "three", 4: "four", 6: "six", 11: "eleven"}
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def ratio(kind):
    row = measured.ranking(kind).loc["auto"]
    shown = f"{row['mean_ratio']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
    return shown, WORDS[row["settings"]]


def covered(share_and_samples):
    share, samples = share_and_samples
    return f"{measured.per_cent(share)} %", samples


def sentences():
    """Every sentence of README.md that states a result, made from the committed files."""
    mean, median = (measured.against_best("real", how) for how in ("mean", "median"))
    count = len(measured.preset("real")["standings"]["published"])
    yield "{} on the {} real data sets that it was tuned on".format(*ratio("tuned"))
    yield "{} on {} that were looked at while it was made".format(*ratio("looked at"))
    yield "{} on printed characters, in {} settings, looked at as well".format(
        *ratio("printed characters")
    )
    yield f"it beats all {WORDS[count]} published methods on {(mean < 1).sum()} of {len(mean)} real"
    yield f"by the median on {(median < 1).sum()}."
    yield (
        f"At worst it has {mean.max():.2f} times the smallest mean error, "
        f"and {median.max():.2f} times the smallest median error"
    )
    at_2, at_10 = (covered(measured.coverage_of_all(k, 0.9)) for k in (2, 10))
    yield "Its 90 % intervals held the truth in {} of {} samples at 2 k1".format(*at_2)
    yield "and in {} of {} at 10 k1".format(*at_10)
    held, _ = covered(measured.coverage("simulations, held out", 2, 0.9))
    yield f"simulations with the higher noise they held it in {held} at 2 k1"
    verdicts = measured.verdicts()
    yield (
        f"Of {verdicts.sum()} claims of ICLR 2021, {verdicts['reproduced']} are reproduced, "
        f"{verdicts['not reproduced']} are not, and {verdicts['undecided']} are undecided. The "
        f"other {verdicts['not testable here']} are"
    )


# Numbers that are no results: what the software needs, and what it advises or is asked for.
OTHER = [
    "Python 3.11, 3.12 or 3.13",
    "simulates one with 200 classes",
    "(ICLR 2021, the method CleaneX)",
    "is its 90 % interval",
    "with 95 % intervals",
    "there are 50 or more classes, and 10 or more of them",
]


def without_stated(text):
    for stated in [*sentences(), *OTHER]:
        text = text.replace(stated, "")
    return NUMBER.findall(re.sub(r"\bk[12]\b", "", text))


@pytest.mark.parametrize("sentence", list(sentences()))
def test_a_stated_result_is_that_of_the_committed_files(sentence):
    assert sentence in TEXT


def test_no_other_number_stands_in_the_text():
    assert without_stated(TEXT) == []
    assert without_stated(TEXT.replace("1.29", "1.30")) != []


def test_what_is_said_of_printed_characters_and_speed():
    assert (measured.against_best("glyphs", "mean") > 1).all()
    assert 0.005 < measured.seconds("real", "auto") < 0.1


def test_the_python_example_gives_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", README, re.M | re.S))
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", None, 0)
    assert len(test.examples) > 5
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(test).failed == 0
    # And the command that follows, on the file that the example has written.
    (command,) = re.findall(r"^accuracy-curves (predict .*)$", README, re.M)
    printed = CliRunner().invoke(commands, command.split(), catch_exceptions=False).output
    (shown,) = re.findall(r"^```text\n(.*?)^```", README, re.M | re.S)
    lines = {line.rstrip() for line in printed.splitlines()}
    assert [line for line in shown.splitlines() if line not in lines] == []
    assert (tmp_path / "answer/report.html").exists()


def prose_sentences(text):
    """Sentences of Markdown, without code, tables, headings and pictures."""
    text = re.sub(r"\A---\n.*?^---\n", "", BLOCKS.sub("", text), flags=re.M | re.S)
    text = re.sub(r"^(#.*|\|.*|!\[.*|:::.*|---.*)$", "\n", text, flags=re.M)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    paragraphs = re.split(r"\n\s*\n|^\s*(?:[-*:]|\d+\.) ", text, flags=re.M)
    found = [s for p in paragraphs for s in re.split(r"(?<=[.?!])\s+", " ".join(p.split()))]
    return [s.split() for s in found if re.search(r"[A-Za-z]", s)]


def test_it_is_short():
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("folder", [".", "docs", "docs/guide", "docs/tutorials", "docs/develop"])
def test_sentences_are_short(folder):
    pages = [p for p in (ROOT / folder).glob("*.md") if p.name != "CHANGELOG.md"]
    sentences = [words for page in pages for words in prose_sentences(page.read_text())]
    assert np.mean([len(words) for words in sentences]) < 18
    assert [" ".join(words) for words in sentences if len(words) > 40] == []


STUMBLED_OVER = [
    "erred alike",
    "miss at k1",
    "of that on one new set",
    "too far for",
    "a sentence says",
    "on neither",
    "what one C for all",
    "it is said with",
]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/**/*.md"])
def test_pages_avoid_what_strangers_stumbled_over(page):
    pages = [p for p in ROOT.glob(page) if not {"generated", "_build"} & set(p.parts)]
    assert pages
    texts = {path: " ".join(path.read_text().split()) for path in pages}
    assert [(p, words) for p, t in texts.items() for words in STUMBLED_OVER if words in t] == []


def test_links_of_pages_lead_to_files():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*/*.md")]:
        if page.parent.name in ("generated", "_build"):
            continue
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCKS.sub("", page.read_text())):
            assert (page.parent / target).exists(), f"{page}: {target}"
