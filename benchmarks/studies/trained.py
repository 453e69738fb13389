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

import argparse
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track
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
from accuracy_curves.utils.seeds import derive_seed

FOLDER, TABLE = Path("results/trained"), Path(__file__).with_suffix(".csv")
MOST, POINTS, DIMENSIONS, FOLDS, KNOWN, DRAWS = 120, 15, 40, 3, (20, 40), 2


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
    "multi-layer perceptron": make_pipeline(
        StandardScaler(), MLPClassifier(max_iter=60, random_state=0)
    ),
    "naive Bayes": GaussianNB(),
    "nearest neighbour": Nearest(),
    "linear SVM": of_length_one(LinearSVC()),
    "extra trees": ExtraTreesClassifier(random_state=0),
    "ridge": of_length_one(RidgeClassifier()),
}


def pixels(images: np.ndarray) -> np.ndarray:
    return images.reshape(*images.shape[:-2], -1)


def omniglot(data: np.lib.npyio.NpzFile) -> tuple[np.ndarray, np.ndarray]:
    images = data["images"][:, :, ::4, ::4].astype(np.float32)
    return pixels(images).reshape(-1, 27 * 27), np.repeat(np.arange(len(images)), images.shape[1])


def telugu(data: np.lib.npyio.NpzFile) -> tuple[np.ndarray, np.ndarray]:
    bits = np.unpackbits(data["images_packed"], axis=1).reshape(-1, 48, 48)
    return pixels(bits[:, ::3, ::3]).astype(np.float32), data["labels"]


def arrays(points: str, labels: str) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    return lambda data: (data[points].astype(np.float32), data[labels])


# A file, and where it comes from (on GitHub).
SETS = {
    "intents": ("intents_clinc", "clinc/oos-eval", arrays("X", "y")),
    "drawn characters": ("omniglot_background", "brendenlake/omniglot", omniglot),
    "printed characters": ("telugu48", "TeluguOCR/banti_training", telugu),
    "objects": (
        "cifar100_resnet",
        "Vitor-OP/ood-neural-collapse-cifar100",
        arrays("embeddings", "labels"),
    ),
    "objects, VGG-16": (
        "cifar100_vgg16",
        "fchollet/deep-learning-models",
        arrays("test", "test_labels"),
    ),
    "faces": ("lfw_mobilefacenet", "honghuCode/mobileFacenet-ncnn", arrays("embeddings", "person")),
}


@cache
def points_of(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Choose classes with enough points, of each so many, in few dimensions."""
    file, _, read = SETS[name]
    with np.load(folder / f"{file}.npz") as data:
        x, y = read(data)
    rng = np.random.default_rng(derive_seed(name))
    many = np.flatnonzero(np.bincount(y) >= POINTS)
    chosen = rng.permutation(many)[:MOST]
    rows = np.concatenate([rng.permutation(np.flatnonzero(y == c))[:POINTS] for c in chosen])
    # Faces are told apart too well in all of their dimensions.
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
    sample, rows = scored(folder, name, classifier, classes), []
    for design, of in (("trained", sample), ("plain", sample.redesigned(trained=None))):
        intervals = ac.ClassIntervals(of, splits=10, seed=number).interval(list(known))
        rows.append(intervals.to_frame().assign(design=design, truth=list(known.values())))
    return pd.concat(rows).assign(set=name, classifier=classifier, k1=k1, draw=number)


def table(draws: pd.DataFrame) -> pd.DataFrame:
    draws = draws.assign(
        square=(100 * (draws["accuracy"] - draws["truth"])) ** 2,
        held=(draws["lower"] <= draws["truth"]) & (draws["truth"] <= draws["upper"]),
        bias=(
            logit(draws["accuracy"].clip(0.001, 0.999)) - logit(draws["truth"].clip(0.001, 0.999))
        )
        / np.log2(draws["k"] / draws["k1"]),
        width=draws["upper"] - draws["lower"],
    )
    means = draws.groupby(["classifier", "design"])[["square", "held", "bias", "width"]].mean()
    means.insert(0, "rmse", np.sqrt(means.pop("square")))
    means["draws"] = draws.groupby(["classifier", "design"]).size()
    found = pd.DataFrame(means.unstack("design"))
    found.columns = found.columns.map("_".join)
    return found.reindex(list(CLASSIFIERS)).round(3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--draws", type=int, default=DRAWS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    FOLDER.mkdir(parents=True, exist_ok=True)
    tasks = [
        (name, classifier, k1, number)
        for number in range(asked.draws)
        for name in SETS
        for classifier in CLASSIFIERS
        for k1 in KNOWN
    ]
    results = []
    for task in track(tasks, console=Console(stderr=True)):
        path = FOLDER / ("-".join(map(str, task)).replace(" ", "_") + ".csv")
        if not path.exists():
            draw(asked.data, *task).to_csv(path, index=False)
        results.append(pd.read_csv(path))
    found = table(pd.concat(results))
    if asked.table:
        found.to_csv(TABLE)
    Console().print(found.to_string())


if __name__ == "__main__":
    main()
