"""Bandwidths of points: R's selectors bcv, ucv and SJ, Silverman's rule, the pseudo-likelihood."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError, MissingDependencyError
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.minimisation import minimise_on_grid

OF_R = ("bcv", "ucv", "SJ")
RULES = (*OF_R, "nrd0", "mlcv")
R_FILE = Path(__file__).with_name("bandwidths.R")
INSTALL_R = (
    "install R with `apt install r-base-core` (Debian, Ubuntu), `brew install r` (macOS) or "
    "`conda install -c conda-forge r-base` (conda); the bandwidths nrd0 and mlcv need none"
)
# Of the logarithm of a bandwidth by the pseudo-likelihood.
TOLERANCE = 1e-4
# R then numbers bins of range / 990 beyond 2^31.
FAR = 2e6


class Bandwidths(NamedTuple):
    """Bandwidth of each point, 0 where its scores are constant, and where nrd0 stands in, (N,).

    `why` is the first error of the rule, or "".
    """

    width: Float64Array
    constant: npt.NDArray[np.bool_]
    fallback: npt.NDArray[np.bool_]
    why: str


def find_bandwidths(incorrect: Float64Array, rule: str) -> Bandwidths:
    """Find the bandwidths of ascending incorrect scores, (N, K - 1), by a rule.

    `MissingDependencyError` if it is R's, and R is missing.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        constant = (incorrect.std(axis=1, ddof=1) == 0) | (incorrect[:, 0] == incorrect[:, -1])
        width, why, varied = np.zeros(len(incorrect)), "", ~constant
        if rule == "nrd0":
            width[varied] = silverman(incorrect[varied])
        elif rule == "mlcv":
            width[varied] = [_pseudo_likelihood(scores) for scores in incorrect[varied]]
            why = "every score is tied"
        elif varied.any():
            width[varied], why = _by_r(_near_zero(incorrect[varied]), rule)
        fallback = varied & ~(width > 0)
        width[fallback] = silverman(incorrect[fallback])
    return Bandwidths(width, constant, fallback, why)


def _by_r(incorrect: Float64Array, rule: str) -> tuple[Float64Array, str]:
    """Find the bandwidths of some points, as R computes them, and the first error."""
    program = shutil.which("Rscript")
    if program is None:
        raise MissingDependencyError(f"kde needs R, which is not here: {INSTALL_R}")
    n_points, size = incorrect.shape
    command = [program, "--vanilla", str(R_FILE), rule, str(size), str(n_points)]
    run = subprocess.run(command, input=incorrect.tobytes(), capture_output=True, check=False)
    if run.returncode:
        text = run.stderr.decode(errors="replace") or f"code {run.returncode}"
        raise FitError(f"R stopped with an error: {' '.join(text.split())}")
    lines = run.stdout.decode(errors="replace").splitlines()
    return np.array([*map(float.fromhex, lines[:n_points])]), " ".join(lines[n_points:])


def _near_zero(incorrect: Float64Array) -> Float64Array:
    """Shift points whose scores are far from 0 by the smallest: R numbers bins in an integer."""
    least, most = incorrect.min(axis=1), incorrect.max(axis=1)
    far = np.maximum(np.abs(least), np.abs(most)) > FAR * (most - least)
    return np.where(far[:, None], incorrect - least[:, None], incorrect)


def silverman(scores: Float64Array) -> Float64Array:
    """Bandwidths of R's ``bw.nrd0``, Silverman's rule of thumb (1986, Eq. 3.31), of each row."""
    spread = scores.std(axis=1, ddof=1)
    quarters = np.quantile(scores, [0.25, 0.75], axis=1)
    low = np.minimum(spread, (quarters[1] - quarters[0]) / 1.34)
    for other in (spread, np.abs(scores[:, 0]), np.ones(len(scores))):
        low = np.where(low == 0, other, low)
    return 0.9 * low * scores.shape[1] ** -0.2


def _pseudo_likelihood(scores: Float64Array) -> float:
    """Maximise the leave-one-out pseudo-likelihood of a point's ascending scores.

    Of a Gaussian kernel (Cao, Cuevas and Gonzalez Manteiga 1994): the h that maximises
    sum_i log f_{-i}(x_i), by the distances of all pairs. NaN where every score is tied. Where its
    derivative is 0, h^2 is a weighted mean of the squared distances of pairs, at least
    the mean squared distance to the nearest neighbour and at most the squared range: that is the
    interval. There may be several local maxima: steps of a factor 2 find the one to refine.
    """
    n, gaps = len(scores), np.diff(scores)
    nearest = np.square(np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf)))
    if not nearest.any():
        return np.nan
    lower, upper = np.log(nearest.mean()) / 2, np.log(scores[-1] - scores[0])
    if upper - lower < TOLERANCE:
        return float(np.exp(upper))
    # Less the nearest distance, so that no sum of exponentials underflows to 0.
    beyond = np.square(scores[:, None] - scores) - nearest[:, None]
    np.fill_diagonal(beyond, np.inf)

    def loss(log_h: float) -> float:
        slope = -0.5 * np.exp(-2.0 * log_h)
        likelihood = np.log(np.exp(slope * beyond).sum(axis=1)).sum() + slope * nearest.sum()
        return float(n * log_h - likelihood)

    grid = np.linspace(lower, upper, 1 + int(np.ceil((upper - lower) / np.log(2))))
    return float(np.exp(minimise_on_grid(loss, grid, TOLERANCE)))
