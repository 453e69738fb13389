"""A rate, or a threshold, with its interval, for each question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.representation import Tabular

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class Rate(Tabular):
    """A rate, or a threshold, with its interval for the draw of the identities; each (n,).

    `question` is what they belong to: gallery_size, and threshold or target_fpir; each (n,).
    """

    value: Float64Array
    lower: Float64Array
    upper: Float64Array
    question: Mapping[str, npt.NDArray[np.number]] = field(default_factory=dict)

    @classmethod
    def alone(cls, value: Float64Array, **question: npt.NDArray[Any]) -> Rate:
        """Give a rate that has no interval."""
        none = np.full(len(value), np.nan)
        return cls(value, none, none, question)

    def to_frame(self) -> pd.DataFrame:
        """Give a table of the question, then value, lower and upper, one row per gallery."""
        import pandas as pd

        ends = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return pd.DataFrame({**self.question, **ends})
