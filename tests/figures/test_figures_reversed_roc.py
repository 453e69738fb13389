import numpy as np
import pytest

from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.score_matrix import ScoreMatrix
from conftest import simulated
from drawn import texts
from experiments.figures.reversed_roc import reversed_roc_figure, spread_points


def curve_of(line, at):
    """Value of a drawn step function between its steps."""
    x, y = line.get_xdata(), line.get_ydata()
    return np.array([y[np.flatnonzero(np.asarray(x) < u)[-1]] for u in at])


def test_the_reversed_roc_of_each_point_is_the_librarys():
    matrix = simulated(60, 2, variance=1.0)
    points = spread_points(ranks(matrix) / 59, seed=0)
    figure = reversed_roc_figure(matrix)
    panels = {axes.get_label(): axes for axes in figure.axes}
    u = (np.arange(59) + 0.5) / 59
    own = matrix.scores[np.arange(matrix.n_points), matrix.labels]
    outscoring = (matrix.scores < own[:, None]).sum(axis=1)[points] / 59
    expected = (outscoring[:, None] < u).astype(float)
    for row, roc in enumerate(expected):
        np.testing.assert_array_equal(curve_of(panels[f"roc {row}"].lines[0], u), roc)
    grey, blue = panels["average"].lines
    np.testing.assert_allclose(curve_of(grey, u), expected.mean(axis=0))
    np.testing.assert_allclose(blue.get_ydata(), reversed_roc(matrix, blue.get_xdata()))
    assert grey.get_linestyle() == "-"
    assert blue.get_linestyle() == ":"
    said = texts(figure)
    favorability = ranks(matrix)[points] / 59
    assert f"4 points, rAUC {favorability.mean():.3f}" in said
    assert f"all 120, rAUC {reversed_auc(matrix):.3f}" in said
    assert "score (negated distance)" in said


def test_the_shaded_share_of_the_incorrect_scores_is_the_favorability():
    matrix = simulated(200, 1, variance=1.0)
    points = spread_points(ranks(matrix) / 199, seed=0)
    figure = reversed_roc_figure(matrix)
    panels = {axes.get_label(): axes for axes in figure.axes}
    for row, point in enumerate(points):
        axes = panels[f"scores {row}"]
        shaded = axes.patches[0].get_data()
        area = float(np.sum(shaded.values * np.diff(shaded.edges)))
        assert area == pytest.approx(ranks(matrix)[point] / 199, abs=1e-9)
        whole = axes.patches[2].get_data()
        assert np.sum(whole.values * np.diff(whole.edges)) == pytest.approx(1)
        correct = -matrix.scores[point, matrix.labels[point]]
        assert axes.lines[0].get_xdata()[0] == correct
        assert f"$C_x$ = {ranks(matrix)[point] / 199:.3f}" in [t.get_text() for t in axes.texts]


def test_points_are_spread_over_the_favorabilities():
    favorability = np.random.default_rng(0).permutation(np.linspace(0.1, 1, 91))
    chosen = spread_points(favorability, seed=0)
    np.testing.assert_allclose(favorability[chosen], [0.1, 0.4, 0.7, 1.0])
    same = np.full(9, 0.5)
    assert len(set(spread_points(same, seed=0))) == 4
    assert spread_points(same, seed=0).tolist() == spread_points(same, seed=0).tolist()
    assert spread_points(same, seed=0).tolist() != spread_points(same, seed=1).tolist()
    assert len(spread_points(same[:2], seed=0)) == 2


def test_the_average_of_a_nearly_perfect_system_is_drawn_over_the_logarithm():
    scores = np.random.default_rng(0).random((60, 60))
    # One point has three rivals above: the average falls short of 1 at the left.
    scores[0, :4] = [1, 2, 2, 2]
    nearly = ScoreMatrix(scores + 2 * np.eye(60) * (np.arange(60) > 0), np.arange(60))
    figure = reversed_roc_figure(nearly, seed=1)
    (average,) = (axes for axes in figure.axes if axes.get_label() == "average")
    assert average.get_xscale() == "log"
    u, rate = average.lines[-1].get_data()
    assert (rate[0], rate[-1]) == (pytest.approx(59 / 60), 1)
    assert u[0] < 1 / 59
