"""Scores of a classifier of scikit-learn, which is not imported."""

from typing import Any

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.scores.given_arrays import AnyArray, as_array, as_labels
from accuracy_curves.utils.arrays import FloatArray

# In the order of choice. The first is the log density of each class, plus a prior.
SCORES = ("predict_joint_log_proba", "decision_function", "predict_log_proba")
# Learns a class from the class's own data; the others here see those of all.
MARGINAL = ("QuadraticDiscriminantAnalysis",)


def estimator_scores(model: Any, X: Any) -> tuple[FloatArray, AnyArray, list[AccuracyWarning]]:
    """Find the scores (N, K) that a fitted classifier gives points, and its classes (K,).

    With the caution ``"not_marginal"`` where the score of a class depends on the other classes.
    `InputError` if it has no score for each class, or one is not finite.
    """
    # Neither a pipeline nor a search passes on the first of the scores; each may hold the other.
    while hasattr(model, "best_estimator_") or hasattr(model, "steps"):
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        else:
            X = model[:-1].transform(X) if len(model.steps) > 1 else X
            model = model[-1]
    name = type(model).__name__
    if not hasattr(model, "classes_"):
        raise InputError(f"{name} has no classes_: give a classifier that is fitted")
    how = next((each for each in SCORES if hasattr(model, each)), None)
    if how is None:
        raise InputError(
            f"{name} has none of {', '.join(SCORES)}: take a classifier that gives each class a "
            "score, or make the scores yourself and give them to ScoreMatrix"
        )
    with np.errstate(divide="ignore"):  # The logarithm of a probability of zero is refused below.
        scores = as_array(getattr(model, how)(X), "the scores")
    classes = as_labels(model.classes_)
    if len(classes) < 3 or scores.ndim != 2 or scores.shape[1] != len(classes):
        raise InputError(
            f"{how} of {name} has shape {scores.shape} for {len(classes)} classes: one score a "
            "class is needed, of three classes or more (of an SVC by "
            "decision_function_shape='ovr')"
        )
    if how == "predict_log_proba" and not np.isfinite(scores).all():
        raise InputError(
            f"{name} gives a class the probability 0, which has no logarithm: probabilities that "
            "are shares of few votes are no scores, so take another classifier"
        )
    marginal = how == SCORES[0] or name in MARGINAL
    return scores, classes, [] if marginal else [caution("not_marginal", method=name)]
