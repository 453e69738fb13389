"""A question about a sample of classes, and what the methods answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy_plots import draw_accuracy
from accuracy_curves.answers.accuracy_wording import (
    VALID,
    accuracy_name,
    errors_sentence,
    expected_sentence,
    sizes_in_words,
    target_sentence,
)
from accuracy_curves.answers.answer import WRONG_NAMES, Answer, Question
from accuracy_curves.answers.style import method_styles
from accuracy_curves.answers.wording import (
    counts_equally,
    in_cell,
    percent,
    signed,
    span,
    speaker,
)
from accuracy_curves.cautions import share, sort_cautions, warn
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.wrong_names import WrongNames, look_for_wrong_names
from accuracy_curves.intervals.cautions import (
    Predicted,
    above_observed,
    cautions_of_accuracy,
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
    """Accuracies that methods predict, the chosen one first in `methods` (key: label).

    `curves` are of each method and top. `observed` and `predicted` have the columns method, k, top,
    accuracy, lower, upper, set_lower, set_upper. `fits` are of each method, to the sample and to
    halves of its classes; where half of the classes are too few, or without splits, the ends of its
    intervals are NaN.
    `sizes` are the numbers of classes at which each method's accuracy, that of the first top, falls
    below the target; empty without a target. `embedded` are the photos whose distances the scores
    are, `wrong_names` what `find_wrong_names` finds, if anything, and `left_out` says by its label
    which method is, and why. A curve that rises beyond k1 is marked in its method's label.
    """

    tables_written = ("curves.csv", WRONG_NAMES)
    stem = "curves"
    title = "How accurate on more classes?"
    sample: Sample
    question: AccuracyQuestion
    methods: dict[str, str]
    observed: pd.DataFrame
    curves: dict[tuple[str, int | str], Interval]
    fits: dict[str, ClassIntervals]
    sizes: dict[str, Sizes]
    embedded: Photos | None
    wrong_names: WrongNames | None
    left_out: dict[str, str]

    def say(self, text: str) -> str:
        """Put a text into the words of those who ask."""
        return speaker(self.question.words, of_measures=self.question.of == "measure")(text)

    @property
    def first(self) -> str:
        """The method whose answer it is."""
        return next(iter(self.methods))

    def at(self, method: str, k: int, top: int | str) -> Prediction:
        """Give what a method predicts at a number of classes of the question."""
        return self.curves[method, top].at(k)

    @cached_property
    def predicted(self) -> pd.DataFrame:
        """The curves in one table."""
        tables = [curve.to_frame().assign(top=top) for (_, top), curve in self.curves.items()]
        every = pd.concat(tables, ignore_index=True)
        return every.reindex(columns=["method", "k", "top", "accuracy", *ENDS])

    @property
    def table(self) -> pd.DataFrame:
        """The accuracy observed at k1, and those predicted, each with its intervals."""
        seen = self.observed[self.observed["k"] == self.sample.counted_classes]
        answered = self.predicted[self.predicted["k"].isin(self.question.classes)]
        return self._tidy(seen, answered).reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves, and wrong names if there are any."""
        curves = {"curves.csv": self._tidy(self.observed, self.predicted)}
        names = {} if self.wrong_names is None else {WRONG_NAMES: self.wrong_names.table}
        return curves | names

    def _tidy(self, *parts: pd.DataFrame) -> pd.DataFrame:
        table = pd.concat(parts)
        if self.question.tops == (1,):
            table = table.drop(columns="top")
        return table.rename(columns={"top": self.question.of})

    def observed_at_k1(self, top: int | str) -> float:
        """Look up the accuracy of all observed classes."""
        return float(self.observed.loc[self.observed["top"] == top, "accuracy"].iloc[-1])

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes, and where the target is reached."""
        k, level, k1 = max(self.question.classes), self.question.level, self.sample.counted_classes
        said = []
        for top in self.question.tops:
            predicted, seen = self.at(self.first, k, top), self.observed_at_k1(top)
            said.append(expected_sentence(k, top, level, predicted, k1, seen))
            said.append(errors_sentence(k, predicted, seen, top))
        if self.question.target is not None:
            top, sizes = self.question.tops[0], self.sizes[self.first]
            said.append(target_sentence(top, self.question.target, sizes, level))
        return [*filter(None, said)]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: classes, top unless it is 1, a column a method."""
        several, left_out = self.question.tops != (1,), list(self.left_out.values())
        rows = [
            [
                f"{k:,}",
                *([str(top)] if several else []),
                *(in_cell(self.at(name, k, top)) for name in self.methods),
                *left_out,
            ]
            for k, top in product(self.question.classes, self.question.tops)
        ]
        if self.question.target is not None:
            sizes = ["\n".join(sizes_in_words(self.sizes[name])) for name in self.methods]
            first = [f"below {share(self.question.target)}", *([""] if several else [])]
            rows.append([*first, *sizes, *left_out])
        heads = [self.question.of] if several else []
        return ["classes", *heads, *self.methods.values(), *self.left_out], rows

    def others_from(self) -> int:
        """Give the column of the second method."""
        return 2 + (self.question.tops != (1,))

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the accuracy curves, a panel a top."""
        return [partial(self._draw, top=top) for top in self.question.tops]

    def _draw(self, axes: Axes, top: int | str) -> None:
        styles = method_styles(self.methods)
        k1, classes = self.sample.counted_classes, self.question.classes
        draw_accuracy(axes, self.observed, self.predicted, styles, k1, classes, top)
        axes.set(xlabel=self.say(axes.get_xlabel()), ylabel=self.say(axes.get_ylabel()))

    caption = (
        "The average accuracy over all subsets of k of the observed classes (thick, grey), and "
        "what the method predicts, with its interval. Dots are the numbers of classes of the "
        "question. Other methods are thin and grey; the dotted line is k1."
    )

    def assumptions(self) -> list[str]:
        """Say when it is valid, how it counts, and what holds for one new set of classes."""
        k, top = max(self.question.classes), self.question.tops[0]
        predicted = self.at(self.first, k, top)
        said = [text.format(method=self.methods[self.first]) for text in VALID]
        if predicted.has_interval:
            level = percent(self.question.level)
            said += [
                f"The {level} interval contains the expected {accuracy_name(top)}, whichever k1 "
                "classes happened to be observed; it includes only the bias that refitting on half "
                "of the classes reveals",
                f"On one new set of {k:,} classes, with as many points for each, the "
                f"{accuracy_name(top)} is within {span(predicted.set_lower, predicted.set_upper)}",
            ]
        return [*said, f"Observed: {self._counted}"]

    @cached_property
    def _counted(self) -> str:
        """Say what counts equally; and the accuracy if the other did, where that matters."""
        alike, top = bool(self.sample.points_alike), self.question.tops[0]
        other, seed = self.sample.weighing_points(not alike), self.question.seed
        (otherwise,) = average_accuracy(other, other.counted_classes, seed, top=top)
        errors = 1 - self.observed_at_k1(top), 1 - otherwise
        return counts_equally("point", "class", alike, errors, f"it would be {share(otherwise)}")

    def facts(self) -> dict[str, str]:
        """Describe the sample, and the fits to halves."""
        errors = {
            f"{self.methods[name]}, fitted to half of the classes: error at k1": fit.backtest
            for name, fit in self.fits.items()
            if fit.splits
        }
        of_sample = facts_of_sample(self.sample, self.question.seed)
        return of_sample | {name: signed(error) for name, error in errors.items()}

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        fit, sample = self.fits[self.first], self.sample
        asked = fit.n_classes, self.question.classes, self.question.tops
        predicted = Predicted(fit.fitted, *asked, sample, fit.variation, self.wrong_names)
        cautions = cautions_of_accuracy(predicted, embedded=self.embedded)
        reasons = {each.reason for each in cautions}
        of_size = self.sizes[self.first].cautions if self.sizes else []
        # Once, if the numbers of the question are too far as well.
        return sort_cautions([*cautions, *(each for each in of_size if each.reason not in reasons)])


def facts_of_sample(sample: Sample, seed: int) -> dict[str, str]:
    """Describe a sample of classes."""
    n, points = sample.n_points, np.sort(np.unique(sample.labels, return_counts=True)[1])
    of_class = f"{points[0]:,}"
    if points[0] < points[-1]:
        of_class += f" to {points[-1]:,}, median {np.median(points):,g}"
    (lower,), (upper,) = accuracy_bounds(sample, [2], seed)
    facts = {"data points": f"{n:,}", "classes, k1": f"{sample.counted_classes:,}"}
    rivals = sample.design.rivals
    if rivals is not None and (queries := (rivals.place == 0).sum()) < n:
        facts["data points"] = f"{queries:,}, with {n:,} right answers"
    return facts | {
        "classes with data points": f"{len(points):,} of {sample.n_classes:,}",
        "data points of a class": of_class,
        "scores": "higher is better" if sample.higher_is_better else "lower is better",
        "accuracy at two classes (rAUC)": (
            share(lower) if upper - lower <= TOLERANCE else span(lower, upper)
        ),
    }


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
    """Predict the accuracy at other numbers of classes.

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
        Printed, it is what the command prints. `table` has its numbers, `cautions` are reasons to
        doubt it, `plot()` draws it, and `save(folder)` writes what the command writes.

    Raises
    ------
    InputError, FitError
        As by the methods.

    Warns
    -----
    AccuracyWarning
        Where the answer is useless or doubtful.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> answer = ac.predict(ac.simulate(n_classes=60), [120, 600], ["auto"], splits=3)
    >>> answer.table["accuracy"].round(3).tolist()  # observed, then predicted
    [0.928, 0.873, 0.661]
    """
    sample, k = as_sample(sample), np.unique(check_classes(classes)).tolist()
    asked = (tops,) if isinstance(tops, int | str) else tuple(tops)
    question = AccuracyQuestion(k, asked, target, level=level, splits=splits, seed=seed)
    chosen = methods or default_methods(sample)
    names = [chosen] if isinstance(chosen, str) else chosen
    models = {method: make_extrapolator(method, seed=seed) for method in names}
    answer = answer_accuracy(sample, models, question, leave_out=not methods, jobs=jobs)
    warn(answer.cautions)
    return answer


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
    chosen, left_out = dict(extrapolators), {}
    few = [name for name, each in chosen.items() if each.minimum_classes > k1]
    if leave_out and len(few) < len(chosen):
        for name in few:
            model = chosen.pop(name)
            left_out[model.label] = f"needs {model.minimum_classes}\nclasses"
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
            left_out[fits.pop(name).fitted.label] = "rises"
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
