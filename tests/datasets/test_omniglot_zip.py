import io
import zipfile

import numpy as np
import pytest
from PIL import Image

from accuracy_curves.exceptions import InputError
from conftest import shared_data
from experiments.datasets import make_dataset
from experiments.datasets.readers import read_omniglot
from omniglot_files import write_omniglot

ALPHABETS = {"Latin": 3, "Greek": 2, "Early_Aramaic": 2}


def test_classes_and_drawings_are_in_the_order_of_their_names(tmp_path):
    written = write_omniglot(tmp_path / "images_background.zip", ALPHABETS, drawings=3)
    found = read_omniglot(tmp_path / "images_background.zip")
    assert found.shape == (7, 3, 105, 105)
    assert found.dtype == np.bool_
    expected = [written[name] for name in sorted(written)]
    np.testing.assert_array_equal(found.reshape(21, 105, 105), expected)


def test_zip_files_give_the_scores_of_npz_files(tmp_path):
    for name, seed in (("images_background", 0), ("images_evaluation", 1)):
        write_omniglot(tmp_path / f"{name}.zip", ALPHABETS, drawings=4, seed=seed)
        np.savez(tmp_path / f"{name}.npz", images=read_omniglot(tmp_path / f"{name}.zip"))
    both = [
        make_dataset(
            "omniglot",
            tmp_path,
            paths=[f"images_background.{kind}", f"images_evaluation.{kind}"],
            pca=8,
        ).score_matrix(3)
        for kind in ("zip", "npz")
    ]
    assert both[0].scores.shape[1] == 14
    np.testing.assert_array_equal(both[0].scores, both[1].scores)


def test_real_drawings_survive_the_format(tmp_path):
    with np.load(shared_data("omniglot_evaluation.npz")) as stored:
        real = stored["images"][:3, :5]
    with zipfile.ZipFile(tmp_path / "real.zip", "w") as archive:
        for c, i in np.ndindex(3, 5):
            packed = io.BytesIO()
            Image.fromarray(real[c, i]).save(packed, "PNG")
            archive.writestr(f"real/A/character{c:02d}/{c:04d}_{i:02d}.png", packed.getvalue())
    np.testing.assert_array_equal(read_omniglot(tmp_path / "real.zip"), real)


def test_what_is_no_archive_of_omniglot(tmp_path):
    path = tmp_path / "images_background.zip"
    path.write_bytes(b"<html>not found</html>")
    with pytest.raises(InputError, match="cannot be read"):
        read_omniglot(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", b"hello")
    with pytest.raises(InputError, match="take one of the official zip files"):
        read_omniglot(path)
    write_omniglot(path, {"Latin": 2}, drawings=2)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("images_background/Latin/character02/0002_03.png", b"<html>")
    with pytest.raises(InputError, match="cannot identify image file"):
        read_omniglot(path)
    write_omniglot(path, {"Latin": 2}, drawings=2)
    packed = io.BytesIO()
    Image.new("1", (105, 105)).save(packed, "PNG")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("images_background/Latin/character02/0002_03.png", packed.getvalue())
    with pytest.raises(InputError, match="same shape"):
        read_omniglot(path)
