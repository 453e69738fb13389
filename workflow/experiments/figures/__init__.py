"""Figures of the papers: one module a kind, found by its `kind`."""

from accuracy_curves.utils.discovery import Registry
from experiments.figures.base import FigureKind

FIGURES = Registry(__name__, FigureKind, "kind")
