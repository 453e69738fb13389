"""A predicted accuracy in words."""

import re

from accuracy_curves.answers.wording import interval_in_words, percent
from accuracy_curves.cautions import share
from accuracy_curves.intervals.class_intervals import ClassIntervals, Sizes
from accuracy_curves.intervals.newcomers import JoinedFits
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.observed.measures import Top
from accuracy_curves.scores.design import Design

LEARNED = {"jointly": "its classes jointly", "separately": "each class against the rest"}
FIELD = {"ndcg": "nDCG", "mrr": "MRR", "map": "MAP"}
# Accuracies above it are given by their errors too.
HIGH, HALF = 0.9, 0.5
FEW_NEWCOMERS = 30


def accuracy_name(top: Top) -> str:
    """Name the top-t accuracy; top 1 is the accuracy, and a measure is called as the field does."""
    if isinstance(top, str):
        return re.sub("ndcg|mrr|map", lambda name: FIELD[name[0]], top)
    return "accuracy" if top == 1 else f"top-{top} accuracy"


def when_valid(label: str, intervals: ClassIntervals, design: Design) -> list[str]:
    """Say when a method's prediction is valid; and how the classifier learned."""
    like = "newcomers" if isinstance(intervals.variation, JoinedFits) else "observed ones"
    valid = (
        f"The prediction (method: {label}) is valid if the classes to come are drawn like the "
        f"{like}"
    )
    if design.trained:
        how = LEARNED[design.trained]
        return [valid, f"It is of a classifier that learns {how}, trained on all of them"]
    return [
        f"{valid}, and if a class's score does not depend on which other classes there are",
        "Scores of a classifier that was trained on these classes together are less sure: say how "
        "it was trained",
    ]


def newcomers_sentence(fits: JoinedFits) -> str:
    """Say how newcomers count, and whether they are found to be unlike the known classes."""
    m, p = fits.n_newcomers, fits.difference.p
    differ = "are unlike" if fits.difference.is_found else "may be like"
    few = f" {m} newcomers are few: {FEW_NEWCOMERS} are better." if m < FEW_NEWCOMERS else ""
    return (
        f"This is of today's points, as classes like the {m:,} newcomers join. Each counts as "
        f"{fits.phi:.2g} known classes; they {differ} the known classes (p = {p:.3f}).{few}"
    )


def an_accuracy(top: Top) -> str:
    """Name it with its article."""
    name = accuracy_name(top)
    return f"{'an' if name.startswith(('accuracy', 'nDCG', 'MRR')) else 'a'} {name}"


def expected_sentence(
    k: int, top: Top, level: float, predicted: Prediction, tested: int, observed: float
) -> str:
    """Say what is expected at k classes, and what was observed at the number that was tested."""
    interval = interval_in_words(predicted, level)
    expected = f"{an_accuracy(top)} of {share(predicted.value)} is expected{interval}"
    seen = f"with {tested:,}, as tested, {share(observed)}"
    return f"With {k:,} classes {expected}; {seen}."


def errors_sentence(k: int, predicted: Prediction, observed: float, top: Top = 1) -> str:
    """Say in how many searches one errs, where few do; `observed` is the accuracy at k1.

    Of an accuracy: other measures have no errors.
    """
    if isinstance(top, str):
        return ""
    # Where most may err, one error in n says nothing.
    has_interval = predicted.lower >= HALF
    # A mean of ones may miss 1 by its rounding.
    faultless = 1 - observed < 1e-12
    if predicted.value <= HIGH or (faultless and not has_interval):
        return ""
    what = "" if top == 1 else f" in the {accuracy_name(top)}"
    if faultless:
        return (
            f"Fewer than 1 search in {one_in(predicted.lower)} errs{what} at {k:,} classes, by the "
            "lower end of the interval, as no error was observed."
        )
    ends = ""
    if has_interval:
        ends = f" (1 in {one_in(predicted.lower)} to 1 in {one_in(predicted.upper)})"
    return f"About 1 search in {one_in(predicted.value)} errs{what} at {k:,} classes{ends}."


def one_in(accuracy: float) -> str:
    """Write the n of one error in n, of two digits."""
    of_two_digits = float(f"{1 / max(1 - accuracy, 1e-9):.2g}")
    return f"{int(of_two_digits + 0.5):,}"


def sizes_in_words(sizes: Sizes) -> tuple[str, str]:
    """Write a number of classes, and its interval; empty where it has none."""
    estimate, low, high, _ = sizes
    numbers = ["beyond 10^12" if each is None else f"{each:,}" for each in (estimate, low, high)]
    if low != low:
        return numbers[0], ""
    _, first, last = numbers
    return numbers[0], first if first == last else f"{first} to {last}"


def target_sentence(top: Top, target: float, sizes: Sizes, level: float) -> str:
    """Say from how many classes on the accuracy is below a target."""
    number, interval = sizes_in_words(sizes)
    falls = f"falls below {share(target)} at {number} classes"
    if sizes.estimate is None:
        falls = f"is not below {share(target)} up to 10^12 classes"
    ends = f" ({percent(level)} interval {interval})" if interval else ""
    return f"The {accuracy_name(top)} {falls}{ends}."
