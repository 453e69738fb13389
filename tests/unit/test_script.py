import os
import time

from pipeline.script import keep_order


def test_an_output_is_dated_no_earlier_than_its_newest_input(tmp_path):
    old, future, made, fresh = (tmp_path / name for name in ("old", "future", "made", "fresh"))
    for path in (old, future, made, fresh):
        path.touch()
    then = time.time_ns() + 10**15
    os.utime(future, ns=(then, then))
    os.utime(fresh, ns=(then + 5, then + 5))
    keep_order([old, str(future)], [made, str(fresh)])
    assert made.stat().st_mtime_ns == then
    assert fresh.stat().st_mtime_ns == then + 5


def test_without_a_jump_or_an_input_nothing_is_touched(tmp_path):
    first, made = tmp_path / "first", tmp_path / "made"
    first.touch()
    made.touch()
    before = made.stat().st_mtime_ns
    keep_order([first], [made])
    keep_order([], [made])
    assert made.stat().st_mtime_ns == before
