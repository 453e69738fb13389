"""Accuracy curves: how accurate a classifier will be on more classes than it was tested on."""

from accuracy_curves.accuracy import average_accuracy, ranks
from accuracy_curves.errors import (
    AccuracyCurvesError,
    FitError,
    InputError,
    MissingDependencyError,
)
from accuracy_curves.extrapolators import EXTRAPOLATORS, extrapolate
from accuracy_curves.intervals import ClassIntervals, Interval
from accuracy_curves.roc import discriminability, reversed_auc, reversed_roc
from accuracy_curves.score_files import load_scores, save_scores
from accuracy_curves.scores import ScoreMatrix, split, subsample

__all__ = [
    "EXTRAPOLATORS",
    "AccuracyCurvesError",
    "ClassIntervals",
    "FitError",
    "InputError",
    "Interval",
    "MissingDependencyError",
    "ScoreMatrix",
    "average_accuracy",
    "discriminability",
    "extrapolate",
    "load_scores",
    "ranks",
    "reversed_auc",
    "reversed_roc",
    "save_scores",
    "split",
    "subsample",
]
