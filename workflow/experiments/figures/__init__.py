"""Figures of the papers: found by their `kind`."""

from accuracy_curves.utils.discovery import Registry
from experiments.figures.base import FigureKind

FIGURES = Registry(__name__, FigureKind, "kind")
