"""Open-set identification: DET curves, and false negatives against the size of the gallery."""

from itertools import cycle

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from accuracy_curves.answers.style import OBSERVED_COLOR, gradient, legend_above, write_shares
from accuracy_curves.cautions import share

TARGET_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
BAND = 0.15
# Sizes of a gallery so many times apart are marked by powers of ten.
WIDE = 100
# The lowest FNIR of the logarithmic axis.
LEAST_RATE = 1e-4


def draw_det(axes: Axes, det: pd.DataFrame) -> None:
    """Draw the DET curve of each gallery size, with its interval, on logarithmic axes."""
    predicted = det[det["method"] != "observed"]
    colors = gradient(predicted["gallery_size"].nunique())
    for (k, part), color in zip(predicted.groupby("gallery_size"), colors, strict=True):
        _draw(axes, part, "fpir", color, f"{k:,} enrolled")
    for k, part in det[det["method"] == "observed"].groupby("gallery_size"):
        name = f"{k:,}, observed"
        axes.step(part["fpir"], part["fnir"], ":", color=OBSERVED_COLOR, linewidth=1.4, label=name)
    axes.set_xlabel("FPIR, strangers accepted")
    _dress(axes)
    if (det["fnir"] > 0).any():
        axes.set_yscale("log")
    axes.set_ylim(np.fmax(LEAST_RATE, 0.5 * float(det["fnir"].min())), 1.1)


def draw_fnir_by_size(axes: Axes, by_size: pd.DataFrame) -> None:
    """Draw FNIR at fixed FPIR against the size of the gallery, with its interval."""
    targets = sorted(by_size["fpir"].unique(), reverse=True)
    for target, color in zip(targets, cycle(TARGET_COLORS), strict=False):
        part = by_size[(by_size["fpir"] == target) & (by_size["method"] != "observed")]
        _draw(axes, part, "gallery_size", color, f"FPIR {share(target)}")
    seen = by_size[by_size["method"] == "observed"]
    if not seen.empty:
        k, fnir = seen["gallery_size"], seen["fnir"]
        axes.plot(k, fnir, "o", color=OBSERVED_COLOR, markersize=3, zorder=3, label="observed")
    axes.set_xlabel("enrolled identities")
    _dress(axes)
    sizes = by_size["gallery_size"]
    axes.xaxis.set_minor_formatter(NullFormatter())
    # Few numbers, each written out: powers of ten alone where there are several.
    if sizes.max() < WIDE * sizes.min():
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    highest = float(by_size["upper"].fillna(by_size["fnir"]).max())
    axes.set_ylim(0, np.fmin(1.02, 1.05 * highest + 0.01))
    write_shares(axes.yaxis)


def _draw(axes: Axes, part: pd.DataFrame, x: str, color: str, label: str) -> None:
    """Draw a curve, with its interval if it has one."""
    if "lower" in part:
        axes.fill_between(part[x], part["lower"], part["upper"], color=color, alpha=BAND, lw=0)
    axes.plot(part[x], part["fnir"], color=color, label=label)


def _dress(axes: Axes) -> None:
    """Give a panel its legend and axes."""
    axes.set_xscale("log")
    axes.set_ylabel("FNIR, enrolled people missed")
    legend_above(axes)
