"""What in the scores makes a prediction doubtful; the sentences are those of `cautions`."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.accuracy import (
    attracting_classes,
    class_means,
    effective_classes,
    expected_accuracy,
)
from accuracy_curves.scores.candidate_lists import SHORTEST, CandidateLists
from accuracy_curves.scores.given_arrays import (
    TEXTS,
    negative_exponential,
    plain_name,
    sum_of_probabilities,
)
from accuracy_curves.scores.identities import MANY_PHOTOS
from accuracy_curves.scores.same_photos import LEAST_PHOTOS, NEARLY_ALL, SAME, Photos, find_copies
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import FloatArray

# What README.md asks for.
ENOUGH_CLASSES, ENOUGH_ERRING = 50, 10
SATURATED = 0.99
# Of the classes that errors come from, those that they go to.
FEW_ATTRACTING = 0.5
MANY_TIES, MANY_CUT = 0.01, 0.05
# Standard errors of what chance explains.
CHANCE = 2
# Rows of fewer columns, or fewer different scores, are alike by chance.
LEAST_COLUMNS, LEAST_DIFFERENT = 8, 5
# Of the searches for others that a class wins; of the scores that are one number.
MANY_WON, MANY_FILLED = 0.5, 0.6
# Scores of searches that are another number: their 90 % quantile beside that of 10 %.
VARIED = 2
# Where fewer of a row's scores differ, the observed accuracy moves by so much without its copies.
COARSE, LEAST_CHANGE = 0.5, 0.01
# Of all classes, and of those that another class fits best.
LEAST_MOVED, MOVED, ONE_TO_ONE = 5, 0.1, 0.75
# Points of a class of junk beside those of others, their share of pairs won, and that of most.
MANY_TIMES, AT_CHANCE, WELL_ABOVE = 5, 0.6, 0.8
# Correlations of so many columns with their nearest, which then fall by so much, of most of them.
MOST_COMPARED, MOST_ALIKE, ALIKE, FALL, MOST_COLUMNS = 500, 30, 0.8, 0.2, 0.5
# So many points of a class, or rows of scores, tell.
ENOUGH_POINTS = 100
# How far a mark lies from all scores, in ranges of these: any number, and a whole one among others.
FAR, NOT_NEAR = 3.0, 0.1
# Of a list's scores: those that end it spread so much more than those of its middle where a second
# search ordered it. Of the right answers beyond lists, those in their second half: hardly any.
SPREAD_AT_END, PART_OF_ALL, HARDLY, MANY_BEYOND = 2.5, 0.25, 0.02, 0.05
# Of what was searched, what all lists together seem to be of; distinct scores a place of a list.
SEEMS_SEARCHED, MOST_UNLISTED, SCORES_A_PLACE = 1 / 3, 0.05, 1.5


# Takes a sample, the seed of its ties, and the photos whose embeddings have these distances.
Embedded = Photos | None
Cautions = Iterator[AccuracyWarning]
Condition = Callable[[Any, int, Embedded], Cautions]
# Each with what it needs of a sample, and whether it needs no correct class: such a one looks at
# searches without a mate as well.
CONDITIONS: list[tuple[Condition, str, bool]] = []
NEEDS = {"scores": "whole", "classes": "has_classes", "lists": "is_listed", "ranks": "is_complete"}


def condition(*, needs: str = "", of_rows: bool = False) -> Callable[[Condition], Condition]:
    """List a condition: every command that reads such a sample runs it.

    It needs the "scores" of all classes, "lists" of the best, the "ranks" of all points, or "".
    """

    def listing(find: Condition) -> Condition:
        CONDITIONS.append((find, needs, of_rows))
        return find

    return listing


def cautions_of_sample(
    sample: Sample | Searches, seed: int = 0, *, embedded: Embedded = None
) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Runs all `CONDITIONS` that the sample has what they need for, in their order. Of searches those
    with a mate are the sample, and conditions of rows look at all.
    """
    points = rows = sample
    if isinstance(sample, Searches):
        points, rows = sample.mated, sample.as_points()
    elif sample.design.rivals is not None:
        # A query is looked at once, whatever number of right answers it has.
        points = rows = sample.select_points(np.flatnonzero(sample.design.rivals.place == 0))
    found = list[AccuracyWarning]()
    for find, needs, of_rows in CONDITIONS:
        looked_at = rows if of_rows else points
        if not needs or getattr(looked_at, NEEDS[needs]):
            found += find(looked_at, seed, embedded)
    return found


