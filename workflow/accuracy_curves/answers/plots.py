"""Figures: how all of them look, the curves of answers, and files that are the same to the byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from accuracy_curves.cautions import share
from accuracy_curves.utils.files import written_whole
from accuracy_curves.vocabulary import CLASSES, Vocabulary

# Imported where it draws: who reads a preset does without.
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLUMN_WIDTH = 3.25
TEXT_WIDTH = 6.75
FONT_SIZE = 7.0
SMALL_SIZE = 6.5
# Of a PNG, and of curves that are drawn as pixels inside a PDF.
DPI = 200

OBSERVED_COLOR, OTHERS_COLOR = "#8c8c8c", "#a6a6a6"
# Of systems, and of rates that thresholds are set for.
COLORS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933"
EXPECTED = r", $E_k[\mathcal{A}]$"
ACCURACY = f"accuracy{EXPECTED}"
# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10
BAND = 0.15
# Where the largest gallery is so many times the smallest, ticks are powers of ten.
WIDE = 100
# The lowest FNIR of the logarithmic axis.
LEAST_RATE = 1e-4


@contextmanager
def paper_style() -> Iterator[None]:
    """Set fonts and lines, whatever the user's own matplotlibrc says."""
    from matplotlib import style

    with style.context(Path(__file__).with_suffix(".mplstyle"), after_reset=True):
        yield


@dataclass(frozen=True)
class Style:
    """Name and colour of a method in figures."""

    label: str
    color: str


def legend_above(axes: Axes) -> None:
    """Give a panel its legend, above its axes."""
    from matplotlib import rcParams

    look: Any = {"fontsize": rcParams["xtick.labelsize"], "handlelength": 1.6, "columnspacing": 1.2}
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, **look)


def write_shares(axis: Axis) -> None:
    """Write an axis of shares as the text does: .2, with a true minus."""
    axis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".").replace("-", "−"))


