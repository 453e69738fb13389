"""The pages: their numbers are the library's, in words and in a browser, and they ask nobody."""

import base64
import gzip
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from accuracy_curves import EXTRAPOLATORS, ScoreMatrix
from accuracy_curves.answers.accuracy import AccuracyQuestion, PredictedAccuracy, answer_accuracy
from accuracy_curves.answers.accuracy_page import accuracy_page, exploration
from accuracy_curves.answers.accuracy_wording import (
    errors_in_words,
    predicted_sentence,
    target_sentence,
)
from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import runs
from accuracy_curves.answers.rates import RatesQuestion, answer_rates
from accuracy_curves.answers.rates_page import exploration as explored_rates
from accuracy_curves.answers.rates_page import rates_page as page_of_rates
from accuracy_curves.cautions import share
from accuracy_curves.extrapolators import make_extrapolator
from browser import PHONE, read_page
from conftest import simulated

METHODS = ["empirical_bayes", "gaussian_tail", "regression"]
MADE = Made("my <scores> & more.npz", "accuracy-curves predict 'my <scores>'", ["p" * 3000])


@pytest.fixture(scope="module")
def answer():
    sample = simulated(24, 4, variance=0.3)
    models = {name: make_extrapolator(name) for name in METHODS}
    return answer_accuracy(
        sample, models, AccuracyQuestion([50, 400], tops=(1, 3), splits=10, target=0.6)
    )


