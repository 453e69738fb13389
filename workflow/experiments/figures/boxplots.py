"""Box plots of errors by setting (ICLR 2021, Figures 2 and 6) and of their ratios (Figure 3 E)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Annotated, Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import COLUMN_WIDTH, SMALL_SIZE, TEXT_WIDTH, Style
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Number
from experiments.evaluation.class_draw import NAME, RIVALS
from experiments.figures.base import FigureOfSettings
from experiments.figures.panels import (
    LINE,
    Artist,
    Axes,
    Figure,
    key_box,
    legend_above,
    mark,
    panel_grid,
    wrapped,
)
from experiments.figures.shown import (
    LabelledSetting,
    Settings,
    Styles,
    by_panel,
    how_many,
    shaded,
    values,
)

PANEL_HEIGHT = 1.6
# Groups side by side in a panel; more are continued in the next.
MOST_GROUPS = 8
BOXES_IN_A_COLUMN = 10
RATIO_CAP = 4.0
# Of the two parts of the noise of the draw of the classes, which are no methods: the one for k to
# k2, the other for k to k1.
DRAW_STYLES = {
    NAME: Style("sampling of the points' classes, no extrapolation", "#c8c8c8"),
    RIVALS: Style("sampling of their rivals, $k \\leq k_1$", "#f0f0f0"),
}
# Share of a group's width that its boxes take.
GROUP_SHARE = 0.8
# Quartiles and whiskers of fewer values would look surer than they are.
FEWEST_OF_A_BOX = 10


class Boxplots(FigureOfSettings):
    """Box plots of the RMSE, a group of boxes a setting (ICLR 2021, Figures 2 and 6).

    RMSE of the predicted accuracy curve over k = 2..k2, one box per method in each setting. Boxes
    show quartiles and median. Whiskers reach at most 1.5 IQR from the box, outliers are left out.
    The grey boxes are errors of sampling the classes alone (ICLR 2021, Figures 2 and 6). One is of
    sampling the points' classes, for k up to k2, the other of sampling their rivals, for k up to
    k1.

    Parameters
    ----------
    hide_above : float
        A method whose every RMSE in a setting is above this is named there, and not drawn.
    hidden_methods : list of str
        Only these are hidden.
    hidden_k1 : list of int
        They are hidden only there.
    """

    kind = "boxplots"

    hide_above: Annotated[float, Number(0)] = 0.0
    hidden_methods: Sequence[str] = ()
    hidden_k1: Sequence[int] = ()

    def draw(
        self, errors: pd.DataFrame, styles: Styles, settings: Settings, class_draw: pd.DataFrame
    ) -> Figure:
        """Draw the distribution of the RMSE of each method in each setting (Figures 2 and 6).

        Settings of one `panel` share a panel. `errors` is what `repetition_errors` returns;
        `class_draw`, of `evaluation.class_draw` (columns experiment, k1, method, repetition,
        rmse_curve, rivals_to_k1), is two grey boxes at the left of each group.
        """
        errors, styles = pd.concat([errors, draw_parts(class_draw)]), {**DRAW_STYLES, **styles}
        groups = {
            (setting, method): values(errors, "rmse_curve", setting, method)
            for setting, method in product(settings, styles)
        }
        figure, panels = _panels(groups, styles, settings)
        for axes, shown in panels:
            axes.set_ylabel("RMSE")
            tops = [0.0]
            for (group, setting), (place, (method, style)) in product(
                enumerate(shown), enumerate(styles.items())
            ):
                position = group + (place - (len(styles) - 1) / 2) * GROUP_SHARE / len(styles)
                found = groups[setting, method]
                gid = mark((setting.experiment, setting.k1, method, len(found)))
                if method not in DRAW_STYLES and self._hides(setting.k1, method, found):
                    note = f"{style.label} > {self.hide_above:g}"
                    write_upright(axes, position, 0.03, note, style.color, va="bottom", gid=gid)
                else:
                    tops.append(draw_box(axes, found, position, style.color, len(styles), gid))
            axes.set_ylim(0, 1.06 * max(tops) or 1.0)
        return figure

    def _hides(self, k1: int, method: str, errors: Float64Array) -> bool:
        named = method in (self.hidden_methods or [method]) and k1 in (self.hidden_k1 or [k1])
        return named and 0 < self.hide_above < errors.min()


def draw_parts(noise: pd.DataFrame) -> pd.DataFrame:
    """Put both parts of the noise of the draw of the classes into one column, as two methods."""
    return pd.concat([noise, noise.assign(method=RIVALS, rmse_curve=noise[RIVALS])])


def draw_box(
    axes: Axes, found: Float64Array, position: float, color: str, boxes: int, gid: str | None = None
) -> float:
    """Draw one box: quartiles, median, whiskers within 1.5 IQR, no outliers.

    Of fewer than 10 values each is drawn, as a point, with a line at the median; of none, nothing.
    Groups are 1 apart, and their `boxes` share the width. `gid` marks it. Returns the
    upper end of what was drawn.
    """
    from matplotlib.cbook import boxplot_stats

    if not len(found):
        return 0.0
    width = 0.85 * GROUP_SHARE / boxes
    if len(found) < FEWEST_OF_A_BOX:
        edge: Any = {"edgecolors": "black", "linewidths": 0.5, "zorder": 3}
        half = width / 2
        # Side by side, so that equal values are seen.
        places = np.linspace(position - half / 2, position + half / 2, len(found))
        axes.scatter(places, found, s=9, c=color, gid=gid, **edge)
        axes.hlines(np.median(found), position - half, position + half, color="black", lw=1.2)
        return float(found.max())
    stats = boxplot_stats(found, whis=1.5)
    thin: Any = {"color": "black", "linewidth": 0.6}
    axes.bxp(
        stats,
        positions=[position],
        widths=width,
        capwidths=width / 2,
        patch_artist=True,
        showfliers=False,
        manage_ticks=False,
        boxprops={"facecolor": color, "edgecolor": "black", "linewidth": 0.6, "gid": gid},
        medianprops={"color": "black", "linewidth": 1.2},
        whiskerprops=thin,
        capprops=thin,
    )
    return float(max(stats[0]["whishi"], stats[0]["q3"]))


def draw_ratios(axes: Axes, slots: Iterable[tuple[float, str, Float64Array]], line: str) -> None:
    """Draw boxes of ratios (position, colour, ratios), cut at 4, with a dotted line at 1.

    `line` is its colour. Boxes and whiskers are those of the uncut ratios. A median beyond the axis
    is written.
    """
    for position, color, found in slots:
        draw_box(axes, found, position, color, 1)
        if len(found) and (middle := np.median(found)) > RATIO_CAP:
            # On its box, where that is cut.
            write_upright(axes, position, 0.98, f"median {middle:.1f}", color, va="top")
    axes.axhline(1.0, color=line, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_ylim(0, RATIO_CAP)
    axes.locator_params("y", nbins=4, integer=True)


def write_upright(axes: Axes, x: float, y: float, text: str, color: str, **more: Any) -> None:
    """Write upwards at x (data) and y (share of the axis), in a dark shade of a colour."""
    place: Any = {"transform": axes.get_xaxis_transform(), "ha": "center", "rotation": 90}
    look: Any = {"fontsize": SMALL_SIZE, "color": shaded(color, -0.35), "zorder": 5}
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8}
    axes.text(x, y, text, bbox=box, **place, **look, **more)


def _panels(
    groups: Mapping[tuple[LabelledSetting, str], Float64Array], styles: Styles, settings: Settings
) -> tuple[Figure, list[tuple[Axes, list[LabelledSetting]]]]:
    """Make the empty panels, with group labels, titles, numbers of repetitions and a legend."""
    parts = []
    for title, shown in by_panel(settings).items():
        # So that all rows are about as long.
        places = np.array_split(np.arange(len(shown)), -(-len(shown) // MOST_GROUPS))
        parts += [(title, [shown[place] for place in row]) for row in places]
    most = max(len(shown) for _, shown in parts)
    width = COLUMN_WIDTH if most * len(styles) <= BOXES_IN_A_COLUMN else TEXT_WIDTH
    room = (width - 0.55) / most - 0.06
    labels = {s: wrapped(s.label, room, SMALL_SIZE) for s in settings}
    # k1 stands where no panel's title says it.
    labels |= {s: f"{labels[s]}\n$k_1 = {s.k1}$" for s in settings if not s.panel}
    lines = max(label.count("\n") + 1 for label in labels.values())
    figure, grid = panel_grid([PANEL_HEIGHT] * len(parts), 1, LINE * lines + 0.3, width)
    panels = [(axes, shown) for axes, (_, shown) in zip(grid[:, 0], parts, strict=True)]
    for (axes, shown), (title, _) in zip(panels, parts, strict=True):
        # No steps of .025, whose labels are too long for the margin.
        axes.locator_params("y", nbins=6, steps=[1, 2, 5, 10])
        axes.set_xlim(-0.5, most - 0.5)
        axes.set_xticks(range(len(shown)), [labels[s] for s in shown], linespacing=1.1)
        axes.tick_params(axis="x", length=0)
        for border in range(1, len(shown)):
            axes.axvline(border - 0.5, color="0.88", linewidth=0.6, zorder=0)
        axes.set_title(title, loc="left", pad=4)
        count = how_many(len(groups[setting, method]) for setting in shown for method in styles)
        axes.set_title(count, loc="right", pad=4)
    legend_above(figure, box_legend(styles.values()))
    return figure, panels


def box_legend(styles: Iterable[Style]) -> list[Artist]:
    """Return the legend of boxes."""
    look: Any = {"edgecolor": "black", "lw": 0.6}
    return [key_box(facecolor=style.color, label=style.label, **look) for style in styles]
