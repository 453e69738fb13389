"""An answer in words and in the rows of a table, for the terminal and the page.

The sentences with places in braces are filled here, and in the page by `explore.js`: alike.
"""

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from accuracy_curves.answers.accuracy import AccuracyAnswer, PredictedAccuracy
from accuracy_curves.cautions import gravest, share
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.intervals.class_intervals import Sizes

SENTENCES = {
    "predicted": "With {k} classes the expected {name} is {accuracy}{interval}{errors}.",
    "interval": " ({level} interval {lower} to {upper}{one_set})",
    "one_set": "; on one new set of classes {lower} to {upper}",
    "errors": ": about 1 search in {about} errs{between}",
    "errors_between": " (1 in {most} to 1 in {least})",
    "errors_below": ": fewer than 1 search in {most} errs, by the lower end of the interval, as no "
    "error was observed",
    "rates": "With {k} enrolled, at the threshold {threshold}{set_for}: {fpir} of the searches by "
    "strangers return somebody{fpir_interval}, and {fnir} of the searches by enrolled people miss "
    "them{fnir_interval}.",
    "no_rates": "With {k} enrolled no threshold keeps FPIR at {target}: it would lie beyond every "
    "score, so that everybody is missed.",
    "set_for": ", set for an FPIR of {target}",
    "rate_interval": " ({level} interval {lower} to {upper})",
}
VALID = (
    "The prediction (method: {method}) is valid if the classes to come are drawn like the observed "
    "ones, and if a class's score does not depend on which other classes there are. Scores of a "
    "classifier that was trained on these classes together may mislead, upwards or downwards."
)

# Accuracies above it are told by their errors too.
HIGH = 0.9

# Cells of a row of the printed table.
Row = list[str]


def printed_rows(answer: AccuracyAnswer) -> list[Row]:
    """Write the rows of the printed table: classes, top unless it is 1, a cell a method."""
    several = answer.question.tops != (1,)
    rows = []
    for k in answer.question.classes:
        for top in answer.question.tops:
            cells = []
            for name in answer.methods:
                found = answer.at(name, k, top)
                interval, one_set = shown_ends(found)
                cells.append("\n".join(filter(None, [share(found.accuracy), interval, one_set])))
            rows.append([f"{k:,}", *([str(top)] if several else []), *cells])
    return rows


def shown_ends(found: PredictedAccuracy) -> tuple[str, str]:
    """Write both intervals; empty where there is none, and the second where it is the first."""
    if found.lower != found.lower:
        return "", ""
    interval, one_set = span(found.lower, found.upper), span(found.set_lower, found.set_upper)
    return interval, f"({one_set})" if one_set != interval else ""


