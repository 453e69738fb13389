"""Seeds for every random draw, derived from what the draw is for."""

import hashlib

import numpy as np


def derive_seed(*parts: object) -> int:
    """Derive a seed in [0, 2**63) from what a draw is for.

    The parts are for instance ``(config_seed, experiment, k1, repetition, purpose)``. The same ones
    give the same seed on every machine and in every process: their ``repr`` (``1`` and ``"1"``
    differ; NumPy's numbers count as Python's) is hashed with SHA-256 and cut to 63 bits.
    """
    plain = (part.item() if isinstance(part, np.generic) else part for part in parts)
    text = "\x1f".join(repr(part) for part in plain)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