@pytest.fixture(scope="module")
def page(answer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("predict")
    answer.write(folder, accuracy_page, MADE)
    return folder / "report.html"


@pytest.fixture(scope="module")
def rates():
    rng = np.random.default_rng(0)
    matrix = ScoreMatrix(rng.normal(size=(60, 60)) + 3 * np.eye(60), np.arange(60))
    return answer_rates(matrix, RatesQuestion([400], [0.1], splits=3))


@pytest.fixture(scope="module")
def rates_page(rates, tmp_path_factory):
    folder = tmp_path_factory.mktemp("identify")
    rates.write(folder, page_of_rates, MADE)
    return folder / "report.html"


def stored(page):
    packed = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_the_arrays_are_those_of_the_library(answer, page):
    data = stored(page)
    k = np.array(data["k"])
    assert max(data["classes"]) == 2400  # 100 k1.
    assert {50, 400} <= set(data["classes"])
    assert [top["top"] for top in data["tops"]] == [1, 3, 5]
    for name, method in zip(answer.methods, data["methods"], strict=True):
        for top, curves in zip((1, 3), method["curves"], strict=False):
            for level, curve in zip((0.8, 0.9, 0.95, 0.99), curves, strict=True):
                found = answer.fits[name].interval(k, top, level)
                for each, values in curve.items():
                    np.testing.assert_allclose(values, getattr(found, each), atol=6e-6)
        # A top that was not asked for has no interval.
        assert list(method["curves"][2][0]) == ["accuracy"]
        expected = answer.fits[name].fitted.predict(k, 5).clip(0, 1)
        np.testing.assert_allclose(method["curves"][2][0]["accuracy"], expected, atol=6e-6)


def test_the_rates_are_those_of_the_library(rates):
    data = explored_rates(rates)
    found, at = rates.fit, data["thresholds"]
    assert 400 in data["sizes"]
    row = data["sizes"].index(400)
    exact = found.fpir_interval(400, at)
    for end in ("value", "lower", "upper"):
        np.testing.assert_allclose(data["rates"]["fpir"][end][row], getattr(exact, end), atol=6e-6)
    np.testing.assert_allclose(data["rates"]["fnir"]["value"][row], found.fnir(400, at), atol=6e-6)
    # Where a threshold was set for a target the interval is that of the first lines and of det.csv.
    asked = rates.rates[rates.rates["target_fpir"].notna()]
    assert len(asked)
    for each in asked.itertuples():
        k, place = data["sizes"].index(each.gallery_size), at.index(each.threshold)
        stored = [data["rates"]["fnir"][end][k][place] for end in ("value", "lower", "upper")]
        shown = [each.fnir, each.fnir_lower, each.fnir_upper]
        np.testing.assert_allclose(stored, shown, atol=1e-4)
        curve = rates.det[(rates.det["gallery_size"] == each.gallery_size)]
        curve = curve[curve["method"] != "observed"]
        for end in ("lower", "upper"):
            found_there = np.interp(np.log(each.target_fpir), np.log(curve["fpir"]), curve[end])
            assert found_there == pytest.approx(getattr(each, f"fnir_{end}"), abs=0.02)


class Optimist(EXTRAPOLATORS["gaussian_tail"]):
    """Is above what was observed from k1 on, and below it far away."""

    name, label = "optimist", "Optimist"

    def _predict(self, k):
        return super()._predict(k) ** 0.6


def held(cautions, k):
    return [each["text"] for each in cautions if each["above"] < k <= each["up_to"]]


def test_the_page_says_where_each_caution_holds(monkeypatch):
    """At every k of the page it has the cautions of the terminal, in their order."""
    monkeypatch.setitem(EXTRAPOLATORS, "optimist", Optimist)
    sample = simulated(24, 4, variance=0.3)
    models = {"optimist": make_extrapolator("optimist")}
    asked = AccuracyQuestion([50], splits=3)
    answer = answer_accuracy(sample, models, asked)
    data = exploration(answer)
    method, reasons = data["methods"][0], set()
    fit = answer.fits["optimist"]
    for k in data["k"][::5]:
        alone = fit.interval(k).to_frame()
        at_k = replace(answer, question=replace(asked, classes=[k]), predicted=alone)
        places = {"{k}": f"{k:,}", "{accuracy}": share(alone["accuracy"][0])}
        texts = held(method["cautions"][0], k)
        for place, value in places.items():
            texts = [each.replace(place, value) for each in texts]
        # A sentence of the page has a capital and a point.
        assert [each[1:-1] for each in texts] == [str(each)[1:] for each in at_k.cautions]
        reasons.add(tuple(each.reason for each in at_k.cautions))
    assert len(reasons) > 2
    # Between two k of the page the later one's holds.
    high = [each for each in method["cautions"][0] if "easier to tell apart" in each["text"]]
    assert [each["above"] for each in high] == [24]
    assert 24 < high[0]["up_to"] < data["k"][-1]
    assert high[0]["weight"] == "This answer is doubtful"
    # A top that was not asked for has no interval, and says so.
    assert any("--top 5" in each["text"] for each in method["cautions"][1])


def test_values_are_told_from_where_to_where():
    found = runs(np.array([2, 5, 9, 20]), ["", "a", "a", "b"])
    assert list(found) == [("", 0, 2), ("a", 2, 9), ("b", 9, 20)]


class Reader(HTMLParser):
    """Balanced tags, and the text of cells."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.outside = [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        self.outside += [given[each] for each in ("src", "href") if each in given]
        if tag not in ("meta", "link", "img", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("which", ["page", "rates_page"])
def test_a_page_is_whole_escaped_and_alone(which, request):
    text = request.getfixturevalue(which).read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert all(each.startswith("data:") for each in reader.outside)
    assert "<scores>" not in text
    assert "my &lt;scores&gt; &amp; more.npz" in text
    foot = text[text.index('class="foot"') :]
    assert "predict &#39;my &lt;scores&gt;&#39;" in foot
    assert re.search(r"\d{4}-\d\d-\d\d", foot)


def test_the_table_has_each_answer(answer, page):
    text = page.read_text(encoding="utf-8")
    for name in METHODS:
        for k in (50, 400):
            found = answer.at(name, k, 1)
            cells = f"<td>{share(found.accuracy)}</td><td>{share(found.lower)}-"
            assert cells in text
    assert [len(row) for row in answer.printed()[1]] == [5] * 4


def test_an_interval_that_is_printed_alike_is_not_repeated(answer):
    found = answer.at("regression", 50, 1)
    assert "one new set" in predicted_sentence(50, 1, 0.9, found, 0.5)
    alike = found._replace(set_lower=found.lower + 1e-7, set_upper=found.upper)
    assert "one new set" not in predicted_sentence(50, 1, 0.9, alike, 0.5)
    assert "interval" not in predicted_sentence(50, 1, 0.9, found._replace(lower=np.nan), 0.5)


ABOUT_90 = ": about 1 search in 90 errs"


@pytest.mark.parametrize(
    ("accuracy", "lower", "upper", "observed", "said"),
    [
        (0.98889, 0.9834, 0.99286, 0.99, f"{ABOUT_90} (1 in 60 to 1 in 140)"),
        (0.98889, np.nan, np.nan, 0.99, ABOUT_90),
        (0.9, 0.8, 0.95, 0.92, ""),
        (0.901, 0.5, 1.0, 0.92, ": about 1 search in 10 errs (1 in 2 to 1 in 1,000,000,000)"),
        (0.999, 0.9917, 1.0, 1 - 1e-15, ": fewer than 1 search in 120 errs, by the lower end"),
        (0.999, np.nan, np.nan, 1.0, ""),
    ],
)
def test_where_few_err_the_errors_are_said(accuracy, lower, upper, observed, said):
    found = PredictedAccuracy(accuracy, lower, upper, lower, upper)
    words = errors_in_words(found, observed)
    assert words.startswith(said)
    assert bool(words) == bool(said)
    assert words in predicted_sentence(99, 1, 0.9, found, observed)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [((None, 5_000, None), ["not below", "5,000 to beyond"]), ((None,) * 3, ["(90 %", "beyond"]),
     ((4, 3, 5), ["at 4", "3 to 5"])],
)  # fmt: skip
def test_a_target_that_is_never_reached_reads_well(sizes, words):
    said = target_sentence("It", 0.5, sizes, "90 %")
    assert all(word in said for word in words)
    assert "no interval" in target_sentence("It", 0.5, (sizes[0], np.nan, np.nan), "90 %")


def fits(seen):
    assert set(seen.asked) == {"http://page.test/", "http://page.test/report.html"}
    assert seen.console == []
    assert seen.page["width"] == seen.page["scroll"] == PHONE
    assert seen.page["smallest"] >= 13
    for width, _, left, right in seen.page["figures"]:
        assert (width > 0.8 * PHONE, left >= 0, right <= PHONE) == (True, True, True)


def test_the_page_of_predict_answers_in_a_browser(answer, page, tmp_path):
    data = exploration(answer)
    last = data["classes"][-1]
    moves = [{}, {"size-typed": 1234}, {"size-typed": last}, {"method": 2}, {"top": 1},
             {"top": 2}, {"size": 0}]  # fmt: skip
    seen = read_page(page, tmp_path / "profile", moves=moves)
    fits(seen)
    states = [(50, 1, 0), (1234, 1, 0), (last, 1, 0), (last, 1, 2), (last, 3, 2)]
    for found, (k, top, method) in zip(seen.page["answers"], states, strict=False):
        name = METHODS[method]
        at = answer.fits[name].interval(k, top)
        assert f"{k:,} classes" in found["said"]
        # Between the numbers of the slider it interpolates.
        assert min(abs(float(x) - at.accuracy[0]) for x in shares(found["said"])) < 1.1e-3
        assert min(abs(float(x) - at.lower[0]) for x in shares(found["said"])) < 1.1e-3
        far = k > answer.fits[name].reach * 24
        assert any("validated" in each for each in found["cautions"]) == far
    *_, without, first = seen.page["answers"]
    assert any("--top 5" in each for each in without["cautions"])
    at_k1 = data["tops"][2]["accuracy"][-1]
    found = PredictedAccuracy(answer.fits[name].fitted.predict(24, 5)[0], *[np.nan] * 4)
    assert first["said"].endswith(predicted_sentence(24, 5, 0.9, found, at_k1))
    assert len({each["drawn"] for each in seen.page["answers"]}) == len(moves)


def shares(text):
    return re.findall(r"(?<![\d,])\.\d+", text)


def test_the_page_of_identify_answers_in_a_browser(rates, rates_page, tmp_path):
    moves = [{}, {"size-typed": 3000}, {"target": 0.01}, {"threshold": 3.0}]
    seen = read_page(rates_page, tmp_path / "profile", moves=moves)
    fits(seen)
    at = rates.rates["threshold"].iloc[0]
    found = rates.fit
    states = [(400, at), (3000, at), (3000, found.threshold(3000, 0.01)[0]), (3000, 3.0)]
    for each, (k, threshold) in zip(seen.page["answers"], states, strict=True):
        fpir, *_ = map(float, shares(each["said"]))
        assert fpir == pytest.approx(found.fpir(k, threshold)[0], rel=0.1, abs=2e-3)


def test_fields_say_their_limits_and_keep_to_them(page, rates, rates_page, tmp_path):
    """What stands in a box is what the answer is for."""
    seen = read_page(page, tmp_path / "predict", moves=[{"size-typed": 50_000}, {"size-typed": ""}])
    (far, label), (near, _) = (each["boxes"]["size-typed"] for each in seen.page["answers"])
    assert (far, label) == (2400, "Number of classes (2 to 2,400)")
    assert near == 24
    assert "2,400 classes" in seen.page["answers"][0]["said"]
    at = explored_rates(rates)["thresholds"]
    moves = [{"target": 2}, {"target": 1e-9}, {"threshold": 1e6}, {"size-typed": 1e9}]
    answers = read_page(rates_page, tmp_path / "identify", moves=moves).page["answers"]
    loose, strict, end, large = (each["boxes"] for each in answers)
    assert loose["target"][0] == pytest.approx(0.9, abs=0.02)
    assert strict["threshold"][0] > loose["threshold"][0]
    assert end["threshold"][0] == pytest.approx(max(at), rel=1e-4)
    assert end["threshold"][1] == f"Threshold ({min(at):.4g} to {max(at):.4g})"
    assert f"{max(at):.4g}" in answers[2]["said"]
    assert large["size-typed"][0] == max(explored_rates(rates)["sizes"])


@pytest.mark.parametrize("which", ["page", "rates_page"])
def test_a_page_is_read_without_scripts(which, request, tmp_path):
    seen = read_page(request.getfixturevalue(which), tmp_path / "profile", scripts=False)
    fits(seen)
    assert len(seen.page["figures"]) == 1
    assert not seen.page["explorer"]
