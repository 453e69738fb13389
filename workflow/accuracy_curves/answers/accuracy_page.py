"""The page of `predict`: accuracies at any number of classes, and the files beside it."""

from typing import Any

import numpy as np

from accuracy_curves.answers.accuracy import AccuracyAnswer, observed_grid
from accuracy_curves.answers.accuracy_cautions import rises
from accuracy_curves.answers.accuracy_wording import (
    SENTENCES,
    accuracy_name,
    errors_sentence,
    shown_ends,
)
from accuracy_curves.answers.answer import Made
from accuracy_curves.answers.page import Where, plain, render, runs
from accuracy_curves.answers.style import method_styles
from accuracy_curves.answers.wording import percent, span
from accuracy_curves.cautions import caution, place, share
from accuracy_curves.observed.accuracy import (
    TOLERANCE,
    accuracy_bounds,
    expected_accuracy,
    least_told,
)
from accuracy_curves.observed.sample_cautions import tied_share
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.utils.arrays import IntArray

# Numbers of classes on the slider, and of points of a curve below it.
SLIDER, BELOW = 100, 30
# The slider goes to so many times k1, or as far as was asked for.
FARTHEST = 100
LEVELS = (0.8, 0.9, 0.95, 0.99)
# Offered beside the tops that were asked for, without an interval: it would take seconds.
TOPS = (1, 5)


def accuracy_page(answer: AccuracyAnswer, made: Made, curves: bytes) -> str:
    """Write the page; `curves` is the PNG of its figure."""
    question, sample = answer.question, answer.sample
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    points = np.sort(points[points > 0])
    data, ends = exploration(answer), [2, sample.n_classes]
    return render(
        "accuracy.html",
        answer,
        made,
        data,
        curves,
        question=question,
        sample=sample,
        seen=[
            share(lower) if upper - lower <= TOLERANCE else span(lower, upper)
            for lower, upper in np.transpose(accuracy_bounds(sample, ends, question.seed)).tolist()
        ],
        explored=data,
        asked=[(k, top) for k in question.classes for top in question.tops],
        shown_ends=shown_ends,
        level=percent(question.level),
        caption=curves_caption(answer),
        points=points.tolist(),
        median=float(np.median(points)),
        tied=tied_share(sample),
    )


def slider_classes(k1: int, asked: list[int]) -> IntArray:
    """Choose the numbers of classes on the slider, ascending: round ones, k1 and those asked for.

    They go from k1 to 100 times k1, or as far as was asked for, in steps of equal ratio.
    """
    farthest = max(FARTHEST * k1, *asked)
    spread = np.geomspace(k1, farthest, SLIDER)
    unit = 10.0 ** np.maximum(np.floor(np.log10(spread)) - 1, 0)  # Of two digits.
    rounded = np.minimum((np.round(spread / unit) * unit).astype(np.int64), farthest)
    return np.unique([*rounded[rounded > k1], k1, *asked])


