"""Answers to every question that the page lets one ask: classes, top, method and level."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning, InputError, MissingDependencyError
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.prediction.plots.style import method_styles
from accuracy_curves.prediction.predict import (
    Answer,
    PredictedAccuracy,
    observed_grid,
)
from accuracy_curves.prediction.prediction_warnings import (
    by_weight,
    warn_of_disagreement,
    warn_of_fits,
    warn_of_reach,
    warn_of_rise,
)
from accuracy_curves.prediction.report.figures import LOG_ABOVE
from accuracy_curves.prediction.wording import (
    accuracy_name,
    cautions_sentence,
    predicted_sentence,
    refusal,
    sentences,
)
from accuracy_curves.utils.arrays import Float64Array, IntArray

# Numbers of classes on the slider, and of points of a curve below it.
SLIDER, BELOW = 100, 40
# Of all methods and tops together, so that the page stays small.
MOST_ANSWERS = 1600
# The slider goes to so many times k1, or as far as was asked for.
FARTHEST = 10
LEVELS = (0.8, 0.9, 0.95, 0.99)
# Offered beside the tops that were asked for, without an interval: it would take seconds.
TOPS = (1, 5)
DIGITS = 5
LIBRARY = ("bokeh.min.js", "bokeh-api.min.js")


def plotting_library() -> list[str]:
    """Read the scripts of BokehJS, which draws the curves in a browser.

    From the files of the package: its import takes more than a second.
    """
    try:
        folder = Path(str(distribution("bokeh").locate_file("bokeh/server/static/js")))
    except PackageNotFoundError as error:
        said = "the page needs bokeh, which is not installed: pip install 'bokeh>=3.9,<4'"
        raise MissingDependencyError(said) from error
    return [(folder / name).read_text(encoding="utf-8") for name in LIBRARY]


def packed(data: Mapping[str, Any]) -> str:
    """Write data as base64 of gzipped JSON: as sentences repeat each other, a tenth remains."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(written.encode(), mtime=0)).decode("ascii")


def slider_classes(k1: int, asked: Sequence[int], points: int = SLIDER) -> IntArray:
    """Choose the numbers of classes on the slider, ascending: round ones, k1 and those asked for.

    About so many `points` go from k1 to ten times k1, or as far as was asked for, in steps of equal
    ratio.
    """
    farthest = max(FARTHEST * k1, *asked)
    spread = np.geomspace(k1, farthest, points)
    unit = 10.0 ** np.maximum(np.floor(np.log10(spread)) - 1, 0)  # Of two digits.
    rounded = np.minimum((np.round(spread / unit) * unit).astype(np.int64), farthest)
    classes: IntArray = np.unique([*rounded[rounded > k1], k1, *asked])
    return classes


