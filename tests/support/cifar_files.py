"""Small archives in the exact format of CIFAR-100's python version, as Python 2 wrote it."""

import io
import pickle
import tarfile
from pathlib import Path
from typing import ClassVar

import numpy as np


class Python2Pickler(pickle._Pickler):
    """Texts are Python 2's `str` (opcodes U and T), and NumPy goes by its name of that time."""

    dispatch: ClassVar[dict] = dict(pickle._Pickler.dispatch)

    def save_text(self, text: bytes) -> None:
        long = len(text) > 255
        size = len(text).to_bytes(4 if long else 1, "little")
        self.write((pickle.BINSTRING if long else pickle.SHORT_BINSTRING) + size + text)

    dispatch[bytes] = save_text
    dispatch[str] = lambda self, text: self.save_text(text.encode())


def python2_pickle(content: object) -> bytes:
    file = io.BytesIO()
    Python2Pickler(file, protocol=2).dump(content)
    return file.getvalue().replace(b"cnumpy._core.multiarray\n", b"cnumpy.core.multiarray\n")


def cifar_batch(n: int, rng: np.random.Generator) -> dict[str, object]:
    fine = rng.integers(100, size=n)
    return {
        "filenames": [f"image_s_{i:06d}.png" for i in range(n)],
        "batch_label": "training batch 1 of 1",
        "fine_labels": fine.tolist(),
        "coarse_labels": (fine // 5).tolist(),
        "data": rng.integers(256, size=(n, 3072), dtype=np.uint8),
    }


def write_cifar100(
    path: Path, n_train: int = 20, n_test: int = 10, seed: int = 0, whole: bool = False, **changed
) -> dict:
    """Write an archive; `changed` replaces a whole file by other content, or drops it (None)."""
    rng = np.random.default_rng(seed)
    names = [f"class_{i:02d}" for i in range(100)]
    groups = [f"group_{i:02d}" for i in range(20)]
    files = {
        "meta": {"fine_label_names": names, "coarse_label_names": groups},
        "test": cifar_batch(n_test, rng),
        "train": cifar_batch(n_train, rng),
    } | changed
    if whole:
        files["train"]["fine_labels"] = [i % 100 for i in range(n_train)]
    with tarfile.open(path, "w:gz") as archive:
        folder = tarfile.TarInfo("cifar-100-python/")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in files.items():
            if content is None:
                continue
            packed = content if isinstance(content, bytes) else python2_pickle(content)
            member = tarfile.TarInfo(f"cifar-100-python/{name}")
            member.size = len(packed)
            archive.addfile(member, io.BytesIO(packed))
    return files
