from pathlib import Path

import pytest
import yaml

from accuracy_curves.exceptions import InputError
from experiments.datasets import make_dataset
from experiments.datasets.downloads import sources
from experiments.datasets.downloads.sources import (
    all_sources,
    check_originals,
    input_files,
    originals_of,
)
from misbehaving import DATA, SHA256


def lfw(folder, **options):
    options = {"photos": "lfw.tgz", "weights": "openface"} | options
    return make_dataset("lfw", folder, **options)


def test_originals_are_known_by_their_names(tmp_path):
    found = originals_of(lfw(tmp_path))
    assert len(found) == 1 + 224
    assert found[tmp_path / "lfw.tgz"].name == "lfw/lfw.tgz"
    assert found[tmp_path / "openface/dense_w.csv"].name == "openface/dense_w.csv"
    for name in ("mine.tgz", "weights"):
        (tmp_path / name).touch()
    assert not originals_of(lfw(tmp_path, photos="mine.tgz", weights="weights"))
    zips = ["images_background.zip", "images_evaluation.zip"]
    omniglot = make_dataset("omniglot", tmp_path, paths=zips)
    assert [source.name for source in originals_of(omniglot).values()] == [
        f"omniglot/{name}" for name in zips
    ]
    assert not originals_of(make_dataset("simulation"))


def test_the_list_of_input_files_does_not_depend_on_what_is_there(tmp_path):
    before = input_files(lfw(tmp_path))
    assert len(before) == 225
    (tmp_path / "openface").mkdir()
    (tmp_path / "openface/dense_w.csv").touch()
    (tmp_path / "lfw.tgz").touch()
    assert input_files(lfw(tmp_path)) == before


@pytest.fixture
def other_table(tmp_path, monkeypatch):
    path = tmp_path / "table.yaml"
    known = {"size": len(DATA), "sha256": SHA256}
    entry = {"title": "Set X", "urls": ["https://x.invalid/{file}"], "files": {"a.zip": known}}
    path.write_text(yaml.safe_dump({"omniglot": entry}))
    monkeypatch.setenv(sources.OTHER_TABLE, str(path))
    all_sources.cache_clear()
    yield path
    all_sources.cache_clear()


def test_another_table(other_table, tmp_path):
    assert [name for name in all_sources() if name.startswith("omniglot/")] == ["omniglot/a.zip"]
    assert "lfw/lfw.tgz" in all_sources()
    omniglot = make_dataset("omniglot", tmp_path, paths="a.zip")
    assert omniglot.files() == (Path(tmp_path / "a.zip"),)
    (tmp_path / "a.zip").write_bytes(DATA)
    check_originals(omniglot)
    (tmp_path / "a.zip").write_bytes(DATA[::-1])
    with pytest.raises(InputError, match=r"a\.zip has the SHA-256 .* delete it to have it downlo"):
        check_originals(omniglot)
