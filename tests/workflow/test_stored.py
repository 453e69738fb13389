import json

import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from experiments.publishing.curves import curve_stamps
from experiments.publishing.publish import lacks
from experiments.stored import read_table, table_provenance, write_table
from presets import checked, shipped

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
    with pytest.raises(InputError, match=r"b\.parquet cannot be read"):
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


def test_a_file_without_checksums_is_read_as_it_is(tmp_path):
    path = tmp_path / "curve.parquet"
    CURVE.to_parquet(path)
    pd.testing.assert_frame_equal(read_table(path), CURVE)
    assert read_table(path, [3])["k"].tolist() == [3, 3]


# Published by older code, whose figures do not say what they show.
NOT_YET_REDRAWN = {"identification"}
RECORDS = sorted((ROOT / "results/published").glob("*/provenance.json"))


def test_published_figures_and_tables_are_whole():
    old = {path.parent.name for path in RECORDS if "absent" not in json.loads(path.read_text())}
    assert old == NOT_YET_REDRAWN
    for name in {path.parent.name for path in RECORDS} - old:
        named = checked(shipped(name), absent="expect")
        places = (ROOT / f"{top}/published/{name}" for top in ("results", "figures"))
        assert lacks(named, *places) == [], name


def test_published_curves_are_one_file_a_setting_and_method():
    files = [path for path in (ROOT / "results/published").rglob("*") if path.is_file()]
    curves = [path for path in files if path.suffix == ".parquet" and "predicted" in path.parts]
    assert len({path.parent for path in curves}) == len(curves)
    assert len(files) < 250
    for path in curves:
        numbers = curve_stamps(path)
        assert f"{min(numbers):04d}-{max(numbers):04d}" == path.stem
        assert {*numbers} == {*read_table(path)["repetition"]}
