import subprocess

import numpy as np
import pytest

from accuracy_curves.extrapolators.kde import bandwidths
from accuracy_curves.extrapolators.kde.bandwidths import pair_counts
from accuracy_curves.extrapolators.kde.estimator import KDE
from conftest import simulated

# What R's own selectors are given, as hexadecimal numbers.
R_COUNTS = """
arguments <- commandArgs(TRUE)
size <- as.integer(arguments[2])
scores <- matrix(readBin(arguments[1], "double", 1e7), nrow = size)
for (i in seq_len(ncol(scores))) {
  found <- stats:::bw_pair_cnts(scores[, i], 1000L, size > 500)
  cat(sprintf("%a", found[[1]]), found[[2]], "\\n")
}
"""


@pytest.mark.parametrize("size", [2, 7, 499, 500, 501, 2500])
def test_the_counts_are_those_of_r(tmp_path, size):
    rng = np.random.default_rng(size)
    normal = rng.normal(size=(3, size))
    rows = [*normal, normal[0] * 1e-200, normal[1] * 1e200, normal[2] + 5e5]
    rows += [np.arange(size) / 3, np.arange(size) % 2 - 1.0, rng.integers(-9, 9, size) * 0.1]
    rows += [np.append(normal[0, 1:], 1e6), -np.abs(normal[1]), rng.random(size).astype(np.float32)]
    scores = np.array([row for row in rows if np.ptp(row) > 0], dtype=np.float64)
    scores.tofile(tmp_path / "scores")
    command = ["Rscript", "--vanilla", "-e", R_COUNTS, str(tmp_path / "scores"), str(size)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    width, counts = pair_counts(scores)
    for line, d, found in zip(said.splitlines(), width, counts, strict=True):
        first, *others = line.split()
        assert float.fromhex(first) == d
        np.testing.assert_array_equal(np.array(others, dtype=float), found)


def test_rows_without_bins():
    rows = np.array([[1.0, 1, 1], [0, 1, 3], [-1.7e308, 0, 1.7e308], [1e300, 1e300, 1.1e300]])
    rows[3] = 1e10 + np.array([0, 1e-5, 2e-5])
    width, counts = pair_counts(rows)
    np.testing.assert_array_equal(np.isnan(width), [True, False, True, True])
    np.testing.assert_array_equal(counts.sum(axis=1), [0, 3, 0, 0])


@pytest.mark.parametrize("rule", ["bcv", "ucv", "SJ"])
def test_r_counts_where_nothing_is_given(rule, monkeypatch):
    matrix = simulated(40, 3)
    given = KDE(bandwidth=rule, engine="R").fit(matrix)
    monkeypatch.setattr(bandwidths, "MOST_SCORES", 1)
    counted = KDE(bandwidth=rule, engine="R").fit(matrix)
    np.testing.assert_array_equal(given.bandwidth_, counted.bandwidth_)
