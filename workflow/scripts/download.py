"""Fetch original files, or say where each is to be put by hand."""

import logging
from pathlib import Path

from accuracy_curves.downloads.fetching import fetch_source
from accuracy_curves.downloads.transfer import new_session
from pipeline.script import job

with job(snakemake), new_session() as session:
    for name, path in zip(snakemake.params.sources, snakemake.output, strict=True):
        fetch_source(name, Path(path).parent, session=session, progress=False)
        logging.info("%s is there, whole", path)
