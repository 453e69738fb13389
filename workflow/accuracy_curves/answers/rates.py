"""A question of open-set identification and its answer: rates, curves, reasons for caution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers import rates_wording as wording
from accuracy_curves.answers.answer import WRONG_NAMES, Answer, Question, answering
from accuracy_curves.answers.rates_plots import draw_det, draw_fnir_by_size
from accuracy_curves.answers.wording import counts_equally, percent, sentence
from accuracy_curves.cautions import share
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.identification.fitted_rates import DEFAULT
from accuracy_curves.identification.identification import Identification
from accuracy_curves.identification.rate import Rate
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import check_classes

DET_POINTS = 60
STEPS = 6  # Sizes of a gallery for each factor of ten.
LOWEST_FPIR = 1e-4
# The FPIR that a threshold is set for where nothing else is asked.
FPIR = 0.01
# Sentences of more answers than this would be read by nobody.
MOST_SENTENCES = 4
TABLES = "identification.csv", "det.csv", "fnir_by_size.csv"


@dataclass(frozen=True)
class RatesQuestion(Question):
    """What is asked of searches: rates in galleries of these `sizes`, of people.

    At thresholds that are set for each of the `targets`, which are FPIR, and at `thresholds`; one
    of either at least. A mate below `rank` is missed. With a `confidence` there are thresholds at
    which the upper end of FPIR is the target.
    """

    sizes: Sequence[int]
    targets: Sequence[float] = (FPIR,)
    thresholds: Sequence[float] = ()
    rank: int = 1
    confidence: float | None = None


@dataclass(frozen=True, repr=False)
class RatesAnswer(Answer):
    """Predicted and observed rates: tables of the answers and of both curves.

    Attributes
    ----------
    fit : Identification
    question : RatesQuestion
    rows : list of PredictedRates
        One a gallery and a target or threshold, then what the largest observed gallery shows.
    det, by_size : DataFrame
        DET curves, and FNIR at fixed FPIR against the size of the gallery. Intervals of FNIR are
        those where the threshold is set for an FPIR, but in `rates` where one was given.
    """

    tables_written = (*TABLES, WRONG_NAMES)
    stem = "identification"
    title = "How many errors in a larger gallery?"
    fit: Identification
    question: RatesQuestion
    rows: list[wording.PredictedRates]
    det: pd.DataFrame
    by_size: pd.DataFrame

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the rates, the gravest first."""
        asked = list(self.question.sizes), list(self.question.targets)
        return self.fit.cautions(*asked)

    @property
    def table(self) -> pd.DataFrame:
        """The rates; threshold, fpir and fnir each with lower and upper."""
        return rates_table(self.rows)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the rates, the DET curves, FNIR by the size of the gallery, and wrong names."""
        tables = dict(zip(TABLES, (self.table, self.det, self.by_size), strict=True))
        names = self.fit.wrong_names()
        return tables | ({} if names is None else {WRONG_NAMES: names.table})

    def conclusion(self) -> list[str]:
        """Say what is expected in the largest gallery, at each target and threshold."""
        seen = {row.threshold.value: row for row in self.rows if row.is_observed}
        largest = max(self.question.sizes)
        rows = [row for row in self.rows if row.gallery_size == largest and not row.is_observed]
        said = [
            wording.rates_sentences(
                row, seen[row.threshold.value], self.question.level, self.question.confidence
            )
            for row in rows[:MOST_SENTENCES]
        ]
        strangers = [] if self.fit.searches.has_non_mated else [wording.LIKE_THE_ENROLLED]
        return [*chain.from_iterable(said), *map(sentence, strangers)]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table: a row a gallery and a target or threshold."""
        confidence = self.question.confidence
        heads = ["enrolled", "threshold", "FPIR", "FNIR"]
        if confidence is not None:
            heads += [f"at {percent(confidence)}", "FNIR there"]
        return heads, [wording.printed_rates(row)[: len(heads)] for row in self.rows]

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw FNIR against the size of the gallery, and the DET curves."""
        return [
            partial(draw_fnir_by_size, by_size=self.by_size),
            partial(draw_det, det=self.det),
        ]

    caption = (
        "Above: FNIR where the threshold is set for a fixed FPIR in each gallery, with its "
        "interval; grey dots are observed. Below: FNIR against FPIR as the threshold moves "
        "(detection error trade-off), in each gallery; dotted, what was observed."
    )

    def assumptions(self) -> list[str]:
        """Say when it is valid, what the rates are, and how they count."""
        said = [
            wording.VALID.format(method=OPEN_SET_METHODS[self.fit.method].label),
            "FPIR is the share of searches by strangers that return somebody",
            "FNIR is the share of searches by enrolled people that do not return them"
            + (f" among the best {self.question.rank}" if self.question.rank > 1 else ""),
        ]
        if self.fit.searches.are_trials:
            return said
        said += [
            f"Below each rate is its {percent(self.question.level)} interval, for the draw of the "
            "people: that of FPIR says how far the true rate may be from that of the question",
            "As tested: averages over all galleries of that size; " + self._counted,
        ]
        if self.question.confidence is not None:
            level = percent(self.question.confidence)
            said.append(
                f"At the threshold at {level} the one-sided upper end of FPIR is the target"
            )
        return said

    @cached_property
    def _counted(self) -> str:
        """Say what counts equally; and FNIR if the other did, where that matters."""
        alike, row = self.fit.searches.points_alike, self.rows[-1]
        k, at, rank = row.gallery_size, row.threshold.value, row.rank
        (otherwise,) = self.fit.observed_fnir(k, at, rank, points_alike=not alike)
        said = f"the observed FNIR at {wording.cut(at)} would be {share(otherwise)}"
        return counts_equally("search", "person", alike, (row.fnir.value, otherwise), said)

    def facts(self) -> dict[str, str]:
        """Describe the searches."""
        searches, strangers = self.fit.searches, "searches by people who are not enrolled"
        return {
            "searches": ", ".join(searches.counts()),
            "scores": "higher is better" if searches.higher_is_better else "lower is better",
            "false positives are counted among": (
                strangers
                if searches.has_non_mated
                else "the incorrect scores of searches with a mate"
            ),
        }


@answering
def identify(
    searches: ScoreMatrix | Searches,
    sizes: npt.ArrayLike,
    method: str = DEFAULT,
    *,
    fpir: npt.ArrayLike = FPIR,
    thresholds: npt.ArrayLike = (),
    rank: int = 1,
    confidence: float | None = None,
    level: float = LEVEL,
    splits: int = 30,
    seed: int = 0,
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
        Thresholds are set for each of these FPIR; thresholds that are given. One at least.
    rank : int
        A mate below this rank is missed.
    confidence : float, optional
        Also gives thresholds at which FPIR is at most that asked for with this confidence.
    level : float
        Nominal coverage of the intervals.
    splits, seed : int
        Splits into halves that give the intervals, 3 or more, and their seed.

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
    >>> print(*[(row.gallery_size, round(row.fnir.value, 2)) for row in answer.rows])
    (1000, 0.37) (99, 0.36)
    """
    k = np.unique(check_classes(sizes, 1, "a gallery size")).tolist()
    targets, at = (np.atleast_1d(each).tolist() for each in (fpir, thresholds))
    question = RatesQuestion(
        k, targets, at, rank, confidence, level=level, splits=splits, seed=seed
    )
    return answer_rates(searches, question, method)


