"""The page of `predict`: the predicted accuracies, and the file beside it."""

import numpy as np

from accuracy_curves.answers.accuracy import AccuracyAnswer, measured
from accuracy_curves.answers.accuracy_wording import accuracy_name, shown_ends
from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import render, round_sizes
from accuracy_curves.answers.wording import percent, span
from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.observed.accuracy import TOLERANCE, accuracy_bounds
from accuracy_curves.observed.sample_cautions import tied_share


def accuracy_page(answer: AccuracyAnswer, made: Made, curves: bytes) -> str:
    """Write the page; `curves` is the PNG of its figure."""
    question, sample = answer.question, answer.sample
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    points = np.sort(points[points > 0])
    ends = accuracy_bounds(sample, [2, sample.counted_classes], question.seed)
    return render(
        "accuracy.html",
        answer,
        made,
        curves,
        question=question,
        sample=sample,
        seen=[
            share(lower) if upper - lower <= TOLERANCE else span(lower, upper)
            for lower, upper in np.transpose(ends).tolist()
        ],
        asked=[(k, top) for k in question.classes for top in question.tops],
        at_round_sizes=predict_at_round_sizes(answer),
        shown_ends=shown_ends,
        accuracy_name=accuracy_name,
        level=percent(question.level),
        caption=curves_caption(answer),
        points=points.tolist(),
        median=float(np.median(points)),
        tied=tied_share(sample),
    )


def predict_at_round_sizes(answer: AccuracyAnswer) -> list[tuple[int, Prediction, bool]]:
    """Predict by the first method, the first top, at round numbers of classes.

    Each with whether it is beyond the validated range.
    """
    question, fit = answer.question, answer.fits[next(iter(answer.methods))]
    classes = round_sizes(answer.sample.counted_classes)
    found = fit.find_interval(classes, measured(question.tops[0]), question.level)
    return list(zip(classes, map(found.at, classes), found.too_far.tolist(), strict=True))


def curves_caption(answer: AccuracyAnswer) -> str:
    """Say what the figure of the curves shows."""
    which = " and ".join(map(accuracy_name, answer.question.tops))
    key, label = next(iter(answer.methods.items()))
    band = ""
    bounds = "; its bounds where lists do not tell it" if answer.sample.censored.any() else ""
    if answer.fits[key].splits:
        band = f" The band is the {percent(answer.question.level)} interval of {label}."
    return (
        f"Average {which} over all subsets of k of the observed classes (grey{bounds}), and as the "
        f"methods predict.{band} Dots are the numbers of classes that were asked for, the dotted "
        "line is k1."
    )
