"""Kernel density estimates with bandwidths by R (Kay et al. 2008)."""

from accuracy_curves.extrapolators.kde.estimator import KDE

__all__ = ["KDE"]
