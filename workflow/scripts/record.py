"""Record where the results come from."""

import json

from accuracy_curves.utils.files import written_whole
from experiments.job import job
from experiments.provenance import record

with job(snakemake), written_whole(snakemake.output[0]) as beside:
    params = snakemake.params
    said = record(params.config, params.curves, params.taken)
    beside.write_text(json.dumps(said, indent=2) + "\n")
