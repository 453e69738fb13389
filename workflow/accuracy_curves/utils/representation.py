"""Texts that objects show of themselves: a line, or a table."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# A longer table shows its first and last rows.
MOST_ROWS = 20
SHORT = "{:.4g}"


class Described:
    """An object that is shown as a line of facts, such as "3 points"."""

    @abstractmethod
    def _facts(self) -> Sequence[str]:
        """Say what the object is, a few words each."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self._facts())}>"


class Tabular:
    """An object that is shown as its tidy table."""

    @abstractmethod
    def to_frame(self) -> "pd.DataFrame":
        """Give the table."""

    def __repr__(self) -> str:
        table = self.to_frame().to_string(
            index=False, max_rows=MOST_ROWS, float_format=SHORT.format
        )
        return f"{type(self).__name__}\n{table}"
