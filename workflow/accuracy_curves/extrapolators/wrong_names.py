"""Wrong names: pairs of a point and a class that look like one class under two names."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from accuracy_curves.scores.sample import Sample, as_matrix
from accuracy_curves.utils.arrays import BoolArray, IntArray

# Share of the other classes, and their least number, that beat a point with a wrong name.
POOR, LEAST_BEATEN = 0.05, 5
# Quantile of the right scores from which on a score is like a right one, and how many such scores
# a point with a wrong name may have.
LEVEL, LOOK_ALIKES = 0.1, 2
# Largest expected share of false ones among the pairs that are reported.
FALSE_SHARE = 0.1


@dataclass(frozen=True, eq=False)
class WrongNames:
    """Pairs of a point and a class of a sample, (n,) each, that look like one class.

    `of_class` is whether the class has the wrong name.
    """

    sample: Sample
    rows: IntArray
    columns: IntArray
    of_class: BoolArray

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The pairs by names and rows of the user's file; of embeddings, what are copies."""
        names, design = self.sample.column_names, self.sample.design
        rows = self.rows if design.file_rows is None else design.file_rows[self.rows]
        table = pd.DataFrame({"row": rows, "name": names[self.sample.labels[self.rows]]})
        table["looks_like"] = names[self.columns]
        table["wrong"] = np.where(self.of_class, "class", "point").astype(object)
        if design.photos is not None:
            both = [*design.photos.copies, *np.flip(design.photos.copies, axis=1)]
            copies = {(row, design.photos.labels[other]) for row, other in both}
            same = [pair in copies for pair in zip(rows, table["looks_like"], strict=True)]
            table.loc[same, "wrong"] = "copy"
        return table


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
        One row per pair. The columns are ``row``, of the point in the matrix or its file, ``name``,
        its class, and ``looks_like``, the other class. ``wrong`` says whose name is doubted, that
        of the "point" or of the other "class", or that the point is a "copy" of a photo. Classes
        are names where the matrix has them.

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
    return look_for_wrong_names(as_matrix(matrix)).table


def look_for_wrong_names(whole: Sample) -> WrongNames:
    """Find the pairs of `find_wrong_names`, each once, the best score first.

    None are found where the scores, or ranks, are not known, or some rivals are fixed already.
    """
    none = WrongNames(whole, *np.empty((3, 0), np.int64))
    # What stays of a sample was decided before.
    known, design = whole.has_scores and whole.is_complete, whole.design
    if not known or design.own_rivals or design.rivals is not None:
        return none
    sample, scored = whole.reduced, ~whole.failed
    others, (outscored, tied) = sample.n_classes - 1, sample.outscored_and_tied()
    poor = scored & (others - outscored - tied >= max(POOR * others, LEAST_BEATEN))
    good = scored & ~poor
    if not (poor.any() and good.any()):
        return none
    level = float(np.quantile(sample.correct[good], LEVEL))
    points, of_poor = (np.bincount(sample.labels[of], None, others + 1) for of in (scored, poor))
    spoilt = (of_poor == points) & (points > 0)
    kept = []
    for here, _, scores, classes in sample.incorrect(np.arange(sample.n_points)):
        close = scores >= level
        kept.append((np.nonzero(close)[0] + here.start, classes[close], scores[close]))
    rows, columns, like = map(np.concatenate, zip(*kept, strict=True))
    order = np.argsort(-like, kind="stable")
    rows, columns = rows[order], columns[order]
    # The best score of each poor point, and every one for a class that is spoilt.
    best = np.isin(np.arange(len(rows)), np.unique(rows, return_index=True)[1])
    look_alikes = np.bincount(rows, minlength=sample.n_points)
    of_point = best & (poor & (look_alikes <= LOOK_ALIKES))[rows]
    of_class = spoilt[columns] & scored[rows]
    by_chance = (np.count_nonzero(look_alikes[good]) + 0.5) / (np.count_nonzero(good) + 1)
    if by_chance * np.count_nonzero(poor) > FALSE_SHARE * np.count_nonzero(of_point):
        of_point[:] = False
    usual = np.count_nonzero(scored[rows] & ~spoilt[columns])
    if -np.expm1(-usual / max(int(np.count_nonzero(~spoilt)), 1)) > FALSE_SHARE:
        of_class[:] = False
    wrong = of_point | of_class
    return WrongNames(whole, rows[wrong], columns[wrong], ~of_point[wrong])
