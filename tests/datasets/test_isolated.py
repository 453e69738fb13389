"""Readers in a process of their own: what they read, say, and what becomes of those that do not."""

import os
import signal
import time

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.readers.isolated import read_isolated


def reads(path, name):
    return {name: np.arange(3.0), "2": np.array(["ä"])}


def refuses(path):
    raise InputError(f"{path} is\nof no use: ä\udce9")


def fails(path):
    return {"x": np.zeros(10**16)}


def ends(path):
    os.kill(os.getpid(), signal.SIGSEGV)


def stays(path):
    time.sleep(1000)


def test_the_arrays_come_in_their_order(tmp_path):
    found = read_isolated(reads, tmp_path, "a file", "b")
    assert [(name, array.tolist()) for name, array in found.items()] == [
        ("b", [0.0, 1.0, 2.0]),
        ("2", ["ä"]),
    ]


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (refuses, r"^x is of no use: ä\\udce9$"),
        (fails, r"^x cannot be read as a file \(Unable to allocate .*\): fetch it again$"),
        (ends, "^x cannot be read as a file: fetch it again$"),
        (stays, "^x cannot be read as a file within 2 seconds: fetch it again$"),
    ],
)
def test_what_goes_wrong_is_one_sentence(read, sentence, monkeypatch):
    if read is stays:
        monkeypatch.setattr("experiments.datasets.readers.isolated.LONGEST", 2)
    with pytest.raises(InputError, match=sentence):
        read_isolated(read, "x", "a file")
