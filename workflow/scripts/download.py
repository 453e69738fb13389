"""Fetch public files, or say where they are to be put by hand."""

import logging
from pathlib import Path

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.fetching import fetch_source
from experiments.job import job

with job(snakemake):
    name = snakemake.config["preset"]
    make = "make paper" if name == "paper" else f"make figures PRESET={name}"
    try:
        for path, source in zip(map(Path, snakemake.output), snakemake.params.sources, strict=True):
            fetch_source(source, path.parent)
            logging.info("%s is there, whole", path)
    except InputError as error:
        raise InputError(f"{error}; `{make}` goes on without what cannot be had") from error
