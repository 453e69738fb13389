"""Record where the results come from."""

import json

from accuracy_curves.utils.files import written_whole
from experiments.job import job
from experiments.provenance import checksums, commit, config_hash, host, said, versions
from experiments.published import Published
from experiments.publishing.curves import computed_by

with job(snakemake), written_whole(snakemake.output[0]) as partial:
    files, params = snakemake.input, snakemake.params
    taken, originals, known, verified = {}, {}, [], None
    for name, rows in params.published_rows.items():
        published = Published(name).record
        if name == params.config["preset"]:
            verified = published.get("verified")
        else:
            taken[name] = {
                "commit": published["drawn_by"]["commit"],
                "rows": [" ".join(map(str, row)) for row in rows],
            }
        methods = {method for _, _, method in rows}
        known += [
            {**entry, "methods": sorted(methods & {*entry["methods"]})}
            for entry in published.get("computed_by", ())  # Older records have none.
        ]
        originals |= published.get("originals", {})
    originals |= {name: checksums(paths) for name, paths in params.originals.items()}
    record = {
        # Tables, figures and claims.
        "drawn_by": commit(),
        "computed_by": computed_by(files.curves, files.intervals, known),
        "config": {**params.config, "data_dir": None},
        "config_sha256": config_hash(params.config),
        "versions": versions(),
        "r": (said("R", "--version") or "not found").splitlines()[0],
        "host": host(),
        "originals": originals,
        "taken": taken,
        "absent": sorted(params.absent),
        # What a recomputation of the published rows differed by.
        **({"verified": verified} if verified else {}),
    }
    partial.write_text(json.dumps(record, indent=2) + "\n")
