"""How every figure looks: sizes, one colour per method, and files that are the same to the byte."""

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib import colormaps, rc_context, rcParams, style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from accuracy_curves.utils.files import written_whole

COLUMN_WIDTH = 3.25
TEXT_WIDTH = 6.75
FONT_SIZE = 7.0
SMALL_SIZE = 6.5
# Of a PNG, and of curves that are drawn as pixels inside a PDF.
DPI = 200

OBSERVED_COLOR, OTHERS_COLOR = "#8c8c8c", "#a6a6a6"
# Of systems, and of rates that thresholds are set for.
COLORS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#999933"


# Sets fonts and lines, whatever the user's own matplotlibrc says.
paper_style = partial(style.context, Path(__file__).with_suffix(".mplstyle"), after_reset=True)


@dataclass(frozen=True)
class Style:
    """Name and colour of a method in figures."""

    label: str
    color: str


def legend_above(axes: Axes) -> None:
    """Give a panel its legend, above its axes."""
    look: Any = {"fontsize": rcParams["xtick.labelsize"], "handlelength": 1.6, "columnspacing": 1.2}
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, **look)


def write_shares(axis: Axis) -> None:
    """Write an axis of shares as the text does: .2, with a true minus."""
    axis.set_major_formatter(lambda value, _: f"{value:g}".replace("0.", ".").replace("-", "−"))


def gradient(n: int) -> list[str]:
    """Choose n colours from light to dark, for lines that differ in a number."""
    shades = colormaps["viridis_r"]
    return [to_hex(shades(0.12 + 0.88 * place / max(n - 1, 1))) for place in range(n)]


def save_figure(
    figure: Figure, stem_path: str | os.PathLike[str], metadata: str = "", font_type: int = 3
) -> tuple[Path, Path]:
    """Write a figure as STEM.pdf and STEM.png, the same bytes for the same figure.

    `metadata` says where the figure comes from: Keywords of the PDF and Description of the PNG.
    Publishers want fonts of type 42 in a PDF, which take as long as all else.
    """
    stem = Path(stem_path)
    pdf, png = (stem.with_name(stem.name + suffix) for suffix in (".pdf", ".png"))
    of_pdf = {"Creator": "accuracy-curves", "CreationDate": None, "Keywords": metadata}
    of_png = {"Software": "accuracy-curves", "Description": metadata}
    for path, about in ((pdf, of_pdf), (png, of_png)):
        fonts = rc_context({"pdf.fonttype": font_type})
        with paper_style(), fonts, written_whole(path) as beside:
            figure.savefig(beside, dpi=DPI, metadata=about)
    return pdf, png
