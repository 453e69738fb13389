"""Figures as SVG that stands inside a page of HTML, with text alternatives."""

import io
import re
from html import escape
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from accuracy_curves.figures.style import paper_style

NOTHING: Any = dict.fromkeys(("Date", "Creator", "Format", "Type"))


def inline_svg(figure: Figure, key: str, title: str, description: str) -> str:
    """Write a figure as an element of HTML: the same figure gives the same text.

    Letters are drawn as outlines, so that the page needs no font.

    Parameters
    ----------
    figure : Figure
    key : str
        Starts every id inside, so that the ids of several figures of a page differ.
    title, description : str
        Text alternatives, for those who cannot see the figure.

    Returns
    -------
    str
        An ``<svg>`` element without width and height: as wide as its place.
    """
    drawn = io.StringIO()
    with paper_style():
        matplotlib.rcParams["svg.fonttype"] = "path"
        matplotlib.rcParams["svg.hashsalt"] = key
        figure.savefig(drawn, format="svg", metadata=NOTHING)
    text = drawn.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r'(id="|xlink:href="#|href="#|url\(#)', rf"\g<1>{key}-", text)
    named = (
        f'<title id="{key}-title">{escape(title)}</title>'
        f'<desc id="{key}-desc">{escape(description)}</desc>'
    )
    opening, rest = text.split(">", 1)
    opening = re.sub(r' (width|height)="[^"]*"', "", opening)
    labelled = f'role="img" aria-labelledby="{key}-title {key}-desc"'
    return f"{opening} {labelled}>{named}{rest.strip()}"
