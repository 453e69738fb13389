"""Packages that only some methods and data sets need, each group of them an extra to install."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accuracy_curves.exceptions import InputError, MissingDependencyError


def load_tensorflow(user: str) -> Any:
    """Import TensorFlow with one thread within an operation, for `user`.

    Sums that are split between threads may differ in their last bits. `InputError` if a program
    that used TensorFlow before has others.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    # oneDNN announces itself whatever the log level is, and rounds as the processor pleases.
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    # Jobs beside each other share a graphics card; by default the first takes all its memory.
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with needed_by(user, "cleanex"):
        import tensorflow as tf
    running = tf.config.threading.get_intra_op_parallelism_threads()
    if running != 1:
        try:
            tf.config.threading.set_intra_op_parallelism_threads(1)
        except RuntimeError as error:
            raise InputError(
                f"{user} needs TensorFlow with one thread, but TensorFlow already runs with "
                f"{running or 'all cores as'} threads in this process: run it in a process of its "
                "own"
            ) from error
    # Products of 10 bits, which some graphics cards take by default, move curves.
    tf.config.experimental.enable_tensor_float_32_execution(False)
    return tf


def gpus() -> list[str]:
    """Name the GPUs that TensorFlow sees, where it was loaded."""
    tf: Any = sys.modules.get("tensorflow")
    devices = tf.config.list_physical_devices("GPU") if tf else []
    details = [tf.config.experimental.get_device_details(device) for device in devices]
    return [device.get("device_name", "a GPU") for device in details]


def how_to_install(extra: str) -> str:
    """Say which command installs an extra, or several with commas between them.

    >>> how_to_install("kde")
    "pip install 'accuracy-curves[kde]'"
    """
    return f"pip install 'accuracy-curves[{extra}]'"


@contextmanager
def needed_by(user: str, extra: str) -> Iterator[None]:
    """Import what an extra brings, or say in one sentence what to install for `user`."""
    try:
        yield
    except Exception as error:  # a broken installation raises errors of any kind
        package = (getattr(error, "name", None) or "a package").partition(".")[0]
        raise MissingDependencyError(
            f"{user} needs {package}, which cannot be imported ({error}): {how_to_install(extra)}"
        ) from error
