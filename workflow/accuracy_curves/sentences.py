"""An answer in words and in the rows of a table, for the terminal and the report."""

from collections.abc import Sequence

import numpy as np

from accuracy_curves.answers import Answer, Sizes

# Cells of a row of the printed table.
Row = list[str]


def printed_rows(answer: Answer) -> list[Row]:
    """Write the rows of the printed table: classes, top if several, a cell a method."""
    several = len(answer.question.tops) > 1
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
            rows.append([str(k), *([str(top)] if several else []), *cells])
    return rows


def accuracy_name(top: int) -> str:
    """Name the top-t accuracy in a sentence."""
    return "accuracy" if top == 1 else f"top-{top} accuracy"


def interval_legend(answer: Answer) -> str:
    """Say what the brackets of `printed_rows` are; empty where there is no interval."""
    if all(each is None for each in answer.intervals.values()):
        return ""
    level = f"{100 * answer.question.level:g} %"
    return (
        f"below: {level} interval of the expected accuracy; "
        "in brackets: of that on one new set of classes"
    )


def target_sentence(label: str, sizes: Sizes, target: float, level: float) -> str:
    """Say at how many classes the top-1 accuracy falls below a target."""
    estimate, low, high = ("beyond 10^12" if k is None else str(k) for k in sizes)
    return (
        f"{label}: the accuracy falls below {target:g} at {estimate} classes "
        f"({100 * level:g} % interval: {low} to {high})"
    )


def target_sentences(answer: Answer) -> list[str]:
    """Say it of each method with an interval; empty without a target."""
    target = answer.question.target
    return [
        target_sentence(answer.methods[name], sizes, target, answer.question.level)
        for name, sizes in answer.sizes.items()
        if target is not None
    ]


def conclusion(answer: Answer) -> list[str]:
    """Say in plain words what the first method predicts.

    Parameters
    ----------
    answer : Answer

    Returns
    -------
    list of str
        A sentence each: what was observed, what is predicted at each number of classes, where
        the target is reached, and how far to trust it.
    """
    question, sample = answer.question, answer.sample
    name, label = next(iter(answer.methods.items()))
    level = f"{100 * question.level:g} %"
    said = [
        f"On the {sample.n_classes:,} observed classes {_percent(answer.seen[-1])} of the data "
        "points were recognised, classes weighing equally."
    ]
    for k in question.classes:
        for top in question.tops:
            row = answer.at(name, k, top)
            among = "" if top == 1 else f" among the {top} best"
            sentence = f"With {k:,} classes, {_percent(row.accuracy)} are expected to be{among}"
            sentence += " recognised" if top == 1 else ""
            if np.isfinite(row.lower):
                sentence += (
                    f" ({level} interval: {_between(row.lower, row.upper)}; "
                    f"on one new set of {k:,} classes: "
                    f"{_between(row.set_lower, row.set_upper)})"
                )
            said.append(sentence + ".")
    if name in answer.sizes and question.target is not None:
        estimate, low, high = (
            "beyond 10^12" if each is None else f"{each:,}" for each in answer.sizes[name]
        )
        said.append(
            f"The accuracy falls below {_percent(question.target)} at {estimate} classes "
            f"({level} interval: {low} to {high})."
        )
    said.append(_trust(len(answer.doubts), label))
    return said


def _trust(doubts: int, label: str) -> str:
    """Say how far to trust the numbers."""
    assumed = (
        "holds if the classes to come are drawn like the observed ones, and if a class's score "
        "does not depend on which other classes there are"
    )
    if not doubts:
        return f"The scores give no reason for doubt. The prediction (method: {label}) {assumed}."
    reasons = "is one reason" if doubts == 1 else f"are {doubts} reasons"
    return f"There {reasons} for caution, below. The prediction (method: {label}) {assumed}."


def _short(share: float) -> str:
    """Three digits, without the zero before the point: a table of four methods must fit."""
    return f"{share:.3f}".removeprefix("0")


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _between(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def doubts_as_notes(doubts: Sequence[str]) -> list[str]:
    """Start each with a capital and end it as a sentence."""
    return [each[:1].upper() + each[1:].rstrip(".") + "." for each in doubts]
