"""What several tests share."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from accuracy_curves import EXTRAPOLATORS
from accuracy_curves.scores.score_matrix import ScoreMatrix
from misbehaving import misbehaving_server
from observed_pairs import Observed

# No test times what it tests: a busy machine must not fail one.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# As the library has it, whichever test imports TensorFlow first: the rounding depends on it.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("ACCURACY_CURVES_DATA", ROOT.parent / "shared" / "data"))


def shared_data(name: str) -> Path:
    """Path of a real data file; the test is skipped where it is not there."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there (set ACCURACY_CURVES_DATA to the folder that has it)")
    return path


def simulated(
    n_classes: int, points: int, *, d: int = 5, variance: float = 0.1, seed: int = 0
) -> ScoreMatrix:
    """Distances of normal points from the centres of normal classes."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_classes, d))
    labels = np.repeat(np.arange(n_classes), points)
    x = centres[labels] + np.sqrt(variance) * rng.normal(size=(len(labels), d))
    distances = np.linalg.norm(x[:, None, :] - centres[None, :, :], axis=2)
    return ScoreMatrix(distances, labels, higher_is_better=False)


@pytest.fixture
def pairs(monkeypatch):
    """Name of the method of `observed_pairs`, registered for a test."""
    monkeypatch.setitem(EXTRAPOLATORS, Observed.name, Observed)
    return Observed.name


@pytest.fixture
def run(capsys):
    """Run the command line; give its status, output and errors."""
    from accuracy_curves.cli.main import main

    def call(*words):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return call


@pytest.fixture
def server():
    """A server on this machine that misbehaves as the address says."""
    with misbehaving_server() as running:
        yield running
