"""The pages: their numbers are the library's, in words and in tables, and they ask nobody."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest

from accuracy_curves import ScoreMatrix, identify, predict
from accuracy_curves.answers.answer import Provenance, in_cell
from accuracy_curves.answers.curves import errors_in_words
from accuracy_curves.cautions import DOUBTFUL
from accuracy_curves.exceptions import AccuracyWarning
from conftest import simulated

METHODS = ["empirical_bayes", "gaussian_tail", "regression"]
MADE = Provenance("my <scores> & more.npz", "accuracy-curves predict 'my <scores>'", ["p" * 3000])


@pytest.fixture(scope="module")
def answer():
    sample = simulated(24, 4, variance=0.3)
    return predict(sample, [50, 400], METHODS, tops=(1, 3), splits=10, target=0.6)


@pytest.fixture(scope="module")
def page(answer, tmp_path_factory):
    folder = tmp_path_factory.mktemp("predict")
    answer.write(folder, MADE)
    return folder / "report.html"


@pytest.fixture(scope="module")
def rates():
    rng = np.random.default_rng(0)
    matrix = ScoreMatrix(rng.normal(size=(60, 60)) + 3 * np.eye(60), np.arange(60))
    return identify(matrix, 400, fpir=0.1, splits=3)


@pytest.fixture(scope="module")
def rates_page(rates, tmp_path_factory):
    folder = tmp_path_factory.mktemp("identify")
    rates.write(folder, MADE)
    return folder / "report.html"


class Reader(HTMLParser):
    """Tags, which are balanced, what is loaded from elsewhere, and the cells of each row."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.outside, self.rows = [], set(), [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.outside += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if {"td", "th"} & {*self.open}:
            self.rows[-1][-1] += data

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def rows_of(page):
    return Reader(page.read_text(encoding="utf-8")).rows


@pytest.mark.parametrize("which", ["page", "rates_page"])
def test_a_page_is_whole_escaped_and_alone(which, request):
    text = request.getfixturevalue(which).read_text(encoding="utf-8")
    reader = Reader(text)
    assert "script" not in reader.tags
    assert all(each.startswith("data:") for each in reader.outside)
    assert "<scores>" not in text
    assert "my &lt;scores&gt; &amp; more.npz" in text
    foot = text[text.index('class="foot ') :]
    assert "predict &#39;my &lt;scores&gt;&#39;" in foot
    assert re.search(r"\d{4}-\d\d-\d\d", foot)


def test_the_table_has_each_answer(answer, page):
    (rows,) = [[*rows] for rows in [rows_of(page)]]
    for k in (50, 400):
        found = [answer.at(name, k, 1) for name in answer.methods]
        cells = [in_cell(row.accuracy, row.lower, row.upper).replace("\n", "") for row in found]
        assert [str(k), "1", *cells] in rows
    assert [len(row) for row in answer.printed()[1]] == [5] * 5


def test_the_page_of_rates_has_each_row(rates, rates_page):
    fnir = rates.fit.fnir_at_fpir_interval(400, 0.1)
    (row,) = [row for row in rows_of(rates_page) if row[0] == "400"]
    threshold = rates.fit.threshold_interval(400, 0.1)
    ends = f"{threshold.lower[0]:.5g} to {threshold.upper[0]:.5g}"
    assert row[1] == f"{threshold.value[0]:.5g}{ends}"
    assert row[3] == in_cell(fnir.value[0], fnir.lower[0], fnir.upper[0]).replace("\n", "")


ABOUT_90 = "About 1 search in 90 errs at 99 classes"


@pytest.mark.parametrize(
    ("accuracy", "lower", "upper", "observed", "said"),
    [
        (0.98889, 0.9834, 0.99286, 0.99, f"{ABOUT_90} (1 in 60 to 1 in 140)."),
        (0.98889, np.nan, np.nan, 0.99, f"{ABOUT_90}."),
        (0.9, 0.8, 0.95, 0.92, ""),
        (0.901, 0.5, 1.0, 0.92, "About 1 search in 10 errs at 99 classes (1 in 2 to 1 in 1,0"),
        (
            0.999,
            0.9917,
            1.0,
            1 - 1e-15,
            "Fewer than 1 search in 120 errs at 99 classes, by the low",
        ),
        (0.999, np.nan, np.nan, 1.0, ""),
        (0.999, 0.3, 1.0, 1.0, ""),
        (0.98889, 0.3, 0.99, 0.99, f"{ABOUT_90}."),
    ],
)
def test_where_few_err_the_errors_are_said(accuracy, lower, upper, observed, said):
    row = SimpleNamespace(accuracy=accuracy, lower=lower, upper=upper)
    words = "".join(errors_in_words("at 99 classes", row, observed))
    assert words.startswith(said)
    assert bool(words) == bool(said)


def test_programs_get_reasons_with_their_weight_and_values(rates):
    values = {"method": "Auto", "accuracy": np.float64(0.5), "k1": np.int64(60)}
    rates = replace(rates)
    rates.__dict__["cautions"] = [AccuracyWarning("it is off", "off", DOUBTFUL, values)]
    content = json.loads(rates.as_json(MADE))
    (said,) = content["cautions"]
    assert (content["weight"], said["weight"], said["reason"]) == ("doubtful", "doubtful", "off")
    assert (said["sentence"], said["values"]) == ("It is off.", {**values})
    assert said["link"].endswith("cautions.md#off")
    assert [row["gallery_size"] for row in content["table"]] == [400, 59]
    assert content["table"][0]["fnir"] == pytest.approx(rates.table["fnir"][0], abs=1e-11)
