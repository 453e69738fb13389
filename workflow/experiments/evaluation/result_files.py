"""Read the curves and errors of settings, from the files' names and contents."""

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import CSV_FORMAT
from experiments.evaluation.curve_errors import SETTING
from experiments.stored import read_table


def read_curves(paths: Iterable[str], classes: Sequence[int] | None = None) -> pd.DataFrame:
    """Read tables, or their rows with the k of `classes`, and add what their folders say.

    Files are named as `_said_by` knows them, in the folder of a preset: columns experiment, k1 (0
    for true curves) and method ("true", "observed" and "class_draw" for what is not predicted; as
    it stands in errors) are added.
    """
    # Figures of several k1 name the true curve of an experiment once for each.
    each = dict.fromkeys(paths)
    frames = [read_table(path, classes).assign(**_said_by(Path(path))) for path in each]
    return pd.concat(frames, ignore_index=True)


def _said_by(path: Path) -> dict[str, str | int]:
    match path.with_suffix("").parts:
        case (*_, "true", experiment):
            return {"experiment": experiment, "k1": 0, "method": "true"}
        case (*_, "errors", experiment, k1):
            return {"experiment": experiment, "k1": _k1(k1)}
        case (*_, "observed" | "class_draw" as method, experiment, k1):
            return {"experiment": experiment, "k1": _k1(k1), "method": method}
        case (*_, "intervals" | "rates" | "rate_intervals", experiment, k1, method) | (
            *_,
            "predicted",
            experiment,
            k1,
            method,
            _,
        ):
            return {"experiment": experiment, "k1": _k1(k1), "method": method}
    raise InputError(f"{path} is not a file of curves or errors of this workflow")


def _k1(folder: str) -> int:
    return int(folder.removeprefix("k1_"))


def read_errors(paths: Sequence[str]) -> pd.DataFrame:
    """Read the errors of all settings with the digits of errors.csv, which anybody may edit.

    From ``.../errors/EXPERIMENT/k1_K1.parquet``, or from errors.csv as it is.
    """
    if [Path(path).suffix for path in paths] == [".csv"]:
        return pd.read_csv(paths[0])
    return pd.read_csv(io.StringIO(read_curves(paths).to_csv(**CSV_FORMAT)))


def published_rows(path: str, taken: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Read the rows of the settings and methods, (experiment, k1, method), that stand in a table.

    With those over all its settings, whose k1 is empty, of a method whose every row stands.
    """
    table = pd.read_csv(path)
    wanted = pd.MultiIndex.from_tuples([(e, int(k1), m) for e, k1, m in taken], names=SETTING)
    whole = table["k1"].isna()
    stands = table[SETTING].set_index(SETTING).index.isin(wanted)
    partly = table.loc[~stands & ~whole, "method"]
    return table[stands | (whole & ~table["method"].isin(partly))]


def rows_beside(
    paths: Iterable[str], taken: Mapping[str, Iterable[Sequence[Any]]]
) -> list[pd.DataFrame]:
    """Read the rows that published presets give to a table, a frame a preset.

    `paths` are ``.../published/PRESET/TABLE.csv``, `taken` the rows of each preset.
    """
    found = []
    for path in paths:
        parts = Path(path).parts
        name = parts[len(parts) - parts[::-1].index("published")]
        found.append(published_rows(path, taken[name]))
    return found


def read_kinds(
    paths: Iterable[str], classes: Sequence[int] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read true, observed and predicted curves that are listed together, as `read_curves`."""
    curves = read_curves(paths, classes)
    true, observed = curves["method"] == "true", curves["method"] == "observed"
    return curves[true], curves[observed], curves[~(true | observed)]
