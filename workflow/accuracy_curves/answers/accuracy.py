"""A question about a sample of classes, and what the methods answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.answers.accuracy_plots import predicted_curves_figure
from accuracy_curves.answers.accuracy_wording import (
    VALID,
    accuracy_name,
    errors_in_words,
    predicted_sentence,
    shown_ends,
    target_sentence,
)
from accuracy_curves.answers.answer import WRONG_NAMES, Answer, Question
from accuracy_curves.answers.style import method_styles
from accuracy_curves.answers.wording import counts_equally, percent, sentences, span, speaker
from accuracy_curves.cautions import caution, listed, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.wrong_names import WrongNames, look_for_wrong_names
from accuracy_curves.intervals.cautions import (
    Predicted,
    above_observed,
    cautions_of_accuracy,
    cautions_of_others,
)
from accuracy_curves.intervals.class_intervals import ClassIntervals, Interval, Sizes
from accuracy_curves.intervals.half_fits import LEVEL, fit_halves
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.observed.accuracy import TOLERANCE, accuracy_bounds, average_accuracy
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.same_photos import Photos
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import check_classes

# Up to this many classes the observed curve has every k, and a grid above.
EVERY_K_UP_TO = 10_000
GRID = 280
ENDS = ("lower", "upper", "set_lower", "set_upper")
RISES = "its curve rises beyond what was observed"


@dataclass(frozen=True)
class AccuracyQuestion(Question):
    """What is asked of a sample of classes.

    `classes` are the numbers of classes to predict the accuracy at, ascending, and `tops` the t of
    the top-t accuracies, or names of measures such as ``"ndcg@10"``. `target` is an accuracy; the
    number of classes at which it is reached is asked for. `words` is a key of `WORDS`. `splits`
    into halves give the intervals, cut to each method's `splits`; 0 for none.
    """

    classes: list[int]
    tops: tuple[int | str, ...] = (1,)
    target: float | None = None
    words: str = "classes"

    @property
    def of(self) -> str:
        """What `tops` are, as a table's head says."""
        return "measure" if isinstance(self.tops[0], str) else "top"


