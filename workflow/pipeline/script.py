"""What every script of the workflow does first: log to its file, and fail with one sentence."""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from accuracy_curves.errors import AccuracyCurvesError


@contextmanager
def logged(path: str) -> Iterator[None]:
    """Send everything that a script says to its log file.

    Parameters
    ----------
    path : str
        The log file.

    Yields
    ------
    None

    Notes
    -----
    An error that this project raises on purpose ends the job with its one sentence, in the log
    and on the terminal; any other error leaves its traceback in the log.
    """
    terminal = sys.stderr
    with open(path, "w", encoding="utf-8", buffering=1) as file:
        sys.stdout = sys.stderr = file
        logging.basicConfig(stream=file, level=logging.INFO, format="%(asctime)s %(message)s")
        try:
            yield
        except AccuracyCurvesError as error:
            print(error, file=file)
            print(error, file=terminal)
            sys.exit(1)
        except Exception:
            traceback.print_exc(file=file)
            print(traceback.format_exc(limit=-1), file=terminal)
            sys.exit(1)
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            # R still logs its end when the interpreter exits, after the file is closed.
            logging.getLogger().handlers.clear()
