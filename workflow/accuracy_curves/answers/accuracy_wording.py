"""A predicted accuracy in words."""

import numpy as np

from accuracy_curves.answers.wording import percent
from accuracy_curves.cautions import share
from accuracy_curves.intervals.class_intervals import ClassIntervals, Sizes
from accuracy_curves.intervals.newcomers import JoinedFits
from accuracy_curves.scores.design import Design
from accuracy_curves.vocabulary import Vocabulary

LEARNED = {"jointly": "its {w.classes} jointly", "separately": "each {w.class_} against the rest"}
# Accuracies above it are given by their errors too.
HIGH, HALF = 0.9, 0.5
FEW_NEWCOMERS = 30


def when_valid(w: Vocabulary, label: str, intervals: ClassIntervals, design: Design) -> list[str]:
    """Say when a method's prediction is valid; and how the classifier learned."""
    like = "newcomers" if isinstance(intervals.variation, JoinedFits) else "observed ones"
    valid = f"The prediction (method: {label}) is valid if the {w.classes} to come are like the"
    valid = f"{valid} {like}"
    if design.trained:
        how = LEARNED[design.trained].format(w=w)
        return [valid, f"It is of a classifier that learns {how}, trained on all of them"]
    return [
        f"{valid}, and if {w.a_class}'s score does not depend on which other {w.classes} there are",
        f"Scores of a classifier that was trained on these {w.classes} together are less sure: say "
        "how it was trained",
    ]


def newcomers_sentence(w: Vocabulary, fits: JoinedFits) -> str:
    """Say how newcomers count, and whether they are found to be unlike the known classes."""
    m, p = fits.n_newcomers, fits.difference.p
    differ = "are unlike" if fits.difference.is_found else "may be like"
    few = f" {m} newcomers are few: {FEW_NEWCOMERS} are better." if m < FEW_NEWCOMERS else ""
    return (
        f"This is of today's {w.points}, as {w.classes} like the {m:,} newcomers join. Each counts "
        f"as {fits.phi:.2g} known {w.classes}; they {differ} the known {w.classes} (p = {p:.3f})."
        f"{few}"
    )


def errors_sentence(
    name: str, where: str, value: float, lower: float, upper: float, observed: float
) -> str:
    """Say in how many searches one errs, where few do; `observed` is the accuracy at k1.

    `name` is what the accuracy is called, if it is not the accuracy itself.
    """
    # Where most may err, one error in n says nothing.
    has_interval = lower >= HALF
    # A mean of ones may miss 1 by its rounding.
    faultless = 1 - observed < 1e-12
    if value <= HIGH or (faultless and not has_interval):
        return ""
    what = f"errs in the {name}" if name else "errs"
    if faultless:
        return (
            f"Fewer than 1 search in {one_in(lower)} {what} at {where}, by the lower end of the "
            "interval, as no error was observed."
        )
    ends = f" (1 in {one_in(lower)} to 1 in {one_in(upper)})" if has_interval else ""
    return f"About 1 search in {one_in(value)} {what} at {where}{ends}."


def one_in(accuracy: float) -> str:
    """Write the n of one error in n, of two digits."""
    of_two_digits = float(f"{1 / max(1 - accuracy, 1e-9):.2g}")
    return f"{int(of_two_digits + 0.5):,}"


def sizes_in_words(sizes: Sizes) -> tuple[str, str]:
    """Write a number of classes, and its interval; empty where it has none."""
    number, low, high = (
        "beyond 10^12" if n is None or np.isnan(n) else f"{n:,}" for n in sizes[:3]
    )
    if sizes.lower is not None and np.isnan(sizes.lower):
        return number, ""
    return number, low if low == high else f"{low} to {high}"


def target_sentence(w: Vocabulary, name: str, target: float, sizes: Sizes, level: float) -> str:
    """Say from how many classes on the accuracy, by its name, is below a target."""
    number, interval = sizes_in_words(sizes)
    falls = f"falls below {share(target)} at {number} {w.classes}"
    if sizes.estimate is None:
        falls = f"is not below {share(target)} up to 10^12 {w.classes}"
    ends = f" ({percent(level)} interval {interval})" if interval else ""
    return f"The {name} {falls}{ends}."
