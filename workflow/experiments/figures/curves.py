"""A grid of accuracy curves, observed, predicted and true (ICLR 2021, Figures 4 and 5)."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import (
    ACCURACY,
    FONT_SIZE,
    OBSERVED_COLOR,
    SMALL_SIZE,
    share_accuracy_axis,
)
from accuracy_curves.utils.validation import Count
from experiments.figures.base import FigureOfSettings
from experiments.figures.panels import (
    LINE,
    Artist,
    Axes,
    Figure,
    key_line,
    legend_above,
    mark,
    panel_grid,
    panel_width,
    text_width,
    wrapped,
    write_beside,
)
from experiments.figures.shown import (
    TRUE_COLOR,
    LabelledSetting,
    Settings,
    Styles,
    curves_of,
    shaded,
    values,
)

GRID_HEIGHT = 0.82


class AccuracyCurves(FigureOfSettings):
    """Accuracy curves, one row per setting and one column per method (ICLR 2021, Figures 4 and 5).

    Accuracy curves, one row per setting and one column per method. Grey: observed average
    accuracies of each repetition. In colour: predictions of the method. Black: the average accuracy
    of all k2 classes. The dotted line is k1 (ICLR 2021, Figures 4 and 5).

    Parameters
    ----------
    repetitions : int, optional
        Curves of the first so many repetitions are drawn; errors are of all.
    """

    kind = "curves"

    repetitions: Count | None = None

    def draw(
        self, curves: pd.DataFrame, styles: Styles, settings: Settings, errors: pd.DataFrame
    ) -> Figure:
        """Draw predicted curves: one row per setting, one column per method (Figures 4 and 5).

        Each repetition's prediction is a thin line in the method's colour, and its observed average
        accuracies (k <= k1) a grey one; the true curve is black; the dotted line is k1. The curves
        are as of `ByK1`. The mean RMSE of `errors` stands over each panel.
        """
        truth = curves[curves["method"] == "true"]
        same_axis = truth.groupby("experiment")["k"].max().nunique() == 1
        text = LINE * (4 if same_axis else 5)
        figure, grid = panel_grid([GRID_HEIGHT] * len(settings), len(styles), text)
        # Bold, so that less fits than what is measured.
        room, size = 0.85 * panel_width(grid[0, 0]), FONT_SIZE + 1
        names = [wrapped(style.label, room, size) for style in styles.values()]
        # The legend, and names of several lines, are not to take the room of a row or two.
        lines = max(name.count("\n") for name in names) + max(0, 3 - len(settings))
        figure.set_figheight(figure.get_figheight() + LINE * lines)
        for row, setting in zip(grid, settings, strict=True):
            for axes, (key, style) in zip(row, styles.items(), strict=True):
                draw_curves(axes, curves, setting, key, style.color)
            share_accuracy_axis(row)
            write_mean_rmse(row, errors, setting, styles)
            row[0].set_ylabel(ACCURACY, fontsize=SMALL_SIZE)
            row[0].set_title(f"{setting.label}, $k_1$ = {setting.k1}", loc="left", pad=11)
        for axes, name, style in zip(grid[0], names, styles.values(), strict=True):
            # Clear of the panel's own title.
            look = {"color": shaded(style.color, -0.2), "fontsize": size, "fontweight": "bold"}
            write_beside(axes, name, (0.5, 1), (0, 22), ha="center", va="bottom", **look)
        for axes in grid[:-1].flat:
            axes.tick_params(labelbottom=not same_axis)
        for axes in grid[-1]:
            axes.set_xlabel("$k$", labelpad=1)
        legend_above(figure, curve_legend(self.repetitions))
        return figure


def draw_curves(
    axes: Axes, curves: pd.DataFrame, setting: LabelledSetting, method: str, color: str
) -> None:
    """Draw one panel: predictions of one method, observed and true curves, a dotted line at k1."""
    from matplotlib.collections import LineCollection

    # Drawn as pixels: fifty curves a panel would make a PDF of megabytes.
    lines: dict[str, Any] = {"linewidths": 0.6, "alpha": 0.6, "rasterized": True}
    place = setting.experiment, setting.k1
    for key, shade, order in ((method, color, 2), ("observed", OBSERVED_COLOR, 3)):
        k, accuracy = curves_of(curves, setting, key)
        paths = [np.column_stack([k, curve])[np.isfinite(curve)] for curve in accuracy]
        gid = mark((*place, key, len([path for path in paths if len(path)])))
        axes.add_collection(LineCollection(paths, color=shade, zorder=order, gid=gid, **lines))
    k, (accuracy,) = curves_of(curves, setting, "true")
    gid = mark((*place, "true", 1))
    axes.plot(k, accuracy, color=TRUE_COLOR, linewidth=1.1, zorder=4, gid=gid)
    axes.axvline(setting.k1, color="black", linestyle=":", linewidth=0.8, zorder=5)
    axes.set_xlim(0, int(k[-1]) * 1.01)
    ticks = max(2, min(5, int(panel_width(axes) / 0.35)))
    axes.locator_params("x", nbins=ticks, steps=[1, 2, 5, 10])


def write_mean_rmse(
    panels: Iterable[Axes], errors: pd.DataFrame, setting: LabelledSetting, methods: Iterable[str]
) -> None:
    """Write each method's mean `rmse_curve` and of how many repetitions it is over its panel."""
    for axes, method in zip(panels, methods, strict=True):
        found = values(errors, "rmse_curve", setting, method)
        text, counted = f"RMSE {found.mean():.3f}", f", n = {len(found)}"
        if text_width(text + counted, SMALL_SIZE) < panel_width(axes):
            text += counted
        # No title: the titles of an axes share their distance from it.
        write_beside(axes, text, (1, 1), (0, 2), ha="right", va="bottom", fontsize=SMALL_SIZE)


def curve_legend(repetitions: int | None = None) -> list[Artist]:
    """Return the legend of what is drawn beside the predictions.

    With how many repetitions are drawn, where they are not all.
    """
    observed = r"observed, $\overline{\mathcal{A}}_k^{k_1}$"
    if repetitions is not None:
        observed += f" (curves of {repetitions} repetitions)"
    return [
        key_line(color=OBSERVED_COLOR, label=observed),
        key_line(color=TRUE_COLOR, label=r"true, $E_k[\mathcal{A}]$"),
        key_line(color="black", linestyle=":", linewidth=0.8, label="$k_1$"),
    ]
