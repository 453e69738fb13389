import numpy as np
import pandas as pd
import pytest

from accuracy_curves import InputError
from accuracy_curves.prediction.plots.identification import identification_figure
from drawn import texts


def tables(sizes=(500, 10**5, 10**6), targets=(0.01, 0.003)):
    fpir = np.geomspace(1e-4, 0.99, 20)
    parts = [
        pd.DataFrame(
            {
                "method": "auto",
                "gallery_size": k,
                "fpir": fpir,
                "fnir": 0.1 * np.log10(k) * (1 - fpir),
            }
        )
        for k in sizes
    ]
    observed = {"method": "observed", "gallery_size": sizes[0], "fpir": fpir[8:], "fnir": 0.2}
    grid = np.geomspace(sizes[0], sizes[-1], 9).astype(int)
    curves = []
    for target in targets:
        fnir = 0.1 * np.log10(grid) - target
        values = {"fpir": target, "gallery_size": grid, "fnir": fnir}
        curves.append(
            pd.DataFrame({"method": "auto", **values, "lower": fnir - 0.05, "upper": fnir + 0.1})
        )
        seen = {"method": "observed", "fpir": target, "gallery_size": grid[0], "fnir": 0.3}
        curves.append(pd.DataFrame([seen]))
    return pd.concat([*parts, pd.DataFrame(observed)]), pd.concat(curves)


def test_det_curves_and_misses_against_the_size():
    det, by_size = tables()
    figure = identification_figure(det, by_size)
    left, right = figure.axes
    assert left.get_xscale() == right.get_xscale() == "log"
    curves = {line.get_label(): line for line in left.lines}
    assert list(curves) == [
        "500 enrolled",
        "100,000 enrolled",
        "1,000,000 enrolled",
        "500, observed",
    ]
    part = det[(det["gallery_size"] == 10**5) & (det["method"] == "auto")]
    np.testing.assert_array_equal(curves["100,000 enrolled"].get_ydata(), part["fnir"])
    np.testing.assert_array_equal(curves["100,000 enrolled"].get_xdata(), part["fpir"])
    lines = {line.get_label(): line for line in right.lines if line.get_linestyle() == "-"}
    assert list(lines) == ["FPIR = 0.01", "FPIR = 0.003"]
    part = by_size[(by_size["fpir"] == 0.003) & (by_size["method"] == "auto")]
    np.testing.assert_array_equal(lines["FPIR = 0.003"].get_ydata(), part["fnir"])
    bands = [collection.get_paths()[0].vertices[:, 1] for collection in right.collections]
    assert bands[1].min() == pytest.approx(part["lower"].min())
    assert bands[1].max() == pytest.approx(part["upper"].max())
    assert right.get_ylim()[1] >= by_size["upper"].max()
    assert {"FPIR, strangers taken for somebody", "enrolled identities"} <= set(texts(figure))


def test_empty_tables_are_refused():
    det, by_size = tables()
    with pytest.raises(InputError, match="at least one size and one target"):
        identification_figure(det, by_size[:0])
