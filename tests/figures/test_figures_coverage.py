import itertools

import numpy as np
import pandas as pd

from drawn import STYLES, texts
from experiments.evaluation.interval_coverage import LEVELS
from experiments.figures.coverage import Coverage

REACH = {"cleanex": 2, "regression": 2, "kde": 4}


def made_up():
    """Rows of all settings together, and of one setting, which the figure does not draw."""
    rng = np.random.default_rng(0)
    rows = [
        {
            "experiment": experiment, "k1": k1, "method": method, "multiple": multiple,
            "level": level, "samples": 60, "covered": rng.uniform(0.6, 1),
            "width": 0.1 * multiple * rng.uniform(), "new_sets": 40,
            "set_covered": rng.uniform(0.6, 1), "set_width": 0.1,
            "too_far": multiple > REACH[method],
        }
        for (experiment, k1), method, multiple, level in itertools.product(
            [("all", pd.NA), ("all", 20), ("one", 10)], STYLES, (2, 4, 10), LEVELS
        )
    ]  # fmt: skip
    return pd.DataFrame(rows).astype({"k1": "Int64"})


def test_a_column_a_multiple_with_the_shares_above_and_the_widths_below():
    table = made_up()
    figure = Coverage().draw(table.sample(frac=1, random_state=1), STYLES)
    above, below = np.reshape(figure.axes, (2, 3))
    for upper, lower, multiple in zip(above, below, (2, 4, 10), strict=True):
        bars = [each for each in upper.containers if hasattr(each, "has_yerr")]
        drawn = itertools.product(STYLES, ("", "set_"))
        for (key, of_set), each, line in zip(drawn, bars, lower.lines, strict=True):
            rows = table[(table["multiple"] == multiple) & (table["method"] == key)]
            rows = rows[rows["k1"].isna()].sort_values("level")
            x, y = each.lines[0].get_data(orig=False)
            order = np.argsort(x)
            np.testing.assert_allclose(np.sort(x), [0, 1, 2], atol=0.5)
            np.testing.assert_allclose(y[order], rows[f"{of_set}covered"])
            n = 40 if of_set else 60
            ends = np.array(each.lines[2][0].get_segments())[:, :, 1][order]
            error = np.sqrt(y[order] * (1 - y[order]) / n)
            np.testing.assert_allclose(np.diff(ends).ravel(), 2 * error)
            np.testing.assert_allclose(
                line.get_ydata(orig=False)[np.argsort(line.get_xdata(orig=False))],
                rows[f"{of_set}width"],
            )
        boxes = sorted((box.get_y(), box.get_y() + box.get_height()) for box in upper.patches)
        np.testing.assert_allclose(boxes, [(level - 0.03, level + 0.03) for level in LEVELS])
    assert len({axes.get_ylim() for axes in above}) == len({a.get_ylim() for a in below}) == 1


def test_it_says_what_is_beyond_the_validated_range_and_how_many_samples_there_are():
    said = texts(Coverage().draw(made_up(), STYLES))
    assert "$k_2$ = 2 $k_1$\n60 samples, 40 new sets" in said
    flat = [" ".join(text.split()) for text in said]
    assert sum("farther than known to hold: CleaneX and Regression" in each for each in flat) == 1
    assert sum(each.endswith("farther than known to hold") for each in flat) == 1
    table = made_up()
    table.loc[table["method"] == "kde", "samples"] = 40
    assert "$k_2$ = 2 $k_1$\n40 to 60 samples, 40 new sets" in texts(Coverage().draw(table, STYLES))
