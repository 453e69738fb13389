"""What `accuracy-curves predict` answers: curves with intervals, sizes, doubts."""

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.threshold import first_below
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, outscored_and_tied, ranks
from accuracy_curves.observed.exchangeability import exchangeability, group_doubts
from accuracy_curves.prediction.prediction_warnings import doubts_of_prediction
from accuracy_curves.prediction.question_answer import Answer, Question, Sizes
from accuracy_curves.prediction.sample_warnings import doubts_of_sample
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES, ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray

if TYPE_CHECKING:
    import pandas as pd

# Up to this many classes the observed curve has every k, and a grid above.
EVERY_K_UP_TO = 10_000
GRID = 280


def answered(
    sample: ScoreMatrix,
    extrapolators: Mapping[str, Extrapolator],
    question: Question,
    busy: Callable[[str], AbstractContextManager[object]] = nullcontext,
    groups: npt.NDArray[np.str_] | None = None,
    *,
    embedded: bool = False,
) -> Answer:
    """Fit the methods to a sample and predict.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    extrapolators : mapping of str to Extrapolator
        The methods, not fitted, in the order of the answer.
    question : Question
        What is asked.
    busy : callable
        Gives a context in which the method of that name is at work.
    groups : (k1,) array of str, optional
        Group of each class, to test whether groups are exchangeable.
    embedded : bool
        Whether the scores are distances of embeddings.

    Returns
    -------
    Answer

    Raises
    ------
    InputError
        If the question is out of range or the sample too small for a method.
    FitError
        If a method cannot be fitted.
    """
    import pandas as pd

    compared = None if groups is None else exchangeability(sample, groups, seed=question.seed)
    k1, seed, tops = sample.n_classes, question.seed, question.tops
    observed = observed_curves(sample, observed_grid(k1), tops, seed)
    k = grid(max(k1, *question.classes), [k1, *question.classes])
    curves, intervals, sizes = {}, {}, {}
    # The quick methods first: what is missing for them is known before the wait.
    for name in sorted(extrapolators, key=lambda name: extrapolators[name].slow):
        with busy(name):
            fitted = extrapolators[name].fit(sample)
            each = class_intervals(extrapolators[name], sample, question.splits, seed)
            curves[name] = predicted_curves(fitted, each, k, tops, question.level)
            intervals[name] = each
            if question.target is not None:
                sizes[name] = _sizes(fitted, each, question.target, tops[0], question.level)
    predicted = pd.concat([curves[name] for name in extrapolators], ignore_index=True)
    outscored = ranks(sample, seed)
    seen = average_accuracy_of_ranks(outscored, k1, observed_grid(k1), sample.weights)
    tied = float(np.mean(outscored_and_tied(sample)[1] > 0))
    ordered = {name: intervals[name] for name in extrapolators}
    found = {name: sizes[name] for name in extrapolators if name in sizes}
    return Answer(
        sample=sample,
        question=question,
        methods={name: EXTRAPOLATORS[name].label for name in extrapolators},
        observed=observed,
        predicted=predicted,
        intervals=ordered,
        seen=seen,
        tied=tied,
        sizes=found,
        doubts=[
            *doubts_of_sample(sample, outscored, tied, embedded=embedded),
            *(group_doubts(compared) if compared else []),
            *doubts_of_prediction(question, k1, seen, predicted, ordered, found),
        ],
        compared=compared,
    )


def observed_grid(n_classes: int) -> IntArray:
    """Numbers of classes, (n,), at which the observed curve is written: all unless K is huge."""
    if n_classes <= EVERY_K_UP_TO:
        return np.arange(2, n_classes + 1)
    return grid(n_classes, [])


