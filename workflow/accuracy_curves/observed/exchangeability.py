"""Whether groups of classes are exchangeable: a permutation test on who is confused with whom."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accuracy_curves.checks import caution
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.progress import tracked
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import check_whole

# Of more classes with points, this many are drawn: the matrix of confusions is their square.
MOST_CLASSES = 2000
# Sums in another order differ in their last digits; ties must still count.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Exchangeability:
    """What the test found, for G groups in the order of their names.

    `sizes` (G,) are the classes of each that were compared. `confusion` (G, G) is the chance that a
    class of the column's group outscores the correct class of a point of the row's group; half of
    it where they tie. `statistic` is T of `exchangeability`, and `p_value` the share of the
    permutations, the given grouping among them, with at least this T.
    """

    groups: list[str]
    sizes: IntArray
    confusion: Float64Array
    statistic: float
    p_value: float
    permutations: int

    def within_and_between(self) -> tuple[float, float]:
        """Mean confusion of classes of the same group, and of different groups."""
        pairs = np.outer(self.sizes, self.sizes) - np.diag(self.sizes)
        same = np.eye(len(self.sizes), dtype=bool)
        means = []
        for which in (same, ~same):
            total = pairs[which].sum()
            means.append(float((pairs * self.confusion)[which].sum() / total) if total else np.nan)
        return means[0], means[1]


def exchangeability(
    sample: ScoreMatrix,
    groups: npt.ArrayLike,
    *,
    permutations: int = 999,
    seed: int = 0,
) -> Exchangeability:
    """Test whether the groups of classes look like random groups.

    Extrapolation takes the classes for draws from one population. If they come from two sites, say,
    and the sites differ, then the classes to come are a draw like the observed ones only if the
    sites are mixed in the same way. Let B_cd be the share of points of class c that class d
    outscores (ties count half), c != d, and m_gh its mean over c in group g and d in group h, n_gh
    such pairs, m the mean over all. The statistic is

        T = sum_gh n_gh (m_gh - m)^2

    which is large where the points of a group are recognised worse, where its classes win against
    too many points, or where classes are confused more within a group than across. If the groups
    say nothing, then B is distributed the same under any renaming of the classes, so that T is
    compared with its values under random renamings, at least 99: the level is exact.

    `groups` (K,) are text or numbers. Classes without points are left out; of more than 2000
    classes with points 2000 are drawn. `InputError` if there is not one group a class, or not at
    least two groups with two classes that have points.
    """
    check_whole("permutations", permutations, 99)
    given = np.asarray(groups)
    if given.shape != (sample.n_classes,):
        raise InputError(
            f"groups have shape {given.shape}: one group for each of the "
            f"{sample.n_classes} classes is needed"
        )
    rng = np.random.default_rng(derive_seed(seed, "exchangeability"))
    kept = np.unique(sample.labels)
    if len(kept) > MOST_CLASSES:
        kept = np.sort(rng.choice(kept, MOST_CLASSES, replace=False))
    names, group, sizes = np.unique(given[kept], return_inverse=True, return_counts=True)
    if len(names) < 2 or sizes.min() < 2:
        counted = ", ".join(f"{name} ({size})" for name, size in zip(names, sizes, strict=True))
        raise InputError(
            "a comparison of groups needs at least two groups, each with two classes that have "
            f"points: there are {counted}"
        )
    confusion = _confusions(sample.select_classes(kept))
    pairs = np.outer(sizes, sizes) - np.diag(sizes)
    mean = confusion.sum() / pairs.sum()
    found = _sums_of_groups(confusion, group, len(names))

    def statistic(sums: Float64Array) -> float:
        return float((np.square(sums - pairs * mean) / pairs).sum())

    least = statistic(found) * (1 - TOLERANCE)
    extreme = 1
    for _ in tracked(range(permutations), "permutations of the groups", permutations):
        sums = _sums_of_groups(confusion, group[rng.permutation(len(kept))], len(names))
        extreme += int(statistic(sums) >= least)
    return Exchangeability(
        groups=[str(name) for name in names],
        sizes=sizes.astype(np.int64),
        confusion=found / pairs,
        statistic=statistic(found),
        p_value=extreme / (permutations + 1),
        permutations=permutations,
    )


def _sums_of_groups(confusion: Float64Array, group: IntArray, n_groups: int) -> Float64Array:
    """Add the confusions of each pair of groups, (G, G), in a time that hardly grows with G."""
    from scipy.sparse import csr_array

    n = len(group)
    member = csr_array((np.ones(n), group, np.arange(n + 1)), shape=(n, n_groups)).T
    return np.asarray(member @ np.asarray(member @ confusion).T).T


def _confusions(sample: ScoreMatrix) -> Float64Array:
    """B, (K, K): share of the points of the row's class that the column's class outscores."""
    total = np.zeros((sample.n_classes, sample.n_classes))
    for rows, block in sample.blocks():
        own = block[np.arange(len(block)), sample.labels[rows]][:, None]
        np.add.at(total, sample.labels[rows], (block > own) + 0.5 * (block == own))
    shares: Float64Array = total / np.bincount(sample.labels)[:, None]
    np.fill_diagonal(shares, 0.0)
    return shares


def warn_of_groups(found: Exchangeability, level: float = 0.05) -> list[AccuracyWarning]:
    """Say what the test means for a prediction: one warning, ``"groups"``, or none."""
    if found.p_value > level:
        return []
    within, between = (f"{100 * share:.2f}" for share in found.within_and_between())
    return [caution("groups", p=f"{found.p_value:.3g}", within=within, between=between)]
