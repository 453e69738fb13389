"""Cross-validated scores of a classifier of scikit-learn, which learned its classes together."""

from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.design import TRAININGS
from accuracy_curves.scores.given_arrays import check_number, check_shape
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.utils.validation import Choice, check

# How classifiers of scikit-learn learn their classes.
KINDS = {
    "jointly": (
        "LogisticRegression LogisticRegressionCV LinearDiscriminantAnalysis MLPClassifier "
        "QuadraticDiscriminantAnalysis GaussianNB MultinomialNB ComplementNB BernoulliNB "
        "NearestCentroid HistGradientBoostingClassifier"
    ),
    "separately": (
        "OneVsRestClassifier LinearSVC RidgeClassifier RidgeClassifierCV SGDClassifier Perceptron "
        "PassiveAggressiveClassifier RandomForestClassifier ExtraTreesClassifier"
    ),
}
PAIRS = "OneVsOneClassifier"
# Share of the points whose best score may be another class than the classifier answers.
MOST_OTHER = 0.02


def score_classifier(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 5,
    groups: ArrayLike | None = None,
    trained: str | None = None,
) -> ScoreMatrix:
    """Score points by a classifier of scikit-learn that was trained without them.

    Each fold is scored by a copy that was trained on the others: its decision function, or the
    logarithms of its probabilities. The sample knows how the classifier learned the classes, so
    that predictions account for the training on more of them.

    Parameters
    ----------
    estimator : classifier
        As of scikit-learn, not trained; a pipeline or a search of parameters, too.
    X : (N, d) array, sparse matrix, DataFrame or list
        The points.
    y : (N,) array
        Class of each, a number or a name.
    cv : int or splitter
        Folds, stratified by class; or what scikit-learn takes for them.
    groups : (N,) array, optional
        Group of each point, such as a writer, for folds that keep groups whole.
    trained : {"jointly", "separately"}, optional
        How the classifier learns the classes: jointly, as a softmax and distances do; or each
        against the rest, as linear support vector machines and forests do. By default as known of
        the classifier's kind.

    Returns
    -------
    ScoreMatrix
        (N, K), with the classes in sorted order.

    Raises
    ------
    InputError
        If the classifier has no score for each class, answers otherwise than by its best score, is
        of an unknown kind, or a fold lacks a class. If there are fewer than three classes.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_digits(return_X_y=True)
    >>> sample = ac.score_classifier(LogisticRegression(max_iter=300), X / 16, y)
    >>> sample.n_points, sample.n_classes, sample.design.trained
    (1797, 10, 'jointly')
    """
    from sklearn.base import clone
    from sklearn.model_selection import StratifiedGroupKFold, check_cv

    kind = _kind(estimator, trained)
    labels = np.asarray(y)
    classes = np.unique(labels)
    check_shape("labels y", labels, None)
    check_number(len(classes), "classes in y")
    points = X if hasattr(X, "shape") else np.asarray(X)
    if isinstance(cv, int) and groups is not None:
        cv = StratifiedGroupKFold(cv)
    scores, answers = np.full((len(labels), len(classes)), np.nan), np.empty_like(labels)
    for learned, tested in check_cv(cv, labels, classifier=True).split(points, labels, groups):
        missing = np.setdiff1d(classes, labels[learned])
        if len(missing):
            raise InputError(
                f"a fold has no point of the class {missing[0]} to train on: give each class at "
                "least two points, in different groups, or leave it out"
            )
        model = clone(estimator).fit(_rows(points, learned), labels[learned])
        part = _rows(points, tested)
        scores[tested], answers[tested] = _scores(model, part, len(classes)), model.predict(part)
    scored = ~np.isnan(scores).any(axis=1)
    other = np.mean(classes[scores[scored].argmax(axis=1)] != answers[scored])
    if other > MOST_OTHER:
        raise InputError(
            f"{type(estimator).__name__} answers another class than that of its best score for "
            f"{other:.0%} of the points: give the scores that decide, by ac.ScoreMatrix"
        )
    names = None if np.array_equal(classes, np.arange(len(classes))) else classes
    matrix = ScoreMatrix(scores[scored], labels[scored], classes=names)
    return matrix.redesigned(trained=kind, trained_classes=len(classes))


def _kind(estimator: Any, trained: str | None) -> str:
    """Find how a classifier learns its classes."""
    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict"):
        raise InputError("score_classifier takes a classifier of scikit-learn, not trained")
    known = {name: kind for kind, names in KINDS.items() for name in names.split()}
    known[PAIRS] = PAIRS
    last = estimator
    # The classifier of a pipeline, or of a search of parameters.
    while type(last).__name__ not in known:
        inner = getattr(last, "steps", None) or getattr(last, "estimator", None)
        if inner is None:
            break
        last = inner[-1][1] if isinstance(inner, list) else inner
    name = type(last).__name__
    if getattr(last, "decision_function_shape", "ovr") != "ovr" or name == PAIRS:
        raise InputError(f'{name} compares pairs of classes: set decision_function_shape="ovr"')
    if name == "KNeighborsClassifier":
        raise InputError(
            "KNeighborsClassifier has votes of a few classes: ac.score_embeddings takes the "
            "distances"
        )
    if trained is not None:
        check("trained", trained, Choice(*TRAININGS))
        return trained
    if getattr(last, "solver", None) == "liblinear":
        return "separately"
    if name not in known:
        raise InputError(
            f"how {name} learns its classes is not known: say trained='jointly', as a softmax "
            "does, or trained='separately', as classifiers of each class against the rest do"
        )
    return known[name]


def _rows(points: Any, rows: IntArray) -> Any:
    return points.iloc[rows] if hasattr(points, "iloc") else points[rows]


def _scores(model: Any, points: Any, n_classes: int) -> Float64Array:
    """Score points for each class: decision values, or logarithms of probabilities."""
    for name in ("decision_function", "predict_log_proba"):
        if hasattr(model, name):
            with np.errstate(divide="ignore"):
                scores = np.asarray(getattr(model, name)(points))
            if scores.shape == (len(scores), n_classes):
                return scores
    raise InputError(f"{type(model).__name__} has no score for each of the {n_classes} classes")
