"""Take a table or curves of the preset as committed, for the methods that are not computed."""

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole
from pipeline.jobs.job import job
from pipeline.provenance import show

with job(snakemake):
    path = snakemake.output[0].replace("/committed/", "/")
    content = show(path)
    if content is None:
        raise InputError(f"{path} is not committed here")
    with written_whole(snakemake.output[0]) as beside:
        beside.write_bytes(content)
