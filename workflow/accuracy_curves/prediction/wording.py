"""An answer in words and in the rows of a table, for the terminal and the report."""

from collections.abc import Iterable, Sequence

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.prediction.predict import Answer, PredictedAccuracy, Sizes
from accuracy_curves.prediction.prediction_warnings import DISQUALIFYING, DOUBTFUL

# Of names that a user gave.
MOST_NAMED, MOST_LETTERS = 20, 200

# Cells of a row of the printed table.
Row = list[str]


def printed_rows(answer: Answer) -> list[Row]:
    """Write the rows of the printed table: classes, top unless it is 1, a cell a method."""
    several = answer.question.tops != (1,)
    rows = []
    for k in answer.question.classes:
        for top in answer.question.tops:
            cells = []
            for name in answer.methods:
                found = answer.at(name, k, top)
                cell = f"{found.accuracy:.4f}"
                if np.isfinite(found.lower):
                    cell += f"\n{_short(found.lower)}-{_short(found.upper)}"
                    cell += f"\n({_short(found.set_lower)}-{_short(found.set_upper)})"
                cells.append(cell)
            rows.append([f"{k:,}", *([str(top)] if several else []), *cells])
    return rows


def observed_sentence(answer: Answer) -> str:
    """Say what was observed at k1 classes, of the first top."""
    sample, top = answer.sample, answer.question.tops[0]
    return (
        f"{sample.n_points:,} points, k1 = {sample.n_classes:,} classes: "
        f"observed {accuracy_name(top)} {answer.observed_at_k1(top):.4f}"
    )


def interval_legend(answer: Answer) -> str:
    """Say what the brackets of `printed_rows` are; empty where there is no interval."""
    if all(each is None for each in answer.intervals.values()):
        return ""
    level = f"{100 * answer.question.level:g} %"
    return (
        f"below: {level} interval of the expected accuracy; "
        "in brackets: prediction interval for one new set of classes"
    )


def accuracy_name(top: int) -> str:
    """Name the top-t accuracy; top 1 is the accuracy."""
    return "accuracy" if top == 1 else f"top-{top} accuracy"


def target_sentences(answer: Answer) -> list[str]:
    """Say at how many classes each method falls below the target; empty without one."""
    question = answer.question
    if question.target is None:
        return []
    said = []
    for name, sizes in answer.sizes.items():
        level = f"{100 * question.level:g} %" if answer.intervals[name] else None
        what = f"{answer.methods[name]}: the {accuracy_name(question.tops[0])}"
        said.append(_falls(what, f"{question.target:g}", sizes, level))
    return said


def _falls(what: str, target: str, sizes: Sizes, level: str | None) -> str:
    """Say from how many classes on something is below the target; no level means no interval."""
    estimate, *ends = sizes
    if estimate is None:
        said = f"{what} is not below {target} up to 10^12 classes"
    else:
        said = f"{what} falls below {target} at {estimate:,} classes"
    if level is None:
        return f"{said} (no interval)"
    low, high = ("beyond 10^12" if each is None else f"{each:,}" for each in ends)
    return f"{said} ({level} interval: {low if low == high else f'{low} to {high}'})"


def conclusion(answer: Answer) -> list[str]:
    """Say in plain words what the first method predicts, a sentence each.

    What makes the answer useless, if anything does; what was observed, what is predicted at each
    number of classes, where the target is reached, and how far to trust it.
    """
    question, sample = answer.question, answer.sample
    name, label = next(iter(answer.methods.items()))
    refused = refusal(answer.warnings)
    said = [
        *(sentences([f"{refused}: {answer.warnings[0]}"]) if refused else []),
        f"On the {sample.n_classes:,} observed classes {_percent(answer.seen[-1])} of the data "
        "points were recognised; each class counts equally.",
        *(
            predicted_sentence(k, top, question.level, answer.at(name, k, top))
            for k in question.classes
            for top in question.tops
        ),
    ]
    if name in answer.sizes and question.target is not None:
        what = f"The {accuracy_name(question.tops[0])}"
        ends = f"{100 * question.level:g} %" if answer.intervals[name] else None
        said.append(f"{_falls(what, _percent(question.target), answer.sizes[name], ends)}.")
    return [
        *said,
        f"{cautions_sentence(len(answer.warnings))} The prediction (method: {label}) is valid if "
        "the classes to come are drawn like the observed ones, and if a class's score does not "
        "depend on which other classes there are.",
    ]