def answer_rates(
    searches: ScoreMatrix | Searches,
    question: RatesQuestion,
    method: str = DEFAULT,
    **options: object,
) -> RatesAnswer:
    """Fit a method, with its options, to searches and predict."""
    if not question.targets and not question.thresholds:
        raise InputError("neither an FPIR nor a threshold is asked for: give one at least")
    if question.confidence is not None and not question.targets:
        raise InputError("a confidence is of a threshold that is set for an FPIR: give an FPIR too")
    fit = Identification(searches, method, seed=question.seed, splits=question.splits, **options)
    # First, as most sizes are in it: what a fit to a half knows of all of them is found once.
    by_size = fnir_by_size(fit, question)
    return RatesAnswer(
        fit=fit,
        question=question,
        rows=predict_rates(fit, question),
        det=det_table(fit, question),
        by_size=by_size,
    )


def predict_rates(found: Identification, question: RatesQuestion) -> list[wording.PredictedRates]:
    """Predict the rates at each size, for each target and threshold; then give those observed."""
    sizes, level, rank, rows = question.sizes, question.level, question.rank, []
    if targets := question.targets:
        k, target = np.tile(sizes, len(targets)), np.repeat(targets, len(sizes))
        misses = found.fnir_at_fpir_interval(k, target, rank, level)
        cuts = found.threshold_interval(k, target, level)
        fpir = found.fpir_interval(k, cuts.value, level)
        fpir.value[np.isnan(misses.value)] = np.nan
        rows += _rows(found, k, target, (cuts, fpir, misses), rank)
        if question.confidence is not None:
            safe = found.threshold(k, target, question.confidence)
            # Without an interval none is a number.
            if not np.isnan(safe).any():
                missed = found.fnir(k, safe, rank).tolist()
                safer = zip(rows, safe.tolist(), missed, strict=True)
                rows = [row._replace(safe_threshold=at, safe_fnir=rate) for row, at, rate in safer]
    if given := question.thresholds:
        k, at = np.tile(sizes, len(given)), np.repeat(given, len(sizes))
        misses, fpir = found.fnir_interval(k, at, rank, level), found.fpir_interval(k, at, level)
        none = np.full(len(k), np.nan)
        rows += _rows(found, k, none, (Rate.alone(at), fpir, misses), rank)
    at = np.unique([row.threshold.value for row in rows])
    k = np.full(len(at), found.searches.impostor.shape[1])
    seen, missed = found.observed_fpir(k, at), found.observed_fnir(k, at, rank)
    rates = [Rate.alone(each) for each in (at, seen, missed)]
    observed = _rows(found, k, np.full(len(k), np.nan), rates, rank)
    return [*rows, *(row._replace(method=wording.OBSERVED, too_far=False) for row in observed)]