@condition()
def chance(sample: Sample, _seed: int, embedded: Embedded) -> Cautions:
    """Compare the accuracy at two classes with that of guessing, for draws of classes.

    Or, of lists that end before it, how often the right class is listed.
    """
    if sample.censored.any():
        listed = class_means(sample, np.isfinite(sample.correct))
        error = listed.std() / np.sqrt(len(listed))
        if listed.mean() <= sample.lengths.mean() / sample.n_classes + CHANCE * error:
            yield caution("listed_by_chance", share=float(listed.mean()))
        return
    outscored, tied = sample.outscored_and_tied()
    shares = class_means(sample, outscored + tied / 2) / (sample.n_classes - 1)
    # Of one class nothing tells the error: that of a uniform share, for each point.
    alone = len(shares) == 1
    spread = np.sqrt(1 / 12) if alone else shares.std(ddof=1)
    draws = sample.n_points if alone else len(shares)
    seen, room = float(shares.mean()), CHANCE * spread / np.sqrt(draws)
    # The direction of distances between embeddings is known.
    if seen < 0.5 - room and not embedded and sample.whole:
        taken = "similarities" if sample.higher_is_better else "distances"
        yield caution("wrong_direction", accuracy=seen, taken=taken)
    elif seen < 0.5 + room and not alone:
        yield caution("at_chance", accuracy=seen)


