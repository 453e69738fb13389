"""Displays: in the manner of scikit-learn computed once, drawn on any axes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from accuracy_curves.answers.accuracy import predict
from accuracy_curves.answers.accuracy_plots import POINTS, draw_panel, draw_reversed_roc
from accuracy_curves.answers.rates import identify
from accuracy_curves.answers.rates_plots import draw_det, draw_fnir_by_size
from accuracy_curves.answers.style import method_styles
from accuracy_curves.cautions import warn
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches

# Multiple of the observed number of classes, or people, up to which a curve goes by default.
BEYOND = 10


@dataclass(kw_only=True, eq=False, repr=False)
class Display(ABC):
    """What the displays share: a tidy table, which is drawn on axes as often as one likes."""

    curves: pd.DataFrame

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw what was computed.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on, such as those of another display; by default those of a new figure.

        Returns
        -------
        display
            This one, with `ax_` and `figure_`.
        """
        if ax is None:
            # With the style that is the user's own.
            import matplotlib.pyplot as plt

            ax = plt.subplots(layout="constrained")[1]
        self.ax_: Axes = ax
        self.figure_: Figure | SubFigure = ax.figure
        self._draw(ax)
        return self

    @abstractmethod
    def _draw(self, axes: Axes) -> None: ...

    def to_frame(self) -> pd.DataFrame:
        """Give the curves as a tidy table.

        Returns
        -------
        DataFrame
            The columns of `curves`.
        """
        return self.curves.copy()


@dataclass(kw_only=True, eq=False, repr=False)
class AccuracyCurveDisplay(Display):
    """Accuracy against the number of classes: observed up to k1, predicted beyond.

    `from_scores` makes one. The first method has a band, its interval of the expected accuracy; the
    classes that were asked for are marked by dots. Drawing takes the style of Matplotlib that is
    set.

    Parameters
    ----------
    curves : DataFrame
        Columns ``method`` (keys of `EXTRAPOLATORS`), ``k``, ``accuracy``, ``lower`` and ``upper``,
        which are NaN where there is no interval. The method ``observed`` has the average accuracies
        over all subsets of k of the k1 classes.
    n_classes : int
        k1.
    classes : sequence of int
        Numbers of classes that are marked; rows of the methods.
    top : int
        t of the top-t accuracy.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on.

    See Also
    --------
    ClassIntervals : the same numbers without a figure.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=60, points_per_class=4, variance=0.2)
    >>> display = ac.AccuracyCurveDisplay.from_scores(matrix, k=[120, 600], splits=5)
    >>> display.ax_.get_xlabel()
    'number of classes, $k$'
    >>> table = display.to_frame()
    >>> table.loc[table["k"].isin([60, 600]), ["method", "k"]].values.tolist()
    [['observed', 60], ['auto', 60], ['auto', 600]]
    """

    n_classes: int
    classes: Sequence[int] = ()
    top: int | str = 1

    @classmethod
    def from_scores(
        cls,
        matrix: Sample,
        *,
        method: str | Sequence[str] = "auto",
        k: npt.ArrayLike | None = None,
        top: int | str = 1,
        ax: Axes | None = None,
        **asked: Any,
    ) -> Self:
        """Fit a method, or several, to the scores of k1 classes and draw what they predict.

        Parameters
        ----------
        matrix : ScoreMatrix, or DistanceMatrix where the methods need ranks alone
            N points, k1 classes.
        method : str or sequence of str
            Keys of `EXTRAPOLATORS`; the first one is drawn with its interval.
        k : int or (n,) array of int, optional
            Numbers of classes to mark, at least 2; curves go to the largest. By default 10 k1.
        top : int or str
            t of the top-t accuracy, or the name of a measure.
        ax
            As of `plot`.
        **asked
            `level`, `splits`, `seed` and `jobs`, as of `predict`; 0 splits give no interval.

        Returns
        -------
        AccuracyCurveDisplay
            Drawn.

        Raises
        ------
        InputError
            If the scores, a method or a k cannot be used.
        FitError
            If a method cannot be fitted.

        Warns
        -----
        AccuracyWarning
            As `ClassIntervals`, of the first method.
        """
        k1 = as_sample(matrix).counted_classes
        answer = predict(matrix, BEYOND * k1 if k is None else k, method, tops=top, **asked)
        warn(each for each in answer.cautions if each.reason != "no_interval")
        curves = pd.concat([answer.observed, answer.predicted], ignore_index=True)
        marked = answer.question.classes
        return cls(curves=curves, n_classes=k1, classes=marked, top=top).plot(ax)

    def _draw(self, axes: Axes) -> None:
        seen = self.curves["method"] == "observed"
        tables, asked = (self.curves[seen], self.curves[~seen]), (self.classes, self.top)
        styles = method_styles(tables[1]["method"].unique())
        axes.legend(handles=draw_panel(axes, *tables, styles, self.n_classes, *asked))


