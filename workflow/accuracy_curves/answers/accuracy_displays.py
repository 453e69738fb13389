"""Displays of accuracy curves and of the reversed ROC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers import accuracy_plots as plots
from accuracy_curves.answers.accuracy import AccuracyQuestion, answer_accuracy
from accuracy_curves.answers.display import SMALL, Display, whole
from accuracy_curves.answers.style import method_styles
from accuracy_curves.cautions import warn
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.intervals.half_fits import LEVEL, Sample
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.ranks import Ranked, as_ranked
from accuracy_curves.utils.arrays import Float64Array


@dataclass(kw_only=True, eq=False, repr=False)
class AccuracyCurveDisplay(Display):
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
        level: float = LEVEL,
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
        asked = whole(k, k1)
        question = AccuracyQuestion(asked, (top,), level=level, splits=splits, seed=seed)
        answer = answer_accuracy(matrix, methods, question, jobs=jobs)
        warn(each for each in answer.cautions if each.reason != "no_interval")
        seen, predicted = answer.observed, answer.predicted
        display = cls(observed=seen, predicted=predicted, n_classes=k1, classes=asked, top=top)
        return display.plot(ax)

    def _draw(self, axes: Axes) -> None:
        names = list(dict.fromkeys(self.predicted["method"]))
        styles = method_styles(names)
        lines = plots.draw_predictions(axes, self.observed, self.predicted, styles, self.classes)
        largest = max([int(self.predicted["k"].max()), *self.classes])
        plots.dress_predictions(axes, self.n_classes, largest, SMALL)
        axes.set_ylabel(plots.accuracy_label(self.top))
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
class ReversedROCDisplay(Display):
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
        u = np.linspace(0, 1, plots.POINTS)
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
        plots.draw_reversed_roc(axes, self.u, self.rate, label, **{"color": None, **self._look})

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
