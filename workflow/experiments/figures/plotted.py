"""What a figure says that it shows: marks of what was plotted, and the metadata made of them."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from PIL import Image

# (experiment, k1, method), and how many repetitions; k1 is 0 where all classes are shown.
Rows = dict[tuple[str, int, str], int]


def mark(*rows: tuple[str, int, str, int]) -> str:
    """Write the `gid` of what is plotted: experiment, k1, method and repetitions, one or more."""
    return json.dumps([[name, int(k1), method, int(n)] for name, k1, method, n in rows])


def plotted(figure: Figure) -> dict[str, Any]:
    """Collect the marks of a figure: experiment -> k1 -> method -> the fewest repetitions."""
    shown: dict[str, Any] = {}
    for artist in figure.findobj(lambda each: bool(each.get_gid())):
        for experiment, k1, method, n in json.loads(str(artist.get_gid())):
            methods = shown.setdefault(experiment, {}).setdefault(str(k1), {})
            if n:
                methods[method] = min(n, methods.get(method, n))
    return shown


def shown_rows(png: Path) -> tuple[Rows, set[str]]:
    """Read what a figure shows, and the experiments that it marks as not at hand.

    A figure that does not say it, or is not there, shows nothing.
    """
    if not png.is_file():
        return {}, set()
    with Image.open(png) as image:
        about = json.loads(image.info.get("Description") or "{}")
    rows = {
        (experiment, int(k1), method): n
        for experiment, by_k1 in about.get("shows", {}).items()
        for k1, methods in by_k1.items()
        for method, n in methods.items()
    }
    return rows, {*about.get("absent", [])}


def lacking(what: str, rows: Rows, named: Rows, absent: Collection[str]) -> list[str]:
    """Say which of the rows that are named are not there, or of fewer repetitions."""
    sentences = []
    for (experiment, k1, method), n in named.items():
        there = rows.get((experiment, k1, method), 0)
        if there < n and experiment not in absent:
            part = f" in {n - there} of {n} repetitions" if there else ""
            sentences.append(f"{what} lacks {method} in {experiment}, k1 = {k1}{part}")
    return sentences
