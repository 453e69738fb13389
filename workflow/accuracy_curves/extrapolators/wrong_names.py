"""Wrong names: points that look like one class under the name of another."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from accuracy_curves.extrapolators._gumbel_scores import pool_incorrect
from accuracy_curves.scores.nearest import best_of_rows
from accuracy_curves.scores.ranks import Ranked, set_aside_failures
from accuracy_curves.scores.reduced_matrix import reduced
from accuracy_curves.scores.score_matrix import ScoreMatrix, as_matrix
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

if TYPE_CHECKING:
    import pandas as pd

# Share of those that are told which may be false.
FALSE_SHARE = 0.1
# So many of the best incorrect scores tell a point's mean, or those of a quarter of the classes.
MOST_BEST, LEAST_BEST = 20, 5


def find_wrong_names(matrix: Ranked) -> "pd.DataFrame":
    """Find points that look like one class under the name of another.

    Among the points that err, a photo with a wrong name fits the class that it looks like much
    better than all others, its own included. So do some photos of a person who is enrolled twice.
    On the scale v of `Auto`, the place among all incorrect scores of the sample, let v_1 be the
    best incorrect score of a point, v_2 the next, and v_own that of its own class. If its name is
    right,

        v_1 - max(v_2, v_own)    and, whether it errs or not,    v_1 - v_2

    are exponential, and so are the spacings j (v_j - v_(j+1)), j = 2 to m, with the same mean. Let
    a be the mean of the m - 1 spacings. Then a gap has the p-value (1 + gap / ((m - 1) a))^-(m-1).
    The first gaps are compared among the points that err, the others among all; a name is
    told if one of them is large by the rule of Benjamini and Hochberg (1995) with a share of 0.1.
    m is 20, or a quarter of the classes if they are fewer than 80. Ties count against a name that
    is told, and v_2 is at least log(K / 2), where it is expected.

    A photo whose wrong name has no other photo cannot be found. Look-alikes may be told, such as
    twins.

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes; with fewer than 20 classes nothing is found.

    Returns
    -------
    DataFrame
        What is most likely first, in the columns ``row``, of the point in the matrix; ``name``, its
        class; ``looks_like``, the other class; and ``false_share``, of the rows up to this one:
        the share that is expected to be false. Classes are names where the matrix has them.

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
    >>> found = ac.find_wrong_names(ac.ScoreMatrix(distances, names, higher_is_better=False))
    >>> found[["row", "name", "looks_like"]]
       row  name  looks_like
    0    5    31           2
    """
    import pandas as pd

    matrix = as_matrix(matrix)
    rows, others, false_share = _find(matrix)
    names = np.arange(matrix.n_classes) if matrix.classes is None else matrix.classes
    columns = {"row": rows, "name": names[matrix.labels[rows]], "looks_like": names[others]}
    return pd.DataFrame({**columns, "false_share": false_share})


class WrongNames(NamedTuple):
    """What `find_wrong_names` finds, and the sample without these points."""

    table: "pd.DataFrame"
    others: Ranked


def without_wrong_names(sample: Ranked) -> WrongNames | None:
    """Look for wrong names in a sample, and leave them out; None where there are none."""
    if not sample.whole:
        return None
    table = find_wrong_names(sample)
    if table.empty:
        return None
    rows = np.delete(np.arange(sample.n_points), table["row"])
    return WrongNames(table, sample.select_points(rows))


def _find(sample: ScoreMatrix) -> tuple[IntArray, IntArray, Float64Array]:
    """Rows, columns that they look like, and the share of false ones up to each; all (n,)."""
    # The mark of a failure may be the best score of all.
    scored = np.flatnonzero(~sample.failed)
    sample, _ = set_aside_failures(sample)
    k, best = sample.n_classes, min(MOST_BEST, sample.n_classes // 4)
    outscored, tied = sample.outscored_and_tied()
    erring = np.flatnonzero(outscored + tied < k - 1)
    if best < LEAST_BEST or not len(erring):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    placed = pool_incorrect(sample)
    first, top = _best(sample, erring, best + 1)
    middle = placed.gumbel(top)
    spacings = np.arange(2, best + 1) * (middle[:, 1:-1] - middle[:, 2:])
    scale = spacings.sum(axis=1)
    highest = placed.gumbel(top[:, 0], -1)
    second = np.maximum(placed.gumbel(top[:, 1], 1), np.log(k / 2))
    own = placed.gumbel(sample.correct[erring], 1)

    def false_shares(gap: Float64Array, tests: int) -> Float64Array:
        ratio = np.maximum(gap, 0) / np.maximum(scale, 1e-300)
        p = np.where(scale > 0, (1 + ratio) ** -float(best - 1), 1.0)
        order = np.argsort(p, kind="stable")
        shares = p[order] * tests / np.arange(1, len(p) + 1)
        return np.minimum.accumulate(shares[::-1])[::-1][np.argsort(order)]

    among_erring = false_shares(highest - np.maximum(second, own), len(erring))
    shares = np.minimum(among_erring, false_shares(highest - second, sample.n_points))
    order = np.argsort(shares, kind="stable")
    told = order[shares[order] <= FALSE_SHARE]
    return scored[erring[told]], first[told].astype(np.int64), shares[told]


def _best(sample: ScoreMatrix, rows: IntArray, n: int) -> tuple[IntArray, FloatArray]:
    """Find the best incorrect class of some rows, and the n best scores, best first."""
    lists = reduced(sample)
    if lists.is_listed:
        return lists.classes[rows, 0], lists.scores[rows, :n]
    scores, classes = [], []
    for here, block in sample.blocks():
        chosen = rows[(rows >= here.start) & (rows < here.stop)]
        others = block[chosen - here.start]
        others[np.arange(len(chosen)), sample.labels[chosen]] = -np.inf
        top, best = best_of_rows(others, n)
        scores.append(top)
        classes.append(best[:, 0])
    return np.concatenate(classes), np.concatenate(scores)
