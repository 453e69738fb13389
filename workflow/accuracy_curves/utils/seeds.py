"""Seeds for every random draw, derived from what the draw is for."""

import hashlib

import numpy as np


def derive_seed(*parts: object) -> int:
    """Derive a seed from what a draw is for.

    The same parts give the same seed on every machine and in every process: the parts are
    written out, hashed with SHA-256 and cut to 63 bits.

    Parameters
    ----------
    *parts : object
        What the draw is for, for instance ``(config_seed, experiment, k1, repetition, purpose)``.
        Each part is identified by its ``repr``, so ``1`` and ``"1"`` differ; NumPy's numbers
        count as Python's.

    Returns
    -------
    int
        A seed in ``[0, 2**63)``, for ``numpy.random.default_rng`` and the extrapolators.
    """
    plain = (part.item() if isinstance(part, np.generic) else part for part in parts)
    text = "\x1f".join(repr(part) for part in plain)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
