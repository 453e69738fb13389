"""Displays of curves, in the manner of scikit-learn: computed once, drawn on any axes."""

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.identification.identification import Identification
from accuracy_curves.intervals.half_fits import Sample
from accuracy_curves.observed.accuracy import check_classes
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.prediction.identify import det_table, fnir_by_size
from accuracy_curves.prediction.plots.curves import (
    accuracy_label,
    draw_predictions,
    dress_predictions,
)
from accuracy_curves.prediction.plots.identification import draw_det, draw_fnir_by_size
from accuracy_curves.prediction.plots.reversed_roc import POINTS, draw_reversed_roc
from accuracy_curves.prediction.plots.style import method_styles
from accuracy_curves.prediction.predict import Question, answer_question
from accuracy_curves.scores.ranks import Ranked, as_ranked
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.representation import Described

# Multiple of the observed number of classes, or people, up to which a curve goes by default.
BEYOND = 10
SMALL: str = "small"


class _Display(Described):
    """What the displays share: they are drawn on axes, as often as one likes."""

    ax_: Axes
    figure_: Figure | SubFigure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw what was computed.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        display
            This one, with `ax_` and `figure_`.
        """
        if ax is None:
            # With the style that is the user's own.
            import matplotlib.pyplot as plt

            ax = plt.subplots(layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax)
        return self

    @abstractmethod
    def _draw(self, axes: Axes) -> None: ...


@dataclass(kw_only=True, eq=False, repr=False)
class AccuracyCurveDisplay(_Display):
    """Accuracy against the number of classes: observed up to k1, predicted beyond.

    `from_scores` makes one. The first method has a band, its interval of the expected accuracy; the
    classes that were asked for are marked by dots. Drawing takes the style of Matplotlib that is
    set.

    Parameters
    ----------
    observed : DataFrame
        Columns ``k`` and ``accuracy``: average accuracies in [0, 1] over all subsets of k of the k1
        classes.
    predicted : DataFrame
        Columns ``method`` (keys of `EXTRAPOLATORS`), ``k``, ``accuracy``, ``lower`` and ``upper``,
        which are NaN where there is no interval.
    n_classes : int
        k1.
    classes : sequence of int
        Numbers of classes that are marked; rows of `predicted`.
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

    observed: pd.DataFrame
    predicted: pd.DataFrame
    n_classes: int
    classes: Sequence[int] = ()
    top: int = 1

    @classmethod
    def from_scores(
        cls,
        matrix: Sample,
        *,
        method: str | Sequence[str] = "auto",
        k: npt.ArrayLike | None = None,
        top: int = 1,
        level: float = 0.9,
        splits: int = 30,
        seed: int = 0,
        jobs: int = 1,
        ax: Axes | None = None,
        **options: object,
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
        top, level
            As of `ClassIntervals.interval`.
        splits, seed, jobs
            As of `ClassIntervals`; 0 splits give no interval.
        ax
            As of `plot`.
        **options
            The method's options, where there is one method.

        Returns
        -------
        AccuracyCurveDisplay
            Drawn.

        Raises
        ------
        InputError
            If the scores, a method, an option or a k cannot be used.
        FitError
            If a method cannot be fitted.

        Warns
        -----
        AccuracyWarning
            As `ClassIntervals`, of the first method.
        """
        k1 = as_ranked(matrix).n_classes
        names = [method] if isinstance(method, str) else list(dict.fromkeys(method))
        if not names or (options and len(names) > 1):
            raise InputError(
                f"{len(names)} methods are given, with options {', '.join(options) or 'of none'}: "
                "give at least one method, and options only where there is one"
            )
        methods = {name: make_extrapolator(name, seed=seed, **options) for name in names}
        asked = _whole(k, k1)
        question = Question(asked, (top,), level, None, splits, seed)
        answer = answer_question(matrix, methods, question, jobs=jobs)
        found = [*answer.sample_warnings, *answer.about_fits(names[:1])]
        _warn(each for each in found if each.reason != "no_interval")
        display = cls(
            observed=answer.observed,
            predicted=answer.predicted,
            n_classes=k1,
            classes=asked,
            top=top,
        )
        return display.plot(ax)

    def _draw(self, axes: Axes) -> None:
        names = list(dict.fromkeys(self.predicted["method"]))
        styles = method_styles(names)
        lines = draw_predictions(axes, self.observed, self.predicted, styles, self.classes)
        largest = max([int(self.predicted["k"].max()), *self.classes])
        dress_predictions(axes, self.n_classes, largest, SMALL)
        axes.set_ylabel(accuracy_label(self.top))
        axes.legend(lines, ["observed", *(style.label for style in styles.values())])

    def _facts(self) -> list[str]:
        asked = ", ".join(f"{k:,}" for k in self.classes)
        return [
            *dict.fromkeys(self.predicted["method"]),
            f"{self.n_classes:,} classes observed",
            *([f"marks at {asked}"] if asked else []),
        ]

    def to_frame(self) -> pd.DataFrame:
        """Give the curves as a tidy table.

        Returns
        -------
        DataFrame
            Columns method, k, top, accuracy, lower, upper, set_lower, set_upper; the method
            ``observed`` first.
        """
        tables = [self.observed.assign(method="observed"), self.predicted]
        return pd.concat(tables, ignore_index=True)


@dataclass(kw_only=True, eq=False, repr=False)
class ReversedROCDisplay(_Display):
    """The average reversed ROC of a score matrix, with the area under it.

    `from_scores` makes one. See `reversed_roc`.

    Parameters
    ----------
    u : (n,) array of float
        Reversed false-positive rates in [0, 1].
    rate : (n,) array of float
        Reversed true-positive rates in [0, 1].
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

    u: Float64Array
    rate: Float64Array
    reversed_auc: float
    name: str = ""

    @classmethod
    def from_scores(
        cls, matrix: Ranked, *, name: str = "", seed: int = 0, ax: Axes | None = None, **look: Any
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
        ax, **look
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
        rate = reversed_roc(matrix, u, seed)
        display = cls(u=u, rate=rate, reversed_auc=reversed_auc(matrix, seed), name=name)
        return display.plot(ax, **look)

    def plot(self, ax: Axes | None = None, **look: Any) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on, such as those of another display; by default those of a new figure.
        **look
            How the line looks, such as ``color``, as `matplotlib.axes.Axes.plot` takes it.

        Returns
        -------
        ReversedROCDisplay
            This one, with `ax_` and `figure_`.
        """
        self._look = look
        return super().plot(ax)

    def _draw(self, axes: Axes) -> None:
        label = f"{self.name} (rAUC = {self.reversed_auc:.4f})".strip()
        # No colour of its own: those of the axes tell several classifiers apart.
        draw_reversed_roc(axes, self.u, self.rate, label, **{"color": None, **self._look})

    def _facts(self) -> list[str]:
        return [*filter(None, [self.name]), f"rAUC {self.reversed_auc:.4f}"]

    def to_frame(self) -> pd.DataFrame:
        """Give the curve as a tidy table.

        Returns
        -------
        DataFrame
            Columns u and rate.
        """
        return pd.DataFrame({"u": self.u, "rate": self.rate})


@dataclass(kw_only=True, eq=False, repr=False)
class _RateDisplay(_Display):
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
            As `Identification.warnings`.
        """
        found = Identification(searches, method, seed=seed, **options)
        sizes = _whole(k, found.n_classes)
        _warn(found.warnings(sizes))
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
        level: float = 0.9,
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
        sizes = _whole(k, found.n_classes)
        rates = [float(each) for each in np.atleast_1d(np.asarray(fpir, dtype=np.float64))]
        _warn(found.warnings(sizes, rates))
        return cls(curves=fnir_by_size(found, sizes, rates, rank, level)).plot(ax)

    def _draw(self, axes: Axes) -> None:
        draw_fnir_by_size(axes, self.curves, SMALL)


def _whole(k: npt.ArrayLike | None, observed: int) -> list[int]:
    """Check the numbers of classes, or of people, that are asked for."""
    return [int(each) for each in check_classes(BEYOND * observed if k is None else k)]


def _warn(found: Iterable[AccuracyWarning]) -> None:
    """Warn whoever called `from_scores`."""
    for each in found:
        warnings.warn(each, stacklevel=3)