def _rows(
    found: Identification, k: IntArray, target: Float64Array, rates: Sequence[Rate], rank: int
) -> list[wording.PredictedRates]:
    """Put thresholds, FPIR and FNIR beside each other."""
    predictions, least = [each.rows() for each in rates], found.least_fpir(k)
    far = found.too_far(k) | np.isnan(rates[1].value)
    columns = [k.tolist(), target.tolist(), *predictions, least.tolist(), far.tolist()]
    rows: Iterator[Any] = zip(*columns, [rank] * len(k), strict=True)
    return [wording.PredictedRates(found.method, *row) for row in rows]


def rates_table(rows: Sequence[wording.PredictedRates]) -> pd.DataFrame:
    """Tabulate rates; threshold, fpir and fnir each with lower and upper."""
    table = pd.DataFrame(rows)
    for name in ("threshold", "fpir", "fnir"):
        found, place = pd.DataFrame(table[name].tolist()), list(table).index(name)
        table[name] = found["value"]
        for end in ("upper", "lower"):
            table.insert(place + 1, f"{name}_{end}", found[end])
    asked = table["safe_threshold"].notna().any()
    return table if asked else table.drop(columns=["safe_threshold", "safe_fnir"])


def det_table(found: Identification, question: RatesQuestion) -> pd.DataFrame:
    """Tabulate the DET curves, predicted and observed; intervals are those at a set FPIR."""
    rates = np.geomspace(LOWEST_FPIR, 0.99, DET_POINTS)
    sizes = sorted({found.searches.impostor.shape[1], *question.sizes})
    return _fnir_table(found, question, [(k, rates) for k in sizes], rates)


def fnir_by_size(found: Identification, question: RatesQuestion) -> pd.DataFrame:
    """Tabulate FNIR at fixed FPIR against the size of the gallery, with intervals.

    From the largest gallery seen to the farthest asked for, evenly apart but for those asked for.
    All curves take these sizes, so that a fit is evaluated once for all.
    """
    largest, rates = found.searches.impostor.shape[1], question.targets or [FPIR]
    beyond = [size for size in question.sizes if size >= largest] or [largest]
    steps = int(STEPS * np.log10(max(beyond) / largest))
    spread = largest * 10.0 ** (np.arange(steps + 1) / STEPS)
    grid = np.unique([*spread.round().astype(np.int64), *beyond])
    return _fnir_table(found, question, [(grid, rate) for rate in rates], np.array(rates))


def _fnir_table(
    found: Identification,
    question: RatesQuestion,
    asked: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]],
    rates: Float64Array,
) -> pd.DataFrame:
    """Tabulate FNIR in galleries of a size, where the threshold is set for an FPIR.

    Then in the largest observed gallery, at those of the rates that it can show.
    """
    rates = rates[rates >= found.searches.impostor_weights.min()]
    k = np.full(len(rates), found.searches.impostor.shape[1])
    seen = found.observed_fnir(k, found.observed_threshold(rates), question.rank)
    how = question.rank, question.level
    curves = [(found.method, found.fnir_at_fpir_interval(*each, *how)) for each in asked]
    curves.append(("observed", Rate.alone(seen, gallery_size=k, target_fpir=rates)))
    tables = [curve.to_frame().assign(method=method) for method, curve in curves]
    table = pd.concat(tables, ignore_index=True)
    table = table.rename(columns={"target_fpir": "fpir", "value": "fnir"})
    return table[["method", "gallery_size", "fpir", "fnir", "lower", "upper"]]
