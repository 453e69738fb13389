"""Cautions, each a reason to doubt an answer: its weight and its sentence, in one table.

A condition stands where its numbers are; it makes its caution here, by `caution`.
"""

import warnings
from collections.abc import Iterable, Sequence
from numbers import Integral, Real

from accuracy_curves.exceptions import AccuracyWarning

# What a caution says of the whole answer.
USELESS, DOUBTFUL, MILD = "Do not use this answer", "This answer is doubtful", ""
WEIGHTS = {USELESS: "useless", DOUBTFUL: "doubtful", MILD: "mild"}


def useless(sentence: str) -> tuple[str, str]:
    """Weigh what forbids to use an answer."""
    return USELESS, sentence


def doubtful(sentence: str) -> tuple[str, str]:
    """Weigh what makes an answer doubtful."""
    return DOUBTFUL, sentence


def mild(sentence: str) -> tuple[str, str]:
    """Weigh what is only said."""
    return MILD, sentence


# The gravest first. A sentence has no capital at its start and no point at its end; what it is
# found by, and what to do, stands in docs/guide/cautions.md.
CAUTIONS: dict[str, tuple[str, str]] = {
    "wrong_direction": useless(
        "the accuracy at two classes is {accuracy}, below chance: are the scores given in the "
        "wrong direction? They were taken for {taken}"
    ),
    "at_chance": useless(
        "the accuracy at two classes is {accuracy}, no better than guessing: do the labels belong "
        "to these rows, and do they number the columns in their order?"
    ),
    "moved_labels": useless(
        "labels seem to name other columns than those of their classes: the points of {moved} of "
        "{classes} classes score best for another class, and each for one of its own (the first: "
        "{first}). Were labels numbered anew, or columns sorted? Give the names of the columns"
    ),
    "listed_by_chance": useless(
        "the right class is among the candidates of {share} of the searches, no more often than by "
        "chance: are the right classes called as the candidates are, and do they belong to these "
        "searches?"
    ),
    "probabilities": useless(
        "the scores look like probabilities (those of each point sum to 1, or to one number), so "
        "that a class's score depends on the other classes: give their logarithms, or better the "
        "scores before the softmax"
    ),
    "names_alike": doubtful(
        "names that differ from others only by Unicode form, case or spaces at their ends: {count} "
        "(the first: {first} and {second}); each counts as a class of its own. Where they are one, "
        "write them in one way, as unicodedata.normalize('NFKC', name).strip().casefold() does"
    ),
    "found_themselves": doubtful(
        "{count} of {points} points have the distance 0 from their own class, as a photo has from "
        "itself: points must be other photos than those they are compared with"
    ),
    "filled": doubtful(
        "{share} of the scores are {value}: where it stands for scores that are not known, their "
        "classes are hardly ever the best, and errors are missing. Give all scores"
    ),
    "marked_cells": doubtful(
        "{count} scores are {value}, far from all others: if that marks what failed, leave out the "
        "points, or the class, that failed"
    ),
    "reranked": doubtful(
        "the lists end as those of a first search do that a second one has ordered: what the first "
        "one missed is not in them, and predictions are too high. Give lists of the second search "
        "among all, or those of the first"
    ),
    "not_exact": doubtful(
        "{beyond} right answers are in no list, but only {late} in the second half of one: where a "
        "search is not exact, or a second one orders the best of a first, predictions are too "
        "high. Search exactly, or leave out searches whose right answer was not there to be found"
    ),
    "scores_of_places": doubtful(
        "the scores are the same in every list, as those of places such as 1 / rank are: they tell "
        "nothing of how near the answers were. Give the scores that order the lists"
    ),
    "fewer_searched": doubtful(
        "all lists together have {classes} different candidates, over and over, where {searched} "
        "were searched: was the number given that of a larger collection?"
    ),
    "misfit": doubtful(
        "{method} misses what was observed: its curve is at {accuracy} at {k1} classes, where "
        "{observed} was observed; elsewhere it may miss by more"
    ),
    "fpir_misfit": doubtful(
        "the threshold fitted for an FPIR of {target} among the {k} observed lets {seen} of the "
        "searches through, {errors} standard errors away: elsewhere the rates may be off by more"
    ),
    "no_threshold": mild(
        "no threshold keeps FPIR at {target} in a gallery of {k}: it would lie beyond every score, "
        "those of the mates too, so that everybody is missed. The scores reach to {at}, where FPIR "
        "is {least}"
    ),
    "parts_apart": mild(
        "the parts of {method} disagree at {k} classes: {first} predicts {low} there, and {second} "
        "{high}; the truth may be at either"
    ),
    "above_observed": doubtful(
        "{method} predicts {accuracy} at {k} classes, above the {observed} observed at {k1}: more "
        "classes are never easier to tell apart"
    ),
    "winning_classes": doubtful(
        "more than half of the searches for others find {classes}: if an enrolment failed and its "
        "scores are a mark of that, leave its class out"
    ),
    "no_reach": mild(
        "intervals of {method} hold the expected accuracy less often than they say, at any number "
        "of classes, as measured where it is known: take another method's"
    ),
    "log_probabilities": mild(
        "the scores look like logarithms of probabilities with the sign turned: they contain the "
        "sum over all classes, so give the scores before the softmax if you can"
    ),
    "too_far": mild(
        "{k} are more than {times} times the {k1} observed, farther than intervals of "
        "{method} are known to hold: the error may be larger than an interval says"
    ),
    "far_rates": mild(
        "in galleries of {times} and more times the tested an FPIR of .1 and more is predicted a "
        "quarter too low, and of .003 and less 1.5 times too high, on average of where it is "
        "known. Ask for a threshold with a confidence"
    ),
    "mixed_classes": doubtful(
        "the {count} points of the class {name} are no nearer to it than to others: if its label "
        "stands for no class, such as new or unknown, leave them out"
    ),
    "normalised": doubtful(
        "the scores look normalised by those of the same gallery, and would be others in a larger "
        "one: give the scores before that, or normalise by a cohort of other people"
    ),
    "not_comparable": mild(
        "some searches have much higher impostor scores than others (a spread of {spread}, where "
        "0.4 to 0.7 is chance): with one threshold most false positives come from few searches. "
        "Scores normalised for each search would do better"
    ),
    "trials": mild(
        "a list of trials allows only the formula for searches that are all alike, without "
        "intervals: it mostly predicts too many false positives. {impostors} impostor scores tell "
        "nothing of an FPIR below {least} in a gallery of {k}. Scores of every search for every "
        "identity tell more"
    ),
    "copied_points": mild(
        "rows that are copies of others: {copies} (the first: row {row} of row {other}); was a "
        "point counted twice? Leave the copies out"
    ),
    "copied_photos": mild(
        "photos that are copies of others: {copies} (the first: {first}); leave the copies out"
    ),
    "wrong_names": mild(
        "pairs of a point and a class that look like one class under two names: {count} (the "
        "first: {which}); {how}"
    ),
    "unanswered": mild("queries without a right answer are left out: {count}"),
    "few_photos": mild("people with too few photos are left out: {count}, such as {who}"),
    "unlabelled": mild(
        "points of the label -1 are left out: the accuracy is of the {count} of {total} points "
        "with a known class"
    ),
    "masked": mild("points whose right class is masked are left out: {count}"),
    "look_alikes": doubtful(
        "{share} of the columns have a few others that are very much like them, as species of a "
        "genus or chunks of a file: if such groups come as a whole, name them (--groups, or "
        "matrix.grouped), as the answer is otherwise too low"
    ),
    "failed_points": mild(
        "all scores of {count} are equal, as where a photo failed: they count as the tie that they "
        "are, and the fit is made on the others"
    ),
    "failed_classes": mild(
        "all scores of {classes} are equal, as where an enrolment failed: its points are errors"
    ),
    "few_errors": mild(
        "the observed accuracy is {accuracy}, and its errors come from effectively {classes} "
        "classes: fewer than {enough} hardly tell how fast it falls"
    ),
    "hubs": mild(
        "errors come from effectively {erring} classes but go to {attracting}, which are near to "
        "many points: the draw of these few decides, and intervals may be too narrow"
    ),
    "few_classes": mild("only {classes} {drawn} have points: intervals need {enough} or more"),
    "ties": mild(
        "{share} % of the points tie with an incorrect class: give scores with more digits"
    ),
    "copied_classes": doubtful(
        "classes whose scores are those of another one, for every point: {copies} (the first: "
        "{second}, of {first}); where they are one class, leave its columns out but one, and give "
        "the points that label"
    ),
    "cut_ties": mild(
        "{share} % of the right classes tie with the last candidate of their list, so that their "
        "place is not known: give longer lists, or scores with more digits"
    ),
    "plan_too_far": mild(
        "more than {times} times the {k1} classes of the pilot are needed: that is too far to "
        "plan; collect some of them and plan again"
    ),
    "plan_uncertain": mild(
        "{k} classes are more than {times} times k1: the accuracy there, on which the width "
        "depends, is itself uncertain; plan again when more classes are there"
    ),
    "plan_observed": mild("with {classes} classes the accuracy at {k} is observed"),
    "no_interval": mild("there is no interval of {method}: {why}"),
}
_ORDER = {reason: place for place, reason in enumerate(CAUTIONS)}


