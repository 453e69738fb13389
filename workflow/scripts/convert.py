"""Fetch the public files of a file of the preset, and make it of them."""

import logging
import signal
import sys
from pathlib import Path

from experiments.datasets.downloads.converted import fetch_converted
from pipeline.jobs.job import job

with job(snakemake):
    for number in (signal.SIGINT, signal.SIGTERM):
        # The part that has come is removed.
        signal.signal(number, lambda *_: sys.exit(1))
    path = Path(snakemake.output[0])
    fetch_converted(path.name, path.parent, progress=False)
    logging.info("%s is there, whole", path)
