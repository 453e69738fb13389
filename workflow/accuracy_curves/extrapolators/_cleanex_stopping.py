"""When CleaneX's training has fitted enough: its loss beside that of a network that knows nothing.

Training starts with a plateau of up to thousands of steps on which all points have nearly one C;
only then does the network tell points apart, and the loss falls by orders of magnitude. Neither a
slow fall nor a small loss says that the fit is good, but the loss beside that of the plateau does.
"""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

GRID = np.linspace(-40.0, 6.0, 400)


def constant_loss(accuracy: npt.ArrayLike) -> float:
    """Find the least loss with one favorability c for all points.

        min over c in [0, 1] of sum_{k = 2..k1} (c^(k - 1) - A_k)^2 / (k1 - 1)

    Parameters
    ----------
    accuracy : (k1 - 1,) array of float
        Observed average accuracies A_k at k = 2..k1.

    Returns
    -------
    float
    """
    observed = np.asarray(accuracy, dtype=np.float64)
    exponents = np.arange(1, len(observed) + 1)

    def loss(eta: float) -> float:
        return float(np.mean((np.exp(-np.exp(eta) * exponents) - observed) ** 2))

    # On eta = log(-log c); several curves may have two minima, so that a grid comes first.
    losses = [loss(eta) for eta in GRID]
    best = int(np.argmin(losses))
    low, high = GRID[max(0, best - 1)], GRID[min(len(GRID) - 1, best + 1)]
    found = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-9})
    return float(min(found.fun, *losses))