def share(value: float) -> str:
    """Write a share of three digits, such as .460; one that rounds to 0 or 1 is < .001, > .999."""
    if not 0.0005 <= value <= 0.9995:
        return "< .001" if value < 0.5 else "> .999"
    return f"{value:.3f}".removeprefix("0")


def listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def caution(reason: str, **values: object) -> AccuracyWarning:
    """Make the caution of a reason; `values` fill the places of its sentence.

    Whole numbers get commas, other numbers are shares, and texts stay as they are.
    """
    weight, sentence = CAUTIONS[reason]
    texts = {name: _written(value) for name, value in values.items()}
    return AccuracyWarning(sentence.format(**texts), reason, weight, values)


def _written(value: object) -> str:
    if isinstance(value, Integral):
        return f"{int(value):,}"
    return share(float(value)) if isinstance(value, Real) else str(value)


def named(name: str, found: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Say which of two systems cautions are of."""
    return [
        AccuracyWarning(f"{name}: {each}", each.reason, each.weight, each.values | {"system": name})
        for each in found
    ]


def sort_cautions(found: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Sort cautions: useless, doubtful, mild, each in the order of the table; unknown ones last."""
    weights = [*WEIGHTS]
    return sorted(
        found,
        key=lambda each: (weights.index(each.weight), _ORDER.get(each.reason, len(CAUTIONS))),
    )


def gravest(found: Iterable[AccuracyWarning]) -> AccuracyWarning | None:
    """Find the caution for which an answer is doubtful, or should not be used; None if none is."""
    return next((each for each in sort_cautions(found) if each.weight), None)


def warn(found: Iterable[AccuracyWarning], *, mild: bool = False) -> None:
    """Warn whoever called the function that calls this one of what is useless or doubtful."""
    for each in found:
        if each.weight or mild:
            warnings.warn(each, stacklevel=3)
