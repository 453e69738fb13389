import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.tables import read_table, table_provenance, write_table
from conftest import ROOT

CURVE = pd.DataFrame({"repetition": [0, 0, 1, 1], "k": [2, 3, 2, 3], "accuracy": [0.9, 0.8, 1, 0]})


def test_the_same_table_gives_the_same_bytes_and_says_what_made_it(tmp_path):
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in paths:
        write_table(CURVE, path, "made by hand")
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert table_provenance(paths[0]) == "made by hand"
    pd.testing.assert_frame_equal(read_table(paths[0]), CURVE)
    pd.testing.assert_frame_equal(pd.read_parquet(paths[0]), CURVE)
    CURVE.to_parquet(paths[1])
    with pytest.raises(InputError, match="does not say what made it"):
        table_provenance(paths[1])


def test_a_damaged_curve_is_one_sentence(tmp_path):
    path = tmp_path / "curve.parquet"
    write_table(CURVE, path, "{}")
    whole = path.read_bytes()
    place = whole.index(np.float64(0.8).tobytes())
    changed = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
    for damaged in (b"", whole[:-9], b"an error page", changed):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"curve\.parquet"):
            read_table(path)


def test_a_file_without_checksums_is_read_as_it_is():
    path = next((ROOT / "results/published/paper/predicted").rglob("*.parquet"))
    frame = read_table(path)
    assert list(frame) == ["repetition", "k", "accuracy"]
    assert read_table(path, [2, 7])["k"].unique().tolist() == [2, 7]
    np.testing.assert_array_equal(frame["accuracy"], pd.read_parquet(path)["accuracy"])
