"""Archives of data sets, unpacked: zip files, and tar files, plain or packed."""

import os
import tarfile
import zipfile

from accuracy_curves.utils.files import readable


def unpack(archive: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Unpack an archive into a folder; `InputError` if it cannot be read."""
    with readable(archive):
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                zipped.extractall(folder)
        else:
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")
