"""Figures of the gallery that answers draw, when the pages are built."""

import numpy as np

import accuracy_curves as ac


def accuracies():
    """Draw the accuracies that are predicted from simulated classes."""
    ac.predict(ac.simulate(n_classes=100, variance=0.2), [200, 1000]).plot()


def rates():
    """Draw both error rates in larger galleries."""
    scores = np.random.default_rng(0).normal(size=(200, 200)) + 4 * np.eye(200)
    ac.identify(ac.ScoreMatrix(scores, np.arange(200)), 100_000, fpir=[0.05, 0.01]).plot()


def systems():
    """Draw how much more accurate one of two systems is."""
    first, second = (ac.simulate(n_classes=100, variance=variance) for variance in (0.3, 0.2))
    ac.compare(first, second, 1000).plot()
