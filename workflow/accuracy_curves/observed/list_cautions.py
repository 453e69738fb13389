"""Cautions of candidate lists: what is missing in them, and what their scores are."""

from collections.abc import Iterator

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.scores.candidate_lists import SHORTEST, CandidateLists
from accuracy_curves.scores.identities import MANY_PHOTOS
from accuracy_curves.vocabulary import Phrase

# The scores at the end of a list spread so much more than in its middle if a second search
# ordered it. Lists are shorter than this part of all.
SPREAD_AT_END, PART_OF_ALL = 2.5, 0.25
# Of the right answers beyond lists, those in their second half: hardly any.
HARDLY, MANY_BEYOND = 0.02, 0.05
# Share of the lists whose scores tie, so that no place means anything.
MANY_TIED = 0.1
# Of the right classes.
MANY_CUT = 0.01
# Distinct scores a place of a list, and lists.
SCORES_A_PLACE, LEAST_LISTS = 1.5, 8
# Of what was searched, what all lists together seem to be of, and right answers outside of it.
SEEMS_SEARCHED, MOST_UNLISTED = 1 / 3, 0.05


def incomplete_lists(sample: CandidateLists) -> Iterator[AccuracyWarning]:
    """Look for a sign that candidates are missing above the end of the lists.

    The best of a first search that a second one has ordered end as the whole of a sample does, and
    not as its best part. What an approximate search misses would be anywhere in the lists.
    """
    if sample.design.own_rivals:
        return
    rows = np.flatnonzero((sample.lengths >= sample.usual_length) & (sample.ends > -np.inf))
    last = sample.lengths[rows] - 1
    if len(rows) and SHORTEST <= last.max() + 1 < PART_OF_ALL * sample.n_classes:
        places = [(part * last).astype(int) for part in (0.4, 0.6, 0.8, 1)]
        at = np.array([sample.scores[rows, place] for place in places])
        high, low, near, end = at.mean(axis=1)
        if np.mean((np.diff(at, axis=0) == 0).any(axis=0)) > MANY_TIED:
            return
        if near - end > SPREAD_AT_END * (high - low):
            why = "the lists end as those of a first search do that a second one has ordered"
            yield caution("incomplete_lists", why=why)
            return
    # A name that is right for many, and in no list, is no class.
    at_label, counts = np.unique(sample.labels, return_inverse=True, return_counts=True)[1:]
    beyond = int(np.count_nonzero(sample.censored & (counts[at_label] < MANY_PHOTOS)))
    outscored, tied = sample.count_listed()
    late = int(np.count_nonzero((outscored + tied >= sample.lengths / 2) & ~sample.censored))
    if beyond > max(MANY_PHOTOS, MANY_BEYOND * sample.n_points, late / HARDLY):
        why = f"{beyond:,} right answers are in no list, but only {late:,} in the second half"
        yield caution("incomplete_lists", why=why)


def cut_ties(sample: CandidateLists) -> Iterator[AccuracyWarning]:
    """Count the right classes that tie with the last candidate of their lists."""
    cut = float(np.mean(np.isfinite(sample.ends) & (sample.correct == sample.ends)))
    if cut > MANY_CUT:
        yield caution("cut_ties", share=f"{100 * cut:.0f} %")


def scores_of_places(sample: CandidateLists) -> Iterator[AccuracyWarning]:
    """Look for scores that are those of the places, such as 1 / rank: the same in every list."""
    listed = sample.scores[sample.classes >= 0]
    same = sample.scores[:, 1:] == sample.scores[:, :-1]
    tied = same & (sample.classes[:, 1:] >= 0)
    places = SCORES_A_PLACE * (sample.lengths.max(initial=0) + 1)
    if sample.n_points >= LEAST_LISTS and not tied.any() and len(np.unique(listed)) <= places:
        yield caution("scores_of_places")


def fewer_searched(sample: CandidateLists) -> Iterator[AccuracyWarning]:
    """Estimate how many classes the lists are of (Chao 1984): as many as are searched, or fewer."""
    is_listed = np.isfinite(sample.correct)
    listed = np.r_[sample.classes[sample.classes >= 0], sample.labels[is_listed]]
    classes, counts = np.unique(listed, return_counts=True)
    once, twice = (np.count_nonzero(counts == n) for n in (1, 2))
    seems = len(classes) + once * (once - 1) / (2 * (twice + 1))
    unlisted = np.mean(~np.isin(sample.labels, classes))
    if seems < SEEMS_SEARCHED * sample.n_classes and unlisted <= MOST_UNLISTED:
        yield caution("fewer_searched", classes=len(classes), searched=sample.n_classes)


def right_in_order(sample: CandidateLists) -> Iterator[AccuracyWarning]:
    """Say where right answers follow each other: neighbours are right, and wrong, together."""
    if sample.design.in_order:
        what = "right {w.classes} follow each other, as frames of a route do, and wrong ones "
        what += "beside them hardly grow in number"
        yield caution("look_alikes", what=Phrase(what), how="the answer may be too low")
