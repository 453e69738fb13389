"""What `provenance.json` says of a whole run."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from accuracy_curves.utils.tables import table_provenance
from pipeline.cost.estimate import read_benchmarks
from pipeline.preset.settings import Config
from pipeline.provenance import origin


def record(
    config: Config, files: Iterable[str | Path], curves: Iterable[str | Path], benchmarks: Path
) -> dict[str, Any]:
    """Collect what `provenance.json` says of a whole run.

    Of the files, results and figures, the SHA-256; of the predicted curves from which they were
    made how many each commit made, as those of a long run may be of several: those that are not
    there any more are not counted. `benchmarks` is the folder of the run's times.
    """
    return {
        **origin(config),
        "predicted_by": _made_by(curves),
        "wall_seconds_by_rule": _wall_seconds(config, benchmarks),
        "sha256": {
            str(path): hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in sorted(files)
        },
    }


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
