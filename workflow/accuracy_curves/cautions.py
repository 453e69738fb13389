"""Cautions, each a reason to doubt an answer: its weight and its sentence, in one table.

A condition stands where its numbers are; it makes its caution here, by `caution`.
"""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.vocabulary import CLASSES, Phrase, Vocabulary

# What a caution says of the whole answer.
USELESS, DOUBTFUL, MILD = "Do not use this answer", "This answer is doubtful", ""
WEIGHTS = {USELESS: "useless", DOUBTFUL: "doubtful", MILD: "mild"}


# The gravest first. A sentence has no capital at its start and no point at its end; what it is
# found by, and what to do, stands in docs/guide/cautions.md.
USELESS_SENTENCES = {
    "wrong_direction": "the {w.accuracy} at two {w.classes} is {accuracy}, below chance: are "
    "the scores given in the wrong direction? They were read as {direction}",
    "at_chance": "{which} is {share}, no better than guessing: do the labels belong to these "
    "rows, and are they written as the columns, or the candidates, are?",
    "moved_labels": "labels seem to name other columns than those of their {w.classes}: the "
    "{w.points} of {moved} of {classes} {w.classes} score best for another {w.class_}, and "
    "each for one of its own (the first: {first}). Were labels numbered anew, or columns "
    "sorted? Give the names of the columns",
    "winning_classes": "{share} of the searches for others find the {w.class_} {name}{more}: "
    "if it is there at every number of {w.classes}, as one of all others, say so (--fixed, or "
    "matrix.with_fixed); if an enrolment failed and its scores are a mark of that, leave its "
    "{w.class_} out",
}
DOUBTFUL_SENTENCES = {
    "shuffled_labels": "{share} of the {w.points} have a right {w.class_} that is no better "
    "than any other, but score as high for a wrong one as other {w.points} do for theirs: "
    "were some labels put in another order?",
    "names_alike": "names that differ from others only by Unicode form, case or spaces at "
    "their ends: {count} (the first: {first} and {second}); each counts as {w.a_class} of its "
    "own. Where they are one, write them in one way, as unicodedata.normalize('NFKC', "
    "name).strip().casefold() does",
    "found_themselves": "{count} of {points} {w.points} match their own {w.class_} exactly, "
    "as a photo matches itself: leave out {w.points} that are what they are compared with, "
    "unless exact matches of others are usual",
    "incomplete_lists": "{why}: where a search is not exact, or a second one orders the best "
    "of a first, what was missed is not in the lists, and predictions may be off either way. "
    "Search exactly, or give the lists of the first search",
    "cut_ties": "{share} of the right {w.classes} tie with the last candidate of their list, "
    "so that their place is not known: give longer lists, or scores with more digits",
    "fewer_searched": "all lists together have {classes} different candidates, over and over, "
    "where {searched} were searched: was the number given that of a larger collection?",
    "mixed_classes": "the {count} {w.points} of the {w.class_} {name} are no nearer to it "
    "than to others: if its label stands for no {w.class_}, such as new or unknown, leave "
    "them out",
    "look_alikes": "{share} of the columns have a few others that are very much like them, as "
    "species of a genus or chunks of a file: if such groups come as a whole, name them "
    "(--groups, or matrix.grouped), as the answer is otherwise too low",
    "copied_classes": "{w.classes} whose scores are those of another one, for every "
    "{w.point}: {copies} (the first: {second}, of {first}); where they are one {w.class_}, "
    "leave its columns out but one, and give the {w.points} that label",
    "normalised": "the scores look normalised by those of the same gallery, and would be "
    "others in a larger one: give the scores before that, or normalise by a cohort of other "
    "people",
    "fpir_misfit": "the threshold fitted for an FPIR of {target} among the {k} observed lets "
    "{seen} of the searches through, {errors} standard errors away: elsewhere the rates may "
    "be off by more",
    "few_levels": "the scores have {levels} levels: on nine such laws an FPIR of .1 at ten "
    "times the gallery was off 3 times, mostly too high. Rely on what was seen at each level; "
    "above {highest} FPIR with {k} enrolled is at most {most} (95 % confidence)",
    "above_observed": "the curve of {method} is at {accuracy} at {k} {w.classes}, where "
    "{observed} was observed at {k1}: elsewhere it may miss by more",
}
MILD_SENTENCES = {
    "probabilities": "the scores of each {w.point} sum to one number{more}, as probabilities "
    "do, so that the score of {w.a_class} depends on the other {others}: give the scores "
    "before they were normalised",
    "marks": "{cells}: where that marks what failed or is not known, give the scores, or "
    "leave out what failed",
    "failed_classes": "all scores of the {w.class_} {name}{more} are equal, as where an "
    "enrolment failed: its {w.points} are errors; if it is there at every number of "
    "{w.classes}, say so (--fixed, or matrix.with_fixed)",
    "scores_of_places": "the scores are the same in every list, as those of places such as 1 "
    "/ rank are, and say nothing of how near the answers were: give the scores that order the "
    "lists",
    "wrong_names": "{what}: {count} (the first: {which}); {how}",
    "rows_left_out": "{rows} are left out: {count}",
    "few_errors": "the observed {w.accuracy} is {accuracy}: so few errors hardly show how "
    "fast it falls",
    "too_far": "{k} are more than {times} times the {k1} observed, up to which {measured}: "
    "the error may be larger than an interval says",
    "no_interval": "there is no interval of {method} to rely on: {why}",
    "no_threshold": "no threshold keeps FPIR at {target} in a gallery of {k}: it would lie "
    "beyond every score, those of the mates too, so that everybody is missed. The scores "
    "reach to {at}, where FPIR is {least}",
    "trials": "a list of trials allows only the formula for searches that are all equal, "
    "without intervals: it mostly predicts too many false positives. {impostors} impostor "
    "scores say nothing of an FPIR below {least} in a gallery of {k}. Scores of every search "
    "for every identity say more",
}
SENTENCES = (
    (USELESS, USELESS_SENTENCES),
    (DOUBTFUL, DOUBTFUL_SENTENCES),
    (MILD, MILD_SENTENCES),
)
CAUTIONS = {
    reason: (weight, sentence)
    for weight, sentences in SENTENCES
    for reason, sentence in sentences.items()
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


def caution(reason: str, *, weight: str | None = None, **values: object) -> AccuracyWarning:
    """Make the caution of a reason; `values` fill the places of its sentence.

    Whole numbers get commas, other numbers are shares, and texts stay as they are. The weight is
    that of the table, unless another one is given.
    """
    usual, sentence = CAUTIONS[reason]
    texts = {name: _written(value) for name, value in values_in(values, CLASSES).items()}
    text = sentence.format(**texts, w=CLASSES)
    return AccuracyWarning(text, reason, usual if weight is None else weight, values)


def in_words(doubt: AccuracyWarning, words: Vocabulary) -> str:
    """Write the sentence of a caution in the words of whoever asks."""
    if words == CLASSES or doubt.reason not in CAUTIONS:
        return str(doubt)
    texts = {name: _written(value) for name, value in values_in(doubt.values, words).items()}
    return CAUTIONS[doubt.reason][1].format(**texts, w=words)


def values_in(values: Mapping[str, object], words: Vocabulary) -> dict[str, object]:
    """Put nouns into the phrases among the values of a sentence."""
    return {
        name: value.format(w=words) if isinstance(value, Phrase) else value
        for name, value in values.items()
    }


def _written(value: object) -> str:
    if isinstance(value, Integral):
        return f"{int(value):,}"
    return share(float(value)) if isinstance(value, Real) else str(value)


def named(name: str, cautions: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Say which of two systems cautions are of."""
    return [
        AccuracyWarning(f"{name}: {one}", one.reason, one.weight, one.values | {"system": name})
        for one in cautions
    ]


def sort_cautions(cautions: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Sort cautions: useless, doubtful, mild, each in the order of the table; unknown ones last."""
    weights = [*WEIGHTS]
    return sorted(
        cautions,
        key=lambda one: (weights.index(one.weight), _ORDER.get(one.reason, len(CAUTIONS))),
    )


def gravest(cautions: Iterable[AccuracyWarning]) -> AccuracyWarning | None:
    """Find the caution for which an answer is doubtful, or should not be used; None if none is."""
    return next((one for one in sort_cautions(cautions) if one.weight), None)


def warn_left_out(rows: str, count: object) -> None:
    """Warn whoever called the function that calls this one that rows are left out, and how many."""
    warnings.warn(caution("rows_left_out", rows=rows, count=count), stacklevel=3)


def warn(cautions: Iterable[AccuracyWarning]) -> None:
    """Warn whoever called the function that calls this one of what is useless or doubtful."""
    for one in cautions:
        if one.weight:
            warnings.warn(one, stacklevel=3)
