"""Figures of the guide, drawn when the pages are built."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm

import accuracy_curves as ac
import measured
from accuracy_curves.utils.seeds import derive_seed


def score_matrix():
    """Draw a score matrix: observed classes in colour, those to come blank."""
    observed, classes = 8, 14
    matrix = ac.simulate(n_classes=classes, points_per_class=1, variance=0.3, seed=3)
    shown = -matrix.scores[:observed].astype(float)
    hidden = np.ma.masked_where(np.arange(classes) >= observed + 0 * shown, shown)
    figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
    image = axes.imshow(hidden, cmap="cividis", aspect="auto")
    axes.plot(np.arange(observed), np.arange(observed), "o", mfc="none", mec="white", mew=2, ms=13)
    axes.axvline(observed - 0.5, color="black", lw=1.5, ls=":")
    middle = (observed + classes - 1) / 2
    axes.text(middle, observed / 2 - 0.5, "scores that\nnobody has seen", ha="center", va="center")
    axes.set(xlabel="class: k1 observed, then those to come", ylabel="data point")
    axes.set(xticks=range(classes), yticks=range(observed))
    figure.colorbar(image, label="score (circle: correct class)")


def marginal():
    """Draw the scores of one point among four classes and eight: one kind changes, one does not."""
    few, many = 4, 8
    matrix = ac.simulate(n_classes=many, points_per_class=1, variance=0.5, seed=1)
    similarity = -matrix.scores[0].astype(float)
    _, panels = plt.subplots(1, 2, figsize=(6.4, 2.8), layout="constrained")
    for axes, title, score in (
        (panels[0], "marginal: minus the distance", lambda given: given),
        (panels[1], "not marginal: softmax", lambda given: np.exp(given) / np.exp(given).sum()),
    ):
        for k, mark, label in ((many, "s", "among 8 classes"), (few, "o", "among 4 classes")):
            axes.plot(np.arange(k), score(similarity[:k]), mark, mfc="none", mew=1.6, label=label)
        axes.set(title=title, xlabel="class", ylabel="score", xticks=range(many))
    panels[1].legend(frameon=False)


def draws():
    """Draw observed curves of many draws of the classes beside the curve of all classes."""
    k1, population = 50, 1000
    matrix = ac.simulate(n_classes=population, variance=0.2, points_per_class=4)
    _, axes = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    few = np.arange(2, k1 + 1)
    for draw in range(40):
        sample = ac.subsample(matrix, k1, seed=derive_seed("a draw", draw))
        label = f"observed on one draw of {k1} classes" if draw == 0 else None
        axes.plot(few, ac.average_accuracy(sample, few), color="0.6", lw=0.8, label=label)
    many = np.unique(np.geomspace(2, population, 60).astype(int))
    axes.plot(many, ac.average_accuracy(matrix, many), color="black", lw=2, label="all classes")
    axes.axvline(k1, color="black", lw=1, ls=":")
    axes.set(xscale="log", ylim=(0, 1), xlabel="number of classes", ylabel="accuracy")
    axes.legend(frameon=False, loc="lower left")


SHOWN = (
    ("auto", "pooled_tail", "gaussian_tail", "empirical_bayes"),
    ("regression", "radial_nnls", "spline", "information"),
)


WRITTEN = {
    "distance": (lambda d: d, False, "-"),
    "logarithm": (lambda d: np.log(1 + d), False, "--"),
    "exp(-d²)": (lambda d: np.exp(-np.square(d)), True, "-."),
    "rank": (lambda d: np.unique(d, return_inverse=True)[1].reshape(d.shape), False, ":"),
}


def written():
    """Draw what three methods predict from one system whose scores are written in four ways."""
    k1, population = 100, 2000
    matrix = ac.simulate(n_classes=population, variance=0.2, points_per_class=4)
    k = np.unique(np.geomspace(2, population, 60).astype(int))
    truth = ac.average_accuracy(matrix, k)
    sample = ac.subsample(matrix, k1, seed=derive_seed("a draw", 0))
    size = {"figsize": (7.6, 3), "sharex": True, "sharey": True, "layout": "constrained"}
    _, panels = plt.subplots(1, 3, **size)
    for axes, name in zip(panels, ("gaussian_tail", "pooled_tail", "auto"), strict=True):
        method = ac.EXTRAPOLATORS[name]
        for way, (transform, higher, style) in WRITTEN.items():
            scores = ac.ScoreMatrix(transform(sample.scores).astype(float), sample.labels, higher)
            curve = method().fit(scores).predict(k)
            axes.plot(k, curve, color=method.color, ls=style, lw=1.5, label=way)
        axes.plot(k, truth, color="black", lw=1, label="truth")
        axes.axvline(k1, color="black", lw=1, ls=":")
        axes.set(xscale="log", ylim=(0, 1.02), title=name, xlabel="number of classes")
        axes.legend(frameon=False, loc="lower left", fontsize="small")
    panels[0].set(ylabel="accuracy")


def methods():
    """Draw what eight methods predict from twelve draws of 50 classes."""
    k1, population = 50, 2000
    matrix = ac.simulate(n_classes=population, variance=0.2, points_per_class=4)
    k = np.unique(np.geomspace(2, population, 60).astype(int))
    truth = ac.average_accuracy(matrix, k)
    samples = [ac.subsample(matrix, k1, seed=derive_seed("a draw", draw)) for draw in range(12)]
    size = {"figsize": (7.6, 4.2), "sharex": True, "sharey": True, "layout": "constrained"}
    _, panels = plt.subplots(2, 4, **size)
    for axes, name in zip(panels.flat, [name for row in SHOWN for name in row], strict=True):
        method = ac.EXTRAPOLATORS[name]
        for sample in samples:
            axes.plot(k, method().fit(sample).predict(k), color=method.color, lw=0.8)
        axes.plot(k, truth, color="black", lw=1.5)
        axes.axvline(k1, color="black", lw=1, ls=":")
        axes.set(xscale="log", ylim=(0, 1.02), title=name)
    for axes in panels[1]:
        axes.set(xlabel="number of classes")
    for axes in panels[:, 0]:
        axes.set(ylabel="accuracy")


def winners():
    """Draw the error of each method on each kind of data over that of the best method there."""
    closed = measured.closed()
    populations = measured.benchmark("populations")
    texts = measured.retrieval()["rmse"].groupby(level=[0, 1]).mean().unstack(0)
    sets = [*measured.judged_sets(), *measured.TUNED_ON]
    titles = measured.labels("real") | measured.labels("glyphs") | measured.labels("retrieval")
    known = populations.pivot_table(index="method", columns="factor", values="rmse")
    known.columns = [f"17 populations, {factor} k1" for factor in known]
    accuracy = closed[sets].rename(columns=titles).join(known).join(texts.rename(columns=titles))
    accuracy = accuracy[accuracy.min(axis=1) < 1].drop(index="covariate_adjusted")
    rates = measured.open_set().loc[:"binomial", list(measured.labels("identification"))]
    rates = rates.rename(columns=measured.labels("identification"))
    heights = [len(accuracy), len(rates)]
    figure, panels = plt.subplots(
        2, 1, figsize=(8.6, 10.2), height_ratios=heights, layout="constrained"
    )
    for axes, errors, title in zip(panels, (accuracy, rates), PANELS, strict=True):
        _compare(axes, errors, len(measured.judged_sets()) if errors is accuracy else 0)
        axes.set_title(title, loc="left", fontsize=10)
    figure.colorbar(panels[0].images[0], ax=panels, label="error over that of the best method",
                    ticks=[1, 1.5, 2, 3, 4], format="{x:g}", shrink=0.5, extend="max")  # fmt: skip


PANELS = (
    "Accuracy at more classes: error in points",
    "Misses where one search by a stranger in 100 is answered: error in points",
)


def _compare(axes: plt.Axes, errors: pd.DataFrame, judged: int) -> None:
    """Colour the errors of each column by those of its best method, and write them."""
    ratio = errors.clip(lower=measured.LEAST_ERROR)
    ratio = ratio / ratio.min()
    axes.imshow(ratio, cmap="YlOrBr", norm=LogNorm(1, 4), aspect="auto")
    for (row, column), each in np.ndenumerate(errors.to_numpy()):
        if np.isfinite(each):
            best = ratio.to_numpy()[row, column] == 1
            look = {"weight": "bold", "size": 8} if best else {"size": 7}
            dark = ratio.to_numpy()[row, column] > 2.7
            axes.text(column, row, f"{100 * each:.1f}", ha="center", va="center",
                      color="white" if dark else "black", **look)  # fmt: skip
    tuned = [judged <= i < judged + len(measured.TUNED_ON) if judged else False
             for i in range(errors.shape[1])]  # fmt: skip
    labels = [re.sub(r" after PCA 16|, matcher C| [(]1000 photos[)]", "", name) for name in errors]
    names = [name + " *" * own for name, own in zip(labels, tuned, strict=True)]
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right", fontsize=7.5)
    axes.set_yticks(range(len(errors)), errors.index, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
