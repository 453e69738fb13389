"""Fetch public files, or say where they are to be put by hand."""

import logging
from pathlib import Path

from experiments.datasets.downloads.converted import fetch_converted
from experiments.datasets.downloads.fetching import fetch_source
from experiments.job import job

with job(snakemake):
    sources, files = snakemake.params.sources, [*map(Path, snakemake.output)]
    if not sources:
        fetch_converted(files[0].name, files[0].parent)
    for name, path in zip(sources, files, strict=False):
        fetch_source(name, path.parent)
        logging.info("%s is there, whole", path)
