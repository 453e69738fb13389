"""What makes predicted accuracies doubtful; the sentences are those of `cautions`."""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accuracy_curves.cautions import DOUBTFUL, MILD, caution, listed, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.wrong_names import WrongNames, look_for_wrong_names
from accuracy_curves.intervals.half_fits import HalfFits
from accuracy_curves.observed.accuracy import (
    average_accuracy,
    class_means,
    expected_accuracy,
    losses,
)
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.observed.measures import Top
from accuracy_curves.scores.sample import Sample
from accuracy_curves.vocabulary import Phrase

# A curve misses the observed accuracy by so many standard errors of their difference, from
# halves, or of that accuracy alone, and by enough to matter.
MISFIT_ERRORS, MISFIT_ALONE, LEAST_MISFIT = 2.5, 2.0, 0.01
# Half of the tenth of a percent that is printed.
ROUNDING = 0.0005


@dataclass(frozen=True)
class Predicted:
    """What is known of the accuracies that a method predicts: what is not given is not judged.

    It was `fitted` to k1 classes; `classes` and `tops` are those of the question. `sample` are the
    scores, and `halves` the fits to halves of the classes. Of a curve alone, `observed` is its
    accuracy at k1.
    """

    fitted: Extrapolator
    k1: int
    classes: Sequence[int] = ()
    tops: Sequence[Top] = (1,)
    sample: Sample | None = None
    halves: HalfFits | None = None
    observed: float | None = None

    @cached_property
    def named(self) -> WrongNames | None:
        """What looks like a wrong name; None of a curve alone."""
        return None if self.sample is None else look_for_wrong_names(self.sample)


def wrong_names(predicted: Predicted) -> Iterator[AccuracyWarning]:
    """Predict with the pairs under two names, or, of a method that keeps them, without."""
    other, sample, named = copy.copy(predicted.fitted), predicted.sample, predicted.named
    if not named or sample is None:
        return
    if without := other.two_names == "fixed":
        other.two_names = "drawn"
    else:
        sample = other.prepare(sample).sample.setting_aside(named.rows, named.columns)
    k, top = max([predicted.k1, *predicted.classes]), predicted.tops[0]
    accuracy = share(float(other.fit(sample).predict(k, top)[0]))
    done = "they are no rivals; with" if without else "check them first; without"
    how = f"{done} them {other.label} predicts {accuracy} at {k:,} {{w.classes}}"
    yield caution_of_names(named, how)


def caution_of_names(named: WrongNames, how: str) -> AccuracyWarning:
    """Say what looks like one class under two names, and `how` it is dealt with."""
    row, name, other, wrong = named.table.iloc[0]
    like = "has the vector of a photo of" if wrong == "copy" else "looks like"
    which = f"row {row}, of {name}, {like} {other}"
    pairs = "pairs of {w.point} and {w.class_} that look like one {w.class_} under two names"
    count = len(named.table)
    return caution("wrong_names", what=Phrase(pairs), count=count, which=which, how=Phrase(how))


def misfit(predicted: Predicted) -> Iterator[AccuracyWarning]:
    """Compare the curve at k1 with what was observed.

    Both move with the draw of the classes: halves of them show by how much the difference does.
    Intervals of a method of parts hold where it misses, too, as they have how its parts differ.
    """
    sample, fitted, k1 = predicted.sample, predicted.fitted, predicted.k1
    if sample is None:
        return
    seen, curve = float(expected_accuracy(sample, k1)[0]), float(fitted.predict(k1)[0])
    if predicted.halves and predicted.halves.halves:
        room = MISFIT_ERRORS * predicted.halves.misfit_error
    else:
        drawn, fixed = losses(sample, fitted.seed, 1)
        shares = class_means(sample, 1 - drawn - fixed)
        error = float(shares.std(ddof=1)) / np.sqrt(len(shares)) if len(shares) > 1 else np.inf
        room = MISFIT_ALONE * error
    if abs(curve - seen) > max(LEAST_MISFIT, room):
        values = {"k": k1, "k1": k1, "accuracy": curve, "observed": seen}
        weight = MILD if len(fitted.parts) > 1 else DOUBTFUL
        yield caution("above_observed", method=fitted.label, weight=weight, **values)


def no_interval(predicted: Predicted) -> Iterator[AccuracyWarning]:
    """Say where intervals are missing, or hold less often than they say at any number of classes.

    Measured coverage is too low where the method's own curve misses most populations.
    """
    fitted, halves = predicted.fitted, predicted.halves
    if halves is None or (halves.halves and fitted.reach):
        return
    why = "its intervals hold less often than they say, where the accuracy is known"
    if not halves.halves:
        few = predicted.k1 < fitted.classes_for_halves
        why = "half of the {w.classes} are too few for it" if few else "it needs splits into halves"
    yield caution("no_interval", method=fitted.label, why=Phrase(why))


def too_far(predicted: Predicted) -> Iterator[AccuracyWarning]:
    """Look for numbers of classes beyond the method's reach; of a reach of 0 intervals say so."""
    fitted, k1 = predicted.fitted, predicted.k1
    times = min(fitted.reach_of(top) for top in predicted.tops)
    far = [f"{k:,}" for k in predicted.classes if times and k > times * k1]
    if far:
        yield caution_of_distance(f"{listed(far)} {{w.classes}}", times, k1, fitted.label)


def caution_of_distance(k: str, times: int, k1: int, method: str) -> AccuracyWarning:
    """Say what is beyond the sizes for which intervals were measured."""
    measured = f"intervals of {method} were measured to hold"
    return caution("too_far", k=Phrase(k), times=times, k1=k1, measured=measured)


def above_observed(predicted: Predicted) -> Iterator[AccuracyWarning]:
    """Look for a curve that is above what was observed on fewer classes."""
    fitted, sample, k1, seen = predicted.fitted, predicted.sample, predicted.k1, predicted.observed
    beyond = [k for k in predicted.classes if k > k1]
    for top in predicted.tops if beyond else ():
        if sample is not None:
            seen = float(average_accuracy(sample, k1, fitted.seed, top=top)[0])
        at_k1, *curve = np.clip(fitted.predict([k1, *beyond], top), 0.0, 1.0).tolist()
        accuracy, k = max(zip(curve, beyond, strict=True))
        # One that falls may be a little above what it was fitted to.
        rises = accuracy > at_k1 + ROUNDING
        if seen is not None and accuracy > seen + (ROUNDING if rises else LEAST_MISFIT):
            values = {"accuracy": accuracy, "observed": seen}
            yield caution("above_observed", method=fitted.label, k=k, k1=k1, **values)


# Whoever predicts an accuracy runs them.
CONDITIONS = wrong_names, misfit, no_interval, too_far, above_observed


def cautions_of_accuracy(predicted: Predicted) -> list[AccuracyWarning]:
    """Say what speaks against predicted accuracies: in the scores, the fit and the question."""
    of_sample = [] if predicted.sample is None else cautions_of_sample(predicted.sample)
    of_method = (doubt for find in CONDITIONS for doubt in find(predicted))
    return sort_cautions([*of_sample, *of_method])
