"""How many errors in a larger gallery: the answer of `identify`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.answer import WRONG_NAMES, Answer, in_cell, interval_in_words
from accuracy_curves.answers.plots import draw_det, draw_fnir_by_size
from accuracy_curves.cautions import share, warn
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.base import Rate
from accuracy_curves.identification.identification import DEFAULT, Identification
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.utils.validation import check_classes

DET_POINTS = 60
STEPS = 6  # Sizes of a gallery for each factor of ten.
LOWEST_FPIR = 1e-4
# The FPIR that a threshold is set for where the question has neither.
FPIR = 0.01
# Sentences of more answers than this would be read by nobody.
MOST_SENTENCES = 4
# Of scores of few levels, so many have rows of what was seen: the best.
MOST_LEVELS = 8
TABLES = "identification.csv", "det.csv", "fnir_by_size.csv"
# The method of what the largest observed gallery shows.
OBSERVED = "observed"


@dataclass(frozen=True, repr=False)
class RatesAnswer(Answer):
    """Predicted and observed rates of searches in galleries of these `sizes`, of people.

    At thresholds that are set for each of the `targets`, which are FPIR, and at `thresholds`. A
    mate below `rank` is missed.

    Attributes
    ----------
    fit : Identification
    table : DataFrame
        One row per gallery and a target or threshold, then what the largest observed gallery shows;
        threshold, fpir and fnir each with lower and upper. The threshold is infinite where none
        meets the target. The target is NaN where the question has the threshold. FPIR is NaN below
        least_fpir, the lowest rate but 0 that the scores show.
    det, by_size : DataFrame
        DET curves, and FNIR at fixed FPIR against the size of the gallery. Their intervals are of
        thresholds that are set for an FPIR.
    """

    tables_written = (*TABLES, WRONG_NAMES)
    stem = "identification"
    assumptions = "rates.html"
    title = "How many errors in a larger gallery?"
    caption = (
        "Above: FNIR where the threshold is set for a fixed FPIR in each gallery, with its "
        "interval; grey dots are observed. Below: FNIR against FPIR as the threshold moves "
        "(detection error trade-off), in each gallery; dotted, what was observed."
    )
    fit: Identification
    sizes: list[int]
    targets: list[float]
    thresholds: list[float]
    rank: int
    level: float

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the rates, the gravest first."""
        return self.fit.cautions(self.sizes, self.targets)

    @property
    def label(self) -> str:
        """The method, as figures call it."""
        return OPEN_SET_METHODS[self.fit.method].label

    @property
    def _seen(self) -> int:
        """Size of the largest observed gallery."""
        return int(self.fit.searches.impostor.shape[1])

    @cached_property
    def table(self) -> pd.DataFrame:
        """The rates at each size, for each target and threshold; then those observed."""
        fit, level, rank, parts = self.fit, self.level, self.rank, []
        if self.targets:
            k, target = _pairs(self.sizes, self.targets)
            misses = fit.fnir_at_fpir_interval(k, target, rank, level)
            cuts = fit.threshold_interval(k, target, level)
            fpir = fit.fpir_interval(k, cuts.value, level)
            fpir.value[np.isnan(misses.value)] = np.nan
            parts.append(self._rows(k, target, cuts, fpir, misses))
        if self.thresholds:
            k, at = _pairs(self.sizes, self.thresholds)
            rates = fit.fpir_interval(k, at, level), fit.fnir_interval(k, at, rank, level)
            parts.append(self._rows(k, np.nan, Rate.alone(at), *rates))
        at = np.unique(np.concatenate([part["threshold"] for part in parts]))
        if (levels := fit.searches.levels) is not None:
            beaten = levels[levels <= fit.searches.impostor.max()][-MOST_LEVELS:]
            at = np.union1d(at, fit.searches.as_given(beaten))
        k = np.full(len(at), self._seen)
        seen = at, fit.observed_fpir(k, at), fit.observed_fnir(k, at, rank)
        observed = self._rows(k, np.nan, *map(Rate.alone, seen))
        parts.append(observed.assign(method=OBSERVED, too_far=False))
        return pd.concat(parts, ignore_index=True)

    def _rows(self, k: Any, target: Any, cuts: Rate, fpir: Rate, fnir: Rate) -> pd.DataFrame:
        """Put thresholds, FPIR and FNIR into one table."""
        columns = {"method": self.fit.method, "gallery_size": k, "target_fpir": target}
        for name, rate in (("threshold", cuts), ("fpir", fpir), ("fnir", fnir)):
            ends = {f"{name}_lower": rate.lower, f"{name}_upper": rate.upper}
            columns |= {name: rate.value, **ends}
        far = self.fit.too_far(k) | np.isnan(fpir.value)
        least = self.fit.least_fpir(k)
        return pd.DataFrame({**columns, "least_fpir": least, "too_far": far, "rank": self.rank})

    @cached_property
    def det(self) -> pd.DataFrame:
        """The DET curves, predicted and observed; intervals are those at a set FPIR."""
        rates = np.geomspace(LOWEST_FPIR, 0.99, DET_POINTS)
        sizes = sorted({self._seen, *self.sizes})
        return self._fnir_table([(k, rates) for k in sizes], rates)

    @cached_property
    def by_size(self) -> pd.DataFrame:
        """FNIR at fixed FPIR against the size of the gallery, with intervals.

        From the largest observed gallery to the largest of the question, evenly in the logarithm,
        with those of the question. All curves have these sizes, so that a fit is evaluated once.
        """
        rates = self.targets or [FPIR]
        beyond = [size for size in self.sizes if size >= self._seen] or [self._seen]
        steps = int(STEPS * np.log10(max(beyond) / self._seen))
        spread = self._seen * 10.0 ** (np.arange(steps + 1) / STEPS)
        grid = np.unique([*spread.round().astype(np.int64), *beyond])
        return self._fnir_table([(grid, rate) for rate in rates], np.array(rates))

    def _fnir_table(
        self, pairs: Sequence[tuple[ArrayLike, ArrayLike]], rates: Float64Array
    ) -> pd.DataFrame:
        """Tabulate FNIR in galleries of a size, where the threshold is set for an FPIR.

        Then in the largest observed gallery, at those of the rates that it can show.
        """
        fit, how = self.fit, (self.rank, self.level)
        rates = rates[rates >= fit.searches.impostor_weights.min()]
        k = np.full(len(rates), self._seen)
        seen = fit.observed_fnir(k, fit.observed_threshold(rates), self.rank)
        curves = [(fit.method, fit.fnir_at_fpir_interval(*pair, *how)) for pair in pairs]
        curves.append((OBSERVED, Rate.alone(seen, gallery_size=k, target_fpir=rates)))
        table = pd.concat(
            [curve.to_frame().assign(method=method) for method, curve in curves], ignore_index=True
        )
        table = table.rename(columns={"target_fpir": "fpir", "value": "fnir"})
        return table[["method", "gallery_size", "fpir", "fnir", "lower", "upper"]]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the rates, the DET curves, FNIR by the size of the gallery, and wrong names."""
        tables = dict(zip(TABLES, (self.table, self.det, self.by_size), strict=True))
        named = self.fit.wrong_names()
        return tables | ({WRONG_NAMES: named.table} if named else {})

    def conclusion(self) -> list[str]:
        """Say what is expected in the largest gallery, at each target and threshold."""
        table: Any = self.table
        observed, largest = table["method"] == OBSERVED, table["gallery_size"] == max(self.sizes)
        seen = {row.threshold: row for row in table[observed].itertuples()}
        said = []
        for row in table[largest & ~observed].head(MOST_SENTENCES).itertuples():
            said += rates_in_words(row, seen[row.threshold], self.level)
        return [*said, *[LIKE_THE_ENROLLED] * (not self.fit.searches.has_non_mated)]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: one row per gallery and target or threshold."""
        heads, rows = ["enrolled", "threshold", "FPIR", "FNIR"], list[list[str]]()
        table: Any = self.table
        for row in table.itertuples():
            tested = ", as tested" if row.method == OBSERVED else ""
            # Around none there is nothing.
            end = np.nan if np.isinf(row.threshold) else row.threshold_lower
            cells = [
                f"{row.gallery_size:,}{tested}",
                in_cell(row.threshold, end, row.threshold_upper, threshold_in_words),
                in_cell(row.fpir, row.fpir_lower, row.fpir_upper),
                in_cell(row.fnir, row.fnir_lower, row.fnir_upper),
            ]
            rows.append(cells)
        return heads, rows

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw FNIR against the size of the gallery, and the DET curves."""
        return [
            partial(draw_fnir_by_size, by_size=self.by_size),
            partial(draw_det, det=self.det),
        ]

    def data(self) -> list[str]:
        """Describe the searches."""
        return [", ".join(self.fit.searches._facts())]


LIKE_THE_ENROLLED = (
    "No search is by a stranger, so FPIR is that of strangers who are like the enrolled: for those "
    "of another population it was 10 to 170 times too high."
)


def threshold_in_words(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def rates_in_words(row: Any, seen: Any, level: float) -> list[str]:
    """Say the rates of one row of the table, and what was seen at its threshold."""
    enrolled, target = f"With {row.gallery_size:,} enrolled", row.target_fpir
    if np.isnan(row.fnir) or np.isinf(row.threshold):
        # The cautions say why.
        least = f", less than these scores can show ({share(row.least_fpir)})"
        why = least if np.isnan(row.fnir) else ", as it would lie beyond every score"
        return [f"{enrolled} there is no threshold for an FPIR of {share(target)}{why}."]
    at = f"{enrolled}, at the threshold {threshold_in_words(row.threshold, 4)}"
    tested = f"with {seen.gallery_size:,}, as tested,"
    missed = f"is expected{interval_in_words(row.fnir_lower, row.fnir_upper, level)}"
    missed = f"an FNIR of {share(row.fnir)} {missed}; {tested} {share(seen.fnir)}."
    if not np.isnan(target):
        # Of few levels none may have the target itself.
        there = share(row.fpir)
        there = "" if there == share(target) else f" ({there} at this level)"
        return [f"{at} for an FPIR of {share(target)}{there}, {missed}"]
    if np.isnan(row.fpir):
        return [f"{at}, {missed} There FPIR cannot be said, as no impostor score reaches it."]
    alarms = interval_in_words(row.fpir_lower, row.fpir_upper, level)
    return [
        f"{at}, an FPIR of {share(row.fpir)}{alarms} is expected; {tested} {share(seen.fpir)}.",
        f"There {missed}",
    ]


def _pairs(sizes: Sequence[int], others: Sequence[float]) -> tuple[IntArray, Float64Array]:
    """Combine each size with each other number, (n,) both."""
    return np.tile(sizes, len(others)), np.repeat(others, len(sizes))


def identify(
    searches: ScoreMatrix | Searches,
    sizes: ArrayLike,
    method: str = DEFAULT,
    *,
    fpir: ArrayLike = (),
    thresholds: ArrayLike = (),
    rank: int = 1,
    level: float = LEVEL,
    splits: int = 30,
    seed: int = 0,
    **options: object,
) -> RatesAnswer:
    """Predict both error rates of galleries.

    Parameters
    ----------
    searches : ScoreMatrix or Searches
        See `Identification`.
    sizes : array_like of int
        People in a gallery.
    method : str
        See `Identification`.
    fpir, thresholds : array_like of float
        Thresholds are set for each of these FPIR, by default for 0.01 unless there are thresholds.
    rank : int
        A mate below this rank is missed.
    level : float
        Nominal coverage of the intervals.
    splits, seed : int
        Splits into halves that give the intervals, 3 or more, and their seed.
    **options
        The method's options.

    Returns
    -------
    RatesAnswer
        As what `predict` returns.

    Raises
    ------
    InputError, FitError
        As of `Identification`.

    Warns
    -----
    AccuracyWarning
        Where the answer is useless or doubtful.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.random.default_rng(0).normal(size=(100, 100)) + 4 * np.eye(100)
    >>> answer = ac.identify(ac.ScoreMatrix(scores, np.arange(100)), [1000], splits=3)
    >>> answer.table[["gallery_size", "fnir"]].round(2)
       gallery_size  fnir
    0          1000  0.38
    1            99  0.37
    """
    k = np.unique(check_classes(sizes, 1, "a gallery size")).tolist()
    targets, at = (np.atleast_1d(numbers).tolist() for numbers in (fpir, thresholds))
    targets = targets or ([] if at else [FPIR])
    fit = Identification(searches, method, seed=seed, splits=splits, **options)
    answer = RatesAnswer(fit, k, targets, at, rank, level)
    # First, as most sizes are in it: what a fit to a half knows of all of them is found once.
    _ = answer.by_size, answer.table, answer.det
    warn(answer.cautions)
    return answer
