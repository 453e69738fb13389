"""Every reason to doubt an answer: its weight and its sentence, in one table.

A condition stands where its numbers are; it makes its warning here, by `caution`.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum

from accuracy_curves.exceptions import AccuracyWarning


class Weight(IntEnum):
    """How much a reason speaks against an answer."""

    USELESS = 0
    DOUBTFUL = 1
    CAUTION = 2


# The gravest first. A sentence has no capital at its start and no point at its end.
CHECKS: dict[str, tuple[Weight, str]] = {
    "left_out": (
        Weight.CAUTION,
        "{method} is left out, as it needs at least {classes} classes: add classes, or read the "
        "prediction of the other methods with care",
    ),
    "wrong_direction": (
        Weight.USELESS,
        "the accuracy at two classes is {accuracy}, below chance: are the scores given in the "
        "wrong direction? They were taken for {taken}",
    ),
    "at_chance": (
        Weight.USELESS,
        "the accuracy at two classes is {accuracy}, no better than guessing: do the labels belong "
        "to these rows, and do they number the columns in their order?",
    ),
    "probabilities": (
        Weight.USELESS,
        "the scores look like probabilities (those of each point sum to 1), so that a class's "
        "score depends on the other classes: give their logarithms, or better the scores before "
        "the softmax",
    ),
    "misfit": (
        Weight.DOUBTFUL,
        "{method} misses what was observed: its curve is at {accuracy} at {k1} classes, where "
        "{observed} was observed; elsewhere it may miss by more",
    ),
    "fpir_misfit": (
        Weight.DOUBTFUL,
        "the threshold fitted for an FPIR of {target} among the {k} observed lets {seen} of the "
        "searches through, {errors} standard errors away: elsewhere the rates may be off by more",
    ),
    "no_threshold": (
        Weight.CAUTION,
        "no threshold keeps FPIR at {target} in a gallery of {k}: it would lie beyond every score, "
        "those of the mates too, so that everybody is missed. The scores reach to {at}, where FPIR "
        "is {least}",
    ),
    "above_observed": (
        Weight.DOUBTFUL,
        "{method} predicts {accuracy} at {k} classes, above the {observed} observed at {k1}: more "
        "classes are never easier to tell apart",
    ),
    "winning_classes": (
        Weight.DOUBTFUL,
        "more than half of the searches for others find {classes}: if an enrolment failed and its "
        "scores are a mark of that, leave its class out",
    ),
    "no_reach": (
        Weight.CAUTION,
        "intervals of {method} hold the expected accuracy less often than they say, at any number "
        "of classes, as measured where it is known: take another method's",
    ),
    "not_marginal": (
        Weight.CAUTION,
        "{method} is trained on all classes together, so that every score changes with more of "
        "them: a prediction tells how accurate these scores would be among more classes, not how "
        "accurate the classifier will be that is trained on them",
    ),
    "too_far": (
        Weight.CAUTION,
        "{k} are more than {times} times the {k1} observed, beyond the validated range of "
        "{method}: the error may be larger than an interval says",
    ),
    "not_comparable": (
        Weight.CAUTION,
        "the impostor scores of different searches are hardly comparable: some searches have much "
        "higher ones than others (a spread of {spread}, where 0.4 to 0.7 is chance). With one "
        "threshold for all, most false positives come from a few searches; scores normalised for "
        "each search would do better",
    ),
    "trials": (
        Weight.CAUTION,
        "a list of trials allows only the formula for searches that are all alike, without "
        "intervals. Searches differ, so that false positives are mostly predicted too often in "
        "large galleries. {impostors} impostor scores tell nothing of an FPIR below {least} in a "
        "gallery of {k}. Scores of every search for every identity tell more",
    ),
    "copied_points": (
        Weight.CAUTION,
        "rows that are copies of others: {copies} (the first: row {row} of row {other}); was a "
        "point counted twice? Leave the copies out",
    ),
    "wrong_names": (
        Weight.CAUTION,
        "points that look like another class than that of their name: {count} (the first: "
        "{which}); check their names first. Without them {method} predicts {accuracy} at {k} "
        "classes",
    ),
    "failed_points": (
        Weight.CAUTION,
        "all scores of {count} are equal, as where a photo failed: they count as the tie that they "
        "are, and the fit is made on the others",
    ),
    "few_errors": (
        Weight.CAUTION,
        "the observed accuracy is {accuracy}, and its errors come from effectively {classes} "
        "classes: fewer than {enough} hardly tell how fast it falls",
    ),
    "few_classes": (
        Weight.CAUTION,
        "only {classes} classes have data points: intervals are more reliable with {enough} or "
        "more",
    ),
    "ties": (
        Weight.CAUTION,
        "{share} % of the points tie with an incorrect class: ties are broken at random, so give "
        "scores with more digits if you can",
    ),
    "no_interval": (Weight.CAUTION, "there is no interval of {method}: {why}"),
}
_ORDER = {reason: place for place, reason in enumerate(CHECKS)}


def share(value: float) -> str:
    """Write a share of three digits, such as .460; a value that only rounds to 0 or 1 says so."""
    # A mean of ones may miss 1 by its rounding.
    if min(value, 1 - value) < 1e-12:
        return f"{value:.0f}"
    if not 0.0005 <= value <= 0.9995:
        return "< .001" if value < 0.5 else "> .999"
    return f"{value:.3f}".removeprefix("0")


def listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def caution(reason: str, **values: object) -> AccuracyWarning:
    """Make the warning of a reason; `values` fill the places of its sentence, as they are."""
    return AccuracyWarning(CHECKS[reason][1].format(**values), reason)


def by_weight(found: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Sort warnings, what speaks most against the answer first; unknown reasons stand last."""
    return sorted(found, key=lambda each: _ORDER.get(each.reason, len(CHECKS)))


def weight(reason: str) -> Weight:
    """Look up how much a reason weighs."""
    return CHECKS[reason][0] if reason in CHECKS else Weight.CAUTION


def verdict(found: Iterable[AccuracyWarning]) -> str:
    """Say not to use an answer where a warning is grave enough; empty where none is."""
    heaviest = min((weight(each.reason) for each in found), default=Weight.CAUTION)
    return ("Do not use this answer", "This answer is doubtful", "")[heaviest]
