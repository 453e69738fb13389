"""The method to take when in doubt."""

from accuracy_curves.identification.pareto_tail import ParetoTail


class Auto(ParetoTail):
    """`ParetoTail`, by the name of the default."""

    name = "auto"
