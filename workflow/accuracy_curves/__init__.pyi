"""Accuracy curves: how accurate a classifier will be on more classes than it was tested on."""

from .exceptions import (
    AccuracyCurvesError,
    AccuracyWarning,
    FitError,
    InputError,
    MissingDependencyError,
)
from .extrapolators import EXTRAPOLATORS, extrapolate
from .extrapolators.auto import Auto
from .extrapolators.bare_curves import fit_curve
from .extrapolators.cleanex.estimator import CleaneX
from .extrapolators.kde.estimator import KDE
from .extrapolators.regression import Regression
from .extrapolators.risk import average_risk, fit_risk_curve
from .identification.identification import Identification
from .identification.rivals import cmc_from_roc
from .intervals.class_intervals import ClassIntervals, Interval
from .observed.accuracy import average_accuracy, ranks
from .observed.neighbour_curve import curve_of_neighbours
from .observed.reversed_roc import discriminability, reversed_auc, reversed_roc
from .prediction.displays import (
    AccuracyCurveDisplay,
    DETDisplay,
    FNIRDisplay,
    ReversedROCDisplay,
)
from .scores.distance_matrix import DistanceMatrix
from .scores.formats.curve import read_curve
from .scores.formats.gallery_photos import score_identities, score_photos
from .scores.formats.neighbours import ranks_of_neighbours
from .scores.ranks import Ranks
from .scores.score_files import load_scores, save_scores
from .scores.score_matrix import ScoreMatrix, split, subsample
from .scores.search_files import load_searches
from .scores.searches import Searches
from .scores.simulation import simulate

__all__ = [
    "EXTRAPOLATORS",
    "KDE",
    "AccuracyCurveDisplay",
    "AccuracyCurvesError",
    "AccuracyWarning",
    "Auto",
    "ClassIntervals",
    "CleaneX",
    "DETDisplay",
    "DistanceMatrix",
    "FNIRDisplay",
    "FitError",
    "Identification",
    "InputError",
    "Interval",
    "MissingDependencyError",
    "Ranks",
    "Regression",
    "ReversedROCDisplay",
    "ScoreMatrix",
    "Searches",
    "average_accuracy",
    "average_risk",
    "cmc_from_roc",
    "curve_of_neighbours",
    "discriminability",
    "extrapolate",
    "fit_curve",
    "fit_risk_curve",
    "load_scores",
    "load_searches",
    "ranks",
    "ranks_of_neighbours",
    "read_curve",
    "reversed_auc",
    "reversed_roc",
    "save_scores",
    "score_identities",
    "score_photos",
    "simulate",
    "split",
    "subsample",
]
