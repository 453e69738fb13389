"""Both answers in words: each number is the library's, at its place."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves import (
    AccuracyWarning,
    InputError,
    ScoreMatrix,
    Searches,
    average_accuracy,
    compare,
    identify,
    predict,
)
from accuracy_curves.answers import accuracy, curves
from accuracy_curves.answers.answer import Provenance, span
from accuracy_curves.answers.curves import grid, observed_curve
from accuracy_curves.answers.rates import threshold_in_words
from accuracy_curves.cautions import DOUBTFUL, share
from conftest import simulated

SAMPLE = simulated(24, 4, variance=0.3)


def accuracy_of(sample=SAMPLE, methods=("gaussian_tail", "regression"), **question):
    return predict(sample, [50, 400], methods, **question)


def assumptions(answer):
    page = answer.page(Provenance(), b"").split("<h2>What it assumes</h2>")[1]
    return re.findall("<li>(.*)</li>", page.split("<h2>")[0])


def test_an_accuracy_in_words():
    answer = accuracy_of(tops=(1, 3), target=0.6, splits=3, level=0.8)
    seen = share(average_accuracy(SAMPLE, 24)[0])
    best = share(average_accuracy(SAMPLE, 24, top=3)[0])
    heads, rows = answer.printed()
    assert heads == ["classes", "top", "Gaussian tail", answer.methods["regression"]]
    assert [row[:2] for row in rows[:4]] == [["50", "1"], ["50", "3"], ["400", "1"], ["400", "3"]]
    accuracy, lower, upper = answer.fits["regression"].interval(400, 3, 0.8)
    first, second = rows[3][3].split("\n")
    assert (first, second) == (share(accuracy[0]), span(lower[0], upper[0]))
    at = answer.fits["gaussian_tail"].classes_below(0.6, level=0.8)[0]
    assert rows[4][:2] == ["below .600", ""]
    assert rows[4][2].startswith(f"{at:,}\n")
    said, of_three, target = answer.conclusion()
    expected = answer.at("gaussian_tail", 400, 1)
    assert said.startswith(
        f"With 400 classes an accuracy of {share(expected.accuracy)} is expected (80 %"
    )
    assert said.endswith(f"; with 24, as tested, {seen}.")
    assert " a top-3 accuracy of " in of_three
    assert of_three.endswith(f"as tested, {best}.")
    assert target.startswith(f"The accuracy falls below .600 at {at:,} classes (80 % interval ")
    assumed = assumptions(answer)
    assert "(method: Gaussian tail) is valid if the classes to come are like the obs" in assumed[0]
    assert assumed[-1] == "Each class counts equally."


def test_an_answer_is_said_in_one_order():
    """What makes it doubtful, the conclusion, the table, three notes, and how many more."""
    answer = accuracy_of(splits=0)
    notes = [AccuracyWarning(f"only {n}", "few") for n in range(5)]
    answer.__dict__["cautions"] = [AccuracyWarning("x misses", "off", DOUBTFUL), *notes]
    lines = str(answer).split("\n")
    assert lines[0] == "This answer is doubtful: x misses [off]"
    assert lines[1] == answer.conclusion()[0]
    assert lines[3].split()[0] == "classes"
    assert [line.startswith("Note: only") for line in lines[-4:]] == [True] * 3 + [False]
    assert lines[-1] == "2 more in answer.cautions"
    html = answer._repr_html_()
    assert html.index("This answer is doubtful") < html.index("With 400") < html.index("<table>")
    assert html.count("<code>few</code>") == 5


def test_without_splits_nothing_is_said_of_intervals():
    answer = accuracy_of(splits=0, target=0.6)
    heads, rows = answer.printed()
    assert heads[:2] == ["classes", "Gaussian tail"]
    assert rows[0][1] == share(answer.at("gaussian_tail", 50, 1).accuracy)
    assert not [text for text in (*answer.conclusion(), *assumptions(answer)) if "interval" in text]
    assert np.isnan(answer.at("regression", 50, 1).lower)


def test_what_makes_an_answer_useless_is_its_first_sentence():
    wrong = ScoreMatrix(SAMPLE.scores, SAMPLE.labels)
    said = str(accuracy_of(wrong, splits=0))
    assert said.startswith("Do not use this answer: the accuracy at two classes is")
    assert str(accuracy_of(splits=0)).startswith("With 400 classes")


def test_python_warns_of_what_is_useless_or_doubtful_alone():
    wrong = ScoreMatrix(SAMPLE.scores, SAMPLE.labels)
    with pytest.warns(AccuracyWarning) as caught:
        answer = predict(wrong, 4000, "gaussian_tail", splits=0)
    assert {each.filename for each in caught} == {__file__}
    assert "wrong_direction" in [each.message.reason for each in caught]
    assert "no_interval" in [each.reason for each in answer.cautions]
    assert all(each.message.weight for each in caught)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: predict(np.eye(5), 400), "not ndarray"),
        (lambda: predict(Searches.of(searches()), 400, "auto"), "give its .mated"),
        (lambda: predict(SAMPLE, 400, "nope"), "no method is called 'nope'"),
        (lambda: predict(SAMPLE, 400, "kde", options={"auto": {}}), "options of auto, which is"),
        (lambda: predict(SAMPLE, 400, method="auto"), "no method: it is called methods here"),
        (lambda: predict(SAMPLE, 400, top=5), "no top: it is called tops here"),
        (lambda: predict(SAMPLE, 400, random_state=1), "no random_state: it is called seed here"),
        (lambda: predict(SAMPLE, 400, n_jobs=2), "no n_jobs: it is called jobs here"),
        (lambda: compare(SAMPLE, SAMPLE, 400, n_jobs=2), "'n_jobs': it is called jobs here"),
        (lambda: compare(SAMPLE, SAMPLE, 400, measure="mrr@2"), "it is called top here"),
        (lambda: identify(searches(), 100, colour=1), "unexpected keyword argument .colour"),
        (lambda: identify(np.eye(60), 100), "not ndarray"),
    ],
)
def test_questions_that_cannot_be_answered(ask, said):
    with pytest.raises(InputError, match=said):
        ask()


def test_an_answer_is_saved_whole_and_beside_what_is_there(tmp_path):
    answer, folder = predict(SAMPLE, 400, splits=0), tmp_path / "answer"
    answer.save(folder)
    written = {*answer.files()} - {"wrong_names.csv"}
    assert {path.name for path in folder.iterdir()} == written
    (folder / "mine.txt").touch()
    with pytest.raises(InputError, match="is not empty"):
        answer.save(folder)
    answer.save(str(folder), overwrite=True)
    assert {path.name for path in folder.iterdir()} == {*written, "mine.txt"}


def test_one_of_several_needs_no_list():
    one = predict(SAMPLE, 400, "Gaussian tail", tops=3, splits=0)
    several = predict(SAMPLE, [400], ["gaussian_tail"], tops=[3], splits=0)
    assert str(one) == str(several)
    assert "top-3 accuracy" in str(one)
    assert str(identify(searches(), 100, fpir=0.1, splits=3)).startswith("With 100 enrolled")


def searches():
    rng = np.random.default_rng(0)
    return ScoreMatrix(rng.normal(size=(60, 60)) + 3 * np.eye(60), np.arange(60))


def test_rates_in_words():
    question = {"fpir": 0.1, "thresholds": 2.5, "rank": 2, "splits": 3, "level": 0.8}
    answer = identify(searches(), 400, **question)
    heads, rows = answer.printed()
    assert heads == ["enrolled", "threshold", "FPIR", "FNIR"]
    assert [row[0] for row in rows] == ["400", "400", "59, as tested", "59, as tested"]
    fpir = answer.fit.fpir_interval(400, 2.5, 0.8)
    ends = span(fpir.lower[0], fpir.upper[0])
    assert rows[1][1:3] == ["2.5", f"{share(fpir.value[0])}\n{ends}"]
    first, alarms, missed, strangers = answer.conclusion()
    assert strangers.startswith("No search is by a stranger")
    at = answer.fit.threshold(400, 0.1)
    seen = share(answer.fit.observed_fnir(59, at, 2)[0])
    assert f"for an FPIR of .100, an FNIR of {share(answer.table['fnir'][0])} is" in first
    assert first.endswith(f"; with 59, as tested, {seen}.")
    assert (
        f"at the threshold 2.5, an FPIR of {share(fpir.value[0])} (80 % interval {ends})" in alarms
    )
    assert missed.startswith(f"There an FNIR of {share(answer.table['fnir'][1])} is expected")
    assert "Pareto tail" in assumptions(answer)[0]
    assert assumptions(answer)[-1].endswith("each search counts equally.")
    assert list(answer.tables()) == ["identification.csv", "det.csv", "fnir_by_size.csv"]


@pytest.mark.parametrize(
    ("threshold", "written"),
    [(0.25, "0.25"), (1 - 2e-9, "1 - 2e-09"), (1.0, "1"), (123.456789, "123.46"), (np.inf, "none")],
)
def test_thresholds_are_written_by_their_digits(threshold, written):
    assert threshold_in_words(threshold) == written


@given(largest=st.integers(2, 10**18), asked=st.lists(st.integers(2, 10**18), max_size=9))
def test_grid_is_ascending_and_has_its_ends_and_what_is_asked(largest, asked):
    asked = [min(each, largest) for each in asked]
    k = grid(largest, asked)
    assert np.all(np.diff(k) > 0)
    assert (k[0], k[-1]) == (2, largest)
    assert set(asked) <= set(k.tolist())
    assert len(k) <= 300


def test_observed_curve_has_every_k_unless_there_are_very_many(monkeypatch):
    assert observed_curve(SAMPLE, 1, 0)["k"].tolist() == [*range(2, 25)]
    monkeypatch.setattr(curves, "EVERY_K_UP_TO", 23)
    monkeypatch.setattr(curves, "GRID", 10)
    assert observed_curve(SAMPLE, 1, 0)["k"].tolist() == grid(24, []).tolist()
    assert (len(grid(10, [])), len(grid(11, []))) == (9, 7)


NAMES = ["point", "class", "an accuracy", "classes", "top-3 accuracy", "a class", "data points",
         "a hit rate", "{w.point}", "photos", "x", "y"]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("classes", "classes whose scores are those of another one, for every point: 1 (the first"),
        ("people", "people whose scores are those of another one, for every photo: 1 (the first"),
        ("documents", "documents whose scores are those of another one, for every query: 1 (the f"),
        ("items", "items whose scores are those of another one, for every search: 1 (the first"),
    ],
)
def test_sentences_have_the_words_of_those_who_ask_and_names_stay(words, said, tmp_path):
    rng, labels = np.random.default_rng(0), np.repeat(np.arange(12), 5)
    scores = rng.normal(size=(60, 12)) + 3 * np.eye(12)[labels]
    scores[:, 1] = scores[:, 0]
    sample = ScoreMatrix(scores, labels, classes=NAMES)
    for first, second in ((0, 1), (2, 4), (8, 3)):
        order = np.r_[first, second, np.setdiff1d(np.arange(12), [first, second])]
        named = ScoreMatrix(scores, labels, classes=np.array(NAMES)[order])
        answer = predict(named, 50, "auto", words=words, splits=0)
        assert f"{NAMES[second]}, of {NAMES[first]})" in str(answer)
        assert said in str(answer)
    answer = predict(sample, 50, "auto", words=words, splits=0)
    answer.save(tmp_path)
    for name in ("report.html", "report.json"):
        assert "class, of point)" in (tmp_path / name).read_text()


def test_another_measure_is_called_by_its_name():
    answer = accuracy_of(tops=("ndcg@3", "mrr@2"), splits=0)
    seen = [share(average_accuracy(SAMPLE, 24, measure=each)[0]) for each in ("ndcg@3", "mrr@2")]
    heads, rows = answer.printed()
    assert heads[1] == "measure"
    assert [row[1] for row in rows[:2]] == ["ndcg@3", "mrr@2"]
    for name, observed, said in zip(("nDCG@3", "MRR@2"), seen, answer.conclusion(), strict=True):
        assert f"an {name} of " in said
        assert said.endswith(f"{observed}.")
    assert set(answer.table["measure"]) == {"ndcg@3", "mrr@2"}


def test_methods_that_need_more_classes_are_left_out_unless_none_is_left(monkeypatch):
    few = simulated(5, 6)
    monkeypatch.setattr(accuracy, "DEFAULT_METHODS", ("auto", "regression"))
    assert len(predict(few, 50, splits=0).methods) == 1
    monkeypatch.setattr(accuracy, "DEFAULT_METHODS", ("auto",))
    with pytest.raises(InputError, match="needs at least"):
        predict(few, 50, splits=0)
