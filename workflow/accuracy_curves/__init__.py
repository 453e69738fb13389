"""Accuracy curves: how accurate a classifier will be on more classes than it was tested on."""

from accuracy_curves.exceptions import (
    AccuracyCurvesError,
    FitError,
    InputError,
    MissingDependencyError,
)
from accuracy_curves.extrapolators import EXTRAPOLATORS, extrapolate
from accuracy_curves.extrapolators.auto import Auto
from accuracy_curves.extrapolators.cleanex.estimator import CleaneX
from accuracy_curves.extrapolators.kde.estimator import KDE
from accuracy_curves.extrapolators.regression import Regression
from accuracy_curves.identification.identification import Identification
from accuracy_curves.identification.searches import Searches, load_searches
from accuracy_curves.intervals.class_intervals import ClassIntervals, Interval
from accuracy_curves.observed.accuracy import average_accuracy, ranks
from accuracy_curves.observed.reversed_roc import discriminability, reversed_auc, reversed_roc
from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.ranks import Ranks
from accuracy_curves.scores.score_files import load_scores, save_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix, split, subsample

__all__ = [
    "EXTRAPOLATORS",
    "KDE",
    "AccuracyCurvesError",
    "Auto",
    "ClassIntervals",
    "CleaneX",
    "DistanceMatrix",
    "FitError",
    "Identification",
    "InputError",
    "Interval",
    "MissingDependencyError",
    "Ranks",
    "Regression",
    "ScoreMatrix",
    "Searches",
    "average_accuracy",
    "discriminability",
    "extrapolate",
    "load_scores",
    "load_searches",
    "ranks",
    "reversed_auc",
    "reversed_roc",
    "save_scores",
    "split",
    "subsample",
]
