import numpy as np
import pytest
from matplotlib.colors import to_hex

import accuracy_curves as ac
from accuracy_curves.observed.reversed_roc import discriminability
from drawn import STYLES, tables
from experiments.datasets.simulation import Simulation
from experiments.evaluation.curve_errors import errors_at_k
from experiments.figures.distributions import Distributions
from experiments.figures.sweep import Sweep


def lines_of(axes, styles):
    """The data of each method's line."""
    drawn = {to_hex(bars.lines[0].get_color()): bars for bars in axes.containers}
    return {key: drawn[to_hex(style.color)] for key, style in styles.items()}


def test_a_sweep_has_a_row_a_measure_a_column_a_k2_and_a_line_a_method():
    predicted, _, true, _ = tables([(10, 60), (10, 80), (10, 90)], repetitions=5)
    table = errors_at_k(predicted, true, [20, 40, 60])
    figure = Sweep(over="accuracy").draw(table, STYLES, sigma={})
    grid = np.reshape(figure.axes, (2, 3))
    for row, measure in zip(grid, ("bias", "rmse"), strict=True):
        assert len({axes.get_ylim() for axes in row}) == 1
        for axes, k in zip(row, (20, 40, 60), strict=True):
            for key, bars in lines_of(axes, STYLES).items():
                here = table[(table["k"] == k) & (table["method"] == key)]
                here = here.sort_values("true_accuracy")
                x, y = bars.lines[0].get_data(orig=False)
                np.testing.assert_allclose(x, here["true_accuracy"])
                np.testing.assert_allclose(y, here[measure])
                ends = np.array(bars.lines[2][0].get_segments())[:, :, 1]
                np.testing.assert_allclose(np.diff(ends).ravel(), 2 * here[f"{measure}_se"])
    assert [axes.get_title() for axes in grid[0]] == [f"$k_2$ = {k}" for k in (20, 40, 60)]


def test_a_sweep_over_k1_or_sigma_has_them_as_its_axis():
    found = tables([(k1, 90) for k1 in (20, 40, 60, 80)], repetitions=5)
    predicted, _, true, _ = (table.assign(experiment="e0") for table in found)
    table = errors_at_k(predicted, true.drop_duplicates("k"), [90])
    (axes,) = Sweep(over="k1", show=["sd"]).draw(table, STYLES, sigma={}).axes
    for bars in lines_of(axes, STYLES).values():
        assert bars.lines[0].get_xdata().tolist() == [20, 40, 60, 80]
    predicted, _, true, _ = tables([(10, 60), (10, 60)])
    noise = {"e0": 0.7, "e1": 0.3}
    table = errors_at_k(predicted, true, [60])
    (axes,) = Sweep(over="sigma", show=["rmse"]).draw(table, STYLES, sigma=noise).axes
    assert lines_of(axes, STYLES)["kde"].lines[0].get_xdata().tolist() == [0.3, 0.7]
    assert r"\sigma" in axes.get_xlabel()


def test_distributions_are_the_discriminability_of_the_ranks(tmp_path):
    matrices = {
        f"s{s}": Simulation(n_classes=300, points_per_class=2, variance=s**2).score_matrix(0)
        for s in (0.3, 0.5, 0.7)
    }
    paths = {name: tmp_path / f"{name}.npz" for name in matrices}
    for name, path in paths.items():
        ac.save_scores(matrices[name], path)
    (axes,) = Distributions().draw(paths, {name: name for name in paths}, 0).axes
    for line, matrix in zip(axes.lines, matrices.values(), strict=True):
        gap, level = line.get_data()
        np.testing.assert_array_equal(level, discriminability(matrix, 1 - gap, 0))
        assert (gap[0], gap[-1]) == (1, pytest.approx(1 / 299))
    assert axes.lines[0].get_ydata().mean() < axes.lines[2].get_ydata().mean()