def gradient(n: int) -> list[str]:
    """Choose n colours from light to dark, for lines that differ in a number."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = colormaps["viridis_r"]
    return [to_hex(shades(0.12 + 0.88 * place / max(n - 1, 1))) for place in range(n)]


def save_figure(
    figure: Figure, stem_path: str | os.PathLike[str], metadata: str = "", font_type: int = 3
) -> tuple[Path, Path]:
    """Write a figure as STEM.pdf and STEM.png, the same bytes for the same figure.

    `metadata` says where the figure comes from: Keywords of the PDF and Description of the PNG.
    Publishers want fonts of type 42 in a PDF, which take as long as all else.
    """
    from matplotlib import rc_context

    stem = Path(stem_path)
    pdf, png = (stem.with_name(stem.name + suffix) for suffix in (".pdf", ".png"))
    of_pdf = {"Creator": "accuracy-curves", "CreationDate": None, "Keywords": metadata}
    of_png = {"Software": "accuracy-curves", "Description": metadata}
    for path, about in ((pdf, of_pdf), (png, of_png)):
        fonts = rc_context({"pdf.fonttype": font_type})
        with paper_style(), fonts, written_whole(path) as beside:
            figure.savefig(beside, dpi=DPI, metadata=about)
    return pdf, png


def draw_observed(axes: Axes, observed: pd.DataFrame, label: str = "observed") -> None:
    """Draw the observed curve; its bounds, without a line, where lists have no more."""
    if "lower" in observed and observed["lower"].notna().any():
        k, lower, upper = (observed[name] for name in ("k", "lower", "upper"))
        axes.fill_between(k, lower, upper, color=OBSERVED_COLOR, alpha=0.3, linewidth=0)
    look: Any = {"color": OBSERVED_COLOR, "linewidth": 2.2, "zorder": 5}
    axes.plot(observed["k"], observed["accuracy"], label=label, **look)


def draw_predicted(
    axes: Axes, curve: pd.DataFrame, style: Style, classes: Sequence[int], value: str = "accuracy"
) -> None:
    """Draw a predicted curve with its band, and dots at the numbers of classes of the question."""
    curve = curve.set_index("k")
    look: Any = {"color": style.color, "zorder": 4}
    band = look | {"zorder": 1}
    ends = curve[["lower", "upper"]].dropna() if "lower" in curve else curve.iloc[:0]
    if len(ends):
        axes.fill_between(ends.index, *ends.to_numpy().T, alpha=BAND, linewidth=0, **band)
        # Its edges are lines, which the accuracy axis makes room for.
        axes.plot(ends, alpha=0.6, linewidth=0.5, **band)
    axes.plot(curve[value], linewidth=1.4, label=style.label, **look)
    dots = curve.loc[list(classes), value]
    axes.plot(dots, "o", markersize=3.5, mec="black", mew=0.4, **look)


def dress_accuracy(
    axes: Axes, k1: int, largest: int, top: int | str, words: Vocabulary = CLASSES
) -> None:
    """Give a panel of accuracies its axes and its legend."""
    share_accuracy_axis([axes])
    of = "" if isinstance(top, str) else EXPECTED
    axes.set_ylabel(f"{words.measure(top)}{of}")
    write_shares(axes.yaxis)
    dress_classes(axes, k1, largest, words)
    legend_above(axes)


def dress_classes(axes: Axes, k1: int, largest: int, words: Vocabulary = CLASSES) -> None:
    """Give a panel its axis of numbers of classes, and the dotted line at k1."""
    from matplotlib import rcParams

    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    if largest > LOG_ABOVE * k1:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.02 * largest)
        axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(f"number of {words.classes}, $k$")
    side, size = "left" if k1 < largest / 2 else "right", rcParams["xtick.labelsize"]
    look: Any = {"ha": side, "va": "bottom", "fontsize": size}
    axes.text(k1, 0.01, f" $k_1$ = {k1:,} ", transform=axes.get_xaxis_transform(), **look)


def share_accuracy_axis(row: Sequence[Axes]) -> None:
    """Give panels side by side one accuracy axis, within [0, 1], labelled on the left only."""
    drawn = np.concatenate([axes.dataLim.intervaly for axes in row]).clip(0, 1)
    low = max(0.0, np.floor(10 * (drawn.min() - 0.02)) / 10)
    high = min(1.0, np.ceil(10 * (drawn.max() + 0.02)) / 10)
    share_axis(row, low, high + 0.02 * (high - low), ticks=5)


def share_axis(row: Sequence[Axes], low: float, high: float, ticks: int = 6) -> None:
    """Give panels side by side one y axis, labelled on the left only."""
    for axes in row:
        axes.set_ylim(low, high)
        # No steps of .025, whose labels are long.
        axes.locator_params("y", nbins=ticks, steps=[1, 2, 5, 10])
        axes.tick_params(labelleft=axes is row[0])


def draw_det(axes: Axes, det: pd.DataFrame) -> None:
    """Draw the DET curve of each gallery size, with its interval, on logarithmic axes."""
    predicted = det[det["method"] != "observed"]
    colors = gradient(predicted["gallery_size"].nunique())
    for (k, part), color in zip(predicted.groupby("gallery_size"), colors, strict=True):
        _draw_rates(axes, part, "fpir", color, f"{k:,} enrolled")
    for k, part in det[det["method"] == "observed"].groupby("gallery_size"):
        name = f"{k:,}, observed"
        axes.step(part["fpir"], part["fnir"], ":", color=OBSERVED_COLOR, linewidth=1.4, label=name)
    axes.set_xlabel("FPIR, strangers accepted")
    _dress_rates(axes)
    if (det["fnir"] > 0).any():
        axes.set_yscale("log")
    axes.set_ylim(np.fmax(LEAST_RATE, 0.5 * float(det["fnir"].min())), 1.1)


def draw_fnir_by_size(axes: Axes, by_size: pd.DataFrame) -> None:
    """Draw FNIR at fixed FPIR against the size of the gallery, with its interval."""
    targets = sorted(by_size["fpir"].unique(), reverse=True)
    for target, color in zip(targets, cycle(COLORS), strict=False):
        part = by_size[(by_size["fpir"] == target) & (by_size["method"] != "observed")]
        _draw_rates(axes, part, "gallery_size", color, f"FPIR {share(target)}")
    seen = by_size[by_size["method"] == "observed"]
    if not seen.empty:
        k, fnir = seen["gallery_size"], seen["fnir"]
        axes.plot(k, fnir, "o", color=OBSERVED_COLOR, markersize=3, zorder=3, label="observed")
    axes.set_xlabel("enrolled identities")
    _dress_rates(axes)
    sizes = by_size["gallery_size"]
    axes.xaxis.set_minor_formatter("")
    # Few numbers, each written out: powers of ten alone where there are several.
    if sizes.max() < WIDE * sizes.min():
        axes.locator_params("x", subs=(1.0, 2.0, 5.0))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    highest = float(by_size["upper"].fillna(by_size["fnir"]).max())
    axes.set_ylim(0, np.fmin(1.02, 1.05 * highest + 0.01))
    write_shares(axes.yaxis)


def _draw_rates(axes: Axes, part: pd.DataFrame, x: str, color: str, label: str) -> None:
    """Draw a curve, with its interval if it has one."""
    axes.fill_between(part[x], part["lower"], part["upper"], color=color, alpha=BAND, lw=0)
    axes.plot(part[x], part["fnir"], color=color, label=label)


def _dress_rates(axes: Axes) -> None:
    """Give a panel its legend and axes."""
    axes.set_xscale("log")
    axes.set_ylabel("FNIR, enrolled people missed")
    legend_above(axes)
