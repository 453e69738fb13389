"""How every figure looks: sizes, a colour a method, and files that are the same to the byte."""

import io
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.utils.files import written_whole
from accuracy_curves.utils.validation import Choice, ranges_of

COLUMN_WIDTH = 3.25
TEXT_WIDTH = 6.75
FONT_SIZE = 7.0
SMALL_SIZE = 6.5
PNG_DPI = 200
# Of the curves that are drawn as pixels inside the PDF: the first that makes it small.
RASTER_DPI = (200, 150, 110)
SMALL_BYTES = 300_000

OBSERVED_COLOR = "#8c8c8c"
TRUE_COLOR = "#000000"

PARAMETERS: Any = {
    "font.size": FONT_SIZE,
    "axes.labelsize": FONT_SIZE,
    "axes.titlesize": FONT_SIZE,
    "legend.fontsize": FONT_SIZE,
    "xtick.labelsize": SMALL_SIZE,
    "ytick.labelsize": SMALL_SIZE,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "axes.labelpad": 2.5,
    "lines.linewidth": 1.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "legend.frameon": False,
    "pdf.fonttype": 42,
}

# Amounts of black (negative) or white mixed into the colour of the second, third... key.
SHADES = (0.0, -0.45, 0.5, -0.7, 0.7, -0.2)


@dataclass(frozen=True)
class Style:
    """Name and colour of a method in figures."""

    label: str
    color: str


@contextmanager
def paper_style() -> Iterator[None]:
    """Set fonts and lines, whatever the user's own matplotlibrc says, and put all back after."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(PARAMETERS)
        yield


def shaded(color: str, amount: float) -> str:
    """Mix a colour with white (amount in (0, 1]) or black (amount in [-1, 0))."""
    target = 1.0 if amount > 0 else 0.0
    red, green, blue = (c + abs(amount) * (target - c) for c in to_rgb(color))
    return to_hex((red, green, blue))


def gradient(n: int) -> list[str]:
    """Choose n colours from light to dark, for lines that differ in a number."""
    shades = matplotlib.colormaps["viridis_r"]
    return [to_hex(shades(0.12 + 0.88 * place / max(n - 1, 1))) for place in range(n)]


def method_styles(
    methods: Mapping[str, str], known: Mapping[str, Any] = EXTRAPOLATORS
) -> dict[str, Style]:
    """Choose a name and a colour for each method: configuration key -> name of the extrapolator.

    `known` has the class of each name, with its ``label`` and ``color``.

    A method has the label and colour of its extrapolator. Where several keys use one extrapolator,
    they are told apart in the label by what the key adds to the extrapolator's name, as "KDE, ucv"
    for kde_ucv, and by shades of its colour, in the order of the keys. A value of an option is
    spelt as the extrapolator spells it: "KDE, SJ" for kde_sj.
    """
    styles: dict[str, Style] = {}
    used: list[str] = []
    for key, name in methods.items():
        if name not in known:
            raise InputError(f"no method is called {name!r}: there are {', '.join(known)}")
        kind = known[name]
        alone = list(methods.values()).count(name) == 1 or key == name
        added = key.removeprefix(name).strip("_")
        words = _words(kind)
        added = words.get(added, added).replace("_", " ")
        styles[key] = Style(
            label=kind.label if alone else f"{kind.label}, {added}",
            color=shaded(kind.color, SHADES[used.count(name) % len(SHADES)]),
        )
        used.append(name)
    return styles


def _words(kind: type) -> dict[str, str]:
    """Collect the words that options of a class take, by their lower case."""
    allowed = (found for found, _ in ranges_of(kind).values())
    return {w.lower(): w for found in allowed if isinstance(found, Choice) for w in found.words}


def save_figure(
    figure: Figure, stem_path: str | os.PathLike[str], metadata: str = ""
) -> tuple[Path, Path]:
    """Write a figure as STEM.pdf and STEM.png, the same bytes for the same figure.

    What is drawn as pixels in the PDF is made coarser, down to 110 dpi, while the file is larger
    than 300 kB. `metadata` says where the figure comes from: Keywords of the PDF and Description of
    the PNG.
    """
    stem = Path(stem_path)
    pdf, png = (stem.with_name(stem.name + suffix) for suffix in (".pdf", ".png"))
    made = {"Creator": "accuracy-curves", "CreationDate": None, "Keywords": metadata}
    described = {"Software": "accuracy-curves", "Description": metadata}
    with paper_style():
        for dpi in RASTER_DPI:
            drawn = io.BytesIO()
            figure.savefig(drawn, format="pdf", dpi=dpi, metadata=made)
            if drawn.tell() < SMALL_BYTES:
                break
        with written_whole(pdf) as beside:
            beside.write_bytes(drawn.getvalue())
        with written_whole(png) as beside:
            figure.savefig(beside, format="png", dpi=PNG_DPI, metadata=described)
    return pdf, png
