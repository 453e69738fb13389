"""Cautions of score matrices: normalised, marked, copied, winning and failed scores."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import DOUBTFUL, MILD, caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.scores.given_arrays import sum_of_probabilities
from accuracy_curves.scores.same_photos import LEAST_PHOTOS, NEARLY_ALL, SAME
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, FloatArray, row_blocks
from accuracy_curves.vocabulary import Phrase

# Of the variance of two parts of a sum, that of the sum, where it was made one number.
MADE_EQUAL = 0.03
# Share of the points that match their class exactly; and how much room is empty beside them.
MANY_EXACT, NEAR_BEST = 0.1, 10
# Rows of fewer columns, or of fewer different scores, are equal by chance; rows that are enough.
LEAST_COLUMNS, LEAST_DIFFERENT, ENOUGH_ROWS = 8, 5, 100
# Of the scores that are one number, if there are more different ones than levels of a coarse score.
MANY_FILLED, LEVELS = 0.6, 64
# Scores of searches that are another number: their 90 % quantile beside that of 10 %.
VARIED = 2
# How far a mark lies from all scores, in ranges of these: any number, and a whole one among others.
FAR, NOT_NEAR = 3.0, 0.1
# Of the searches for others that a class wins, from which on it decides, or is said.
MANY_WON, SOME_WON, FEW_WON, TIMES_THE_MEAN = 0.25, 0.1, 0.01, 5
# Of the columns.
MANY_COPIED = 0.05
# Correlations of so many columns, so many of which may be a group, if there are more groups.
MOST_COMPARED, LARGEST_GROUP, LEAST_GROUPS = 500, 30, 20
# Of the columns in groups of three and more; correlations of neighbours, beyond that of all.
MANY_GROUPED, NEIGHBOURS, BEYOND_CHANCE = 0.4, 0.3, 8


def probabilities(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look whether the scores of each point sum to one number.

    And whether those of each class do as well.
    """
    if _made_equal(sample):
        more = Phrase(", and those of each {w.class_} do")
        others = Phrase("{w.classes} and {w.points}")
        yield caution("probabilities", more=more, others=others, weight=DOUBTFUL)
    elif _are_odds(sample):
        yield caution("probabilities", more="", others=Phrase("{w.classes}"))


def _made_equal(sample: ScoreMatrix) -> bool:
    """Whether sums of rows and columns were made one number, as by Sinkhorn's algorithm.

    What a point, or a class, has of its own and of others varies, and their sum does not.
    """
    absent = len(np.unique(sample.labels)) < sample.n_classes
    if not sample.higher_is_better or absent or sample.extremes.of_points[0].min() < 0:
        return False
    rows, columns = np.zeros(sample.n_points), np.zeros(sample.n_classes)
    for here, block in sample.blocks():
        rows[here] = block.sum(axis=1, dtype=np.float64)
        columns += block.sum(axis=0, dtype=np.float64)
    if not rows.all():
        return False
    own = sample.correct.astype(np.float64)
    parts = (own, rows), (np.bincount(sample.labels, own), columns)
    off = [total.std() / total.mean() for _, total in parts]
    left = [total.var() / max(of.var() + (total - of).var(), 1e-300) for of, total in parts]
    return min(off) <= SAME and max(left) <= MADE_EQUAL


def _are_odds(sample: ScoreMatrix, turned: Callable[[FloatArray], FloatArray] = np.asarray) -> bool:
    """Whether scores are probabilities, or what they are `turned` into."""
    return sample.higher_is_better and sum_of_probabilities(sample.scores, turned) is not None


