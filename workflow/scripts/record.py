"""Record where the results come from."""

import json

from accuracy_curves.utils.files import written_whole
from experiments.job import job
from experiments.provenance import record
from experiments.published import Published

with job(snakemake), written_whole(snakemake.output[0]) as beside:
    params = snakemake.params
    taken = {}
    for name, rows in params.taken.items():
        commit = Published(name).record["commit"]
        taken[name] = {"commit": commit, "rows": [" ".join(map(str, row)) for row in rows]}
    found = record(params.config, params.curves, taken)
    beside.write_text(json.dumps(found, indent=2) + "\n")
