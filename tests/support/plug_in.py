"""The quickest method there is."""

import numpy as np

from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.scores.score_matrix import ScoreMatrix


class PlugIn(FavorabilityExtrapolator):
    """The observed favorabilities, to a power."""

    name, label, color = "plug_in", "Plug-in", "#123456"

    def __init__(self, *, power: float = 1.0, names: object = None, seed: int = 0) -> None:
        self.power, self.names, self.seed = power, names, seed

    def _favorability(self, sample: ScoreMatrix) -> np.ndarray:
        below, _ = sample.outscored_and_tied()
        return (below / (sample.n_classes - 1)) ** self.power
