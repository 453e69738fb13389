"""The network CleaneX (Slavutsky and Benjamini, ICLR 2021)."""

from accuracy_curves.extrapolators.cleanex.estimator import CleaneX

__all__ = ["CleaneX"]
