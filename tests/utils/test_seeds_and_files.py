import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves import InputError
from accuracy_curves.utils import seeds
from accuracy_curves.utils.files import written_together, written_whole
from accuracy_curves.utils.seeds import derive_seed

PARTS = (7, "lfw", 200, 3, "subsample")


def test_seed_is_the_same_on_every_machine():
    # sha256("7\x1f'lfw'\x1f200\x1f3\x1f'subsample'"), first eight bytes, halved.
    assert derive_seed(*PARTS) == 8134403436597113153


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


def fail_half_way(target, error):
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


@pytest.mark.parametrize("below", ["file/below/table.csv", "full"])
def test_what_cannot_be_written_is_one_sentence(tmp_path, below):
    (tmp_path / "file").write_text("")
    (tmp_path / "full" / "inside").mkdir(parents=True)
    sentence = rf"cannot write .*{below}: .*; choose another"
    with pytest.raises(InputError, match=sentence), written_whole(tmp_path / below) as beside:
        beside.write_text("x")
    assert everything_in(tmp_path) == ["file", "full", "full/inside"]


def test_numbers_of_keys_are_the_published_ones_of_splitmix64(monkeypatch):
    """Of the seed 0, as Vigna's reference implementation prints them."""
    monkeypatch.setattr(seeds, "derive_seed", lambda *_: 0)
    first = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    expected = [(each >> 11) / 2**53 for each in first]
    np.testing.assert_array_equal(seeds.uniform_of(0, np.arange(3)), expected)


def test_no_file_is_replaced_where_a_folder_has_the_name_of_another(tmp_path):
    (tmp_path / "first").write_text("before")
    (tmp_path / "second").mkdir()

    def write():
        with written_together(tmp_path, ["first", "second"], overwrite=True) as staged:
            for name in ("first", "second"):
                (staged / name).write_text("after")

    with pytest.raises(InputError, match="second is a folder"):
        write()
    assert (tmp_path / "first").read_text() == "before"