def cut(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def span(lower: float, upper: float) -> str:
    """Write an interval for a table."""
    return f"{share(lower)}-{share(upper)}"


def observed_sentence(answer: AccuracyAnswer) -> str:
    """Say what was observed at k1 classes, of the first top."""
    sample, top = answer.sample, answer.question.tops[0]
    return (
        f"{sample.n_points:,} points, k1 = {sample.n_classes:,} classes: "
        f"observed {accuracy_name(top)} {share(answer.observed_at_k1(top))}"
    )


def interval_legend(answer: AccuracyAnswer) -> str:
    """Say what stands below a value of `printed_rows`; empty where there is no interval."""
    if not any(each.splits for each in answer.fits.values()):
        return ""
    return (
        f"below: {percent(answer.question.level)} interval of the expected accuracy; in brackets, "
        "where it differs, that for one new set of classes"
    )


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def accuracy_name(top: int) -> str:
    """Name the top-t accuracy; top 1 is the accuracy."""
    return "accuracy" if top == 1 else f"top-{top} accuracy"


def target_sentences(answer: AccuracyAnswer) -> list[str]:
    """Say at how many classes each method falls below the target; empty without one."""
    question = answer.question
    return [
        target_sentence(
            f"{answer.methods[name]}: the {accuracy_name(question.tops[0])}",
            question.target or 0.0,
            sizes,
            percent(question.level),
        )
        for name, sizes in answer.sizes.items()
    ]


def target_sentence(what: str, target: float, sizes: Sizes, level: str) -> str:
    """Say from how many classes on something is below the target, with the interval if it has."""
    estimate, *ends = sizes
    if estimate is None:
        sentence = f"{what} is not below {target:g} up to 10^12 classes"
    else:
        sentence = f"{what} falls below {target:g} at {estimate:,} classes"
    if ends[0] != ends[0]:
        return f"{sentence} (no interval)"
    low, high = ("beyond 10^12" if each is None else f"{each:,}" for each in ends)
    return f"{sentence} ({level} interval: {low if low == high else f'{low} to {high}'})"


def conclusion(answer: AccuracyAnswer) -> list[str]:
    """Say in plain words what the first method predicts, a sentence each.

    What makes the answer useless, if anything does; what was observed, what is predicted at each
    number of classes, where the target is reached, and when it is valid.
    """
    question, sample, top = answer.question, answer.sample, answer.question.tops[0]
    name, label = next(iter(answer.methods.items()))
    counted = "point" if sample.points_alike else "class"
    found = [
        *warned(answer.cautions),
        f"On the {sample.n_classes:,} observed classes the {accuracy_name(top)} is "
        f"{share(answer.observed_at_k1(top))}; each {counted} counts equally.",
        *(
            predicted_sentence(
                k, each, question.level, answer.at(name, k, each), answer.observed_at_k1(each)
            )
            for k in question.classes
            for each in question.tops
        ),
    ]
    if answer.sizes:
        found += sentences([target_sentences(answer)[0]])
    return [*found, VALID.format(method=label)]


def warned(found: Sequence[AccuracyWarning]) -> list[str]:
    """Say that an answer should not be used, and why; nothing where no reason is grave."""
    worst = gravest(found)
    return [] if worst is None else sentences([f"{worst.weight}: {worst}"])


def predicted_sentence(
    k: int, top: int, level: float, found: PredictedAccuracy, observed: float
) -> str:
    """Say what is predicted at a number of classes, with its intervals where there are any."""
    first, second = shown_ends(found)
    interval = ""
    if first:
        ends = {"lower": share(found.set_lower), "upper": share(found.set_upper)}
        one_set = SENTENCES["one_set"].format(**ends) if second else ""
        ends = {"lower": share(found.lower), "upper": share(found.upper)}
        interval = SENTENCES["interval"].format(level=percent(level), **ends, one_set=one_set)
    values = {"accuracy": share(found.accuracy), "interval": interval}
    errors = errors_in_words(found, observed)
    return SENTENCES["predicted"].format(
        k=f"{k:,}", name=accuracy_name(top), errors=errors, **values
    )


def errors_in_words(found: PredictedAccuracy, observed: float) -> str:
    """Say in how many searches one errs, where few do; `observed` is the accuracy at k1."""
    values = {"about": one_in(found.accuracy)}
    has_interval = found.lower == found.lower
    if has_interval:
        values |= {"most": one_in(found.lower), "least": one_in(found.upper)}
    return errors_sentence(found.accuracy, observed, has_interval=has_interval).format(**values)


def errors_sentence(accuracy: float, observed: float, *, has_interval: bool) -> str:
    """Choose the sentence of `errors_in_words`, its places open; empty where many err."""
    # A mean of ones may miss 1 by its rounding.
    faultless = 1 - observed < 1e-12
    if accuracy <= HIGH or (faultless and not has_interval):
        return ""
    if faultless:
        return SENTENCES["errors_below"]
    between = SENTENCES["errors_between"] if has_interval else ""
    return SENTENCES["errors"].format(about="{about}", between=between)


def one_in(accuracy: float) -> str:
    """Write the n of one error in n, of two digits."""
    of_two_digits = float(f"{1 / max(1 - accuracy, 1e-9):.2g}")
    return f"{int(of_two_digits + 0.5):,}"


def errors_lines(answer: AccuracyAnswer) -> list[str]:
    """Say of the first method in how many searches one errs, a line a number of classes and top."""
    name, label = next(iter(answer.methods.items()))
    return [
        f"{label}, {accuracy_name(top)} at {k:,} classes{said}"
        for k, top in product(answer.question.classes, answer.question.tops)
        if (said := errors_in_words(answer.at(name, k, top), answer.observed_at_k1(top)))
    ]


def curves_caption(answer: AccuracyAnswer) -> str:
    """Say what the figure of the curves shows."""
    which = " and ".join(map(accuracy_name, answer.question.tops))
    key, label = next(iter(answer.methods.items()))
    band = ""
    if answer.fits[key].splits:
        band = f" The band is the {percent(answer.question.level)} interval of {label}."
    return (
        f"Average {which} over all subsets of k of the observed classes (grey), and as the methods "
        f"predict.{band} Dots are the numbers of classes that were asked for, the dotted line is "
        "k1."
    )


def sentences(texts: Iterable[str]) -> list[str]:
    """Start each with a capital and end it as a sentence."""
    return [each[:1].upper() + each[1:].rstrip(".") + "." for each in texts]
