import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from accuracy_curves import EXTRAPOLATORS, InputError, ScoreMatrix, reversed_auc
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.prediction.plots.style import method_styles
from accuracy_curves.prediction.predict import PredictedAccuracy, Question, answer_question
from accuracy_curves.prediction.report.explorer import exploration
from accuracy_curves.prediction.report.figures import disagreement_figure
from accuracy_curves.prediction.report.page import report_page
from accuracy_curves.prediction.wording import (
    conclusion,
    curves_caption,
    sentences,
    target_sentences,
)
from browser import PHONE, read_page
from conftest import simulated

METHODS = ["gaussian_tail", "empirical_bayes", "regression"]


def answer_of(sample, question, methods=METHODS):
    return answer_question(sample, {name: make_extrapolator(name) for name in methods}, question)


@pytest.fixture(scope="module")
def answer():
    question = Question([50, 400], tops=(1, 5), target=0.6, splits=10)
    return answer_of(simulated(24, 4, variance=0.3), question)


@pytest.fixture(scope="module")
def page(answer):
    return report_page(answer, "my <scores> & more.npz")


class Reader(HTMLParser):
    """Tags with their attributes, ids, and the text of headings and table cells."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "img", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_page_is_well_formed_and_holds_everything(page, answer):
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    kinds = [tag for tag, _ in reader.tags]
    pictures = [each for tag, each in reader.tags if tag == "img"]
    assert len(pictures) == 3
    assert not {"svg", "iframe", "object", "form"} & set(kinds)
    ids = [each["id"] for _, each in reader.tags if "id" in each]
    assert len(ids) == len(set(ids))
    for each in pictures:
        head, content = each["src"].split(",")
        assert head == "data:image/png;base64"
        assert base64.b64decode(content, validate=True).startswith(b"\x89PNG")
    alternatives = [each["alt"] for each in pictures]
    assert conclusion(answer)[0] in alternatives[0]
    assert f"{reversed_auc(answer.sample):.4f}" in alternatives[2]
    without_scripts = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert "http:" not in without_scripts
    assert "https:" not in without_scripts
    assert len(page.encode()) < 3_000_000
    text = " ".join(reader.text)
    assert "my <scores> & more.npz" in text
    assert f"{reversed_auc(answer.sample):.4f}" in text
    for name in METHODS:
        for top in (1, 5):
            found = answer.at(name, 400, top)
            assert f"{found.accuracy:.4f}" in text
            assert f"{found.lower:.3f}–{found.upper:.3f}" in text
            assert f"{found.set_lower:.3f}–{found.set_upper:.3f}" in text
    warnings = [*answer.warnings, *answer.other_warnings]
    for sentence in [*conclusion(answer), *sentences(map(str, warnings))]:
        assert sentence in text


def test_the_same_answer_gives_the_same_page(answer, page):
    assert report_page(answer, "my <scores> & more.npz") == page


def test_the_page_runs_its_own_scripts_and_no_other(page):
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(each.encode()).digest()) for each in scripts]
    allowed = "; script-src " + " ".join(f"'sha256-{each.decode()}'" for each in digests) + ";"
    assert len(scripts) == 3
    assert allowed in page


@pytest.fixture
def file(page, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(page, encoding="utf-8")
    return file


def readable(seen, figures):
    """A page that loads nothing, says nothing to its console, and fits a phone."""
    assert seen.asked == ["http://page.test/", "http://page.test/report.html"]
    assert seen.console == []
    assert seen.page["width"] == seen.page["scroll"] == PHONE
    assert len(seen.page["figures"]) == figures
    for (width, height, left, right), pixels in zip(
        seen.page["figures"], seen.page["pixels"], strict=True
    ):
        assert width > 0.8 * PHONE
        assert height > 100
        assert left >= 0
        assert right <= PHONE
        assert pixels >= 600
    assert seen.page["smallest"] >= 13
    assert "How accurate on more classes?" in seen.page["text"]


def test_page_answers_in_chromium_on_a_phone(file, answer, tmp_path):
    data = exploration(answer)
    last, far = len(data["classes"]) - 1, data["levels"].index("99 %")
    moves = [{}, {"classes": last}, {"method": 2}, {"top": 1}, {"level": far}]
    seen = read_page(file, tmp_path / "profile", moves=moves)
    readable(seen, figures=2)
    assert seen.page["explorer"]
    width, height, left, right = seen.page["chart"]
    assert width > 0.8 * PHONE
    assert height > 250
    assert left >= 0
    assert right <= PHONE
    place, level = data["start"]["classes"], data["start"]["level"]
    states = [
        (place, 0, 0, level),
        (last, 0, 0, level),
        (last, 0, 2, level),
        (last, 1, 2, level),
        (last, 1, 2, far),
    ]
    for found, (k, top, method, at_level) in zip(seen.page["answers"], states, strict=True):
        wanted = data["answers"][method][top][at_level]
        assert found["said"] == wanted["said"][k]
        assert found["said"] in found["chart"]
        assert found["cautions"] == [data["cautions"][each] for each in wanted["cautions"][k]]
        assert found["heard"] == f"{data['classes'][k]:,} classes"
    said, drawn = ({each[what] for each in seen.page["answers"]} for what in ("said", "drawn"))
    assert len(said) == len(drawn) == len(moves)
    # What one can tab to, in this order, each with its label.
    wanted = ["Number of classes: 400", "Accuracy", "Method", "Interval"]
    assert [label.strip() for _, _, label in seen.page["focusable"]] == wanted
    assert {place for _, place, _ in seen.page["focusable"]} == {0}


def test_page_is_complete_without_scripts(file, tmp_path):
    seen = read_page(file, tmp_path / "profile", scripts=False)
    readable(seen, figures=3)
    assert not seen.page["explorer"]


def test_a_long_name_does_not_widen_the_page(answer, tmp_path):
    file = tmp_path / "report.html"
    longest = replace(answer, methods={**answer.methods, "gaussian_tail": "G" * 3000})
    file.write_text(report_page(longest, "s" * 3000, ["p" * 3000]), encoding="utf-8")
    seen = read_page(file, tmp_path / "profile", moves=[{}])
    assert seen.page["width"] == seen.page["scroll"] == PHONE


def test_conclusion_in_plain_words(answer):
    doubt, *said = conclusion(answer)
    assert doubt.startswith("This answer is doubtful: Gaussian tail misses what was observed")
    found = answer.at("gaussian_tail", 50, 1)
    assert said[0].startswith(f"On the 24 observed classes {100 * answer.seen[-1]:.1f} %")
    assert said[1] == (
        f"With 50 classes, {100 * found.accuracy:.1f} % are expected to be recognised "
        f"(90 % interval: {100 * found.lower:.1f} to {100 * found.upper:.1f} %; on one new set of "
        f"50 classes: {100 * found.set_lower:.1f} to {100 * found.set_upper:.1f} %)."
    )
    assert "among the 5 best" in said[2]
    estimate, low, high = answer.sizes["gaussian_tail"]
    end = "beyond 10^12" if high is None else f"{high:,}"
    assert f"at {estimate:,} classes (90 % interval: {low:,} to {end})" in said[-2]
    assert len(target_sentences(answer)) == 3


def test_caption_says_what_is_drawn(answer):
    said = curves_caption(answer)
    assert said.startswith("Average accuracy and top-5 accuracy over")
    assert "the band is the 90 % interval of the first, Gaussian tail;" in said
    few = answer_of(simulated(5, 4), Question([9], tops=(5,)), ["gaussian_tail", "regression"])
    said = curves_caption(few)
    assert said.startswith("Average top-5 accuracy over")
    assert "band" not in said
    assert "the predictions of the top-5 accuracy go from" in report_page(few, "x.npz")


def doubts_of(sample, classes=(40,), **question):
    asked = Question(list(classes), splits=0, **question)
    return " ".join(map(str, answer_of(sample, asked, ["gaussian_tail"]).warnings))


def test_doubts_of_the_sample():
    sample = simulated(25, 4, variance=0.3)
    enough = simulated(50, 4, variance=0.3)
    assert doubts_of(enough) == "there are no intervals, as no splits into halves were asked for"
    wrong = ScoreMatrix(sample.scores, sample.labels, higher_is_better=True)
    assert "taken for similarities" in doubts_of(wrong)
    wrong = ScoreMatrix(-sample.scores, sample.labels, higher_is_better=False)
    assert "taken for distances" in doubts_of(wrong)
    assert "there are very few classes with data points, 15:" in doubts_of(
        simulated(15, 4, variance=0.3)
    )
    assert "too few errors" in doubts_of(simulated(25, 4, variance=0.0001))
    tied = ScoreMatrix(np.round(sample.scores), sample.labels, higher_is_better=False)
    assert "% of the points tie with an incorrect class" in doubts_of(tied)


def test_doubts_of_the_prediction(answer):
    (own,) = [each for each in map(str, answer.warnings) if "classes are more than" in each]
    ending = "validated: the interval may be too narrow"
    assert own == (
        "50 and 400 classes are more than 2 times k1, beyond the range in which Gaussian tail was "
        + ending
    )
    far = [each for each in map(str, answer.other_warnings) if "classes are more than" in each]
    assert far == [
        "400 classes are more than 4 times k1, beyond the range in which Empirical Bayes was "
        + ending,
        "50 and 400 classes are more than 2 times k1, beyond the range in which Regression was "
        + ending,
    ]
    none = answer_of(simulated(5, 4), Question([9]), ["gaussian_tail"])
    assert any(str(each).startswith("there is no interval of Gaussian") for each in none.warnings)


def test_methods_that_disagree_are_said(monkeypatch):
    class Pessimist(EXTRAPOLATORS["gaussian_tail"]):
        name, label = "pessimist", "Pessimist"

        def _predict(self, k):
            return np.zeros(len(k))

    monkeypatch.setitem(EXTRAPOLATORS, "pessimist", Pessimist)
    sample = simulated(25, 4, variance=0.3)
    found = answer_of(sample, Question([50], splits=10), ["gaussian_tail", "pessimist"])
    said = [each for each in found.warnings if each.reason == "disagreement"]
    assert said
    text = report_page(found, "x.npz")
    assert "go from 0.000 (Pessimist)" in text
    alone = answer_of(sample, Question([50], splits=0), ["gaussian_tail"])
    assert "Only one method was fitted" in report_page(alone, "x.npz")


def test_disagreement_figure_shows_intervals_and_refuses_gaps():
    styles = method_styles({"auto": "auto", "kde": "kde"})
    nan = float("nan")
    found = {
        (9, "auto"): PredictedAccuracy(0.5, 0.4, 0.6, 0.3, 0.7),
        (9, "kde"): PredictedAccuracy(0.8, *[nan] * 4),
    }
    axes = disagreement_figure(found, styles, [9]).axes
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["Auto", "KDE"]
    drawn = [line.get_xdata() for line in axes[0].get_lines()]
    assert [list(np.atleast_1d(each)) for each in drawn] == [[0.4, 0.6], [0.5], [0.8]]
    assert axes[-1].get_xlabel() == "predicted accuracy"
    five = disagreement_figure(found, styles, [9], 5)
    assert five.axes[-1].get_xlabel() == "predicted top-5 accuracy"
    with pytest.raises(InputError, match="no prediction of auto at k = 10"):
        disagreement_figure(found, styles, [9, 10])


def test_points_of_a_class_are_one_number_where_all_have_as_many(page):
    assert "<td>4</td>" in page
    sample = simulated(24, 4, variance=0.3)
    fewer = ScoreMatrix(sample.scores[1:], sample.labels[1:], higher_is_better=False)
    found = answer_of(fewer, Question([40], splits=0), ["gaussian_tail"])
    assert "<td>3 to 4, median 4</td>" in report_page(found, "x.npz")
