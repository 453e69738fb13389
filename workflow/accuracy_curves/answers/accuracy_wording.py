"""A predicted accuracy in words."""

import re

from accuracy_curves.answers.wording import interval_in_words, span
from accuracy_curves.cautions import share
from accuracy_curves.intervals.class_intervals import Sizes
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.observed.measures import Top

VALID = (
    "The prediction (method: {method}) is valid if the classes to come are drawn like the observed "
    "ones, and if a class's score does not depend on which other classes there are. Scores of a "
    "classifier that was trained on these classes together may mislead, upwards or downwards."
)

FIELD = {"ndcg": "nDCG", "mrr": "MRR", "map": "MAP"}
# Accuracies above it are told by their errors too.
HIGH, HALF = 0.9, 0.5


def accuracy_name(top: Top) -> str:
    """Name the top-t accuracy; top 1 is the accuracy, and a measure is called as the field does."""
    if isinstance(top, str):
        return re.sub("ndcg|mrr|map", lambda name: FIELD[name[0]], top)
    return "accuracy" if top == 1 else f"top-{top} accuracy"


def shown_ends(found: Prediction) -> tuple[str, str]:
    """Write both intervals; empty where there is none, and the second where it is the first."""
    if not found.has_interval:
        return "", ""
    interval, one_set = span(found.lower, found.upper), span(found.set_lower, found.set_upper)
    return interval, f"({one_set})" if one_set != interval else ""


def predicted_sentence(
    k: int, top: int | str, level: float, found: Prediction, observed: float
) -> str:
    """Say what is predicted at a number of classes, with its intervals where there are any."""
    ends = f"; on one new set of classes {share(found.set_lower)} to {share(found.set_upper)}"
    interval = interval_in_words(found, level, ends if shown_ends(found)[1] else "")
    said = f"the expected {accuracy_name(top)} is {share(found.value)}{interval}"
    return f"With {k:,} classes {said}{errors_in_words(found, observed, top)}."


def errors_in_words(found: Prediction, observed: float, top: int | str = 1) -> str:
    """Say in how many searches one errs, where few do; `observed` is the accuracy at k1.

    Of an accuracy: other measures have no errors.
    """
    if isinstance(top, str):
        return ""
    # Where most may err, one error in n says nothing.
    has_interval = found.lower >= HALF
    # A mean of ones may miss 1 by its rounding.
    faultless = 1 - observed < 1e-12
    if found.value <= HIGH or (faultless and not has_interval):
        return ""
    if faultless:
        return (
            f": fewer than 1 search in {one_in(found.lower)} errs, by the lower end of the "
            "interval, as no error was observed"
        )
    ends = f" (1 in {one_in(found.lower)} to 1 in {one_in(found.upper)})" if has_interval else ""
    return f": about 1 search in {one_in(found.value)} errs{ends}"


def one_in(accuracy: float) -> str:
    """Write the n of one error in n, of two digits."""
    of_two_digits = float(f"{1 / max(1 - accuracy, 1e-9):.2g}")
    return f"{int(of_two_digits + 0.5):,}"


def target_sentence(what: str, target: float, sizes: Sizes, level: str) -> str:
    """Say from how many classes on something is below the target, with the interval if it has."""
    estimate, *ends, _ = sizes
    if estimate is None:
        sentence = f"{what} is not below {target:g} up to 10^12 classes"
    else:
        sentence = f"{what} falls below {target:g} at {estimate:,} classes"
    if ends[0] != ends[0]:
        return f"{sentence} (no interval)"
    low, high = ("beyond 10^12" if each is None else f"{each:,}" for each in ends)
    return f"{sentence} ({level} interval: {low if low == high else f'{low} to {high}'})"