def exploration(answer: Answer) -> dict[str, Any]:
    """Answer every question: the data of `explorer.js`.

    ``classes`` are the numbers of classes of the slider, and ``k`` those of the curves, the last of
    which they are. ``answers`` has for each method, top and level the accuracies and their interval
    at ``k`` and, for each of ``classes``, the sentence ``said`` and the reasons for caution, by
    their places in ``cautions``. ``observed`` has a curve for each top, and ``start`` the places of
    the first question that was asked.
    """
    question, k1 = answer.question, answer.sample.n_classes
    tops = [*question.tops, *_offered_tops(answer)]
    points = min(SLIDER, MOST_ANSWERS // (len(answer.methods) * len(tops)))
    classes = slider_classes(k1, question.classes, max(points, 2))
    below = np.unique(np.geomspace(2, classes[0], BELOW).astype(np.int64))[:-1]
    k = np.concatenate([below, classes])
    levels = sorted({*LEVELS, question.level})
    styles = method_styles({name: name for name in answer.methods})
    places: dict[str, int] = {}
    answers: list[list[list[dict[str, Any]]]] = [[] for _ in answer.methods]
    observed = []
    for top in tops:
        seen = _observed(answer, top)
        observed.append(seen)
        of_top = {name: _predicted(answer, name, k, top, levels) for name in answer.methods}
        for name, of_method in zip(answer.methods, answers, strict=True):
            method = _MethodWarnings(answer, name, top, seen["accuracy"][-1])
            # A top that is only offered has no interval, and so one answer for all levels.
            told = levels if top in question.tops else levels[:1]
            shown = [
                _shown(
                    method,
                    k,
                    len(below),
                    top,
                    level,
                    {each: of_levels[place] for each, of_levels in of_top.items()},
                    places,
                )
                for place, level in enumerate(told)
            ]
            of_method.append(shown * (len(levels) // len(shown)))
    return {
        "classes": classes.tolist(),
        "shown": [f"{each:,}" for each in classes],
        "k": k.tolist(),
        "k1": k1,
        "logarithmic": bool(classes[-1] > LOG_ABOVE * k1),
        "methods": [{"label": each.label, "color": each.color} for each in styles.values()],
        "tops": [f"top {top}" for top in tops],
        "names": [accuracy_name(top) for top in tops],
        "levels": [f"{100 * level:g} %" for level in levels],
        "start": {
            "classes": classes.tolist().index(question.classes[0]),
            "level": levels.index(question.level),
        },
        "observed": observed,
        "answers": answers,
        "cautions": list(places),
    }


def _offered_tops(answer: Answer) -> list[int]:
    """Choose tops that were not asked for: those that all methods can predict."""
    offered = []
    for top in TOPS:
        try:
            for each in answer.fitted.values():
                each.predict(answer.sample.n_classes, top)
        except InputError:  # The method has the curve of top 1 alone.
            continue
        if top not in answer.question.tops and 2 * top < answer.sample.n_classes:
            offered.append(top)
    return offered


def _observed(answer: Answer, top: int) -> dict[str, list[float]]:
    """Average the observed accuracy at few enough numbers of classes to draw."""
    every = observed_grid(answer.sample.n_classes)
    k = every[np.unique(np.geomspace(1, len(every), SLIDER).astype(np.int64)) - 1]
    seen = average_accuracy(answer.sample, k, answer.question.seed, top=top)
    return {"k": k.tolist(), "accuracy": seen.tolist()}


def _predicted(
    answer: Answer, name: str, k: IntArray, top: int, levels: Sequence[float]
) -> list[Float64Array]:
    """Predict at k classes, for each level: the columns of `PredictedAccuracy`.

    A top that is only offered has no interval.
    """
    fitted, intervals, names = (
        answer.fitted[name],
        answer.intervals[name],
        PredictedAccuracy._fields,
    )
    if top not in answer.question.tops or intervals is None:
        alone = np.full((len(k), len(names)), np.nan)
        alone[:, 0] = np.clip(fitted.predict(k, top), 0.0, 1.0)
        return [alone] * len(levels)
    found = [intervals.interval(k, top, level) for level in levels]
    return [np.column_stack([getattr(each, column) for column in names]) for each in found]


class _MethodWarnings:
    """What speaks against one method's answers, of one top, at any number of classes."""

    def __init__(self, answer: Answer, name: str, top: int, observed: float) -> None:
        self.name, self.label, self._observed = name, answer.methods[name], observed
        self._k1, self._method = answer.sample.n_classes, {name: answer.fitted[name]}
        self._intervals = answer.intervals[name] is not None
        self._labels = answer.methods
        of_fit = {name: answer.intervals[name]}
        self._always = [
            *answer.sample_warnings,
            *warn_of_fits(of_fit, answer.methods, answer.question.splits),
        ]
        if top not in answer.question.tops:
            said = f"there is no interval of the {accuracy_name(top)}, as it was not asked for"
            self._always.append(AccuracyWarning(said, "no_interval"))

    def at(self, k: int, predicted: Mapping[str, PredictedAccuracy]) -> list[AccuracyWarning]:
        """Say what speaks against the prediction at k classes, beside those of all methods."""
        here = predicted[self.name]
        others = {
            self._labels[name]: each.accuracy
            for name, each in predicted.items()
            if name != self.name
        }
        return by_weight(
            [
                *self._always,
                *warn_of_reach(self._method, [k], self._k1, intervals=self._intervals),
                *warn_of_rise(k, here.accuracy, self._k1, self._observed, self.label),
                *warn_of_disagreement(k, (here.lower, here.upper), self.label, others),
            ]
        )


def _shown(
    method: _MethodWarnings,
    k: IntArray,
    first: int,
    top: int,
    level: float,
    curves: Mapping[str, Float64Array],
    places: dict[str, int],
) -> dict[str, Any]:
    """Answer for one method, top and level: a curve, and sentences from the `first` k on."""
    curve = curves[method.name]
    said, cautions = [], []
    for at in range(first, len(k)):
        here = {name: PredictedAccuracy(*each[at].tolist()) for name, each in curves.items()}
        found = method.at(int(k[at]), here)
        sentence = predicted_sentence(int(k[at]), top, level, here[method.name])
        refused = sentences(filter(None, [refusal(found)]))
        said.append(" ".join([*refused, sentence, cautions_sentence(len(found))]))
        cautions.append(
            [places.setdefault(each, len(places)) for each in sentences(map(str, found))]
        )
    has_interval = bool(np.isfinite(curve[:, 1]).all())
    return {
        "accuracy": curve[:, 0].round(DIGITS).tolist(),
        "lower": curve[:, 1].round(DIGITS).tolist() if has_interval else None,
        "upper": curve[:, 2].round(DIGITS).tolist() if has_interval else None,
        "said": said,
        "cautions": cautions,
    }