def exploration(answer: AccuracyAnswer) -> dict[str, Any]:
    """Give the arrays of `explore.js`: each method's curves, by top and level.

    ``classes`` are the numbers of classes of the slider, and ``k`` those of the curves. A top that
    was not asked for has no interval, and one answer for all levels. Each method has its cautions,
    by top, with where they hold, and likewise the sentences of its errors.
    """
    question, k1, sample = answer.question, answer.sample.n_classes, answer.sample
    classes = slider_classes(k1, question.classes)
    below = np.unique(np.geomspace(2, classes[0], BELOW).astype(np.int64))[:-1]
    k = np.concatenate([below, classes])
    tops = [*question.tops, *_offered_tops(answer)]
    levels = sorted({*LEVELS, question.level})
    every = observed_grid(k1)
    every = every[every >= max(least_told(sample, top) for top in tops)]
    seen_at = every[np.unique(np.geomspace(1, len(every), SLIDER).astype(np.int64)) - 1]
    styles = method_styles(answer.methods)
    seen = {top: expected_accuracy(sample, seen_at, top=top) for top in tops}
    at_k1 = {top: float(accuracy[-1]) for top, accuracy in seen.items()}
    return {
        "kind": "accuracy",
        "sentences": SENTENCES,
        "classes": classes.tolist(),
        "k": k.tolist(),
        "k1": k1,
        "methods": [
            {
                "label": style.label,
                "color": style.color,
                "curves": [[_curve(answer, name, k, top, at) for at in levels] for top in tops],
                "cautions": [
                    [each.plain() for each in cautions_at(answer, name, top, k, observed)]
                    for top, observed in at_k1.items()
                ],
                "errors": [
                    errors_at(answer, name, top, k, observed) for top, observed in at_k1.items()
                ],
            }
            for name, style in styles.items()
        ],
        "tops": [
            {
                "name": accuracy_name(top),
                "top": top,
                "k": seen_at.tolist(),
                "accuracy": plain(seen[top]),
            }
            for top in tops
        ],
        "levels": [percent(level) for level in levels],
        "start": {"k": question.classes[0], "level": levels.index(question.level)},
    }


def cautions_at(
    answer: AccuracyAnswer, name: str, top: int, k: IntArray, observed: float
) -> list[Where]:
    """Say what speaks against a method's top-t accuracy, the gravest first, and where.

    `k`, (n,), are the numbers of classes of the curves, and `observed` is the accuracy at k1.
    """
    fit, k1 = answer.fits[name], answer.sample.n_classes
    values: dict[str, Any] = {"method": answer.methods[name], "k1": k1}
    found = [Where(each) for each in [*answer.of_sample, *answer.about_fits([name])]]
    if fit.reach:
        far = caution("too_far", k="{k} classes", times=fit.reach, **values)
        found.append(Where(far, above=fit.reach * k1))
    rise = caution("above_observed", k="{k}", accuracy="{accuracy}", observed=observed, **values)
    high = rises(k, fit.accuracy(k, top), k1, observed)
    found += [Where(rise, *where) for is_high, *where in runs(k, high.tolist()) if is_high]
    if top not in answer.question.tops:
        why = f"it was not asked for (--top {top})"
        found.append(Where(caution("no_interval", method=f"the {accuracy_name(top)}", why=why)))
    return sorted(found, key=lambda each: place(each.caution))


def errors_at(
    answer: AccuracyAnswer, name: str, top: int, k: IntArray, observed: float
) -> list[dict[str, Any]]:
    """Say in which sentence a method's errors are told, its places open, and where."""
    fit = answer.fits[name]
    has_interval = bool(fit.splits) and top in answer.question.tops
    texts = [
        errors_sentence(accuracy, observed, has_interval=has_interval)
        for accuracy in fit.accuracy(k, top).tolist()
    ]
    names = ("text", "above", "up_to")
    return [dict(zip(names, run, strict=True)) for run in runs(k, texts)]


def _offered_tops(answer: AccuracyAnswer) -> list[int]:
    """Choose tops that were not asked for: those that all methods can predict."""
    if not all(each.fitted.has_tops for each in answer.fits.values()):
        return []
    few = answer.sample.n_classes // 2
    if isinstance(answer.sample, CandidateLists):
        few = answer.sample.most_top + 1
    return [top for top in TOPS if top not in answer.question.tops and top < few]


def _curve(
    answer: AccuracyAnswer, name: str, k: IntArray, top: int, level: float
) -> dict[str, list[Any]]:
    """Predict at k classes, with intervals where they were asked for."""
    fit = answer.fits[name]
    if top not in answer.question.tops or not fit.splits:
        return {"accuracy": plain(fit.accuracy(k, top))}
    found = fit.find_interval(k, top, level)
    names = ("accuracy", "lower", "upper", "set_lower", "set_upper")
    return {each: plain(getattr(found, each)) for each in names}


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
