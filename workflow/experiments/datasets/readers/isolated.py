"""Readers that run in a process of their own: their libraries are written in C.

A damaged file can end the process that reads it (a segmentation fault), or keep it for ever.
"""

import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.npz import load_all_arrays

CHILD = "from experiments.datasets.readers.isolated import answer; answer(*sys.argv[1:])"
LONGEST = 600  # Seconds.

Arrays = Mapping[str, npt.NDArray[Any]]


def read_isolated(
    read: Callable[..., Arrays], path: str | os.PathLike[str], what: str, *arguments: str
) -> Arrays:
    """Call a function of a module, ``read(path, *arguments)``, in a process of its own.

    `what` names the file's format, such as "a MATLAB file". `InputError` if the function raises
    anything, or its process ends or does not within 10 minutes.
    """
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.npz"
        try:
            done = run_child(read.__module__, read.__name__, found, what, path, *arguments)
        except subprocess.TimeoutExpired as error:
            raise InputError(
                f"{path} cannot be read as {what} within {LONGEST} seconds: fetch it again"
            ) from error
        if done.returncode == 0:
            return load_all_arrays(found)
    raise InputError(done.stdout.strip() or f"{path} cannot be read as {what}: fetch it again")


def run_child(*arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
    """Call `answer` in another process."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys; {CHILD}", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
        timeout=LONGEST,
    )


def answer(module: str, name: str, found: str, what: str, path: str, *arguments: str) -> None:
    """Save what the function reads as an npz file, or print what is wrong and exit with 1."""
    try:
        arrays = getattr(importlib.import_module(module), name)(path, *arguments)
        np.savez(found, **arrays)
    except InputError as error:
        wrong = str(error)
    except Exception as error:  # Damaged files raise nearly everything.
        wrong = f"{path} cannot be read as {what} ({error}): fetch it again"
    else:
        return
    sys.stdout.buffer.write(wrong.encode("utf-8", "backslashreplace"))
    sys.exit(1)