@dataclass(kw_only=True, eq=False, repr=False)
class ReversedROCDisplay(Display):
    """The average reversed ROC of a score matrix, with the area under it.

    `from_scores` makes one. See `reversed_roc`.

    Parameters
    ----------
    curves : DataFrame
        Columns ``u`` and ``rate``: reversed false-positive and true-positive rates in [0, 1].
    reversed_auc : float
        The area, in [0, 1]: the accuracy at two classes.
    name : str
        What the legend calls the classifier.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        What it was drawn on.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=60, points_per_class=4, variance=0.2)
    >>> display = ac.ReversedROCDisplay.from_scores(matrix, name="simulated")
    >>> round(display.reversed_auc, 3)
    0.993
    >>> display.ax_.get_legend().get_texts()[0].get_text()
    'simulated (rAUC = 0.9931)'
    """

    reversed_auc: float
    name: str = ""

    @classmethod
    def from_scores(
        cls, matrix: Sample, *, name: str = "", seed: int = 0, ax: Axes | None = None
    ) -> Self:
        """Average the reversed ROC over the points and draw it.

        Parameters
        ----------
        matrix : ScoreMatrix, Ranks or DistanceMatrix
            N points, K classes.
        name : str
            What the legend calls the classifier.
        seed : int
            Seed of the tie-breaking.
        ax
            As of `plot`.

        Returns
        -------
        ReversedROCDisplay
            Drawn.

        Raises
        ------
        InputError
            If that is no score matrix.
        """
        u = np.linspace(0, 1, POINTS)
        curves = pd.DataFrame({"u": u, "rate": reversed_roc(matrix, u, seed)})
        return cls(curves=curves, reversed_auc=reversed_auc(matrix, seed), name=name).plot(ax)

    def _draw(self, axes: Axes) -> None:
        label = f"{self.name} (rAUC = {self.reversed_auc:.4f})".strip()
        # No colour of its own: those of the axes tell several classifiers apart.
        draw_reversed_roc(axes, self.curves["u"], self.curves["rate"], label)


class _RatesDisplay(Display):
    """What the displays of identification share: `table` is that of a `RatesAnswer`."""

    table: ClassVar[str]

    @classmethod
    def from_scores(
        cls,
        searches: ScoreMatrix | Searches,
        *,
        k: npt.ArrayLike | None = None,
        ax: Axes | None = None,
        **asked: Any,
    ) -> Self:
        """Predict in larger galleries, and draw it beside what was observed.

        Parameters
        ----------
        searches : ScoreMatrix or Searches
            As of `Identification`.
        k : int or (n,) array of int, optional
            Sizes of the gallery; by default 10 K. The observed one is added.
        ax
            As of `plot`.
        **asked
            `method`, `fpir`, `rank`, `level`, `splits` and `seed`, as of `identify`.

        Returns
        -------
        display
            Drawn.

        Raises
        ------
        InputError
            If the scores, the method, a rate or a size cannot be used.
        FitError
            If the method cannot be fitted.

        Warns
        -----
        AccuracyWarning
            As `Identification.cautions`.
        """
        sizes = BEYOND * Searches.of(searches).n_classes if k is None else k
        answer = identify(searches, sizes, **asked)
        warn(answer.cautions)
        return cls(curves=getattr(answer, cls.table)).plot(ax)


class DETDisplay(_RatesDisplay):
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
    >>> display = ac.DETDisplay.from_scores(matrix, k=[1000, 100_000], splits=3)
    >>> display.to_frame()["gallery_size"].unique().tolist()
    [99, 1000, 100000]
    """

    table = "det"

    def _draw(self, axes: Axes) -> None:
        draw_det(axes, self.curves)


class FNIRDisplay(_RatesDisplay):
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

    table = "by_size"

    def _draw(self, axes: Axes) -> None:
        draw_fnir_by_size(axes, self.curves)
