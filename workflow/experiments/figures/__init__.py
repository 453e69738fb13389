"""Figures of the papers: found by their `kind`."""

from collections.abc import Mapping
from typing import Any

from accuracy_curves.utils.discovery import Registry, choose
from experiments.figures.base import FigureKind

FIGURES = Registry(__name__, FigureKind, "kind")


def make_figure(kind: str, entry: Mapping[str, Any]) -> FigureKind:
    """Construct a figure from its kind, a key of `FIGURES`, and its entry in a preset."""
    return choose(FIGURES, "kind of figure", kind, entry)(**entry)
