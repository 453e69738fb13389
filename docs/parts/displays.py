"""Displays of the gallery, drawn when the pages are built."""

import numpy as np

import accuracy_curves as ac


def accuracy_curve():
    """Draw the accuracy curve of simulated classes."""
    matrix = ac.simulate(n_classes=100, points_per_class=4, variance=0.2)
    methods = ["auto", "gaussian_tail"]
    ac.AccuracyCurveDisplay.from_scores(matrix, method=methods, k=[200, 1000])


def reversed_roc():
    """Draw the reversed ROC of two classifiers on the same axes."""
    easy, hard = (
        ac.simulate(n_classes=100, points_per_class=4, variance=variance) for variance in (0.2, 0.6)
    )
    first = ac.ReversedROCDisplay.from_scores(easy, name="variance 0.2")
    ac.ReversedROCDisplay.from_scores(hard, name="variance 0.6", ax=first.ax_)


def _scores():
    rng = np.random.default_rng(0)
    return ac.ScoreMatrix(rng.normal(size=(200, 200)) + 4 * np.eye(200), np.arange(200))


def det():
    """Draw DET curves of three sizes of the gallery."""
    ac.DETDisplay.from_scores(_scores(), k=[10_000, 100_000])


def fnir():
    """Draw FNIR at two rates of false positives against the size of the gallery."""
    ac.FNIRDisplay.from_scores(_scores(), k=100_000, fpir=[0.05, 0.01])
