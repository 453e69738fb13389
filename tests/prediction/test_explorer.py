"""Every answer that the page can give is the one that the library gives."""

import base64
import gzip
import json
from importlib.metadata import PackageNotFoundError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.exceptions import MissingDependencyError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.prediction.predict import Question, answer_question
from accuracy_curves.prediction.report import explorer
from accuracy_curves.prediction.report.explorer import (
    DIGITS,
    SLIDER,
    exploration,
    packed,
    plotting_library,
    slider_classes,
)
from accuracy_curves.prediction.wording import conclusion
from conftest import simulated


def answer_of(methods, question):
    sample = simulated(24, 4, variance=0.3)
    return answer_question(sample, {name: make_extrapolator(name) for name in methods}, question)


@pytest.fixture(scope="module")
def answer():
    return answer_of(["empirical_bayes", "gaussian_tail"], Question([50, 400], splits=10))


@pytest.fixture(scope="module")
def data(answer):
    return exploration(answer)


def test_curves_are_those_of_the_library(answer, data):
    k = np.array(data["k"])
    assert data["levels"] == ["80 %", "90 %", "95 %", "99 %"]
    for number, name in enumerate(answer.methods):
        for place, level in enumerate((0.8, 0.9, 0.95, 0.99)):
            found = answer.intervals[name].interval(k, 1, level)
            shown = data["answers"][number][0][place]
            for what in ("accuracy", "lower", "upper"):
                np.testing.assert_allclose(shown[what], getattr(found, what), atol=10**-DIGITS)
    seen = dict(zip(data["observed"][0]["k"], data["observed"][0]["accuracy"], strict=True))
    assert (min(seen), max(seen)) == (2, 24)
    np.testing.assert_allclose([seen[2], seen[24]], answer.seen[[0, -1]])


def test_sentences_are_those_of_the_conclusion(answer, data):
    said = data["answers"][0][0][data["start"]["level"]]["said"]
    assert data["classes"][data["start"]["classes"]] == 50
    for k in (50, 400):
        (sentence,) = [each for each in conclusion(answer) if each.startswith(f"With {k} classes")]
        assert sentence in said[data["classes"].index(k)]


def test_cautions_are_about_the_method_that_is_shown(answer, data):
    far = data["classes"].index(400)
    for number, (name, other) in enumerate([("Empirical Bayes", "Gaussian"), ("Gaussian", "Emp")]):
        shown = data["answers"][number][0][1]
        reasons = [data["cautions"][each] for each in shown["cautions"][far]]
        (reach,) = [each for each in reasons if "beyond the range" in each]
        assert name in reach
        assert other not in reach
        assert str(len(reasons)) in shown["said"][far] or "one reason" in shown["said"][far]
        near = [data["cautions"][each] for each in shown["cautions"][0]]
        assert not [each for each in near if "beyond the range" in each]


def test_a_top_that_was_not_asked_for_has_no_interval(answer, data):
    assert data["tops"] == ["top 1", "top 5"]
    shown = data["answers"][1][1][0]
    wanted = answer.fitted["gaussian_tail"].predict(data["k"], 5)
    np.testing.assert_allclose(shown["accuracy"], wanted, atol=10**-DIGITS)
    assert shown["lower"] is shown["upper"] is None
    assert "% interval" not in shown["said"][0]
    missing = "There is no interval of the top-5 accuracy, as it was not asked for."
    assert missing in [data["cautions"][each] for each in shown["cautions"][0]]


def test_a_method_of_one_curve_offers_no_other_top():
    of_curve = answer_of(["log_linear"], Question([50], splits=0))
    assert exploration(of_curve)["tops"] == ["top 1"]


@given(
    k1=st.integers(2, 10**6),
    asked=st.lists(st.integers(2, 10**18), min_size=1, max_size=5, unique=True),
)
@settings(deadline=None)
def test_slider_has_every_number_that_was_asked_for(k1, asked):
    found = slider_classes(k1, sorted(asked))
    assert (np.diff(found) > 0).all()
    assert {k1, *asked} <= set(found.tolist())
    assert found[0] == min(k1, *asked)
    assert 0.95 * max(10 * k1, *asked) <= found[-1] <= max(10 * k1, *asked)
    assert len(found) <= SLIDER + 6


def test_many_methods_and_tops_have_a_coarser_slider():
    methods = ["empirical_bayes", "gaussian_tail", "two_parameter", "information"]
    many = exploration(answer_of(methods, Question([50], tops=(1, 2, 3, 4, 5, 6), splits=0)))
    assert len(many["classes"]) < 0.75 * SLIDER
    assert {24, 50} <= set(many["classes"])


def test_packed_data_are_the_data(data):
    text = packed(data)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == data
    assert packed(data) == text
    with pytest.raises(ValueError, match="not JSON compliant"):
        packed({"nan": np.nan})


def test_an_installation_without_the_plotting_library_says_so(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(explorer, "distribution", absent)
    with pytest.raises(MissingDependencyError, match="the page needs bokeh"):
        plotting_library()
