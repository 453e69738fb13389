"""What looks wrong in the scores themselves: marks of failures, copies, normalised rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.linear_algebra import one_thread
from accuracy_curves.utils.seeds import derive_seed

# Values that are pooled, best incorrect scores that are kept, columns of a row that are compared.
MOST_POOLED, MOST_BEST, COMPARED = 2**18, 200, 256
# Of more classes and points, so many are compared.
MOST_CLASSES, MOST_ROWS = 2000, 300
CLASSES_AT_ONCE, BLOCK_ELEMENTS = 200, 2**16
# A mark stands at least so often, so many interquartile ranges from the others. A nearer one stands
# so many times as often as any other value, and in the midst of them for this share of the scores.
MARKS, FAR_SPREADS, COMMON_TIMES, COMMON_SHARE = 3, 10, 20, 0.05
# Spacings of the highest of many values are exponential: one is so many times as large as those
# below it once in 10^5 samples.
FAR = 15.0
LEAST_BEST = 20
# Spread of what is the same for each row, in standard errors of independent scores.
SAME = 1e-3
# Rows of fewer columns, or fewer different scores, are alike by chance.
LEAST_COLUMNS, LEAST_DIFFERENT = 8, 5


@dataclass(frozen=True)
class _Survey:
    """What one pass over the scores finds; of distances, negated.

    `low` and `high` are of the rows, (N,), `total` and `squares` the sums of their incorrect scores
    and of the squares, `own` their correct scores;
    `class_low` and `class_high` of the columns, (K,). `best` are the best incorrect scores,
    descending, `pooled` scores of all pairs, `some` rows for a comparison of classes, and `keys`
    tells rows apart.
    """

    low: Float64Array
    high: Float64Array
    total: Float64Array
    squares: Float64Array
    own: Float64Array
    class_low: Float64Array
    class_high: Float64Array
    best: Float64Array
    pooled: Float64Array
    some: Float64Array
    keys: IntArray


def warn_of_values(sample: ScoreMatrix, seed: int = 0) -> list[AccuracyWarning]:
    """Say what looks wrong in the scores, whatever a method makes of them.

    Reasons: ``"constant_class"``, ``"constant_point"``, ``"sentinel"``, ``"far_scores"``,
    ``"copied_points"``, ``"copied_classes"`` and ``"normalised"``. The scores are read once. Of
    more than 2000 classes 2000, drawn with the `seed`, are compared with each other, on 300
    points.
    """
    seen = _survey(sample, seed)
    found = [*_constant(sample, seen), *_sentinel(sample, seen)]
    # Beside a mark far away all rows have nearly the same mean.
    normalised = [] if found else _normalised(sample, seen)
    return [
        *found,
        *_far_scores(sample, seen),
        *_copied_points(sample, seen),
        *_copied_classes(seen),
        *normalised,
    ]


def _survey(sample: ScoreMatrix, seed: int) -> _Survey:
    n, k = sample.n_points, sample.n_classes
    low, high, total, squares, own = (np.empty(n) for _ in range(5))
    class_low, class_high = np.full(k, np.inf), np.full(k, -np.inf)
    keys = np.empty(n, dtype=np.int64)
    best, pooled, some = np.empty(0), [], []
    step = -(-n * k // MOST_POOLED)
    # No column is left out: the step has no divisor in common with their number.
    while gcd(step, k) > 1:
        step += 1
    drawn: npt.NDArray[np.int64] = np.arange(k)
    if k > MOST_CLASSES:
        rng = np.random.default_rng(derive_seed(seed, "copied classes"))
        drawn = np.sort(rng.choice(k, MOST_CLASSES, replace=False))
    every = -(-n // MOST_ROWS)
    for rows, block in _small_blocks(sample):
        scores = block.astype(np.float64)
        low[rows], high[rows] = scores.min(axis=1), scores.max(axis=1)
        class_low = np.minimum(class_low, scores.min(axis=0))
        class_high = np.maximum(class_high, scores.max(axis=0))
        pooled.append(scores.ravel()[-rows.start * k % step :: step].copy())
        keys[rows] = [hash(row.tobytes()) for row in block[:, :COMPARED]]
        some.append(scores[-rows.start % every :: every][:, drawn])
        at = np.arange(len(scores)), sample.labels[rows]
        own[rows] = scores[at]
        scores[at] = 0.0
        total[rows], squares[rows] = scores.sum(axis=1), np.square(scores).sum(axis=1)
        scores[at] = -np.inf
        better = scores[scores > (best[-1] if len(best) == MOST_BEST else -np.inf)]
        best = np.sort(np.concatenate([best, better]))[::-1][:MOST_BEST]
    return _Survey(
        *(low, high, total, squares, own, class_low, class_high, best),
        pooled=np.sort(np.concatenate(pooled)),
        some=np.concatenate(some),
        keys=keys,
    )


def _small_blocks(sample: ScoreMatrix) -> Iterator[tuple[slice, FloatArray]]:
    """Yield blocks of rows, as `ScoreMatrix.blocks`, that stay in the cache with their copies."""
    step = max(1, BLOCK_ELEMENTS // sample.n_classes)
    for rows, block in sample.blocks():
        for start in range(0, len(block), step):
            part = block[start : start + step]
            yield slice(rows.start + start, rows.start + start + len(part)), part


def _constant(sample: ScoreMatrix, seen: _Survey) -> list[AccuracyWarning]:
    """Classes and points all of whose scores are the same."""
    found = []
    for what, of, axis, flat in (
        ("class", "point", "column", seen.class_low == seen.class_high),
        ("point", "class", "row", seen.low == seen.high),
    ):
        places = np.flatnonzero(flat)
        if len(places):
            said = (
                f"{_some(places, what, axis)} the same score for every {of}: did the {what} fail? "
                "Leave it out, as it tells nothing of new classes"
            )
            found.append(AccuracyWarning(said, f"constant_{what}"))
    return found


def _sentinel(sample: ScoreMatrix, seen: _Survey) -> list[AccuracyWarning]:
    """Values that many pairs share, far from all others or far more often than any other."""
    values, counts = np.unique(seen.pooled, return_counts=True)
    # Constant classes and points are said already.
    constant = [
        *seen.low[seen.low == seen.high],
        *seen.class_low[seen.class_low == seen.class_high],
    ]
    if len(values) < 3 or np.isin(values, constant).all():
        return []
    often = counts > COMMON_TIMES * np.partition(counts, -2)[-2]
    marks = often & (counts >= COMMON_SHARE * counts.sum())
    # The best score of all is of duplicates, if of nothing else.
    marks[-1] |= often[-1]
    for end, inner, rest in ((0, 1, slice(1, None)), (-1, -2, slice(None, -1))):
        total = np.cumsum(counts[rest])
        lower, upper = values[rest][np.searchsorted(total, total[-1] * np.array([0.25, 0.75]))]
        # What is never negative has no other reason for one negative value.
        sign = -1 if sample.higher_is_better else 1
        alone = sign * values[end] > 0 >= sign * values[inner]
        gap, spread = abs(values[end] - values[inner]), upper - lower
        apart = alone or gap > FAR_SPREADS * spread or (often[end] and gap > spread)
        marks[end] |= counts[end] >= MARKS and apart
    marks &= ~np.isin(values, constant)
    return [
        AccuracyWarning(
            f"the score {_shown(sample, value)} stands for {100 * count / counts.sum():.2g} % of "
            "all pairs of a point and a class, apart from all other scores: does it mark what "
            "failed or was not kept? Methods take it for a score; give the real ones, or leave out "
            "these classes and points",
            "sentinel",
        )
        for value, count in zip(values[marks], counts[marks], strict=True)
    ]


def _far_scores(sample: ScoreMatrix, seen: _Survey) -> list[AccuracyWarning]:
    """Best incorrect scores that are far beyond the next best ones, as near-duplicates are."""
    best = seen.best
    if len(best) < LEAST_BEST or best[0] == best[-1]:
        return []
    if not sample.higher_is_better and best[0] <= 0:
        positive = -best[best < 0]
        # A distance of zero: half of the next one where distances are rounded.
        least = positive.min() * (0.5 if np.count_nonzero(positive == positive.min()) > 1 else 1e-6)
        n = number_far(-np.log(np.maximum(-best, least)))
    else:
        # Both as they are and as logarithms: of heavy tails the highest is far from the others.
        start = float(np.median(seen.pooled))
        n = number_far(best) if best[-1] > start else 0
        n = min(n, number_far(np.log(best - start))) if n else 0
    if n == 0:
        return []
    which = "best incorrect score is" if n == 1 else f"{n} best incorrect scores are"
    said = (
        f"the {which} far beyond all others, from {_shown(sample, best[n - 1])} on where the next "
        f"is {_shown(sample, best[n])}: is a class or a point there twice under two labels? A few "
        "such pairs move the prediction"
    )
    return [AccuracyWarning(said, "far_scores")]


def number_far(values: Float64Array) -> int:
    """Count the highest values that stand apart from those below them; 0 where none do.

    `values` are the highest of many, descending. Their scaled spacings i (x_i - x_(i+1)) are
    independent and exponential with one mean where the tail is exponential (Renyi 1953). The i
    highest stand apart where the i-th is more than 15 times the mean of those below it. Rounded
    values are spread evenly over what was rounded to them.
    """
    distinct, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) < 2:
        return 0
    within = np.arange(len(values)) - (len(values) - np.cumsum(counts))[place]
    values = values - np.diff(distinct).min() * ((within + 0.5) / counts[place] - 0.5)
    order = np.arange(1, len(values))
    spacings = order * -np.diff(values)
    total = np.cumsum(spacings[::-1])[::-1]
    below = np.append(total[1:], 0.0) / np.maximum(len(spacings) - order, 1)
    far = (spacings > FAR * below) & (order <= len(spacings) // 2) & (below > 0)
    return int(order[far].max(initial=0))


def _copied_points(sample: ScoreMatrix, seen: _Survey) -> list[AccuracyWarning]:
    """Rows that are the same, score by score."""
    if sample.n_classes < LEAST_COLUMNS:
        return []
    _, place, counts = np.unique(seen.keys, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero((counts[place] > 1) & (seen.low < seen.high))
    first: dict[bytes, int] = {}
    copies, example = 0, (0, 0)
    for row in repeated:
        scores = np.asarray(sample.scores[row])
        if len(np.unique(scores[:COMPARED])) < LEAST_DIFFERENT:
            continue
        other = first.setdefault(scores.tobytes(), int(row))
        if other != row:
            example = example if copies else (other, int(row))
            copies += 1
    if not copies:
        return []
    labels = "" if len({*sample.labels[list(example)]}) == 1 else ", with other labels"
    what = "row is a copy of another" if copies == 1 else "rows are copies of others"
    said = (
        f"{copies:,} {what}{labels} (the first: {example[1]} of {example[0]}): was a point "
        "counted twice? Leave the copies out"
    )
    return [AccuracyWarning(said, "copied_points")]


def _copied_classes(seen: _Survey) -> list[AccuracyWarning]:
    """Pairs of classes whose scores rise and fall together, unlike all other pairs."""
    # Their places among all scores, so that a few extreme ones do not decide.
    scores = np.searchsorted(seen.pooled, seen.some) / len(seen.pooled)
    scores = scores[:, np.ptp(scores, axis=0) > 0]
    if min(scores.shape) < LEAST_COLUMNS:
        return []
    # What is common to a row's scores, as of a good photo, makes no two classes alike.
    scores -= scores.mean(axis=1, keepdims=True)
    scores -= scores.mean(axis=0)
    scores /= np.maximum(np.sqrt(np.square(scores).sum(axis=0)), 1e-300)
    nearest = np.empty(0)
    with one_thread():
        for start in range(0, scores.shape[1] - 1, CLASSES_AT_ONCE):
            alike = scores[:, start : start + CLASSES_AT_ONCE].T @ scores[:, start:]
            apart = 1 - alike[np.triu_indices(len(alike), 1, alike.shape[1])]
            nearest = np.concatenate([nearest, apart])
            nearest = np.partition(nearest, min(MOST_BEST, len(nearest)) - 1)[:MOST_BEST]
    n = number_far(np.sort(-np.log(np.maximum(nearest, 1e-12)))[::-1])
    if n == 0:
        return []
    pairs = "one pair of classes has" if n == 1 else f"{n} pairs of classes have"
    said = (
        f"{pairs} nearly the same scores, unlike all other pairs: is a class there twice under "
        "two labels? New classes will not be copies"
    )
    return [AccuracyWarning(said, "copied_classes")]


def _normalised(sample: ScoreMatrix, seen: _Survey) -> list[AccuracyWarning]:
    """Rows that were brought to the same mean, norm or range."""
    if sample.n_points < 2 or (seen.low == seen.high).any():
        return []
    what = ""
    for n, total, squares in (
        (sample.n_classes - 1, seen.total, seen.squares),
        (sample.n_classes, seen.total + seen.own, seen.squares + np.square(seen.own)),
    ):
        mean, norm = total / n, np.sqrt(squares / n)
        # Standard errors of the mean of independent scores.
        error = SAME * np.sqrt(np.maximum(squares / n - np.square(mean), 0.0) / n)
        for name, of in (("mean", mean), ("norm", norm)):
            what = name if (np.abs(of - np.median(of)) < error).all() else what
    if not what and np.ptp(seen.low) == 0 and np.ptp(seen.high) == 0:
        few = np.asarray(sample.scores[: min(sample.n_points, MOST_ROWS)])
        ends = few.min(axis=1, keepdims=True), few.max(axis=1, keepdims=True)
        # On a scale of few grades, rows share their ends without being made to.
        if all(np.mean(np.count_nonzero(few == end, axis=1)) < 1.5 for end in ends):
            what = "range"
    if not what:
        return []
    said = (
        f"the scores of each point have the same {what}: were they normalised over the classes? "
        "One class's then depends on the other classes; give the scores as they were before"
    )
    return [AccuracyWarning(said, "normalised")]


def _some(places: IntArray, what: str, axis: str) -> str:
    """Name how many classes or points, and the first of them."""
    if len(places) == 1:
        return f"one {what}, in {axis} {places[0]}, has"
    plural = "classes" if what == "class" else "points"
    return f"{len(places):,} {plural} (the first: {axis} {places[0]}) have"


def _shown(sample: ScoreMatrix, value: float) -> str:
    """Write a score as it was given."""
    return f"{value if sample.higher_is_better else 0 - value:.4g}"
