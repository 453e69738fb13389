"""Cautions of labels: whether they name the columns, and the points, that they should."""

from collections.abc import Iterator

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.accuracy import class_means
from accuracy_curves.scores.identities import MANY_PHOTOS
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
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