def found_themselves(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for points whose score for their own class is one best number, and nobody else's is.

    Of a tenth of them; where right scores have few levels, the best one says nothing.
    """
    if sample.n_points < LEAST_PHOTOS or _are_odds(sample):
        return
    least, most = sample.extremes.of_points
    room = SAME * float(most.max() - least.min())
    best, near = most.max() - room, most.max() - NEAR_BEST * room
    exact = sample.correct >= best
    n, others = np.count_nonzero(exact), sample.correct[~exact]
    some = np.asarray(sample.scores[:ENOUGH_ROWS, :ENOUGH_ROWS])
    all_fine = n >= NEARLY_ALL * sample.n_points and len(np.unique(some)) > some.size / 4
    fine = all_fine or len(np.unique(others)) > len(others) / 2
    # Scores that come near to the best one fill what is between.
    alone = np.count_nonzero(others >= near) <= MANY_EXACT * n
    if not (fine and alone) or n < MANY_EXACT * sample.n_points:
        return
    own_alone = sum(np.count_nonzero(block >= best) for _, block in sample.blocks()) == n
    # Log probabilities of a confident classifier are nearly 0.
    if own_alone and not _are_odds(sample, lambda logs: np.exp(np.minimum(logs, 1))):
        yield caution("found_themselves", count=n, points=sample.n_points)


def failed_points(sample: Sample) -> Iterator[AccuracyWarning]:
    """Count the points whose scores are all equal."""
    if failed := np.count_nonzero(sample.failed):
        cells = f"all scores of {failed:,} of {sample.n_points:,} {{w.points}} are equal"
        yield caution("marks", cells=Phrase(cells))


def some_rows(sample: ScoreMatrix | Searches) -> FloatArray:
    """Scores of some points that did not fail: enough to see their kind."""
    rows = np.flatnonzero(~sample.failed)
    return np.asarray(sample.scores[rows[:: len(rows) // ENOUGH_ROWS + 1]])


def filled(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for a score that fills most cells, but is no level of a coarse score."""
    some = some_rows(sample)
    if not some.size or len(np.unique(some)) <= LEVELS or _are_odds(sample):
        return
    # What fills more than a half is the median.
    value = float(np.median(some))
    same = np.mean(some == value, axis=1)
    # Where none is shared, a search for words gives 0: to some rows far more often than to others.
    if value == 0 <= some.min():
        many, few = 1 - np.quantile(same, [0.1, 0.9])
        if many > VARIED * few:
            return
    if same.mean() > MANY_FILLED:
        cells = f"{100 * same.mean():.0f} % of the scores are {value:g}"
        yield caution("marks", cells=cells)


def marked_cells(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for some cells of one number that is far from all scores, such as 9999.

    Or of a whole number that is not near to them where they are none, such as -1 among cosines.
    """
    scored, (least_of, most_of) = ~sample.failed, sample.extremes.of_classes
    varied = least_of < most_of
    if not varied.any():
        return
    low, high = least_of[varied].min(), most_of[varied].max()
    some = some_rows(sample)[:, varied] * (1 if sample.higher_is_better else -1)
    some = some[(some > low) & (some < high)]
    if not some.size or not np.ptp(some):
        return
    few_whole = np.mean(some % 1 == 0) < 0.5
    # Of exact matches alone the best score is a score.
    exact = np.count_nonzero(sample.correct[scored] == high)
    for place, end in enumerate((low, high)):
        room = NOT_NEAR if few_whole and end % 1 == 0 != end else FAR
        inner = [some.min(), some.max()]
        # What is not far from the scores of some rows is not far from those of all.
        if abs(end - inner[place]) <= room * (inner[1] - inner[0]):
            continue
        count = -exact if end == high else 0
        for rows, block in sample.blocks():
            cells = block[scored[rows]][:, varied]
            count += np.count_nonzero(cells == end)
            others = cells[(cells > low) & (cells < high)]
            inner = [others.min(initial=inner[0]), others.max(initial=inner[1])]
        is_far = abs(end - inner[place]) > room * (inner[1] - inner[0])
        if is_far and 1 < count < MANY_FILLED * np.count_nonzero(scored) * sample.n_classes:
            value = end if sample.higher_is_better else -end
            yield caution("marks", cells=f"{count:,} scores are {value:g}, far from all others")


def winning_classes(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for classes that are the best in many of the searches for others.

    And for classes whose scores are all equal, and that their own points do not find.
    """
    if sample.n_classes < LEAST_COLUMNS:
        return
    scored, (_, (least, most), rows, columns) = ~sample.failed, sample.extremes
    right, shares = columns == sample.labels[rows], 1 / np.bincount(rows)[rows]
    own_wins = np.bincount(columns[right], minlength=sample.n_classes)
    won = np.bincount(columns[~right], minlength=sample.n_classes)
    parts = np.bincount(columns[~right], shares[~right], sample.n_classes)
    points = np.bincount(sample.labels[scored], minlength=sample.n_classes)
    others = np.maximum(np.count_nonzero(scored) - points, 1)
    names = sample.column_names
    # Enrolments that failed tie with one another; coarse scores do so, too, but of few.
    some = parts > np.maximum(SOME_WON * others, TIMES_THE_MEAN * parts.mean())
    constant = least == most
    some |= constant & (points == 0) & (parts > FEW_WON * others)
    if (winning := (won > MANY_WON * others) | some).any():
        share = float((won / others).max())
        weight = {} if share > MANY_WON else {"weight": MILD}
        shown = f"{100 * share:.0f} %"
        yield caution("winning_classes", share=shown, **_named(names[winning]), **weight)
    # A column that is constant by design is found by its points.
    failed = constant & (points > 0) & (own_wins == 0) & ~winning
    if failed.any():
        yield caution("failed_classes", **_named(names[failed]))


def _named(names: npt.NDArray[np.generic]) -> dict[str, Any]:
    first, *more = names.tolist()
    return {"name": str(first), "more": f" and {len(more):,} more" if more else ""}


def copied_classes(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for columns that are equal, score by score."""
    ties = [np.append(sample.labels[rows], other) for rows, other in sample.tied_with_correct()]
    if not ties:
        return
    # A copy of a class ties with it.
    columns = np.unique(np.concatenate(ties))
    digests = np.zeros(len(columns))
    keys = np.random.default_rng(0).random(sample.n_points)
    for rows in row_blocks(sample.n_points, len(columns)):
        digests += (sample.scores[rows, columns] * keys[rows, None]).sum(axis=0)
    _, first_of, place = np.unique(digests, return_index=True, return_inverse=True)
    copies = [
        (columns[first], columns[column])
        for column, first in enumerate(first_of[place])
        if first < column and len(np.unique(sample.scores[:, columns[column]])) >= LEAST_DIFFERENT
    ]
    if copies:
        first, second = (str(sample.column_names[column]) for column in copies[0])
        weight = {} if len(copies) > MANY_COPIED * sample.n_classes else {"weight": MILD}
        yield caution("copied_classes", copies=len(copies), first=first, second=second, **weight)


def copied_photos(sample: Sample) -> Iterator[AccuracyWarning]:
    """Count the photos whose embedding is that of an earlier one."""
    labels, copies = sample.design.photos or ((), ())
    for row, other in copies[:1]:
        which = f"row {row}, of {labels[row]}, of row {other}, of {labels[other]}"
        found: dict[str, Any] = {"what": "photos that are copies", "count": len(copies)}
        yield caution("wrong_names", **found, which=which, how="leave the copies out")


def look_alikes(sample: ScoreMatrix) -> Iterator[AccuracyWarning]:
    """Look for columns in groups, whose members are like each other and like no more.

    A few such groups may be clusters, which are there at every size. Or in their order: each is
    like the next one, beyond chance.
    """
    if sample.design.rivals is not None or sample.n_classes < 2 * LEAST_GROUPS:
        return
    correlation = _correlations(sample)
    order = np.argsort(-correlation, axis=1)[:, : LARGEST_GROUP + 1]
    nearest = np.take_along_axis(correlation, order, axis=1)
    sizes = 1 + (nearest[:, :-1] - nearest[:, 1:]).argmax(axis=1)
    groups = [frozenset([j, *order[j, :n].tolist()]) for j, n in enumerate(sizes)]
    closed = {group for group in groups if all(groups[j] == group for j in group)}
    grouped = sum(len(group) for group in closed if len(group) > 2) / len(correlation)
    every, next_one = correlation[np.triu_indices(len(correlation), 1)], np.diagonal(correlation, 1)
    beyond, error = next_one - every.mean(), float(every.std()) / np.sqrt(len(correlation))
    if grouped <= MANY_GROUPED or len(closed) <= LEAST_GROUPS:
        near = beyond.mean() > max(NEIGHBOURS, BEYOND_CHANCE * error)
        grouped = float(np.mean(beyond > NEIGHBOURS)) if near else 0.0
    if grouped:
        what = f"{100 * grouped:.0f} % of the columns have a few others that are very much like "
        what += "them, as species of a genus or chunks of a file"
        how = "if such groups come as a whole, name them (--groups, or matrix.grouped), as the "
        yield caution("look_alikes", what=what, how=how + "answer is otherwise too low")


def _correlations(sample: ScoreMatrix) -> Float64Array:
    """Correlate the first columns, over some points, (m, m); with itself none does."""
    every = slice(None, None, sample.n_points // MOST_COMPARED + 1)
    scores = np.array(sample.scores[every, :MOST_COMPARED], dtype=np.float64)
    scores -= scores.mean(axis=1, keepdims=True)
    scores -= scores.mean(axis=0)
    scores /= np.maximum(np.linalg.norm(scores, axis=0), 1e-300)
    correlation = np.einsum("xj,xk->jk", scores, scores)
    np.fill_diagonal(correlation, -np.inf)
    return correlation