@condition(needs="classes")
def moved_labels(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for classes whose points score best for another class, one to one.

    A class that is confused with another does so beside that class's own points. Where a column
    has no points, the two halves of a class must agree on it.
    """
    if sample.n_classes < LEAST_COLUMNS:
        return
    order = np.argsort(sample.labels, kind="stable")
    own, starts = np.unique(sample.labels[order], return_index=True)
    best = np.empty((3, len(own)), dtype=np.int64)
    for place, rows in enumerate(np.split(order, starts[1:])):
        block = np.asarray(sample.scores[rows[:ENOUGH_POINTS]], dtype=np.float64)
        # Halves of one point are the point.
        parts = (block, block[::2], block[1::2]) if len(block) > 1 else (block,)
        means = np.array([part.mean(axis=0) for part in parts])
        best[:, place] = (means if sample.higher_is_better else -means).argmax(axis=1)
    told = (best[1] == best[2]) & (np.isin(best[0], own) | (np.diff(starts, append=len(order)) > 1))
    moved = told & (best[0] != own)
    alone = moved & (np.bincount(best[0])[best[0]] == 1)
    n = np.count_nonzero(alone)
    if n >= max(LEAST_MOVED, MOVED * len(own), ONE_TO_ONE * np.count_nonzero(moved)):
        first = int(alone.argmax())
        names = np.arange(sample.n_classes) if sample.classes is None else sample.classes
        where = f"{names[own[first]]} for {names[best[0, first]]}"
        yield caution("moved_labels", moved=n, classes=len(own), first=where)


@condition(needs="ranks")
def mixed_classes(sample: Sample, *_: object) -> Cautions:
    """Look for a class of many points that are no nearer to it than to others."""
    outscored, tied = sample.outscored_and_tied()
    counts = np.bincount(sample.labels)
    share = np.bincount(sample.labels, outscored + tied / 2) / (sample.n_classes - 1)
    share, some = share / np.maximum(counts, 1), counts[counts > 0]
    many = (counts >= MANY_PHOTOS) & (counts >= MANY_TIMES * np.median(some))
    mixed = np.flatnonzero(many & (share < AT_CHANCE) & (np.median(share[counts > 0]) > WELL_ABOVE))
    if mixed.size:
        name = mixed[0] if sample.names is None else sample.names[mixed[0]]
        yield caution("mixed_classes", count=int(counts[mixed[0]]), name=str(name))


@condition(needs="lists")
def incomplete_lists(sample: CandidateLists, *_: object) -> Cautions:
    """Look for a sign that candidates are missing above the end of the lists.

    The best of a first search that a second one has ordered end as the whole of a sample does, and
    not as its best part. What an approximate search misses would be anywhere in the lists.
    """
    rows = np.flatnonzero((sample.lengths >= sample.usual_length) & (sample.ends > -np.inf))
    last = sample.lengths[rows] - 1
    if len(rows) and SHORTEST <= last.max() + 1 < PART_OF_ALL * sample.n_classes:
        high, low, near, end = (
            sample.scores[rows, (part * last).astype(int)].mean() for part in (0.4, 0.6, 0.8, 1)
        )
        if near - end > SPREAD_AT_END * (high - low):
            yield caution("reranked")
            return
    # A name that many have, and no list, stands for no class.
    at, counts = np.unique(sample.labels, return_inverse=True, return_counts=True)[1:]
    beyond = int(np.count_nonzero(sample.censored & (counts[at] < MANY_PHOTOS)))
    late = sample.count_listed()[0] >= sample.lengths / 2
    late_and_known = int(np.count_nonzero(late & ~sample.censored))
    if beyond > max(MANY_PHOTOS, MANY_BEYOND * sample.n_points, late_and_known / HARDLY):
        yield caution("not_exact", beyond=beyond, late=late_and_known)


@condition(needs="lists")
def scores_of_places(sample: CandidateLists, *_: object) -> Cautions:
    """Look for scores that are those of the places, such as 1 / rank: the same in every list."""
    listed = sample.scores[sample.classes >= 0]
    same = sample.scores[:, 1:] == sample.scores[:, :-1]
    tied = same & (sample.classes[:, 1:] >= 0)
    places = SCORES_A_PLACE * (sample.lengths.max(initial=0) + 1)
    if sample.n_points >= LEAST_COLUMNS and not tied.any() and len(np.unique(listed)) <= places:
        yield caution("scores_of_places")


@condition(needs="lists")
def fewer_searched(sample: CandidateLists, *_: object) -> Cautions:
    """Estimate how many classes the lists are of (Chao 1984): as many as are searched, or fewer."""
    found = np.isfinite(sample.correct)
    listed = np.r_[sample.classes[sample.classes >= 0], sample.labels[found]]
    classes, counts = np.unique(listed, return_counts=True)
    once, twice = (np.count_nonzero(counts == n) for n in (1, 2))
    seems = len(classes) + once * (once - 1) / (2 * (twice + 1))
    unlisted = np.mean(~np.isin(sample.labels, classes))
    if seems < SEEMS_SEARCHED * sample.n_classes and unlisted <= MOST_UNLISTED:
        yield caution("fewer_searched", classes=len(classes), searched=sample.n_classes)


@condition()
def few_classes(sample: Sample, *_: object) -> Cautions:
    """Count the classes that have points, or the groups."""
    own = len(np.unique(sample.sources))
    drawn = "classes" if sample.design.group_size == 1 else "groups"
    if own < ENOUGH_CLASSES:
        yield caution("few_classes", classes=own, drawn=drawn, enough=ENOUGH_CLASSES)


@condition()
def erring_classes(sample: Sample, seed: int, *_: object) -> Cautions:
    """Count, effectively, the classes that errors come from, and those that they go to."""
    seen = float(expected_accuracy(sample, sample.counted_classes)[0])
    erring = effective_classes(sample, seed)
    if seen > SATURATED or erring < ENOUGH_ERRING:
        yield caution("few_errors", accuracy=seen, classes=f"{erring:.2g}", enough=ENOUGH_ERRING)
    elif sample.is_divisible and not sample.design.own_rivals:
        # Fixed rivals are not drawn.
        drawn = sample.unbeaten()
        erring, attracting = effective_classes(drawn, seed), attracting_classes(drawn, seed)
        if attracting < FEW_ATTRACTING * erring:
            yield caution("hubs", erring=round(erring), attracting=round(attracting))


@condition(of_rows=True)
def failed_points(sample: Sample, *_: object) -> Cautions:
    """Count the points whose scores are all equal."""
    failed = np.count_nonzero(sample.failed)
    if failed:
        yield caution("failed_points", count=f"{failed:,} of {sample.n_points:,} points")


@condition()
def ties(sample: Sample, *_: object) -> Cautions:
    """Count the points that tie, or the classes that are copies."""
    tied = tied_share(sample)
    if tied <= MANY_TIES:
        return
    first, copies = dict[int, int](), list[tuple[int, int]]()
    for place, column in enumerate(sample.whole.scores.T if sample.whole else ()):
        same = first.setdefault(hash(column.tobytes()), place)
        if same != place and len(np.unique(column)) >= LEAST_DIFFERENT:
            copies.append((same, place))
    if not copies:
        yield caution("ties", share=f"{100 * tied:.0f}")
        return
    names = np.arange(sample.n_classes) if sample.names is None else sample.names
    one, other = (str(names[place]) for place in copies[0])
    yield caution("copied_classes", copies=len(copies), first=one, second=other)


@condition(needs="lists")
def cut_ties(sample: CandidateLists, *_: object) -> Cautions:
    """Count the right classes that tie with the last candidate of their lists."""
    cut = float(np.mean(np.isfinite(sample.ends) & (sample.correct == sample.ends)))
    if cut > MANY_CUT:
        yield caution("cut_ties", share=f"{100 * cut:.0f}")


@condition(needs="scores", of_rows=True)
def probabilities(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look whether the scores of each point sum to one number, as they are, as 1 - p or -log p."""
    if _odds(sample):
        yield caution("probabilities" if sample.sum_of_probabilities else "log_probabilities")


@condition(needs="scores")
def filled(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for a score that fills most cells."""
    if sample.sum_of_probabilities:
        return
    told = ~sample.failed
    some = np.flatnonzero(told)[:: np.count_nonzero(told) // ENOUGH_POINTS + 1]
    # What fills more than a half is the median.
    value = float(np.median(sample.scores[some])) if some.size else 0.0
    oriented = value if sample.higher_is_better else -value
    same, least = np.zeros(sample.n_points), np.inf
    for rows, block in sample.blocks():
        same[rows] = np.count_nonzero(block == oriented, axis=1)
        least = min(least, block.min(initial=np.inf))
    same = same[told] / sample.n_classes
    share = float(same.mean()) if some.size else 0.0
    # Where none is shared, a search for words gives 0: to some rows far more often than to others.
    if some.size and value == 0 <= least:
        many, few = 1 - np.quantile(same, [0.1, 0.9])
        if many > VARIED * few:
            return
    # Coarse scores are one number for the correct class, too.
    if share > max(MANY_FILLED, 2 * float(np.mean(sample.correct == oriented))):
        yield caution("filled", share=f"{100 * share:.0f} %", value=f"{value:g}")


@condition(needs="scores", of_rows=True)
def marked_cells(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for some cells of one number that is far from all scores, such as 9999.

    Or of a whole number that is not near to them where they are none, such as -1 among cosines.
    """
    told, parts = ~sample.failed, list[FloatArray]()
    for rows, block in sample.blocks():
        some = block[told[rows]]
        parts.append(np.array([some.min(0, initial=np.inf), some.max(0, initial=-np.inf)]))
    least_of, most_of = np.min(parts, axis=0)[0], np.max(parts, axis=0)[1]
    varied = least_of < most_of
    if not varied.any():
        return
    low, high = least_of[varied].min(), most_of[varied].max()
    counts, inner, whole = np.zeros(2, dtype=int), [], 0.0
    for rows, every in sample.blocks():
        block = every[told[rows]][:, varied]
        at_ends = block == low, block == high
        counts += [np.count_nonzero(each) for each in at_ends]
        others = block[~(at_ends[0] | at_ends[1])]
        whole += np.count_nonzero(others % 1 == 0) - others.size / 2
        inner += [others.min(initial=np.inf), others.max(initial=-np.inf)]
    least, most = np.min(inner, initial=np.inf), np.max(inner, initial=-np.inf)
    cells = np.count_nonzero(told) * sample.n_classes
    # Of exact matches alone the best score is a score.
    counts[1] -= np.count_nonzero(sample.correct[told] == high)
    for end, count, gap in ((low, counts[0], least - low), (high, counts[1], high - most)):
        alone = end % 1 == 0 != end and whole < 0
        far = gap > (NOT_NEAR if alone else FAR) * (most - least) > 0
        if far and 1 < count < MANY_FILLED * cells:
            value = end if sample.higher_is_better else -end
            yield caution("marked_cells", count=int(count), value=f"{value:g}")


@condition(of_rows=True)
def copied_points(sample: Sample, _seed: int, embedded: Embedded) -> Cautions:
    """Look for rows of one class that are the same, score by score, or for copies of photos."""
    if embedded is not None:
        for row, other in embedded.copies[:1]:
            who, whose = embedded.labels[[row, other]]
            which = f"row {row}, of {who}, is row {other}, of {whose}"
            yield caution("copied_photos", copies=len(embedded.copies), first=which)
        return
    if not sample.whole or sample.n_classes < LEAST_COLUMNS:
        return
    # A hash tells rows apart; the rows themselves would be kept in memory.
    rows = [hash(scores.tobytes()) for _, block in sample.blocks() for scores in block]
    copies = [
        (row, other)
        for row, other in find_copies(np.column_stack([sample.labels, rows])).tolist()
        if len(np.unique(sample.whole.scores[row])) >= LEAST_DIFFERENT
    ]
    if not copies:
        return
    row, other = copies[0]
    if len(np.unique(sample.whole.scores[row])) < COARSE * sample.n_classes:
        # Such as those of codes of few bits, which may be alike.
        rest = np.setdiff1d(np.arange(sample.n_points), [each for each, _ in copies])
        few = expected_accuracy(sample.select_points(rest), sample.n_classes)
        if abs(float((few - expected_accuracy(sample, sample.n_classes))[0])) < LEAST_CHANGE:
            return
    yield caution("copied_points", copies=len(copies), row=str(row), other=str(other))


@condition()
def names_alike(sample: Sample, _seed: int, embedded: Embedded) -> Cautions:
    """Look for names of classes, or of photos, that are written in two ways; not for letters."""
    names = sample.names if embedded is None else np.unique(embedded.labels)
    if names is None or names.dtype.kind not in TEXTS:
        return
    known = dict[str, str]()
    pairs = [
        (known[plain], name)
        for name in map(str, names)
        if len(plain := plain_name(name)) > 1 and known.setdefault(plain, name) != name
    ]
    if pairs:
        first, second = map(ascii, pairs[0])
        yield caution("names_alike", count=len(pairs), first=first, second=second)


@condition(needs="scores")
def found_themselves(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for points with the distance 0 from their own class, and no other class with it.

    Of nearly all points, or, where scores are not whole numbers, of nearly every class some.
    """
    if sample.n_points < LEAST_PHOTOS or sample.higher_is_better or _odds(sample):
        return
    room = SAME * max(float(-block.min()) for _, block in sample.blocks())
    itself = np.abs(sample.correct) <= room
    same = np.count_nonzero(itself)
    # No other score is there, or below 0.
    every = sum(np.count_nonzero(block >= -room) for _, block in sample.blocks())
    classes = len(np.unique(sample.labels[itself])) / len(np.unique(sample.labels))
    most = max(same / sample.n_points, classes * bool((sample.correct % 1).any()))
    if same == every and most >= NEARLY_ALL:
        yield caution("found_themselves", count=same, points=sample.n_points)


def _odds(sample: ScoreMatrix) -> bool:
    """Tell whether scores are probabilities, as they are or as -log p."""
    if sample.sum_of_probabilities or sample.higher_is_better:
        return sample.sum_of_probabilities is not None
    # Large distances of photos that are searched for among themselves would be -log of 0 and 1.
    some = np.asarray(sample.scores[:ENOUGH_POINTS])
    near = some.min(axis=1).max() <= SAME * some.max()
    return not near and sum_of_probabilities(sample.scores, negative_exponential) == 1


@condition(needs="classes", of_rows=True)
def winning_classes(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for classes that are among the best in more than half of the searches for others.

    And for those of which all scores are equal, those of their own points as well.
    """
    if sample.n_classes < LEAST_COLUMNS:
        return
    won, told = np.zeros(sample.n_classes), ~sample.failed
    least, most = np.inf, -np.inf
    for rows, block in sample.blocks():
        best = (block == block.max(axis=1, keepdims=True)) & told[rows, None]
        best[np.arange(len(block)), sample.labels[rows]] = False
        won += np.count_nonzero(best, axis=0)
        least = np.minimum(least, block[told[rows]].min(axis=0, initial=np.inf))
        most = np.maximum(most, block[told[rows]].max(axis=0, initial=-np.inf))
    own = np.bincount(sample.labels[told], minlength=len(won))
    winning = won > MANY_WON * (np.count_nonzero(told) - own)
    failed = (least == most) & (own > 0) & ~winning
    names = np.arange(len(won)) if sample.classes is None else sample.classes
    for reason, of in (("winning_classes", winning), ("failed_classes", failed)):
        if some := names[of].tolist():
            more = f" and {len(some) - 1:,} more" if len(some) > 1 else ""
            yield caution(reason, classes=f"the class {some[0]}{more}")


@condition(needs="classes")
def look_alikes(sample: ScoreMatrix, *_: object) -> Cautions:
    """Look for columns of which each is like a few others, and unlike the next."""
    if sample.design.rivals is not None or sample.n_classes < ENOUGH_CLASSES:
        return
    every = slice(None, None, sample.n_points // MOST_COMPARED + 1)
    scores = np.array(sample.scores[every, :MOST_COMPARED], dtype=np.float64)
    scores -= scores.mean(axis=1, keepdims=True)
    scores -= scores.mean(axis=0)
    scores /= np.maximum(np.linalg.norm(scores, axis=0), 1e-300)
    alike = np.einsum("xj,xk->jk", scores, scores)
    np.fill_diagonal(alike, -np.inf)
    nearest = -np.sort(-alike, axis=1)[:, : MOST_ALIKE + 1]
    gaps = nearest[:, :-1] - nearest[:, 1:]
    last = nearest[np.arange(len(gaps)), gaps.argmax(axis=1)]
    told = float(np.mean((gaps.max(axis=1) > FALL) & (last > ALIKE)))
    # Chunks that overlap are less and less alike: the two nearest columns stand beside them.
    apart = np.abs(np.argsort(-alike, axis=1)[:, :2] - np.arange(len(alike))[:, None])
    beside = (apart.max(axis=1) <= len(alike) // 10) & (nearest[:, 1] > ALIKE)
    told = max(told, float(np.mean(beside)))
    if told > MOST_COLUMNS:
        yield caution("look_alikes", share=f"{100 * told:.0f} %")


def tied_share(sample: Sample) -> float:
    """Share of the points that tie with some incorrect class, but not with all."""
    return float(np.mean((sample.outscored_and_tied()[1] > 0) & ~sample.failed))
