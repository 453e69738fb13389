import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves import InputError
from accuracy_curves.utils import seeds
from accuracy_curves.utils.files import written_whole
from accuracy_curves.utils.seeds import derive_seed

PARTS = (7, "lfw", 200, 3, "subsample")


def test_seed_is_the_same_on_every_machine():
    # sha256("7\x1f'lfw'\x1f200\x1f3\x1f'subsample'"), first eight bytes, halved.
    assert derive_seed(*PARTS) == 8134403436597113153


def test_seed_does_not_depend_on_the_process():
    code = f"from accuracy_curves.utils.seeds import derive_seed; print(derive_seed(*{PARTS!r}))"
    environment = {**os.environ, "PYTHONHASHSEED": "123"}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert int(found.stdout) == derive_seed(*PARTS)


def test_seeds_differ_between_purposes():
    seeds = {
        derive_seed(config, experiment, k1, repetition, purpose)
        for config in (0, 1)
        for experiment in ("a", "b", "")
        for k1 in (10, 100)
        for repetition in range(50)
        for purpose in ("subsample", "fit")
    }
    assert len(seeds) == 2 * 3 * 2 * 50 * 2
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_parts_do_not_run_together():
    assert derive_seed(1, 23) != derive_seed(12, 3)
    assert derive_seed("a", "b") != derive_seed("ab")
    assert derive_seed("a\x1f'b'") != derive_seed("a", "b")
    assert derive_seed(1) != derive_seed("1")
    assert derive_seed() != derive_seed("")


@given(st.integers(-(2**62), 2**62))
def test_numpy_numbers_count_as_python_numbers(value):
    assert derive_seed(np.int64(value), "x") == derive_seed(value, "x")
    assert derive_seed(np.float64(value)) == derive_seed(float(value))


def everything_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_file_is_written_with_its_folders(tmp_path):
    target = tmp_path / "a" / "b" / "table.csv"
    with written_whole(target) as beside:
        assert beside.parent == target.parent
        assert beside.suffix == ".csv"
        beside.write_text("whole")
        assert not target.exists()
    assert target.read_text() == "whole"
    assert everything_in(tmp_path) == ["a", "a/b", "a/b/table.csv"]


class AnyError(Exception):
    pass


def fail_half_way(target, error=AnyError):
    with written_whole(target) as beside:
        beside.write_text("hal")
        raise error


@pytest.mark.parametrize("error", [AnyError, KeyboardInterrupt])
def test_error_leaves_the_old_file_and_nothing_else(tmp_path, error):
    target = tmp_path / "table.csv"
    target.write_text("old")
    with pytest.raises(error):
        fail_half_way(target, error)
    assert target.read_text() == "old"
    assert everything_in(tmp_path) == ["table.csv"]


def test_error_leaves_no_new_file(tmp_path):
    with pytest.raises(AnyError):
        fail_half_way(tmp_path / "table.csv")
    assert everything_in(tmp_path) == []


def test_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    target = tmp_path / "file" / "below" / "table.csv"
    sentence = r"cannot write .*file/below/table.csv: Not a directory; choose another"
    with pytest.raises(InputError, match=sentence), written_whole(target) as beside:
        beside.write_text("x")
    assert everything_in(tmp_path) == ["file"]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_folder_that_takes_no_files():
    sentence = "cannot write"
    with pytest.raises(InputError, match=sentence), written_whole("/proc/table.csv") as beside:
        beside.write_text("x")


def test_file_over_a_folder_is_one_sentence(tmp_path):
    target = tmp_path / "matrix"
    (target / "inside").mkdir(parents=True)
    with pytest.raises(InputError, match=r"cannot write .*matrix"), written_whole(target) as beside:
        beside.write_text("x")
    assert everything_in(tmp_path) == ["matrix", "matrix/inside"]


def test_numbers_of_keys_are_the_published_ones_of_splitmix64(monkeypatch):
    """Of the seed 0, as Vigna's reference implementation prints them."""
    monkeypatch.setattr(seeds, "derive_seed", lambda *_: 0)
    first = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    expected = [(each >> 11) / 2**53 for each in first]
    np.testing.assert_array_equal(seeds.uniform_of(0, np.arange(3)), expected)