def refusal(warnings: Sequence[AccuracyWarning]) -> str:
    """Say not to use an answer where its gravest warning, the first, is grave enough."""
    reason = warnings[0].reason if warnings else ""
    if reason in DISQUALIFYING:
        return "Do not use this answer"
    return "This answer is doubtful" if reason in DOUBTFUL else ""


def predicted_sentence(k: int, top: int, level: float, found: PredictedAccuracy) -> str:
    """Say what is predicted at a number of classes, with its intervals where there are any."""
    among = " recognised" if top == 1 else f" among the {top} best"
    said = f"With {k:,} classes, {_percent(found.accuracy)} are expected to be{among}"
    if np.isfinite(found.lower):
        said += (
            f" ({100 * level:g} % interval: {_between(found.lower, found.upper)}; "
            f"on one new set of {k:,} classes: {_between(found.set_lower, found.set_upper)})"
        )
    return f"{said}."


def cautions_sentence(warnings: int) -> str:
    """Say how many reasons for caution are listed below."""
    if not warnings:
        return "No check found a reason for doubt."
    reasons = "is one reason" if warnings == 1 else f"are {warnings} reasons"
    return f"There {reasons} for caution, below."


def _short(share: float) -> str:
    """Three digits, without the zero before the point: a table of four methods must fit."""
    return f"{share:.3f}".removeprefix("0")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _between(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def curves_caption(answer: Answer) -> str:
    """Say what the figure of the curves shows."""
    question = answer.question
    which = " and ".join(map(accuracy_name, question.tops))
    key, label = next(iter(answer.methods.items()))
    band = ""
    if answer.intervals[key] is not None:
        band = f" the band is the {100 * question.level:g} % interval of the first, {label};"
    return (
        f"Average {which} over all subsets of k of the observed classes (grey), and as the methods "
        f"predict;{band} dots are the numbers of classes that were asked for, the dotted line is "
        "k1."
    )


def differing_sentence(answer: Answer) -> str:
    """Say how far the methods are from each other at the largest number of classes."""
    largest, top = max(answer.question.classes), answer.question.tops[0]
    at = {label: answer.at(name, largest, top).accuracy for name, label in answer.methods.items()}
    low, high = min(at, key=at.__getitem__), max(at, key=at.__getitem__)
    of = "" if answer.question.tops == (1,) else f" of the {accuracy_name(top)}"
    return (
        f"At {largest:,} classes the predictions{of} go from "
        f"{at[low]:.3f} ({low}) to {at[high]:.3f} ({high})."
    )


def group_sizes(answer: Answer) -> str:
    """Name the groups of classes, with how many classes of each were compared."""
    if answer.compared is None:
        return ""
    sizes = zip(answer.compared.groups, answer.compared.sizes, strict=True)
    return listed([f"{printable(name)} ({size})" for name, size in sizes])


def listed(texts: Sequence[str]) -> str:
    """Join texts by commas; of very many the first ones, and how many more there are."""
    more = f", and {len(texts) - MOST_NAMED:,} more" if len(texts) > MOST_NAMED else ""
    return ", ".join(texts[:MOST_NAMED]) + more


def printable(text: str, most: int = MOST_LETTERS) -> str:
    """Escape what is no printable character, and leave out the middle of what is very long.

    Names of files and classes may hold anything: control characters, which a terminal obeys, and
    bytes that are not UTF-8.
    """
    if len(text) > most:
        text = f"{text[: most // 2]}…{text[-most // 2 :]}"
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def sentences(texts: Iterable[str]) -> list[str]:
    """Start each with a capital and end it as a sentence."""
    return [each[:1].upper() + each[1:].rstrip(".") + "." for each in texts]
