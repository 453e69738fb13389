"""Read the curves and errors of settings, from the files' names and contents."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from accuracy_curves.utils.files import CSV_FORMAT
from experiments.evaluation.class_draw import DRAWN
from experiments.evaluation.curve_errors import CURVE, SETTING
from experiments.stored import read_table

# KIND/EXPERIMENT.parquet, KIND/EXPERIMENT/k1_K1.parquet; then also /METHOD and /METHOD/CHUNK.
FILE = re.compile(r"([a-z_]+)/([^/]+?)(?:/k1_(\d+)(?:/([a-z0-9_]+)(?:/[\d-]+)?)?)?\.parquet$")


def read_curves(paths: Iterable[str], classes: Sequence[int] | None = None) -> pd.DataFrame:
    """Read tables, or their rows with the k of `classes`, and add what their folders say.

    Columns experiment, k1 (0 for true curves) and method ("true", "observed" and "class_draw" for
    what is not predicted) are added. Of published thinned curves, one file per setting, those count
    that no other file has.
    """
    # Figures of several k1 name the true curve of an experiment once for each.
    own, thinned = [], []
    for path in dict.fromkeys(paths):
        kind, experiment, k1, method = FILE.search(path).groups()  # type: ignore[union-attr]
        table = read_table(path, classes).assign(experiment=experiment, k1=int(k1 or 0))
        if kind == "curves":
            thinned.append(table.assign(k1=table["k1"].where(table["method"] != "true", 0)))
        else:
            own.append(table.assign(method=method or kind))
    if thinned:
        # Of several k1, the true curve is there several times.
        more = pd.concat(thinned).drop_duplicates([*CURVE, "k"])
        known = [each[SETTING].iloc[0] for each in own if len(each)]
        own.append(more[~more.set_index(SETTING).index.isin([*map(tuple, known)])])
    return pd.concat(own, ignore_index=True)


def read_draws(paths: Iterable[str]) -> pd.DataFrame:
    """Read the noise of the draw of the classes, one file per setting or a published table."""
    tables = [pd.read_csv(path) if path.endswith(".csv") else read_curves([path]) for path in paths]
    # Nothing may be published of them.
    return pd.concat(tables or [pd.DataFrame(columns=[*CURVE, *DRAWN])], ignore_index=True)


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
