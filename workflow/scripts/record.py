"""Record where the results come from."""

import json

from accuracy_curves.utils.files import written_whole
from experiments.job import job
from experiments.provenance import checksums, record
from experiments.published import Published

with job(snakemake), written_whole(snakemake.output[0]) as partial:
    params = snakemake.params
    taken, originals = {}, {}
    for name, rows in params.published_rows.items():
        published = Published(name).record
        taken[name] = {
            "commit": published["commit"],
            "rows": [" ".join(map(str, row)) for row in rows],
        }
        originals |= published.get("originals", {})
    originals |= {name: checksums(paths) for name, paths in params.originals.items()}
    found = record(params.config, params.curves, originals, taken)
    partial.write_text(json.dumps(found, indent=2) + "\n")
