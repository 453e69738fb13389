"""Record where the results come from."""

import json
from pathlib import Path

from accuracy_curves.utils.files import written_whole
from pipeline.jobs.job import job
from pipeline.run_record import record

with job(snakemake):
    params = snakemake.params
    benchmarks = Path(params.benchmarks)
    origin = record(snakemake.config, snakemake.input, params.curves, benchmarks, params.taken)
    with written_whole(snakemake.output[0]) as beside:
        beside.write_text(json.dumps(origin, indent=2, sort_keys=True) + "\n")
