"""A question about a sample of classes, and what the methods answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.answers.accuracy_wording import (
    accuracy_name,
    newcomers_sentence,
    when_valid,
)
from accuracy_curves.answers.answer import WRONG_NAMES, answering
from accuracy_curves.answers.curves import (
    ENDS,
    AccuracyQuestion,
    CurvesAnswer,
    facts_of_sample,
    grid,
    observed_curve,
)
from accuracy_curves.answers.wording import (
    counts_equally,
    percent,
    signed,
    span,
)
from accuracy_curves.cautions import share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.wrong_names import look_for_wrong_names
from accuracy_curves.intervals.cautions import (
    Predicted,
    above_observed,
    cautions_of_accuracy,
)
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEVEL, fit_halves
from accuracy_curves.intervals.newcomers import JoinedFits
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.validation import check_classes


@dataclass(frozen=True, repr=False, kw_only=True)
class AccuracyAnswer(CurvesAnswer):
    """Accuracies that methods predict from a sample of classes.

    `fits` are of each method, to the sample and to halves of its classes; where half of the classes
    are too few, or without splits, the ends of its intervals are NaN. A curve that rises beyond k1
    is marked in its method's label.
    """

    sample: Sample
    fits: dict[str, ClassIntervals]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves, and wrong names if there are any."""
        names = look_for_wrong_names(self.sample)
        return super().tables() | ({} if names is None else {WRONG_NAMES: names.table})

    def conclusion(self) -> list[str]:
        """Say what is expected, and how newcomers count where some were given."""
        said, fits = super().conclusion(), self.fits[self.first].variation
        return [*said, newcomers_sentence(fits)] if isinstance(fits, JoinedFits) else said

    def assumptions(self) -> list[str]:
        """Say when it is valid, how it counts, and what holds for one new set of classes."""
        k, top = max(self.question.classes), self.question.tops[0]
        predicted = self.at(self.first, k, top)
        first = self.first
        said = when_valid(self.methods[first], self.fits[first], self.sample.design)
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
        cautions = cautions_of_accuracy(Predicted(fit.fitted, *asked, sample, fit.variation))
        reasons = {each.reason for each in cautions}
        of_size = self.sizes[self.first].cautions if self.sizes else []
        # Once, if the numbers of the question are too far as well.
        return sort_cautions([*cautions, *(each for each in of_size if each.reason not in reasons)])


# Quick, and without R or TensorFlow; the first is the answer, the others show how sure it is.
DEFAULT_METHODS = ("auto", "gaussian_tail", "empirical_bayes", "regression")
# The others need whole rows.
LIST_METHODS = ("auto", "two_parameter", "regression")


def default_methods(sample: Sample) -> list[str]:
    """Choose the methods that answer where none is asked for."""
    chosen = LIST_METHODS if sample.is_listed else DEFAULT_METHODS
    if sample.design.newcomers is not None:
        return ["auto"]
    # The regression does not tell which points err.
    return [each for each in chosen if each != "regression" or sample.design.rivals is None]


@answering
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
    models = [make_extrapolator(method, seed=seed) for method in names]
    named = {model.name: model for model in models}
    return answer_accuracy(sample, named, question, leave_out=not methods, jobs=jobs)


def answer_accuracy(
    sample: Sample,
    extrapolators: Mapping[str, Extrapolator],
    question: AccuracyQuestion,
    *,
    leave_out: bool = False,
    jobs: int = 1,
) -> AccuracyAnswer:
    """Fit the methods, in their order, to a sample and predict.

    `leave_out` leaves out the methods that need more classes, unless none would be left, and those
    beside the first whose curves rise. `jobs` processes fit at the same time.
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
    for top in tops:
        sample.check_lengths(Measure.of(top).top, min(question.classes) / k1)
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
    curves = [
        each.find_interval(k, top, question.level).to_frame().assign(top=top)
        for each in fits.values()
        for top in tops
    ]
    predicted = pd.concat(curves, ignore_index=True)
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
        predicted=predicted.reindex(columns=["method", "k", "top", "accuracy", *ENDS]),
        k1=k1,
        fits=fits,
        sizes=sizes,
        left_out=left_out,
    )
