import numpy as np
import pytest

from drawn import boxes, texts
from experiments.evaluation.bivariate_normal_model import (
    accuracy_of_labels,
    average_accuracy_of_classes,
    distribution,
    favorability,
)
from experiments.figures.bivariate_normal import (
    LEVELS,
    THEORY,
    accuracy_figure,
    favorability_figure,
    model_figure,
)


def test_the_regions_of_the_model_meet_midway_between_the_means():
    _, upper, lower = model_figure(0.5).axes
    peaks = [line.get_xdata()[line.get_ydata().argmax()] for line in upper.lines[::2]]
    np.testing.assert_allclose(peaks, [-0.6, 0.05, 0.5], atol=0.011)
    starts = [patch.get_x() for patch in lower.patches]
    np.testing.assert_allclose(starts[1:], [(-0.6 + 0.05) / 2, (0.05 + 0.5) / 2])


def test_boxes_circles_and_curve_are_the_accuracies():
    (axes,) = accuracy_figure(0.6, 200, 4).axes
    rng = np.random.default_rng(4)
    found = [accuracy_of_labels(rng.normal(size=(200, k)), 0.6) for k in range(2, 11)]
    assert [box["median"] for box in boxes(axes)] == pytest.approx(np.median(found, axis=1))
    circles = [line.get_ydata() for line in axes.lines if line.get_marker() == "o"][:9]
    assert np.ravel(circles) == pytest.approx(np.mean(found, axis=1))
    (curve,) = [line for line in axes.lines if line.get_color() == THEORY]
    exact = average_accuracy_of_classes(np.arange(2, 11), 0.6)
    np.testing.assert_allclose(curve.get_ydata(), exact)
    assert "mean of 200" in texts(axes.figure)


def test_level_sets_have_their_favorability():
    left, right = favorability_figure(0.7).axes
    (lines,) = [c for c in left.collections if len(c.get_paths()) == len(LEVELS)]
    for path, level in zip(lines.get_paths(), LEVELS, strict=True):
        y, x = path.vertices.T
        clear = np.abs(0.7 * y - x) > 0.1  # The ridge is sharper than the grid.
        assert clear.sum() > 100
        np.testing.assert_allclose(favorability(y, x, 0.7)[clear], level, atol=0.01)
    u, level = right.lines[0].get_data()
    np.testing.assert_allclose(level, distribution(u, 0.7))
