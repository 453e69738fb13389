"""Fetch public files, or say where they are to be put by hand."""

import logging
from pathlib import Path

from experiments.datasets.downloads.converted import fetch_converted
from experiments.datasets.downloads.fetching import fetch_source
from experiments.job import job

with job(snakemake):
    for path in map(Path, snakemake.output):
        if not snakemake.params.sources:
            fetch_converted(path.name, path.parent)
    for name, path in zip(snakemake.params.sources, snakemake.output, strict=False):
        fetch_source(name, Path(path).parent)
        logging.info("%s is there, whole", path)
