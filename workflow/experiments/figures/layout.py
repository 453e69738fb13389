"""Text of the figures: measured, broken into lines, and written beside a place."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.textpath import TextPath

from accuracy_curves.prediction.plots.style import FONT_SIZE

# Letters that are fitted to pixels are a little wider.
HINTING = 1.04
# Mathematics is one word, whatever is in it.
WORD = r"(?:\$[^$]*\$|\S)+"

Place = tuple[float, float]


def write_beside(axes: Axes, text: str, share: Place, points: Place, **look: Any) -> None:
    """Write at a place in shares of the panel's sides, moved right and up by points."""
    axes.annotate(text, share, points, xycoords="axes fraction", textcoords="offset points", **look)


@lru_cache(maxsize=1024)
def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Width of one line of text in inches, rounded up; ``$...$`` is mathematics."""
    if not text.strip():
        return 0.0
    return HINTING * float(TextPath((0, 0), text, size=size).get_extents().x1) / 72


def wrapped(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Break text into lines of at most `width` inches, never inside ``$...$`` or a word."""
    return "\n".join(
        "\n".join(_filled(re.findall(WORD, paragraph), width, size))
        for paragraph in text.split("\n")
    )


def wrapped_label(text: str, width: float, size: float = FONT_SIZE) -> str:
    """Break a label after its commas, which the breaks replace, and elsewhere only if it must."""
    pieces: list[str] = []
    for word in re.findall(WORD, text):
        if pieces and not pieces[-1].endswith(","):
            pieces[-1] += f" {word}"
        else:
            pieces.append(word)
    fitting = [line for piece in pieces for line in wrapped(piece, width, size).split("\n")]
    return "\n".join(line.rstrip(",") for line in _filled(fitting, width, size))


def _filled(words: Sequence[str], width: float, size: float) -> list[str]:
    """Put as many words on each line as fit, at least one."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
