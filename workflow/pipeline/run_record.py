"""What `provenance.json` says of a whole run."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from accuracy_curves.utils.tables import table_provenance
from pipeline.cost.estimate import read_benchmarks
from pipeline.preset import committed
from pipeline.preset.settings import Config
from pipeline.provenance import origin


def record(
    config: Config,
    files: Iterable[str | Path],
    curves: Iterable[str | Path],
    benchmarks: Path,
    taken: Sequence[Sequence[Any]] = (),
) -> dict[str, Any]:
    """Collect what `provenance.json` says of a whole run.

    Of the files, results and figures, the SHA-256; of the predicted curves from which they were
    made how many each commit made, as those of a long run may be of several: those that are not
    there any more are not counted. `benchmarks` is the folder of the run's times. `taken` are the
    settings and methods, (experiment, k1, method), whose errors are the committed ones: ``taken``
    says from which commit, where their own record is, and which files stay as they were.
    """
    digests = {str(path): _sha256(path) for path in files}
    said = {}
    if taken:
        kept = {
            path: digest
            for path, digest in committed.recorded(config).items()
            if path not in digests and Path(path).exists() and _sha256(path) == digest
        }
        digests |= kept
        said["taken"] = {
            "commit": committed.commit_of_results(config),
            "computed_again": config["compute"],
            "settings_and_methods": [" ".join(map(str, each)) for each in taken],
            "files_that_stay": sorted(kept),
        }
    return {
        **origin(config),
        **said,
        "predicted_by": _made_by(curves),
        "wall_seconds_by_rule": _wall_seconds(config, benchmarks),
        "sha256": dict(sorted(digests.items())),
    }


def _sha256(path: str | Path) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _made_by(curves: Iterable[str | Path]) -> list[dict[str, Any]]:
    """List the commits and configurations that made the curves, and how many files each."""
    stamps = [json.loads(table_provenance(path)) for path in curves if Path(path).exists()]
    keys = ("commit", "dirty", "config_sha256")
    counts = Counter(tuple(stamp[key] for key in keys) for stamp in stamps)
    return [
        {**dict(zip(keys, made, strict=True)), "files": count}
        for made, count in sorted(counts.items(), key=str)
    ]


def _wall_seconds(config: Config, benchmarks: Path) -> dict[str, dict[str, float]]:
    """Jobs, total and longest wall time of each rule."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for kind, _, each in read_benchmarks(benchmarks, config):
        seconds[kind.partition("/")[0]].append(each)
    return {
        rule: {"jobs": len(times), "total": round(sum(times), 1), "longest": round(max(times), 1)}
        for rule, times in sorted(seconds.items())
    }
