"""What in a sample makes a prediction doubtful, whoever predicts: its labels, lists and scores."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed import score_cautions
from accuracy_curves.observed.accuracy import class_means
from accuracy_curves.scores.candidate_lists import SHORTEST, CandidateLists
from accuracy_curves.scores.identities import MANY_PHOTOS
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.vocabulary import Phrase

AT_TWO = Phrase("the {w.accuracy} at two {w.classes}")
# Standard errors of what chance explains.
CHANCE = 2
# Columns, points of a class.
LEAST_COLUMNS, ENOUGH_POINTS = 8, 100
# Classes whose points score best for another one: how many, their share, and one to one.
LEAST_MOVED, MOVED, ONE_TO_ONE = 5, 0.1, 0.75
# Points beaten by half of the classes. How many more of them than of the others have a wrong score
# above the median of right ones, and by how many standard errors.
SHUFFLED, AS_GOOD, BEYOND_CHANCE = 0.05, 0.1, 2.5
# Points of a class of junk beside those of others, their share of pairs won, and that of most.
MANY_TIMES, AT_CHANCE, WELL_ABOVE = 5, 0.6, 0.8


def chance(sample: Sample) -> Iterator[AccuracyWarning]:
    """Compare the accuracy at two classes with guessing; of short lists, how many are right."""
    if sample.censored.any():
        listed = class_means(sample, np.isfinite(sample.correct))
        error = listed.std() / np.sqrt(len(listed))
        if listed.mean() <= sample.lengths.mean() / sample.n_classes + CHANCE * error:
            which = Phrase("the share of searches with the right {w.class_} among their candidates")
            yield caution("at_chance", which=which, share=float(listed.mean()))
        return
    outscored, tied = sample.outscored_and_tied()
    shares = class_means(sample, outscored + tied / 2) / (sample.n_classes - 1)
    # One class has no error of its own: that of a uniform share, for each point.
    alone = len(shares) == 1
    spread = np.sqrt(1 / 12) if alone else shares.std(ddof=1)
    draws = sample.n_points if alone else len(shares)
    seen, room = float(shares.mean()), CHANCE * spread / np.sqrt(draws)
    if seen < 0.5 - room and sample.design.photos is None and sample.whole:
        direction = "similarities" if sample.higher_is_better else "distances"
        yield caution("wrong_direction", accuracy=seen, direction=direction)
    elif seen < 0.5 + room and not alone:
        yield caution("at_chance", which=AT_TWO, share=seen)


def moved_labels(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for classes whose points score best for another class, one to one.

    A class that is confused with another does so beside that class's own points. Where a column
    has no points, the two halves of a class must agree on it.
    """
    if sample.n_classes < LEAST_COLUMNS:
        return
    order = np.argsort(sample.labels, kind="stable")
    own, starts = np.unique(sample.labels[order], return_index=True)
    best = np.tile(own, (3, 1))
    right = sample.outscored_and_tied()[0] == sample.n_classes - 1
    for place, rows in enumerate(np.split(order, starts[1:])):
        if right[rows].mean() > 0.5:
            continue
        block = np.asarray(sample.scores[rows[:ENOUGH_POINTS]], dtype=np.float64)
        # The halves of one point are the point.
        halves = block[::2], block[1::2] if len(block) > 1 else block
        means = np.array([part.mean(axis=0) for part in (block, *halves)])
        best[:, place] = (means if sample.higher_is_better else -means).argmax(axis=1)
    several = np.diff(starts, append=len(order)) > 1
    moved = (best[1] == best[2]) & (np.isin(best[0], own) | several) & (best[0] != own)
    alone = moved & (np.bincount(best[0])[best[0]] == 1)
    n = np.count_nonzero(alone)
    if n >= max(LEAST_MOVED, MOVED * len(own), ONE_TO_ONE * np.count_nonzero(moved)):
        first = int(alone.argmax())
        names = sample.column_names
        where = f"{names[own[first]]} for {names[best[0, first]]}"
        yield caution("moved_labels", moved=n, classes=len(own), first=where)