@dataclass(frozen=True, repr=False)
class AccuracyAnswer(Answer):
    """What the methods say, the chosen one first in `methods` (key: label).

    `curves` are of each method and top. `observed` and `predicted` have the columns method, k, top,
    accuracy, lower, upper, set_lower, set_upper. `fits` are of each method, to the sample and to
    halves of its classes; where half of the classes are too few, or no splits were asked for, the
    ends of its intervals are NaN.
    `sizes` are the numbers of classes at which each method's accuracy, that of the first top, falls
    below the target; empty without a target. `embedded` are the photos whose distances the scores
    are, `wrong_names` what `find_wrong_names` finds, if anything, and `left_out` says
    which methods are, and why. A curve that rises beyond k1 is marked in its method's label.
    """

    files = ("curves.csv", "curves.pdf", "curves.png", "report.html", WRONG_NAMES)
    stem = "curves"
    template = "accuracy.html"
    sample: Sample
    question: AccuracyQuestion
    methods: dict[str, str]
    observed: pd.DataFrame
    curves: dict[tuple[str, int | str], Interval]
    fits: dict[str, ClassIntervals]
    sizes: dict[str, Sizes]
    embedded: Photos | None
    wrong_names: WrongNames | None
    left_out: list[AccuracyWarning]

    def say(self, text: str) -> str:
        """Put a text into the words of those who ask."""
        return speaker(self.question.words, of_measures=self.question.of == "measure")(text)

    def at(self, method: str, k: int, top: int | str) -> Prediction:
        """Give what a method predicts at a number of classes that was asked for."""
        return self.curves[method, top].at(k)

    @cached_property
    def predicted(self) -> pd.DataFrame:
        """The curves in one table."""
        tables = [curve.to_frame().assign(top=top) for (_, top), curve in self.curves.items()]
        every = pd.concat(tables, ignore_index=True)
        return every.reindex(columns=["method", "k", "top", "accuracy", *ENDS])

    def observed_at_k1(self, top: int | str) -> float:
        """Look up the accuracy of all observed classes."""
        return float(self.observed.loc[self.observed["top"] == top, "accuracy"].iloc[-1])

    def about(self) -> str:
        """Say what was observed at k1 classes."""
        sample, tops = self.sample, self.question.tops
        seen = [f"{accuracy_name(top)} {share(self.observed_at_k1(top))}" for top in tops]
        n, points = sample.n_points, f"{sample.n_points:,} points"
        rivals = sample.design.rivals
        if rivals is not None and (queries := (rivals.place == 0).sum()) < n:
            points = f"{queries:,} points with {n:,} right answers"
        return f"{points}, k1 = {sample.counted_classes:,} classes: observed {', '.join(seen)}"

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, top unless it is 1, observed there, a cell a method."""
        several = self.question.tops != (1,)
        rows = []
        for k, top in product(self.question.classes, self.question.tops):
            cells = []
            for name in self.methods:
                found = self.at(name, k, top)
                cells.append("\n".join(filter(None, [share(found.value), *shown_ends(found)])))
            seen = [str(top), share(self.observed_at_k1(top))] if several else []
            rows.append([f"{k:,}", *seen, *cells])
        k1 = f"observed at {self.sample.counted_classes:,}"
        heads = [self.question.of, k1] if several else []
        return ["classes", *heads, *self.methods.values()], rows

    def legends(self) -> list[str]:
        """Explain the intervals; say where few err, of the first method, and the target's sizes."""
        name, label = next(iter(self.methods.items()))
        below = (
            f"below: {percent(self.question.level)} interval of the expected accuracy; in "
            "brackets, where it differs, that for one new set of classes"
        )
        errors = [
            f"{label}, {accuracy_name(top)} at {k:,} classes{said}"
            for k, top in product(self.question.classes, self.question.tops)
            if (said := errors_in_words(self.at(name, k, top), self.observed_at_k1(top), top))
        ]
        has_interval = any(each.splits for each in self.fits.values())
        counted = [f"observed: {self._counted}"] if "if" in self._counted else []
        return [*([below] if has_interval else []), *counted, *errors, *self._targets()]

    @cached_property
    def _counted(self) -> str:
        """Say what counts equally; and the accuracy if the other did, where that matters."""
        alike, top = bool(self.sample.points_alike), self.question.tops[0]
        found, seed = self.sample.weighing_points(not alike), self.question.seed
        (otherwise,) = average_accuracy(found, found.counted_classes, seed, top=top)
        errors = 1 - self.observed_at_k1(top), 1 - otherwise
        return counts_equally("point", "class", alike, errors, f"it would be {share(otherwise)}")

    def conclusion(self) -> list[str]:
        """Say in plain words what the first method predicts, a sentence each.

        What was observed, what is predicted at each number of classes, where the target is reached,
        and when it is valid.
        """
        tops, level, k1 = self.question.tops, self.question.level, self.sample.counted_classes
        name, label = next(iter(self.methods.items()))
        seen = [f"the {accuracy_name(top)} is {share(self.observed_at_k1(top))}" for top in tops]
        observed = f"On the {k1:,} observed classes {listed(seen)}; {self._counted}."
        predicted = [
            predicted_sentence(k, top, level, self.at(name, k, top), self.observed_at_k1(top))
            for k, top in product(self.question.classes, tops)
        ]
        return [observed, *predicted, *sentences(self._targets()[:1]), VALID.format(method=label)]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves, and wrong names if there are any."""
        curves = pd.concat([self.observed, self.predicted])
        if self.question.tops == (1,):
            curves = curves.drop(columns="top")
        curves = curves.rename(columns={"top": self.question.of})
        names = {} if self.wrong_names is None else {WRONG_NAMES: self.wrong_names.table}
        return {"curves.csv": curves, **names}

    def figure(self) -> Figure:
        """Draw the accuracy curves, a panel a top."""
        drawn, styles = (self.observed, self.predicted), method_styles(self.methods)
        asked = self.sample.counted_classes, self.question.classes
        figure = predicted_curves_figure(*drawn, styles, *asked)
        for axes in figure.axes:
            axes.set_xlabel(self.say(axes.get_xlabel()))
            axes.set_ylabel(self.say(axes.get_ylabel()))
        return figure

    def on_page(self) -> dict[str, Any]:
        """Give what only the page of accuracies shows."""
        question, sample = self.question, self.sample
        points = np.sort(np.unique(sample.labels, return_counts=True)[1])
        (lower,), (upper,) = accuracy_bounds(sample, [2], question.seed)
        return {
            "of_two": share(lower) if upper - lower <= TOLERANCE else span(lower, upper),
            "shown_ends": shown_ends,
            "accuracy_name": accuracy_name,
            "names": [*map(accuracy_name, question.tops)],
            "points": points.tolist(),
            "median": float(np.median(points)),
        }

    def _targets(self) -> list[str]:
        """Say at how many classes each method falls below the target; empty without one."""
        target, level = self.question.target or 0.0, percent(self.question.level)
        what = f"the {accuracy_name(self.question.tops[0])}"
        return [
            target_sentence(f"{self.methods[name]}: {what}", target, sizes, level)
            for name, sizes in self.sizes.items()
        ]

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """What speaks against the first method's answer, the gravest first."""
        first = next(iter(self.methods))
        of_first = cautions_of_accuracy(self._predicted(first), embedded=self.embedded)
        said = {each.reason for each in of_first}
        of_size = self.sizes[first].cautions if first in self.sizes else []
        # Once, if the numbers that were asked for are too far as well.
        more = [each for each in of_size if each.reason not in said]
        return sort_cautions([*self.left_out, *of_first, *more])

    @cached_property
    def other_cautions(self) -> list[AccuracyWarning]:
        """What speaks against the other methods' answers, in one line."""
        return cautions_of_others([self._predicted(name) for name in list(self.methods)[1:]])

    def _predicted(self, name: str) -> Predicted:
        fit, sample = self.fits[name], self.sample
        asked = self.question.classes, self.question.tops
        named = self.wrong_names if name == next(iter(self.methods)) else None
        return Predicted(fit.fitted, fit.n_classes, *asked, sample, fit.variation, named)


