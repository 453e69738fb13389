"""What the methods predict from one sample, for the command line."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.errors import InputError
from accuracy_curves.figures.curve_panels import ACCURACY, share_accuracy_axis
from accuracy_curves.figures.layout import Margins, legend_above, legend_height, panel_grid
from accuracy_curves.figures.settings import thinned
from accuracy_curves.figures.style import (
    COLUMN_WIDTH,
    OBSERVED_COLOR,
    SMALL_SIZE,
    Style,
    paper_style,
)

# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10


@paper_style()
def predicted_curves_figure(
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    *,
    classes: Sequence[int] = (),
) -> Figure:
    """Draw one sample's observed accuracies and what the methods predict from them.

    Parameters
    ----------
    observed : DataFrame
        Columns k, accuracy: average accuracies of the sample at k = 2..k1.
    predicted : DataFrame
        Columns method, k, accuracy; k may reach 10**18. Where it has lower and upper, a band.
    styles : mapping of str to Style
        The methods, see `method_styles`.
    k1 : int
        Number of classes of the sample; a dotted line.
    classes : sequence of int
        Numbers of classes that were asked for, each marked by a dot on every curve. The k axis is
        logarithmic if the largest k is more than 10 times k1.

    Returns
    -------
    Figure
        3.25 in wide.

    Raises
    ------
    InputError
        If a method has no curve, or none at a k that was asked for.
    """
    labels = ["observed", *(style.label for style in styles.values())]
    margins = Margins(left=0.5, top=legend_height(labels, COLUMN_WIDTH) + 0.06, bottom=0.36)
    figure, grid = panel_grid(COLUMN_WIDTH, [2.0], 1, margins)
    axes: Axes = grid[0, 0]
    lines = []
    for key, style in styles.items():
        curve = predicted[predicted["method"] == key].set_index("k")["accuracy"].sort_index()
        absent = [k for k in classes if k not in curve.index]
        if curve.empty or absent:
            at = f" at k = {absent[0]}" if absent else ""
            raise InputError(f"there is no predicted accuracy of {key}{at}: the figure needs it")
        shown = curve[thinned(curve.index.to_numpy(np.int64))]
        lines += axes.plot(shown.index, shown, color=style.color, linewidth=1.4)
        if "lower" in predicted:
            band = predicted[predicted["method"] == key].set_index("k").loc[shown.index]
            if band["lower"].notna().any():
                axes.fill_between(
                    shown.index.to_numpy(np.float64),
                    band["lower"].to_numpy(),
                    band["upper"].to_numpy(),
                    color=style.color,
                    alpha=0.2,
                    linewidth=0,
                )
        asked = curve[list(classes)]
        axes.plot(asked.index, asked, "o", color=style.color, ms=3.5, mec="black", mew=0.4)
    seen = observed.sort_values("k")
    seen = seen[seen["k"].isin(thinned(seen["k"].to_numpy(np.int64)))]
    above = axes.plot(seen["k"], seen["accuracy"], color=OBSERVED_COLOR, linewidth=2.2, zorder=3)
    largest = max([int(predicted["k"].max()), *classes])
    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    if largest > LOG_ABOVE * k1:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.02 * largest)
    share_accuracy_axis([axes])
    axes.set_xlabel("number of classes, $k$")
    axes.set_ylabel(ACCURACY)
    axes.annotate(
        f"$k_1$ = {k1}",
        (k1, 0),
        (3, 3),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        fontsize=SMALL_SIZE,
    )
    legend_above(figure, [*above, *lines], labels)
    return figure