def grid(largest: int, asked: npt.ArrayLike) -> IntArray:
    """Spread numbers of classes over 2..largest: some evenly, some by ratio, and those asked.

    Parameters
    ----------
    largest : int
        The last one, at least 2.
    asked : (n,) array of int
        Some that must be there.

    Returns
    -------
    (m,) array of int
        Ascending, distinct, at most 280 more than the asked.
    """
    if largest <= GRID:
        spread = np.arange(2, largest + 1)
    else:
        evenly = np.linspace(2, largest, GRID // 2)
        spread = np.concatenate([evenly, np.geomspace(2, largest, GRID // 2)]).astype(np.int64)
    ends = np.array([2, largest, *np.atleast_1d(np.asarray(asked, dtype=np.int64))])
    k: IntArray = np.unique(np.concatenate([spread.clip(2, largest), ends]))
    return k


def leave_out_too_few(extrapolators: dict[str, Extrapolator], n_classes: int) -> list[str]:
    """Take away the methods that need more classes, unless none would be left.

    Parameters
    ----------
    extrapolators : dict of str to Extrapolator
        Is changed.
    n_classes : int
        k1.

    Returns
    -------
    list of str
        A sentence for each that is left out.
    """
    needed = {name: each.minimum_classes for name, each in extrapolators.items()}
    few = [name for name in extrapolators if needed[name] > n_classes]
    if len(few) == len(extrapolators):
        return []
    for name in few:
        del extrapolators[name]
    return [
        f"{name} is left out, as it needs at least {needed[name]} classes: add classes, or read "
        "the prediction of the other methods with care"
        for name in few
    ]


def class_intervals(
    model: Extrapolator, sample: ScoreMatrix, splits: int, seed: int
) -> ClassIntervals | None:
    """Refit a method to halves of the classes, unless they are too few.

    Parameters
    ----------
    model : Extrapolator
        With its options; it is not changed.
    sample : ScoreMatrix
        N points, k1 classes.
    splits : int
        Number of splits, cut to the method's `splits`; 0 for no interval.
    seed : int
        Seed of the splits.

    Returns
    -------
    ClassIntervals or None
    """
    needed = 2 * max(MINIMUM_CLASSES, model.minimum_classes)
    if splits == 0 or sample.n_classes < needed:
        return None
    splits = min(splits, model.splits)
    return ClassIntervals(sample, copy.copy(model), splits=splits, seed=seed)


def observed_curves(
    sample: ScoreMatrix, k: IntArray, tops: Sequence[int], seed: int
) -> "pd.DataFrame":
    """Average the observed accuracies: the columns of `Answer.observed`, without intervals."""
    import pandas as pd

    outscored = ranks(sample, seed)
    tables = []
    for top in tops:
        seen = average_accuracy_of_ranks(outscored, sample.n_classes, k, sample.weights, top=top)
        tables.append(_table("observed", k, top, seen, [np.full(len(k), np.nan)] * 4))
    return pd.concat(tables, ignore_index=True)


def predicted_curves(
    fitted: Extrapolator,
    intervals: ClassIntervals | None,
    k: IntArray,
    tops: Sequence[int],
    level: float,
) -> "pd.DataFrame":
    """Predict with intervals where there are any: the columns of `Answer.predicted`."""
    import pandas as pd

    tables = []
    for top in tops:
        ends = [np.full(len(k), np.nan)] * 4
        if intervals is not None:
            found = intervals.interval(k, top, level)
            ends = [found.lower, found.upper, found.set_lower, found.set_upper]
        accuracy = np.clip(fitted.predict(k, top), 0.0, 1.0)
        tables.append(_table(fitted.name, k, top, accuracy, ends))
    return pd.concat(tables, ignore_index=True)


def _sizes(
    fitted: Extrapolator, intervals: ClassIntervals | None, target: float, top: int, level: float
) -> Sizes:
    """Find the number of classes at which the target is reached; alone where no interval is."""
    if intervals is not None:
        return intervals.classes_below(target, top, level)
    return first_below(lambda k: np.clip(fitted.predict(k, top), 0.0, 1.0), target), None, None


def _table(
    name: str, k: IntArray, top: int, accuracy: Float64Array, ends: Sequence[Float64Array]
) -> "pd.DataFrame":
    """Put one curve into the tidy columns."""
    import pandas as pd

    names = ("lower", "upper", "set_lower", "set_upper")
    columns = {"k": k, "top": top, "accuracy": accuracy, **dict(zip(names, ends, strict=True))}
    return pd.DataFrame({"method": name, **columns})
