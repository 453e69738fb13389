"""Accuracy curves: how accurate a classifier will be on more classes than it was tested on."""

from accuracy_curves.accuracy import average_accuracy, ranks
from accuracy_curves.distance_matrix import DistanceMatrix
from accuracy_curves.errors import (
    AccuracyCurvesError,
    FitError,
    InputError,
    MissingDependencyError,
)
from accuracy_curves.extrapolators import EXTRAPOLATORS, extrapolate
from accuracy_curves.extrapolators.auto import Auto
from accuracy_curves.extrapolators.cleanex import CleaneX
from accuracy_curves.extrapolators.kde import KDE
from accuracy_curves.extrapolators.regression import Regression
from accuracy_curves.intervals import ClassIntervals, Interval
from accuracy_curves.ranking import Ranks
from accuracy_curves.roc import discriminability, reversed_auc, reversed_roc
from accuracy_curves.score_files import load_scores, save_scores
from accuracy_curves.scores import ScoreMatrix, split, subsample

__all__ = [
    "EXTRAPOLATORS",
    "KDE",
    "AccuracyCurvesError",
    "Auto",
    "ClassIntervals",
    "CleaneX",
    "DistanceMatrix",
    "FitError",
    "InputError",
    "Interval",
    "MissingDependencyError",
    "Ranks",
    "Regression",
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
