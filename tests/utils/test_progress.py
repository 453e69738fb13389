"""The progress of long work: its steps are passed on, whoever shows them."""

import io
import subprocess
import sys

import pytest

from accuracy_curves.utils import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    # Not a fixture: pytest would put its own file back before the test runs.
    file = Terminal()
    monkeypatch.setattr(sys, "stderr", file)
    return file


def test_steps_are_passed_on_in_their_order():
    assert list(progress.tracked(iter("abc"), "letters", 3)) == ["a", "b", "c"]


def test_short_work_has_no_bar(monkeypatch):
    file = terminal(monkeypatch)
    assert list(progress.tracked(range(3), "numbers", 3)) == [0, 1, 2]
    assert file.getvalue() == ""


def test_long_work_has_a_bar_on_a_terminal(monkeypatch):
    file = terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    assert list(progress.tracked(range(3), "numbers", 3)) == [0, 1, 2]
    assert "numbers" in file.getvalue()
    assert "3" in file.getvalue()
    assert file.getvalue().endswith("\r")  # It is wiped away at the end.


def test_no_bar_is_written_to_a_file(monkeypatch):
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    assert list(progress.tracked(range(3), "numbers", 3)) == [0, 1, 2]
    assert file.getvalue() == ""


def test_a_bar_is_closed_where_the_work_fails(monkeypatch):
    file = terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)

    def failing():
        yield 1
        raise ValueError("this step")

    with pytest.raises(ValueError, match="this step"):
        list(progress.tracked(failing(), "numbers", 2))
    assert file.getvalue().endswith("\r")


def test_the_environment_keeps_bars_away(monkeypatch):
    # tqdm reads its variables when it is imported.
    code = (
        "import sys; sys.stderr.isatty = lambda: True\n"
        "from accuracy_curves.utils import progress\n"
        "progress.DELAY_SECONDS = 0.0\n"
        "print(list(progress.tracked(range(3), 'numbers', 3)))"
    )
    for value, shown in (("", True), ("1", False)):
        monkeypatch.setenv("TQDM_DISABLE", value)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        assert done.stdout == "[0, 1, 2]\n"
        assert ("numbers" in done.stderr) == shown


def test_another_hook_shows_what_is_inside_alone():
    seen = []

    def show(steps, what, total):
        for step in steps:
            seen.append((what, total, step))
            yield step

    with progress.shown_by(show):
        assert list(progress.tracked("ab", "letters", 2)) == ["a", "b"]
    assert list(progress.tracked("ab", "letters", 2)) == ["a", "b"]
    with progress.shown_by(progress.silent):
        assert list(progress.tracked("ab", "letters", 2)) == ["a", "b"]
    assert seen == [("letters", 2, "a"), ("letters", 2, "b")]
