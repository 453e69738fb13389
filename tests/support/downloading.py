"""What the tests of downloads share."""

import hashlib
from pathlib import Path

import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.fetching import fetch_source
from experiments.datasets.downloads.sources import Source
from experiments.datasets.downloads.transfer import Patience
from misbehaving import DATA

SHA256 = hashlib.sha256(DATA).hexdigest()
QUICK = Patience(attempts=3, backoff=0.01, longest=0.05, connect=2, read=0.3)


def source_at(*urls: str, **known) -> Source:
    known = {"size": len(DATA), "checksums": {"sha256": SHA256}} | known
    return Source(name="set/x.mat", title="Set X", urls=urls, **known)


def fetch(source: Source, folder: Path, **options) -> Path:
    return fetch_source(source, folder, **{"patience": QUICK, "progress": False} | options)


def refusal(source: Source, folder: Path, **options) -> str:
    """The sentence with which a fetch ends; it names the place, and leaves nothing there."""
    before = sorted(folder.iterdir())
    with pytest.raises(InputError) as caught:
        fetch(source, folder, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert str(folder / "x.mat") in sentence
    assert sorted(folder.iterdir()) == before
    return sentence
