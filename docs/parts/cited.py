"""The tables of docs/guide/benchmark.md as files, and what made their numbers."""

import json
from pathlib import Path
from typing import Any

import measured
from experiments import provenance
from experiments.evaluation.quantities import RESAMPLES

VERSION = 2
FOLDER = measured.RESULTS / "benchmark"
SOURCES = FOLDER / "sources.json"
TABLES = {
    "closed": measured.closed,
    "open": measured.open_set,
    "populations": measured.populations,
    "random_populations": measured.random_groups,
    "laws": measured.laws,
    "lists": measured.lists,
    "growth": measured.growth,
    "cautions": measured.cautions,
    "faults": measured.faults,
    "thinned_runs": measured.thinned_runs,
    "recommenders": measured.recommenders,
    "levels": measured.levels,
    "newcomers": measured.newcomers,
    "trained": measured.trained,
    "retrieval": measured.retrieval,
}
# The published files of a preset that a table is made from.
PRESETS = {
    "closed": {
        "real": ("errors.csv", "methods.csv", "coverage/intervals.csv"),
        "glyphs": ("errors.csv", "coverage/intervals.csv"),
    },
    "open": {"identification": ("rate_errors.csv", "rate_coverage/intervals.csv")},
    "populations": {"real": ("methods.csv",)},
    "retrieval": {"retrieval": ("sweep/errors.csv", "coverage/intervals.csv")},
}
# The studies of benchmarks/studies, and what the seeds of their draws are derived from.
STUDIES = {
    "open": {"seconds": "the numbers of the draws"},
    "populations": {
        "populations": "'populations', population, k1, points of a class, number of the draw",
        "reach": "'populations', population, k1, points of a class, number of the draw",
    },
    "random_populations": {"random_populations": "'random populations', number"},
    "laws": {"laws": "'laws', law, number of the draw"},
    "lists": {"lists": "'lists', law, number of the draw"},
    "growth": {"growth": "'growth', setting, number of the draw"},
    "cautions": {"cautions": "'cautions', test, number of the draw"},
    "faults": {"cautions": "'cautions', number of the draw, answer, fault, test"},
    "thinned_runs": {"thinned_runs": "'thinned runs', 0"},
    "recommenders": {"recommenders": "'recommenders', 'draws'"},
    "levels": {"levels": "'levels', law, number of the draw"},
    "newcomers": {"newcomers": "'newcomers', population, number of the draw"},
    "trained": {"trained": "set, k1, number of the draw"},
}


def of_preset(name: str, files: tuple[str, ...]) -> dict[str, Any]:
    """Say what made the published files of a preset; its provenance.json says more."""
    folder = measured.RESULTS / name
    record = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    shown = ("drawn_by", "computed_by", "config_sha256", "versions", "r")
    return {
        "files": provenance.checksums(map(str, (folder / file for file in files))),
        "configuration": f"results/published/{name}/provenance.json",
        "seed": record["config"]["seed"],
        "repetitions": record["config"]["repetitions"],
        **{key: record[key] for key in shown},
        "rows_taken_from": {key: each["commit"] for key, each in record["taken"].items()},
    }


def of_study(name: str, seeds: str, known: dict[str, Any]) -> dict[str, Any]:
    """Say what made a study's table: as is known of it, or this commit if the table is new."""
    path = measured.ROOT / f"benchmarks/studies/{name}.csv"
    files = provenance.checksums([str(path)])
    if known.get("files") == files:
        return known
    made = {**provenance.commit(), "versions": provenance.versions()}
    return {
        "files": files,
        "configuration": f"benchmarks/studies/{name}.py",
        "seeds": seeds,
        **made,
    }


def files() -> dict[Path, str]:
    """Make the text of each file of results/published/benchmark."""
    old = json.loads(SOURCES.read_text(encoding="utf-8")) if SOURCES.exists() else {}
    texts, sources = {}, {}
    for name, table in TABLES.items():
        texts[FOLDER / f"{name}.csv"] = table().to_csv(float_format="%.6g", lineterminator="\n")
        known = old.get("tables", {}).get(name, {})
        sources[name] = {
            **{key: of_preset(key, paths) for key, paths in PRESETS.get(name, {}).items()},
            **{
                key: of_study(key, seeds, known.get(key, {}))
                for key, seeds in STUDIES.get(name, {}).items()
            },
        }
    about = {"benchmark": VERSION, "resamples_of_sets": RESAMPLES, "tables": sources}
    return texts | {SOURCES: json.dumps(about, indent=1) + "\n"}