def shuffled_labels(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for points that half of the classes beat, though some wrong class fits them well.

    A photo that is poor fits no class.
    """
    (outscored, tied), others = sample.outscored_and_tied(), sample.n_classes - 1
    scored = ~sample.failed
    lost, right = scored & (outscored + tied / 2 < others / 2), outscored == others
    if sample.n_classes < LEAST_COLUMNS or not (right & scored).any():
        return
    share = np.count_nonzero(lost) / sample.n_points
    if share < SHUFFLED:
        return
    usual, wrong = float(np.median(sample.correct[right])), np.empty(sample.n_points)
    for rows, _, incorrect, _ in sample.incorrect(np.arange(sample.n_points)):
        wrong[rows] = np.nanmax(incorrect, axis=1)
    fits, others_scored = wrong >= usual, scored & ~lost
    spread, counts = fits[scored].std(), np.array([lost.sum(), others_scored.sum()])
    room = max(AS_GOOD, BEYOND_CHANCE * spread * np.sqrt((1 / counts).sum()))
    if fits[lost].mean() - fits[others_scored].mean() > room:
        yield caution("shuffled_labels", share=f"{100 * share:.0f} %")


def mixed_classes(sample: Sample) -> Iterator[AccuracyWarning]:
    """Look for a class of many points that are no nearer to it than to others."""
    outscored, tied = sample.outscored_and_tied()
    counts = np.bincount(sample.labels)
    share = np.bincount(sample.labels, outscored + tied / 2) / (sample.n_classes - 1)
    share, some = share / np.maximum(counts, 1), counts[counts > 0]
    many = (counts >= MANY_PHOTOS) & (counts >= MANY_TIMES * np.median(some))
    mixed = np.flatnonzero(many & (share < AT_CHANCE) & (np.median(share[counts > 0]) > WELL_ABOVE))
    if mixed.size:
        name = str(sample.column_names[mixed[0]])
        yield caution("mixed_classes", count=int(counts[mixed[0]]), name=name)


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


OF_SAMPLES = (chance, score_cautions.copied_photos)
OF_LISTS = (
    incomplete_lists,
    cut_ties,
    scores_of_places,
    fewer_searched,
    right_in_order,
)
# Of samples with the scores of all classes.
OF_SCORES = (score_cautions.filled, score_cautions.found_themselves)
# Of samples whose columns are classes.
OF_CLASSES = (
    moved_labels,
    shuffled_labels,
    score_cautions.look_alikes,
    score_cautions.copied_classes,
)
# Of rows, those of searches without a mate as well.
OF_ROWS = (score_cautions.failed_points,)
OF_ROWS_OF_SCORES = (score_cautions.probabilities, score_cautions.marked_cells)
# What looks like another fault where these are found.
EXPLAINED = {
    "shuffled_labels": {"at_chance", "wrong_direction", "moved_labels", "mixed_classes"},
    "winning_classes": {"wrong_direction"},
    "look_alikes": {"copied_classes"},
}


def cautions_of_sample(sample: Sample | Searches) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Of searches those with a mate are the sample, and conditions of rows look at all.
    """
    points: Any = sample
    rows: Any = sample
    if isinstance(sample, Searches):
        points, rows = sample.mated, sample.as_points()
    elif sample.design.rivals is not None:
        # A query is looked at once, whatever number of right answers it has.
        points = rows = sample.select_points(np.flatnonzero(sample.design.rivals.place == 0))
    cautions = list[AccuracyWarning]()
    for of, has, conditions in (
        (points, True, OF_SAMPLES),
        (points, points.is_listed, OF_LISTS),
        (points, points.is_complete, (mixed_classes,)),
        (points, points.whole, OF_SCORES),
        (points, points.has_classes, OF_CLASSES),
        (rows, True, OF_ROWS),
        (rows, rows.whole, OF_ROWS_OF_SCORES),
        (rows, rows.has_classes, (score_cautions.winning_classes,)),
    ):
        if has:
            cautions += [doubt for find in conditions for doubt in find(of)]
    reasons = {doubt.reason for doubt in cautions}
    return [doubt for doubt in cautions if not reasons & EXPLAINED.get(doubt.reason, set())]
