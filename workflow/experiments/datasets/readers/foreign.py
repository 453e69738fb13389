"""Files that others wrote: read by a library, inside one wrapper."""

import os
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from accuracy_curves.exceptions import InputError


@contextmanager
def foreign(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say in one sentence that a file cannot be read, whatever its reader raises."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # Damaged files raise nearly everything.
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{path} cannot be read: {reason}; fetch it again") from error


def unpack(archive: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Unpack a zip file, or a tar file, plain or packed, into a folder."""
    with foreign(archive):
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                zipped.extractall(folder)
        else:
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")
