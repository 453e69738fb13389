"""Files that are put into a folder together, or not at all."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

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
