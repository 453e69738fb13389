"""What the figures draw, to the line: frozen, as `python tests/answers/test_looks.py` writes it."""

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex

import accuracy_curves as ac
from accuracy_curves.answers.accuracy import answer_accuracy
from accuracy_curves.answers.curves import AccuracyQuestion
from accuracy_curves.answers.observed import ObservedAnswer
from accuracy_curves.answers.rates import RatesQuestion, answer_rates
from accuracy_curves.extrapolators import make_extrapolator

FROZEN = Path(__file__).with_suffix(".json")
MATRIX = ac.simulate(n_classes=24, points_per_class=4, variance=0.3)
OTHER = ac.simulate(n_classes=24, points_per_class=4, variance=0.2)


def accuracies(sample, classes, **asked):
    models = {name: make_extrapolator(name) for name in ("gaussian_tail", "regression")}
    return answer_accuracy(sample, models, AccuracyQuestion(classes, splits=3, **asked))


def rates():
    rng = np.random.default_rng(0)
    scores = np.concatenate([rng.normal(size=(60, 60)) + 6 * np.eye(60), rng.normal(size=(30, 60))])
    searches = ac.Searches(scores, np.append(np.arange(60), np.full(30, -1)))
    return answer_rates(searches, RatesQuestion([400, 2000], [0.1, 1 / 30], splits=3)).figure()


FIGURES = {
    "near": lambda: accuracies(MATRIX, [50, 100]).figure(),
    "far, two tops": lambda: accuracies(MATRIX, [1000], tops=(1, 3)).figure(),
    "two systems": lambda: ac.compare(MATRIX, OTHER, 50, "regression", splits=3).figure(),
    "plan": lambda: ac.plan(MATRIX, 50, 0.1, "regression", splits=3).figure(),
    "observed": lambda: ObservedAnswer(MATRIX).figure(),
    "rates": rates,
}  # fmt: skip


def short(numbers):
    return [float(f"{each:.3g}") for each in np.ravel(numbers)]


def legend_of(legend):
    looks = legend._ncols, legend._loc, legend.handlelength, legend.columnspacing
    return [*looks, *map(said, legend.texts)]


def said(text):
    return [text.get_text(), float(text.get_fontsize())]


def curve_of(line):
    x, y = (np.asarray(each, dtype=np.float64) for each in line.get_data())
    data = [len(x), *short([np.mean(x), np.mean(y), *x[[0, -1]], *y[[0, -1]]])] if len(x) else [0]
    look = [line.get_linestyle(), line.get_marker(), to_hex(line.get_color()), line.get_zorder()]
    sizes = short([line.get_linewidth(), line.get_markersize(), line.get_markeredgewidth()])
    return [*data, *look, *sizes, line.get_alpha()]


def drawn(figure):
    figure.canvas.draw()
    panels = []
    for axes in figure.axes:
        bands = [each for each in axes.collections if isinstance(each, PolyCollection)]
        frame, of_axes = axes.spines.values(), (axes.get_xticklines, axes.get_yticklines)
        ticks = [get(minor=minor)[:1] for get in of_axes for minor in (False, True)]
        panels.append({
            "axes": [axes.get_xscale(), axes.get_yscale(), *axes.axis(), axes.xaxis.labelpad],
            "frame": short([each.get_visible() * each.get_linewidth() for each in frame]),
            "marks": [curve_of(line) for lines in ticks for line in lines],
            "ticks": [short(axes.get_yticks()), float(axes.get_yticklabels()[0].get_fontsize())],
            "labels": [said(axes.xaxis.label), said(axes.yaxis.label), *map(said, axes.texts)],
            "notes": [short(each.get_position()) for each in axes.texts],
            "lines": [curve_of(line) for line in axes.lines],
            "bands": [short([*band.get_paths()[0].vertices.mean(axis=0), band.get_alpha(),
                             band.get_zorder(), *band.get_linewidth()]) for band in bands],
            "legend": legend_of(axes.get_legend()) if axes.get_legend() else [],
        })  # fmt: skip
    return [short(figure.get_size_inches()), [*map(legend_of, figure.legends)], panels]


def leaves(drawing):
    if isinstance(drawing, dict | list):
        for each in drawing.values() if isinstance(drawing, dict) else drawing:
            yield from leaves(each)
    else:
        yield drawing


def parted(drawing):
    """Tell the texts, and the numbers."""
    every = [*leaves(drawing)]
    numbers = [each for each in every if isinstance(each, int | float)]
    return [each for each in every if not isinstance(each, int | float)], numbers


@pytest.mark.filterwarnings("ignore::accuracy_curves.AccuracyWarning")
@pytest.mark.parametrize("name", FIGURES)
def test_figures_draw_what_they_drew(name):
    found, frozen = parted(drawn(FIGURES[name]())), parted(json.loads(FROZEN.read_text())[name])
    assert found[0] == frozen[0]
    np.testing.assert_allclose(found[1], frozen[1], rtol=2e-3, atol=1e-6)


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(drawn(make()))}" for name, make in FIGURES.items()]
    FROZEN.write_text("{" + ",\n".join(lines) + "}\n")
