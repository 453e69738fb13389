"""What the tests of figures share."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch
from matplotlib.text import Text

from accuracy_curves.answers.plots import Style
from experiments.evaluation.curve_errors import repetition_errors
from experiments.figures.shown import LabelledSetting

STYLES = {
    "cleanex": Style("CleaneX", "#e69f00"),
    "regression": Style("Regression", "#0072b2"),
    "kde": Style("KDE", "#cc79a7"),
}
E0 = LabelledSetting("e0", 10, "one")
SPREAD = {"cleanex": 0.03, "regression": 0.1, "kde": 0.02}


def tables(sizes, repetitions=3, seed=0, methods=tuple(STYLES)):
    """Predicted, observed and true curves and errors of made-up experiments e0, e1..."""
    rng = np.random.default_rng(seed)
    predicted, observed, true = [], [], []
    for number, (k1, k2) in enumerate(sizes):
        name, k = f"e{number}", np.arange(2, k2 + 1)
        truth = (1 + number % 3) / (1 + number % 3 + 3 * (k - 1) / k2) * (k / 2) ** -0.02
        true.append(pd.DataFrame({"experiment": name, "method": "true", "k": k, "accuracy": truth}))
        for repetition in range(repetitions):
            at = {"experiment": name, "k1": k1, "repetition": repetition}
            for method in methods:
                tilt = rng.normal(0, SPREAD[method]) - 0.2 * (method == "kde" and number % 2)
                bent = truth * (k / 2) ** (tilt / 2)
                predicted.append(pd.DataFrame({**at, "method": method, "k": k, "accuracy": bent}))
            seen = (truth * (k / 2) ** rng.normal(0, 0.01))[: k1 - 1]
            kept = k[: k1 - 1]
            observed.append(pd.DataFrame({**at, "method": "observed", "k": kept, "accuracy": seen}))
    result = [pd.concat(part, ignore_index=True) for part in (predicted, observed, true)]
    return *result, repetition_errors(result[0], result[2])


def errors_of(values, experiment="e0", k1=10):
    """A table of errors from {method: values}."""
    return pd.concat(
        pd.DataFrame(
            {
                "experiment": experiment,
                "k1": k1,
                "method": method,
                "repetition": range(len(found)),
                "rmse_curve": found,
            }
        )
        for method, found in values.items()
    )


def boxes(axes):
    """Quartiles, median, whisker ends and colour of each box, from what is drawn."""
    found = []
    patches = [patch for patch in axes.patches if isinstance(patch, PathPatch)]
    black = [
        line for line in axes.lines if (line.get_color(), line.get_linestyle()) == ("black", "-")
    ]
    # For each box: lower and upper whisker, two caps, the median.
    for patch, lines in zip(patches, np.reshape(black, (-1, 5)), strict=True):
        lower, upper, _, _, median = lines
        ends = patch.get_path().vertices[:, 1]
        found.append(
            {
                "box": (ends.min(), ends.max()),
                "median": median.get_ydata()[0],
                "whiskers": (lower.get_ydata()[1], upper.get_ydata()[1]),
                "color": to_hex(patch.get_facecolor()),
            }
        )
    return found


def dotted(axes):
    return [line for line in axes.lines if line.get_linestyle() == ":"]


def texts(figure):
    return [t.get_text() for t in figure.findobj(Text) if t.get_text()]
