"""The progress of long work: its steps are passed on, and a terminal alone gets a bar."""

import io
import sys

import pytest

from accuracy_curves.utils import processes


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("kind", "delay", "off", "drawn"),
    [
        (Terminal, 0.0, "", True),
        (Terminal, 2.0, "", False),
        (Terminal, 0.0, "1", False),
        (io.StringIO, 0.0, "", False),
    ],
)
def test_long_work_has_a_bar_on_a_terminal(monkeypatch, kind, delay, off, drawn):
    monkeypatch.setattr(sys, "stderr", kind())
    monkeypatch.setattr(processes, "DELAY_SECONDS", delay)
    monkeypatch.setenv("TQDM_DISABLE", off)
    assert list(processes.tracked(iter("abc"), "letters", 3)) == ["a", "b", "c"]
    assert ("letters" in sys.stderr.getvalue()) == drawn
