"""Files that are put into a folder together, or not at all."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from accuracy_curves.exceptions import InputError

# Folders that runs write to, inside the folder that they are for: on the same file system.
STAGED = ".accuracy-curves-"


@contextmanager
def written_together(
    folder: Path, names: Sequence[str], read: Sequence[Path] = (), *, overwrite: bool = False
) -> Iterator[Path]:
    """Make a folder and yield an empty one inside it, whose files are put into it at the end.

    They replace those of the given names, which are all that may be written; what else is there
    stays. After an error the folder is as it was. It must be empty, unless `overwrite`.
    `InputError` if it cannot be written to, or one of the files that are `read` would be replaced.
    """
    with ExitStack() as stack:
        with _sentences(folder):
            if not folder.exists():
                stack.callback(_remove_empty, folder)
            folder.mkdir(parents=True, exist_ok=True)
            _check(folder, names, read, overwrite)
            staging = tempfile.TemporaryDirectory(
                prefix=STAGED, dir=folder, ignore_cleanup_errors=True
            )
            staged = Path(stack.enter_context(staging))
        yield staged
        with _sentences(folder):
            for path in (staged / name for name in names):
                if path.exists():
                    os.replace(path, folder / path.name)
                else:  # Of an earlier answer.
                    (folder / path.name).unlink(missing_ok=True)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # Not empty, and so it stays.
        folder.rmdir()


def _check(folder: Path, names: Sequence[str], read: Sequence[Path], overwrite: bool) -> None:
    """Raise `InputError` unless the files may be written."""
    # By a run that was killed, or is not at its end.
    others = (path for path in folder.iterdir() if not path.name.startswith(STAGED))
    if any(others) and not overwrite:
        raise InputError(
            f"the folder {folder} is not empty: choose another one, or overwrite the answer in it",
            reason="not_empty",
        )
    for path in (folder / name for name in names):
        if path.is_dir():
            raise InputError(
                f"{path} is a folder: rename it, or choose another one", reason="folder"
            )
        if path.exists() and any(source.exists() and path.samefile(source) for source in read):
            raise InputError(f"{path} is the input and would be lost: rename it")


@contextmanager
def _sentences(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"cannot write to the folder {folder}: {error.strerror or error}; choose another one",
            reason="folder",
        ) from error
