"""One data set's curves from several k1, with their errors (Zheng et al. 2017, Figure 9)."""

import pandas as pd

from accuracy_curves.answers.plots import (
    ACCURACY,
    COLUMN_WIDTH,
    SMALL_SIZE,
    TEXT_WIDTH,
    share_accuracy_axis,
)
from experiments.figures.base import FigureOfSettings
from experiments.figures.curves import curve_legend, draw_curves
from experiments.figures.panels import LINE, Axes, Figure, legend_above, panel_grid, write_beside
from experiments.figures.shown import Settings, Styles, how_many, values

HEIGHT = 1.15
ROWS = "bias\nsd\nRMSE"
# Least width of a panel.
LEAST_WIDTH = 1.1


class ByK1(FigureOfSettings):
    """Curves from several k1, over a table of their errors (Zheng et al. 2017, Figure 9).

    Accuracy curves predicted from several numbers of classes k1 (dotted line). Observed ones are
    grey, predicted ones coloured, one per repetition, and the true one is black. Below: bias,
    standard deviation and RMSE of the prediction at k2 over the repetitions (Zheng et al. 2017,
    Figure 9 and Table 1).
    """

    kind = "by_k1"

    def draw(
        self, curves: pd.DataFrame, errors: pd.DataFrame, styles: Styles, settings: Settings
    ) -> Figure:
        """Draw predicted curves and the errors at k2: one row per method, one column per setting.

        `curves` has the columns experiment, k1, repetition, method (``observed`` and ``true``
        beside those of the predictions), k, accuracy. Bias, standard deviation (divisor n) and root
        mean square of the `error_at_k2` of `errors` stand under each panel.
        """
        columns = len(settings)
        width = max(TEXT_WIDTH, LEAST_WIDTH * columns) if columns > 1 else COLUMN_WIDTH
        figure, grid = panel_grid([HEIGHT] * len(styles), columns, 8.5 * LINE, width)
        for row, (key, style) in zip(grid, styles.items(), strict=True):
            for axes, setting in zip(row, settings, strict=True):
                draw_curves(axes, curves, setting, key, style.color)
                axes.set_xlabel("$k$", labelpad=1)
                error = values(errors, "error_at_k2", setting, key)
                rmse = float((error**2).mean()) ** 0.5
                numbers = f"{error.mean():+.3f}\n{error.std():.3f}\n{rmse:.3f}"
                _write_under(axes, 0.5, "center", numbers.replace("-", "\N{MINUS SIGN}"))
            share_accuracy_axis(row)
            row[0].set_ylabel(ACCURACY)
            row[0].set_title(style.label, loc="left", pad=4, color=style.color, fontweight="bold")
            _write_under(row[0], -0.04, "right", ROWS)
        several = len({setting.experiment for setting in settings}) > 1
        for axes, setting in zip(grid[0], settings, strict=True):
            name = f"{setting.label}, " if several else ""
            count = how_many(len(values(errors, "error_at_k2", setting, key)) for key in styles)
            text = f"{name}$k_1$ = {setting.k1}\n{count}"
            write_beside(axes, text, (0.5, 1), (0, 14), ha="center", va="bottom")
        legend_above(figure, curve_legend())
        return figure


def _write_under(axes: Axes, x: float, side: str, text: str) -> None:
    """Write the lines of the table under a panel."""
    look = {"fontsize": SMALL_SIZE, "linespacing": 1.3}
    write_beside(axes, text, (x, 0), (0, -24), ha=side, va="top", **look)
