"""Seeds for every random draw, derived from what the draw is for."""

import hashlib

import numpy as np

from accuracy_curves.utils.arrays import ArrayLike, Float64Array

GOLDEN, *MIXERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)


def derive_seed(*parts: object) -> int:
    """Derive a seed in [0, 2**63) from what a draw is for.

    The parts are for instance ``(config_seed, experiment, k1, repetition, purpose)``. The same ones
    give the same seed on every machine and in every process: their ``repr`` (``1`` and ``"1"``
    differ; NumPy's numbers count as Python's) is hashed with SHA-256 and cut to 63 bits.
    """
    plain = (part.item() if isinstance(part, np.generic) else part for part in parts)
    text = "\x1f".join(repr(part) for part in plain)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def uniform_of(seed: int, *keys: ArrayLike) -> Float64Array:
    """Draw numbers from [0, 1) that depend on the seed and on whole numbers, broadcast, alone.

    SplitMix64 (Steele, Lea and Flood 2014), once for each key.
    """
    bits = np.full((1,) * max(map(np.ndim, keys)), derive_seed(seed, "uniform"), np.uint64)
    for key in keys:
        bits = bits + (np.asarray(key).astype(np.uint64) + np.uint64(1)) * GOLDEN
        bits = (bits ^ (bits >> np.uint64(30))) * MIXERS[0]
        bits = (bits ^ (bits >> np.uint64(27))) * MIXERS[1]
        bits ^= bits >> np.uint64(31)
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
