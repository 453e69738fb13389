"""Wrong names: pairs of a point and a class that look like one class under two names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.scores.sample import Sample, as_matrix
from accuracy_curves.utils.arrays import FloatArray, IntArray, row_blocks

if TYPE_CHECKING:
    import pandas as pd

# Share of the other classes, and their least number, that beat a point with a wrong name.
POOR, LEAST_BEATEN = 0.05, 5
# Quantile of the right scores from which on a score is like a right one, and how many such scores
# a point with a wrong name may have.
LEVEL, LOOK_ALIKES = 0.1, 2
# Largest expected share of false ones among the pairs that are reported.
FALSE_SHARE = 0.1


class Pairs(NamedTuple):
    """Pairs of a point and a class, (n,) each, and whether the class has the wrong name."""

    rows: IntArray
    columns: IntArray
    of_class: npt.NDArray[np.bool_]


class WrongNames(NamedTuple):
    """What looks like one class under two names, and the table of it."""

    pairs: Pairs
    table: pd.DataFrame


def find_wrong_names(matrix: Sample) -> pd.DataFrame:
    """Find pairs of a point and a class that look like one class under two names.

    A point is *poor* if a twentieth of the other classes beat its own, and 5 at least. A score is
    like a right one if it is above the 10 % quantile of the right scores of all other points. Then

    - a poor point with one score like a right one, or two, may have a wrong name;
    - a class of which all points are poor may be another one under a wrong name: points of others
      whose score for it is like a right one are pairs with it.

    Points are not reported if more than a tenth of them would be false, with such scores as often
    as other points have them. Classes are not reported if such scores are as frequent in other
    classes. Look-alikes, such as twins, are not reported: their own class is good.

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes.

    Returns
    -------
    DataFrame
        One row per pair. The columns are ``row``, of the point in the matrix, ``name``, its class,
        and ``looks_like``, the other class. ``wrong`` says whose name is doubted, that of the
        "point" or of the other "class". Classes are names where the matrix has them.

    Raises
    ------
    InputError
        If that is no score matrix.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> people = rng.normal(size=(60, 16))
    >>> names = np.repeat(np.arange(60), 2)
    >>> photos = people[names] + 0.5 * rng.normal(size=(120, 16))
    >>> names[5] = 31
    >>> distances = np.linalg.norm(photos[:, None] - people, axis=2)
    >>> ac.find_wrong_names(ac.ScoreMatrix(distances, names, higher_is_better=False))
       row  name  looks_like  wrong
    0    5    31           2  point
    """
    return _table(as_matrix(matrix), find_pairs(matrix))


def look_for_wrong_names(sample: Sample) -> WrongNames | None:
    """Look for wrong names in a sample; None where there are none, or no scores.

    Rows of the table are those of the user's file; of embeddings, copies of each other are called
    so.
    """
    pairs = find_pairs(sample)
    if not len(pairs.rows):
        return None
    table, photos = _table(sample, pairs), sample.design.photos
    if sample.design.file_rows is not None:
        table["row"] = sample.design.file_rows[pairs.rows]
    if photos is not None:
        both = [*photos.copies, *np.flip(photos.copies, axis=1)]
        copies = {(row, photos.labels[other]) for row, other in both}
        same = [pair in copies for pair in zip(table["row"], table["looks_like"], strict=True)]
        table.loc[same, "wrong"] = "copy"
    return WrongNames(pairs, table)


def find_pairs(sample: Sample) -> Pairs:
    """Find the pairs of `find_wrong_names`, each once, the best score first.

    None are found where the scores, or ranks, are not known, or some rivals are fixed already.
    """
    empty = np.empty(0, np.int64)
    none = Pairs(empty, empty, empty > 0)
    # What stays of a sample was decided before.
    known = sample.has_scores and sample.is_complete
    if not known or sample.design.own_rivals or sample.design.rivals is not None:
        return none
    sample, scored = sample.reduced, ~sample.failed
    others, (outscored, tied) = sample.n_classes - 1, sample.outscored_and_tied()
    poor = scored & (others - outscored - tied >= max(POOR * others, LEAST_BEATEN))
    good = scored & ~poor
    if not (poor.any() and good.any()):
        return none
    level = float(np.quantile(sample.correct[good], LEVEL))
    points, of_poor = (np.bincount(sample.labels[of], None, others + 1) for of in (scored, poor))
    spoilt = (of_poor == points) & (points > 0)
    high, usual, kept = np.zeros(sample.n_points, bool), 0, []
    for rows, columns, scores in _from_level_on(sample, level):
        high[rows] = True
        usual += int(np.count_nonzero(scored[rows] & ~spoilt[columns]))
        doubted = scored[rows] & (poor[rows] | spoilt[columns])
        kept.append(np.stack([rows, columns, scores])[:, doubted])
    rows, columns = np.concatenate(kept, axis=1)[:2].astype(np.int64)
    scores = np.concatenate(kept, axis=1)[2]
    order = np.argsort(-scores, kind="stable")
    rows, columns = rows[order], columns[order]
    # The best score of each poor point, and every one for a class that is spoilt.
    best = np.zeros(len(rows), bool)
    best[np.unique(rows, return_index=True)[1]] = True
    few = np.bincount(rows, minlength=sample.n_points) <= LOOK_ALIKES
    of_point, of_class = best & (poor & few)[rows], spoilt[columns]
    by_chance = (np.count_nonzero(high & good) + 0.5) / (np.count_nonzero(good) + 1)
    if by_chance * np.count_nonzero(poor) > FALSE_SHARE * np.count_nonzero(of_point):
        of_point[:] = False
    if -np.expm1(-usual / max(int(np.count_nonzero(~spoilt)), 1)) > FALSE_SHARE:
        of_class[:] = False
    wrong = of_point | of_class
    return Pairs(rows[wrong], columns[wrong], ~of_point[wrong])


def _from_level_on(sample: Any, level: float) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
    """Yield rows, columns and values of the incorrect scores from a level on, in blocks."""
    if sample.is_listed:
        for here in row_blocks(*sample.scores.shape):
            rows, places = np.nonzero(sample.scores[here] >= level)
            rows += here.start
            yield rows, sample.classes[rows, places], sample.scores[rows, places]
        return
    for here, block in sample.blocks():
        high = block >= level
        high[np.arange(len(block)), sample.labels[here]] = False
        rows, columns = np.nonzero(high)
        yield rows + here.start, columns, block[rows, columns]


def _table(sample: Any, pairs: Pairs) -> pd.DataFrame:
    import pandas as pd

    names = sample.column_names
    columns = {"row": pairs.rows, "name": names[sample.labels[pairs.rows]]}
    wrong = np.where(pairs.of_class, "class", "point").astype(object)
    return pd.DataFrame({**columns, "looks_like": names[pairs.columns], "wrong": wrong})
