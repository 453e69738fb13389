"""Displays of the rates of open-set identification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.display import SMALL, Display, whole
from accuracy_curves.answers.rates import det_table, fnir_by_size
from accuracy_curves.answers.rates_plots import draw_det, draw_fnir_by_size
from accuracy_curves.cautions import warn
from accuracy_curves.identification.identification import Identification
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches


@dataclass(kw_only=True, eq=False, repr=False)
class _RateDisplay(Display):
    """What the displays of identification share: a tidy table of curves."""

    curves: pd.DataFrame

    def _facts(self) -> list[str]:
        predicted = self.curves[self.curves["method"] != "observed"]
        sizes = predicted["gallery_size"]
        return [*dict.fromkeys(predicted["method"]), f"{sizes.min():,} to {sizes.max():,} enrolled"]

    def to_frame(self) -> pd.DataFrame:
        """Give the curves as a tidy table.

        Returns
        -------
        DataFrame
            The columns of `curves`.
        """
        return self.curves.copy()


class DETDisplay(_RateDisplay):
    """DET curves of open-set identification: FNIR against FPIR, a curve a size of the gallery.

    `from_scores` makes one. See `Identification`.

    Parameters
    ----------
    curves : DataFrame
        Columns ``method``, ``gallery_size``, ``fpir`` and ``fnir``, rates in [0, 1]; the method
        ``observed`` is dotted.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> matrix = ac.ScoreMatrix(rng.normal(size=(100, 100)) + 4 * np.eye(100), np.arange(100))
    >>> display = ac.DETDisplay.from_scores(matrix, k=[1000, 100_000])
    >>> display.to_frame()["gallery_size"].unique().tolist()
    [99, 1000, 100000]
    """

    @classmethod
    def from_scores(
        cls,
        searches: ScoreMatrix | Searches,
        *,
        method: str = "auto",
        k: npt.ArrayLike | None = None,
        rank: int = 1,
        seed: int = 0,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Predict the DET curve at sizes of the gallery, and draw it beside the observed one.

        Parameters
        ----------
        searches, method, seed, **options
            As of `Identification`.
        k : int or (n,) array of int, optional
            Sizes of the gallery, at least 2; by default 10 K. The observed one is added.
        rank : int
            A mate below this rank counts as missed.
        ax
            As of `plot`.

        Returns
        -------
        DETDisplay
            Drawn.

        Raises
        ------
        InputError
            If the scores, the method, an option or a size cannot be used.
        FitError
            If the method cannot be fitted.

        Warns
        -----
        AccuracyWarning
            As `Identification.cautions`.
        """
        found = Identification(searches, method, seed=seed, **options)
        sizes = whole(k, found.n_classes)
        warn(found.cautions(sizes))
        return cls(curves=det_table(found, sizes, rank)).plot(ax)

    def _draw(self, axes: Axes) -> None:
        draw_det(axes, self.curves, SMALL)


class FNIRDisplay(_RateDisplay):
    """FNIR at fixed FPIR against the size of the gallery, with its interval.

    `from_scores` makes one. See `Identification`.

    Parameters
    ----------
    curves : DataFrame
        Columns ``method``, ``fpir``, ``gallery_size``, ``fnir``, ``lower`` and ``upper``, rates in
        [0, 1]; the method ``observed`` is marks.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> matrix = ac.ScoreMatrix(rng.normal(size=(100, 100)) + 4 * np.eye(100), np.arange(100))
    >>> display = ac.FNIRDisplay.from_scores(matrix, k=10_000, fpir=[0.1, 0.01], splits=3)
    >>> display.to_frame()["fpir"].unique().tolist()
    [0.1, 0.01]
    """

    @classmethod
    def from_scores(
        cls,
        searches: ScoreMatrix | Searches,
        *,
        method: str = "auto",
        k: npt.ArrayLike | None = None,
        fpir: npt.ArrayLike = 0.01,
        rank: int = 1,
        level: float = LEVEL,
        splits: int = 30,
        seed: int = 0,
        ax: Axes | None = None,
        **options: object,
    ) -> Self:
        """Predict FNIR from the observed size of the gallery on, and draw it.

        Raises and warns as `DETDisplay.from_scores`.

        Parameters
        ----------
        searches, method, splits, seed, **options
            As of `Identification`.
        k : int or (n,) array of int, optional
            Sizes of the gallery; curves go to the largest. By default 10 K.
        fpir : float or (m,) array of float
            Target rates in (0, 1), a curve each.
        rank, ax
            As of `DETDisplay.from_scores`.
        level : float
            Nominal coverage of the interval, from 0.5 to 0.999.

        Returns
        -------
        FNIRDisplay
            Drawn.
        """
        found = Identification(searches, method, seed=seed, splits=splits, **options)
        sizes = whole(k, found.n_classes)
        rates = [float(each) for each in np.atleast_1d(np.asarray(fpir, dtype=np.float64))]
        warn(found.cautions(sizes, rates))
        return cls(curves=fnir_by_size(found, sizes, rates, rank, level)).plot(ax)

    def _draw(self, axes: Axes) -> None:
        draw_fnir_by_size(axes, self.curves, SMALL)
