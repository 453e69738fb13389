"""Ordinal tail: the default method for accuracies, at each threshold."""

from accuracy_curves.extrapolators.auto import Auto
from accuracy_curves.identification.base import AtEachThreshold


class OrdinalTail(AtEachThreshold):
    """`accuracy_curves.Auto`, fitted anew to the replaced score matrix of each threshold."""

    name = "ordinal_tail"
    label = "ordinal tail"
    color = "#0B5394"

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(Auto(seed=seed, two_names="drawn"))
