"""Fetch original files, or say where they are to be put by hand."""

import logging
import signal
import sys
from pathlib import Path

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.fetching import fetch_source
from pipeline.jobs.job import job

with job(snakemake):
    for number in (signal.SIGINT, signal.SIGTERM):
        # The part that has come is removed.
        signal.signal(number, lambda *_: sys.exit(1))
    others = len(snakemake.output) - 1
    for name, path in zip(snakemake.params.sources, snakemake.output, strict=True):
        try:
            fetch_source(name, Path(path).parent, progress=False)
        except InputError as error:
            if not others:
                raise
            raise InputError(
                f"{error}; with the {others} others that are missing: see config/README.md"
            ) from error
        logging.info("%s is there, whole", path)
