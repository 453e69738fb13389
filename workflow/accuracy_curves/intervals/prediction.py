"""A number that is predicted, with its intervals: what both answers are made of."""

from typing import NamedTuple

import numpy as np


class Prediction(NamedTuple):
    """An accuracy, a rate or a threshold, with the ends of its interval; NaN where it has none.

    `set_lower` and `set_upper` are those of an accuracy on one new set of classes.
    """

    value: float
    lower: float = np.nan
    upper: float = np.nan
    set_lower: float = np.nan
    set_upper: float = np.nan

    @property
    def has_interval(self) -> bool:
        """Whether its ends are numbers."""
        return not np.isnan(self.lower)
