"""Curves of open-set identification: DET, and false negatives against the size of the gallery."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.identification.identification import Identification

if TYPE_CHECKING:
    import pandas as pd

DET_POINTS = 60
SIZES = 15
LOWEST_FPIR = 1e-4


def det_curves(found: Identification, sizes: Sequence[int], rank: int = 1) -> "pd.DataFrame":
    """Tabulate the DET curves at some sizes of the gallery and at the observed one.

    Columns: method, gallery_size, fpir, fnir. The method ``observed`` has the observed rates, where
    the scores are enough to see that of false positives.
    """
    import pandas as pd

    largest = found.searches.impostor.shape[1]
    rates = np.geomspace(LOWEST_FPIR, 0.99, DET_POINTS)
    tables = []
    for k in sorted({largest, *sizes}):
        fnir = found.fnir_at_fpir(k, rates, rank)
        points = {"gallery_size": k, "fpir": rates, "fnir": fnir}
        tables.append(pd.DataFrame({"method": found.method, **points}))
    rates = rates[rates >= found.searches.impostor_weights.min()]
    at = found.observed_threshold(rates)
    points = {
        "gallery_size": largest,
        "fpir": rates,
        "fnir": found.observed_fnir(largest, at, rank),
    }
    return pd.concat([*tables, pd.DataFrame({"method": "observed", **points})], ignore_index=True)


def fnir_by_size(
    found: Identification,
    sizes: Sequence[int],
    rates: Sequence[float],
    rank: int = 1,
    level: float = 0.9,
) -> "pd.DataFrame":
    """Tabulate FNIR at fixed FPIR from the observed size of the gallery to the largest given.

    Columns: method, fpir, gallery_size, fnir, lower, upper, of the interval at a nominal coverage.
    The method ``observed`` has a row for each FPIR that the scores are enough to see.
    """
    import pandas as pd

    largest = found.searches.impostor.shape[1]
    grid = np.geomspace(largest, max(largest, *sizes), SIZES).round().astype(np.int64)
    grid = np.unique([*grid, *(size for size in sizes if size >= largest)])
    tables = []
    for rate in rates:
        fnir = found.fnir_at_fpir_interval(grid, rate, rank, level)
        values = {"fpir": rate, "gallery_size": grid, "fnir": fnir.value}
        ends = {"lower": fnir.lower, "upper": fnir.upper}
        tables.append(pd.DataFrame({"method": found.method, **values, **ends}))
        if rate >= found.searches.impostor_weights.min():
            at = found.observed_threshold(np.array([rate]))
            seen = {"fnir": found.observed_fnir(largest, at, rank), "lower": np.nan}
            row = {"method": "observed", "fpir": rate, "gallery_size": largest, **seen}
            tables.append(pd.DataFrame({**row, "upper": np.nan}))
    return pd.concat(tables, ignore_index=True)
