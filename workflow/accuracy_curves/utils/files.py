"""Files that are either whole or absent: arrays of npz files, tables as CSV, whole folders."""

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.npyio import NpzFile

from accuracy_curves.exceptions import AccuracyCurvesError, InputError, MissingDependencyError
from accuracy_curves.utils.arrays import AnyArray

if TYPE_CHECKING:
    import pandas as pd

NAMED = 10
# Folders that runs write to, inside the folder that they are for: on the same file system.
STAGED = ".accuracy-curves-"
# What to do with a file of arrays without names.
UNNAMED = (
    "; save arrays by name, np.savez(path, scores=..., labels=...), or name embeddings by "
    "--embeddings-key and --labels-key"
)


def load_arrays(path: str | os.PathLike[str], *names: str) -> tuple[AnyArray, ...]:
    """Load named arrays of an npz file, in the order of the names.

    `InputError` if it cannot be read, lacks one of them, or holds Python objects there.
    """
    with opened_npz(Path(path)) as archive:
        return take_arrays(archive, path, *names)


def take_arrays(
    archive: Mapping[str, AnyArray], path: str | os.PathLike[str], *names: str
) -> tuple[AnyArray, ...]:
    """Load named arrays of an open file, as `load_arrays`; `path` is for the sentences."""
    with readable(path):
        for name in names:
            if name not in archive:
                listed = ", ".join([*archive][:NAMED]) or "none"
                how = UNNAMED if "arr_0" in archive else ""
                raise InputError(f"{path} has no array {name!r}: it has {listed}{how}")
        return tuple(archive[name] for name in names)


@contextmanager
def opened_npz(source: Path) -> Iterator[NpzFile]:
    """Open an npz file; `InputError` if it is none."""
    # NumPy leaves a damaged file open.
    with readable(source), source.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, NpzFile):
            raise InputError(f"{source} is not an .npz file: write it with numpy.savez")
        with archive:
            yield archive


CSV_FORMAT: dict[str, Any] = {"index": False, "float_format": "%.9g", "lineterminator": "\n"}


def write_csv(table: "pd.DataFrame", path: str | os.PathLike[str]) -> None:
    """Write a table, without its index, as CSV with nine significant digits."""
    with written_whole(path) as beside:
        table.to_csv(beside, **CSV_FORMAT)


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write to a name beside the final one, and rename only when all went well.

    Yields that name: in the same folder, which is made, and with the same suffix. `InputError` if
    that cannot be.
    """
    final = Path(path)
    beside = final.with_name(f".{final.stem}.{os.getpid()}.partial{final.suffix}")
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        os.replace(beside, final)
    except OSError as error:
        text = f"cannot write {final}: {error.strerror or error}; choose another folder"
        raise InputError(text) from error
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def written_together(
    folder: Path, names: Sequence[str], read: Sequence[Path] = (), *, overwrite: bool = False
) -> Iterator[Path]:
    """Make a folder and yield an empty one inside it, whose files are put into it at the end.

    They replace those of the given names, which are all that may be written; what else is there
    stays. After an error the folder is as it was. It must be empty, unless `overwrite`.
    `InputError` if it cannot be written to, or one of the files that are `read` would be replaced.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # By a run that was killed, or is not at its end.
        others = (path for path in folder.iterdir() if not path.name.startswith(STAGED))
        if any(others) and not overwrite:
            text = "is not empty: choose another one, or overwrite the answer in it"
            raise InputError(f"the folder {folder} {text}", reason="not_empty")
        for path in (folder / name for name in names):
            if path.is_dir():
                raise IsADirectoryError(0, f"{path} is a folder")
            if path.exists() and any(s.exists() and path.samefile(s) for s in read):
                raise InputError(f"{path} is the input and would be lost: rename it")
        with TemporaryDirectory(prefix=STAGED, dir=folder, ignore_cleanup_errors=True) as staged:
            yield Path(staged)
            for path in (Path(staged, name) for name in names):
                if path.exists():
                    os.replace(path, folder / path.name)
                else:  # Of an earlier answer.
                    (folder / path.name).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot write to the folder {folder}: {error.strerror or error}; choose another one",
            reason="folder",
        ) from error
    finally:
        if made:
            with suppress(OSError):  # Not empty, and so it stays.
                folder.rmdir()


@contextmanager
def readable(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn whatever a reader raises on a file, or a folder, into one sentence."""
    source = Path(path)
    try:
        if not source.exists():
            raise InputError(f"there is no file or folder {source}: check its name")
        if not (source.is_file() or source.is_dir()):
            raise InputError(f"{source} is a pipe or a device: save what it gives as a file first")
        if source.is_file() and source.stat().st_size == 0:
            raise InputError(f"{source} is empty")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Of Python's parser, about damaged headers.
            yield
    except AccuracyCurvesError:
        raise
    except Exception as error:  # Each reader raises its own.
        kind = MissingDependencyError if isinstance(error, ImportError) else InputError
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if isinstance(error, MemoryError):
            why = "it does not fit in the memory of this machine"
        if isinstance(error, UnicodeDecodeError):
            why = "it is not a text in UTF-8: save it as such"
        if "allow_pickle" in why:
            why = (
                "it holds Python objects, such as None or texts among numbers, or is no NumPy "
                "file: save numbers, or texts such as names.astype(str)"
            )
        raise kind(f"{source} cannot be read: {why}") from error


def save_arrays(
    arrays: Mapping[str, AnyArray],
    path: str | os.PathLike[str],
    provenance: str | None = None,
) -> None:
    """Write an uncompressed npz file, with `provenance`: the same arrays give the same bytes."""
    stored = dict(arrays) if provenance is None else {**arrays, "provenance": np.array(provenance)}
    with written_whole(path) as beside, beside.open("wb") as file:
        np.savez(file, allow_pickle=False, **stored)