# Quick, and without R or TensorFlow; the first is the answer, the others show how sure it is.
DEFAULT_METHODS = ("auto", "gaussian_tail", "empirical_bayes", "regression")
# The others need whole rows.
LIST_METHODS = ("auto", "two_parameter", "regression")


def default_methods(sample: Sample) -> list[str]:
    """Choose the methods that answer where none is asked for."""
    chosen = LIST_METHODS if sample.is_listed else DEFAULT_METHODS
    # The regression does not tell which points err.
    return [each for each in chosen if each != "regression" or sample.design.rivals is None]


def predict(
    sample: Sample,
    classes: npt.ArrayLike,
    methods: str | Sequence[str] = (),
    *,
    tops: int | str | Sequence[int | str] = 1,
    target: float | None = None,
    level: float = LEVEL,
    splits: int = 30,
    seed: int = 0,
    jobs: int = 1,
) -> AccuracyAnswer:
    """Predict the accuracy at other numbers of classes, with all that the command says.

    Parameters
    ----------
    sample : ScoreMatrix, DistanceMatrix or CandidateLists
        The observed classes.
    classes : array_like of int
        Numbers of classes to predict the accuracy at.
    methods : str or sequence of str
        Names in `EXTRAPOLATORS`. The first is the answer; the others show how sure it is. By
        default those of the command.
    tops : int, str, or sequence of these
        The t of the top-t accuracies, or names of measures such as ``"ndcg@10"``.
    target : float, optional
        An accuracy; the answer then says at how many classes it is reached.
    level : float
        Nominal coverage of the intervals.
    splits : int
        Splits into halves that give the intervals; 0 for none.
    seed : int
        Of the splits, and of the methods.
    jobs : int
        Processes that fit at the same time.

    Returns
    -------
    AccuracyAnswer
        Printed, it says the answer in sentences. `cautions` speak against it, `tables()` are data
        frames, `figure()` draws it, and `save(folder)` writes what the command writes.

    Raises
    ------
    InputError, FitError
        As by the methods.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> answer = ac.predict(ac.simulate(n_classes=60), [120, 600], ["auto"], splits=3)
    >>> print(answer.conclusion()[2])
    With 600 classes the expected accuracy is .661 (90 % interval .524 to .775).
    """
    sample, k = as_sample(sample), np.unique(check_classes(classes)).tolist()
    asked = (tops,) if isinstance(tops, int | str) else tuple(tops)
    question = AccuracyQuestion(k, asked, target, level=level, splits=splits, seed=seed)
    chosen = methods or default_methods(sample)
    names = [chosen] if isinstance(chosen, str) else chosen
    made = {method: make_extrapolator(method, seed=seed) for method in names}
    return answer_accuracy(sample, made, question, leave_out=not methods, jobs=jobs)


