"""How accurate on more classes: the answer of `predict`."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.answers import curves
from accuracy_curves.answers.answer import WRONG_NAMES
from accuracy_curves.cautions import sort_cautions, warn
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.cautions import Predicted, above_observed, cautions_of_accuracy
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEVEL, fit_halves
from accuracy_curves.intervals.newcomers import UNLIKE, JoinedFits
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import ArrayLike
from accuracy_curves.utils.validation import Choice, check, check_classes, name_here
from accuracy_curves.vocabulary import VOCABULARIES, Vocabulary

FEW_NEWCOMERS = 30


@dataclass(frozen=True, repr=False, kw_only=True)
class AccuracyAnswer(curves.CurvesAnswer):
    """Accuracies that methods predict from a sample of classes.

    `fits` has each method, fitted to the sample and to halves of its classes. Ends of intervals are
    NaN without splits, and where half of the classes are too few. The label of a method says
    whether its curve rises beyond k1.
    """

    assumptions = "accuracy.html"
    sample: Sample
    fits: dict[str, ClassIntervals]

    @cached_property
    def _predicted(self) -> Predicted:
        fit = self.fits[self.first]
        question = fit.n_classes, self.classes, self.tops
        return Predicted(fit.fitted, *question, self.sample, fit.variation)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves, and wrong names if there are any."""
        named = self._predicted.named
        return super().tables() | ({WRONG_NAMES: named.table} if named else {})

    def conclusion(self) -> list[str]:
        """Say what is expected, and how newcomers count where some were given."""
        fits, said = self.fits[self.first].variation, super().conclusion()
        if isinstance(fits, JoinedFits):
            said.append(newcomers_sentence(self.words, fits))
        return said

    def data(self) -> list[str]:
        """Describe the sample."""
        return [curves.described(self.sample, self.words)]

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        cautions = cautions_of_accuracy(self._predicted)
        reasons = {doubt.reason for doubt in cautions}
        of_size = self.sizes[self.first].cautions if self.sizes else []
        # Once, if the numbers of the question are too far as well.
        return sort_cautions(
            [*cautions, *(doubt for doubt in of_size if doubt.reason not in reasons)]
        )


def newcomers_sentence(w: Vocabulary, fits: JoinedFits) -> str:
    """Say how newcomers count, and whether they are found to be unlike the known classes."""
    m, p = fits.n_newcomers, fits.difference.p
    differ = "are unlike" if fits.difference.p <= UNLIKE else "may be like"
    few = f" {m} newcomers are few: {FEW_NEWCOMERS} are better." if m < FEW_NEWCOMERS else ""
    return (
        f"The prediction is for today's {w.points}, as {w.classes} like the {m:,} newcomers join. "
        f"Each counts as {fits.phi:.2g} known {w.classes}; they {differ} the known {w.classes} "
        f"(p = {p:.3f}).{few}"
    )


# Quick, and without R or TensorFlow; the first is the answer, the others show how sure it is.
DEFAULT_METHODS = ("auto", "gaussian_tail", "empirical_bayes", "regression")
# The others need whole rows.
LIST_METHODS = ("auto", "two_parameter", "regression")


def default_methods(sample: Sample) -> list[str]:
    """Choose the methods that answer where none is named."""
    if sample.design.newcomers is not None:
        return ["auto"]
    chosen = LIST_METHODS if sample.is_listed else DEFAULT_METHODS
    # The regression does not show which points err.
    return [name for name in chosen if name != "regression" or sample.design.rivals is None]


def predict(
    sample: Sample,
    classes: ArrayLike,
    methods: str | Extrapolator | Sequence[str | Extrapolator] = (),
    *,
    tops: int | str | Sequence[int | str] = 1,
    target: float | None = None,
    level: float = LEVEL,
    splits: int = 30,
    seed: int = 0,
    jobs: int = 1,
    words: str = "classes",
    options: Mapping[str, Mapping[str, Any]] | None = None,
    **unknown: object,
) -> AccuracyAnswer:
    """Predict the accuracy at other numbers of classes.

    Parameters
    ----------
    sample : ScoreMatrix, DistanceMatrix or CandidateLists
        The observed classes.
    classes : array_like of int
        Numbers of classes to predict the accuracy at.
    methods : str, Extrapolator, or sequence of these
        Names in `EXTRAPOLATORS`, or methods with options of their own. The first is the answer; the
        others show how sure it is. By default those of the command, without methods that need more
        classes, and without others than the first whose curve rises.
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
    words : {"classes", "people", "documents", "items"}
        What the classes are called.
    options : dict, optional
        Options of methods by their names, such as ``{"cleanex": {"steps": 2000}}``.
    **unknown
        Refused, with the name that such an argument has here.

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
    for name in unknown:
        known = [*inspect.signature(predict).parameters][:-1]
        here = name_here(name, known) or f": it takes {', '.join(known)}"
        raise InputError(f"predict takes no {name}{here}")
    sample, k = as_sample(sample), np.unique(check_classes(classes)).tolist()
    check("words", words, Choice(*VOCABULARIES))
    tops = (tops,) if isinstance(tops, int | str) else tuple(tops)
    w, k1, options = VOCABULARIES[words], sample.counted_classes, options or {}
    if curves.name_of(tops) == "measure":
        w = replace(w, accuracy="measure")
    named = [methods] if isinstance(methods, str | Extrapolator) else methods
    names: Sequence[str | Extrapolator] = named or default_methods(sample)
    curves.refuse_unused(options, names)
    chosen = [
        make_extrapolator(name, **{"seed": seed, **options.get(name, {})})
        if isinstance(name, str)
        else name
        for name in names
    ]
    if not named:
        # One at least, which says what it needs.
        chosen = [model for model in chosen if model.minimum_classes <= k1] or chosen
    models = {model.name: model for model in chosen}
    for model in models.values():
        model.check_top(max(Measure.of(top).top for top in tops))
    for top in tops:
        sample.check_lengths(Measure.of(top).top, min(k) / k1)
    observed = [curves.observed_curve(sample, top, seed) for top in tops]
    # Without intervals where half of the classes are too few.
    of_each = [
        min(splits, model.splits) if k1 >= model.classes_for_halves else 0
        for model in models.values()
    ]
    halves = fit_halves(sample, list(models.values()), of_each, seed, jobs=jobs)
    fits = dict(zip(models, map(ClassIntervals.of, halves), strict=True))
    labels = {name: fit.fitted.label for name, fit in fits.items()}
    for name in [*fits]:
        if any(above_observed(Predicted(fits[name].fitted, k1, k, tops, sample))):
            labels[name] += " (rises)"
            if not named and name != chosen[0].name:
                del fits[name], labels[name]
    at = curves.grid(max(k1, *k), [k1, *k])
    predicted = [
        fit.find_interval(at, top, level).to_frame().assign(top=top)
        for fit in fits.values()
        for top in tops
    ]
    sizes = {
        name: fit.classes_below(target, tops[0], level)
        for name, fit in fits.items()
        if target is not None
    }
    answer = AccuracyAnswer(
        sample=sample,
        classes=k,
        tops=tops,
        target=target,
        level=level,
        words=w,
        methods=labels,
        color=chosen[0].color,
        observed=pd.concat(observed, ignore_index=True),
        predicted=pd.concat(predicted)[["method", "k", "top", "accuracy", *curves.ENDS]],
        k1=k1,
        fits=fits,
        sizes=sizes,
    )
    warn(answer.cautions)
    return answer
