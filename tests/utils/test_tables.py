import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.tables import read_table, table_provenance, write_table
from conftest import ROOT
from damaging import damages

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


def test_a_damaged_curve_is_refused_or_reads_as_it_was_written(tmp_path):
    path = tmp_path / "curve.parquet"
    table = CURVE.assign(method="kde")
    write_table(table, path, "{}")
    whole, refused = path.read_bytes(), 0
    for damaged in damages(whole):
        path.write_bytes(damaged)
        try:
            pd.testing.assert_frame_equal(read_table(path), table)
        except InputError:
            refused += 1
    assert refused > len(whole) / 6
    path.write_bytes(whole + b"\0")
    with pytest.raises(InputError, match="cut off, or was changed"):
        read_table(path)


def test_every_bit_of_the_values_is_behind_a_checksum(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "curve.parquet"
    write_table(CURVE, path)
    group = pq.read_metadata(path).row_group(0)
    end = group.column(2).data_page_offset + group.column(2).total_compressed_size
    whole = path.read_bytes()
    for place in range(group.column(0).dictionary_page_offset, end):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            pd.testing.assert_frame_equal(read_table(path), CURVE)
        except InputError:
            continue


def test_a_file_without_checksums_is_read_as_it_is():
    path = next((ROOT / "results/published/paper/predicted").rglob("*.parquet"))
    frame = read_table(path)
    assert list(frame) == ["repetition", "k", "accuracy"]
    assert read_table(path, [2, 7])["k"].unique().tolist() == [2, 7]
    np.testing.assert_array_equal(frame["accuracy"], pd.read_parquet(path)["accuracy"])
