"""Classifiers that learn their classes together: `python benchmarks/studies/trained.py DATA`.

Eight classifiers of scikit-learn learn 20 or 40 classes of public sets. `score_classifier` scores
held-out points, and `auto` predicts the accuracy at half and at all of the classes of the set, with
90 % intervals: from scores whose design says how the classifier learned, and from plain scores. The
truth is the accuracy of classifiers that were trained anew on so many classes; on half of them it
is the mean of two sets. DATA is a folder of the files that `SETS` names.

Every draw is written to results/trained once it is done, and is not computed again. The table
(`--table` writes benchmarks/studies/trained.csv) has a row a classifier: root mean square error in
points, share of the intervals that hold the truth, and mean error of the log odds at a doubling,
each with and without the training.
"""

from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import LinearSVC

import accuracy_curves as ac
import study
from accuracy_curves.utils.seeds import derive_seed

PATH = Path("results/trained/draws.csv")
MOST, POINTS, DIMENSIONS, FOLDS, KNOWN, DRAWS = 120, 15, 40, 3, (20, 40), 8


class Nearest(ClassifierMixin, BaseEstimator):
    """Score a class by the distance of its nearest example."""

    def fit(self, x: np.ndarray, y: np.ndarray) -> "Nearest":
        self.classes_, self.examples_ = np.unique(y), [x[y == c] for c in np.unique(y)]
        return self

    def decision_function(self, x: np.ndarray) -> np.ndarray:
        each = [np.linalg.norm(x[:, None] - own, axis=2).min(axis=1) for own in self.examples_]
        return -np.array(each).T

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.classes_[self.decision_function(x).argmax(axis=1)]


def of_length_one(classifier: BaseEstimator) -> BaseEstimator:
    """Learn points of length 1, as embeddings and counts of words are."""
    return make_pipeline(Normalizer(), classifier)


CLASSIFIERS = {
    "logistic regression": of_length_one(LogisticRegression(max_iter=200)),
    "linear discriminant analysis": LinearDiscriminantAnalysis(),
    # Until it converges: where epochs end it, more classes are more steps.
    "multi-layer perceptron": make_pipeline(
        StandardScaler(), MLPClassifier(max_iter=1000, random_state=0)
    ),
    "naive Bayes": GaussianNB(),
    "nearest neighbour": Nearest(),
    "linear SVM": of_length_one(LinearSVC()),
    "extra trees": ExtraTreesClassifier(random_state=0),
    "ridge": of_length_one(RidgeClassifier()),
}


CIFAR_100 = "Vitor-OP/ood-neural-collapse-cifar100"
# Where a set comes from (on GitHub), its file, and the arrays of points and classes.
SETS = {
    "intents": ("clinc/oos-eval", "intents_clinc", "X", "y"),
    "drawn characters": ("brendenlake/omniglot", "omniglot_background", "images", ""),
    "printed characters": ("TeluguOCR/banti_training", "telugu48", "images_packed", "labels"),
    "objects": (CIFAR_100, "cifar100_resnet", "embeddings", "labels"),
    "objects, VGG-16": ("fchollet/deep-learning-models", "cifar100_vgg16", "test", "test_labels"),
    "faces": ("honghuCode/mobileFacenet-ncnn", "lfw_mobilefacenet", "embeddings", "person"),
}


def public_set(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Read points, of images every third or fourth pixel, and their classes."""
    _, file, points, classes = SETS[name]
    with np.load(folder / f"{file}.npz") as data:
        x, y = data[points], data.get(classes)
    if name == "drawn characters":
        x, y = x[:, :, ::4, ::4].reshape(-1, 27 * 27), np.arange(len(x)).repeat(x.shape[1])
    elif name == "printed characters":
        x = np.unpackbits(x, axis=1).reshape(-1, 48, 48)[:, ::3, ::3].reshape(len(x), -1)
    return x.astype(np.float32), y


@cache
def points_of(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Choose classes with enough points, of each so many, in few dimensions."""
    x, y = public_set(folder, name)
    rng = np.random.default_rng(derive_seed(name))
    many = np.flatnonzero(np.bincount(y) >= POINTS)
    chosen = rng.permutation(many)[:MOST]
    rows = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:POINTS] for c in chosen])
    # Faces differ too much in all of their dimensions.
    kept = PCA(12 if name == "faces" else DIMENSIONS, random_state=0).fit_transform(x[rows])
    return kept, np.repeat(np.arange(len(chosen)), POINTS)


def scored(folder: Path, name: str, classifier: str, classes: np.ndarray) -> ac.ScoreMatrix:
    x, y = points_of(folder, name)
    rows = np.flatnonzero(np.isin(y, classes))
    how = "jointly" if classifier == "nearest neighbour" else None
    return ac.score_classifier(CLASSIFIERS[classifier], x[rows], y[rows], cv=FOLDS, trained=how)


@cache
def truth(folder: Path, name: str, classifier: str) -> dict[int, float]:
    """Accuracy on half of the classes and on all, by classifiers that were trained on these."""
    every = np.random.default_rng(1).permutation(points_of(folder, name)[1].max() + 1)
    half = len(every) // 2
    accuracies = [
        ac.average_accuracy(scored(folder, name, classifier, part), len(part))[0]
        for part in (every[:half], every[half : 2 * half], every)
    ]
    return {half: float(np.mean(accuracies[:2])), len(every): accuracies[2]}


def draw(folder: Path, name: str, classifier: str, k1: int, number: int) -> pd.DataFrame:
    known = truth(folder, name, classifier)
    rng = np.random.default_rng(derive_seed(name, k1, number))
    classes = rng.choice(max(known), size=k1, replace=False)
    sample, rows, k = scored(folder, name, classifier, classes), [], np.array([*known])
    for design, of in (("plain", sample.redesigned(trained=None)), ("trained", sample)):
        rows.append(study.predicted(study.fitted(of, 10, number), k, design=design, k=k))
        rows[-1]["truth"] = [*known.values()]
    return pd.concat(rows)


def main() -> None:
    asked = study.options(__doc__, data=Path, draws=DRAWS)
    tasks = product(SETS, CLASSIFIERS, KNOWN, range(asked.draws))
    keys = ["set", "classifier", "k1", "draw"]
    draws = study.drawn(PATH, keys, tasks, partial(draw, asked.data))
    theta, true = (logit(draws[each].clip(0.001, 0.999)) for each in ("predicted", "truth"))
    draws["bias"] = (theta - true) / np.log2(draws["k"] / draws["k1"])
    columns = ["rmse", "held", "bias", "width", "draws"]
    table = study.side_by_side(draws, "classifier", "design", columns, ["bias"])
    study.show(table, __file__, asked)


if __name__ == "__main__":
    main()
