"""Read the curves and errors of settings, from the files' names and contents."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from accuracy_curves.utils.files import CSV_FORMAT
from experiments.evaluation.curve_errors import SETTING
from experiments.stored import read_table

# KIND/EXPERIMENT.parquet, KIND/EXPERIMENT/k1_K1.parquet; then also /METHOD and /METHOD/CHUNK.
FILE = re.compile(r"([a-z_]+)/([^/]+?)(?:/k1_(\d+)(?:/([a-z0-9_]+)(?:/[\d-]+)?)?)?\.parquet$")


def read_curves(paths: Iterable[str], classes: Sequence[int] | None = None) -> pd.DataFrame:
    """Read tables, or their rows with the k of `classes`, and add what their folders say.

    Columns experiment, k1 (0 for true curves) and method ("true", "observed" and "class_draw" for
    what is not predicted) are added.
    """
    # Figures of several k1 name the true curve of an experiment once for each.
    each = dict.fromkeys(paths)
    frames = [read_table(path, classes).assign(**_said_by(path)) for path in each]
    return pd.concat(frames, ignore_index=True)


def _said_by(path: str) -> dict[str, Any]:
    """Say of which setting and method a file is, by its name."""
    kind, experiment, k1, method = FILE.search(path).groups()  # type: ignore[union-attr]
    return {"experiment": experiment, "k1": int(k1 or 0), "method": method or kind}


def read_errors(paths: Iterable[str]) -> pd.DataFrame:
    """Read the errors of all settings with the digits of errors.csv, which anybody may edit."""
    errors = pd.concat(map(read_table, paths), ignore_index=True)
    return pd.read_csv(io.StringIO(errors.to_csv(**CSV_FORMAT)))


def read_published_rows(
    paths: Iterable[str], rows: Mapping[str, Iterable[Sequence[Any]]]
) -> pd.DataFrame | None:
    """Read the rows that published presets give to a table; None where there are none.

    `paths` are ``.../published/PRESET/TABLE.csv``, `rows` the (experiment, k1, method) of each
    preset. Rows over all settings of a table, whose k1 is empty, are those of methods whose every
    row is read.
    """
    found = []
    for path in paths:
        table = pd.read_csv(path)
        (preset,) = re.findall(r"/published/([^/]+)/", path)
        stands = table.set_index(SETTING).index.isin([tuple(row) for row in rows[preset]])
        whole = table["k1"].isna()
        partly = table.loc[~stands & ~whole, "method"]
        found.append(table[stands | (whole & ~table["method"].isin(partly))])
    return pd.concat(found, ignore_index=True) if found else None


def read_kinds(
    paths: Iterable[str], classes: Sequence[int] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read true, observed and predicted curves that are listed together, as `read_curves`."""
    curves = read_curves(paths, classes)
    true, observed = curves["method"] == "true", curves["method"] == "observed"
    return curves[true], curves[observed], curves[~(true | observed)]
