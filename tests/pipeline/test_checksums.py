import logging
import subprocess

import pytest

from accuracy_curves.exceptions import InputError
from pipeline.jobs.checksums import check_files, record_checksums


@pytest.fixture
def curve(tmp_path):
    path = tmp_path / "normal.parquet"
    path.write_bytes(bytes(range(256)) * 8)
    record_checksums([path])
    return path


def test_what_a_job_wrote_passes_and_sha256sum_agrees(curve):
    check_files([str(curve), curve])
    assert sorted(path.name for path in curve.parent.iterdir()) == [
        "normal.parquet",
        "normal.parquet.sha256",
    ]
    subprocess.run(["sha256sum", "--check", "normal.parquet.sha256"], cwd=curve.parent, check=True)


@pytest.mark.parametrize("change", ["bit", "cut", "longer", "empty", "other"])
def test_any_change_is_one_sentence(curve, change):
    whole = curve.read_bytes()
    changed = {
        "bit": whole[:700] + bytes([whole[700] ^ 1]) + whole[701:],
        "cut": whole[:-1],
        "longer": whole + b"\0",
        "empty": b"",
        "other": b"PAR1",
    }
    curve.write_bytes(changed[change])
    with pytest.raises(InputError, match=r"normal\.parquet is not what its job wrote.*delete it"):
        check_files([curve])


def test_a_damaged_checksum_is_not_taken_for_a_match(curve):
    beside = curve.with_name("normal.parquet.sha256")
    for text in (b"", b"\xff\xfe", b"0" * 64):
        beside.write_bytes(text)
        with pytest.raises(InputError, match="is not what its job wrote"):
            check_files([curve])


def test_a_file_without_checksum_is_taken_and_logged(tmp_path, caplog):
    mine = tmp_path / "mine.npz"
    mine.write_bytes(b"PK")
    with caplog.at_level(logging.INFO):
        check_files([mine])
    assert "mine.npz has no checksum" in caplog.text


def test_tables_and_figures_get_no_checksum_of_their_own(tmp_path):
    for name in ("summary.csv", "figure.pdf"):
        (tmp_path / name).write_text("x")
    record_checksums(tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2
    check_files(tmp_path.iterdir())