def answer_accuracy(
    sample: Sample,
    extrapolators: Mapping[str, Extrapolator],
    question: AccuracyQuestion,
    *,
    wrong_names: Callable[[Sample], WrongNames | None] = look_for_wrong_names,
    embedded: Photos | None = None,
    leave_out: bool = False,
    jobs: int = 1,
) -> AccuracyAnswer:
    """Fit the methods, in their order, to a sample and predict.

    `wrong_names` looks for wrong names. `embedded` is whether the scores are distances of
    embeddings. `leave_out` leaves out the methods that need more classes, unless none would be
    left, and those beside the first whose curves rise. `jobs` processes fit at the same time.
    """
    k1, seed, tops = sample.counted_classes, question.seed, question.tops
    chosen, left_out = dict(extrapolators), []
    few = [name for name, each in chosen.items() if each.minimum_classes > k1]
    if leave_out and len(few) < len(chosen):
        for name in few:
            why = f"it needs {chosen.pop(name).minimum_classes} classes or more"
            left_out.append(caution("left_out", method=name, why=why))
    for each in chosen.values():
        each.check_top(max(Measure.of(top).top for top in tops))
    # First, as it says where lists are too short.
    observed = [observed_curve(sample, top, seed) for top in tops]
    # Without intervals where half of the classes are too few.
    splits = [
        min(question.splits, each.splits) if k1 >= each.classes_for_halves else 0
        for each in chosen.values()
    ]
    fitted = fit_halves(sample, list(chosen.values()), splits, seed, jobs=jobs)
    fits = dict(zip(chosen, map(ClassIntervals.of, fitted), strict=True))
    rising = {
        name
        for name, each in fits.items()
        if any(above_observed(Predicted(each.fitted, k1, question.classes, tops, sample)))
    }
    for name in [*fits][1:] if leave_out else ():
        if name in rising:
            left_out.append(caution("left_out", method=name, why=RISES))
            del fits[name]
    k = grid(max(k1, *question.classes), [k1, *question.classes])
    curves = {
        (name, top): each.find_interval(k, top, question.level)
        for name, each in fits.items()
        for top in tops
    }
    sizes = {
        name: each.classes_below(question.target, tops[0], question.level)
        for name, each in fits.items()
        if question.target is not None
    }
    return AccuracyAnswer(
        sample=sample,
        question=question,
        methods={
            name: each.fitted.label + " (rises)" * (name in rising) for name, each in fits.items()
        },
        observed=pd.concat(observed, ignore_index=True),
        curves=curves,
        fits=fits,
        sizes=sizes,
        embedded=embedded,
        wrong_names=wrong_names(sample),
        left_out=left_out,
    )


def grid(largest: int, asked: npt.ArrayLike) -> IntArray:
    """Spread numbers of classes over 2..largest: some evenly, some by ratio, and those asked.

    They are ascending and distinct, at most 280 more than the asked.
    """
    if largest <= GRID:
        spread = np.arange(2, largest + 1)
    else:
        evenly = np.linspace(2, largest, GRID // 2)
        spread = np.concatenate([evenly, np.geomspace(2, largest, GRID // 2)]).astype(np.int64)
    ends = np.array([2, largest, *np.atleast_1d(np.asarray(asked, dtype=np.int64))])
    return np.unique(np.concatenate([np.minimum(spread, largest), ends]))


def observed_curve(sample: Sample, top: int | str, seed: int) -> pd.DataFrame:
    """Average the observed accuracy at every number of classes, unless there are very many.

    Where lists do not tell it, its bounds are lower and upper.
    """
    k1 = sample.counted_classes
    k = np.arange(2, k1 + 1) if k1 <= EVERY_K_UP_TO else grid(k1, [])
    lower, upper = accuracy_bounds(sample, k, seed, top=top)
    told = (upper - lower <= TOLERANCE) | (k == sample.n_classes)
    ends = {name: np.where(told, np.nan, end) for name, end in (("lower", lower), ("upper", upper))}
    return curve_table("observed", k, top, np.where(told, lower, np.nan), **ends)


def curve_table(
    name: str, k: IntArray, top: int | str, accuracy: Float64Array, **ends: Float64Array
) -> pd.DataFrame:
    """Put one curve into the tidy columns."""
    columns = {"method": name, "k": k, "top": top, "accuracy": accuracy}
    return pd.DataFrame({**columns, **dict.fromkeys(ENDS, np.nan), **ends})
