"""Tables as CSV: whole or absent, the same bytes for the same content."""

import os
from typing import TYPE_CHECKING, Any

from accuracy_curves.utils.files import written_whole

if TYPE_CHECKING:
    import pandas as pd

CSV_FORMAT: dict[str, Any] = {"index": False, "float_format": "%.9g", "lineterminator": "\n"}


def write_csv(table: "pd.DataFrame", path: str | os.PathLike[str]) -> None:
    """Write a table, without its index, as CSV with nine significant digits."""
    with written_whole(path) as beside:
        table.to_csv(beside, **CSV_FORMAT)
