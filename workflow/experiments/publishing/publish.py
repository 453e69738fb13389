"""Copy a run to what is published, unless it shows less than its preset names."""

import json
import shutil
from collections import defaultdict
from itertools import product
from pathlib import Path

import pandas as pd

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import SETTING
from experiments.figures import make_figure
from experiments.figures.panels import lacking, shown_rows
from experiments.preset import Preset
from experiments.published import OBSERVED, RECORD, RESULTS, ROOT, Published, Setting, is_published
from experiments.publishing.curves import merge_curves, thin_curves

# A hidden file is not whole.
KEPT = ("[!.]*.csv", "*/[!.]*.csv", RECORD)


def publish(preset: Preset, run: Path) -> int:
    """Replace the published tables, figures and provenance by a run's, and add its curves.

    `preset` names what there should be, whether its data are here or not. Returns how many files
    are written. `InputError` where a figure or table shows less: then nothing is written.
    """
    results, figures = run / "results" / preset.name, run / "figures" / preset.name
    if not (results / RECORD).is_file():
        raise InputError(f"{results} is not whole: run the preset first")
    if missing := lacks(preset, results, figures):
        more = f", and {len(missing) - 1} more like it" if missing[1:] else ""
        raise InputError(f"nothing is published: {missing[0]}{more}. Run the preset whole")
    files = [path for pattern in KEPT for path in results.glob(pattern)]
    files += [path for kind in ("pdf", "png") for path in figures.rglob(f"[!.]*.{kind}")]
    count = publish_curves(preset, results)
    for path in files:
        top, *rest = path.relative_to(run).parts
        place = ROOT.joinpath(top, "published", *rest)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return len(files) + count


def publish_curves(preset: Preset, results: Path) -> int:
    """Add a run's curves, whole chunks of them, to the published ones.

    Those of slow methods are whole, one file per setting and method. Those of other methods that
    figures show are thinned, one file per setting, with the true and the observed ones. Returns how
    many files are written.
    """
    folder, count = RESULTS / preset.name, 0
    slow = {key for key in preset.methods if getattr(preset.class_of_method(key), "slow", False)}
    for setting, key in product(preset.settings, sorted(slow)):
        place = folder / f"predicted/{setting.path}/{key}"
        if own := _chunks(results / f"predicted/{setting.path}/{key}"):
            merge_curves([*_chunks(place), *own], place)
            count += 1
    for setting, methods in methods_shown(preset).items():
        files = {
            key: _chunks(results / f"predicted/{setting.path}/{key}") for key in methods - slow
        }
        for kind, path in zip(OBSERVED, (setting.experiment, setting.path), strict=True):
            files[kind] = [*results.glob(f"{kind}/{path}.parquet")]
        if any(files.values()):
            thin_curves(files, setting.k1, folder / f"curves/{setting.path}.parquet")
            count += 1
    return count


def methods_shown(preset: Preset) -> dict[Setting, set[str]]:
    """Collect the methods whose curves a figure or a table of accuracies shows, by setting."""
    methods: dict[Setting, set[str]] = defaultdict(set)
    for kind, entries in preset.config["figures"].items():
        for figure in (make_figure(kind, entry) for entry in entries.values()):
            for setting in figure.shown_settings(preset) if "curves" in figure.reads else ():
                methods[setting] |= {*figure.shown_methods(preset)}
    for table in preset.config["tables"].values():
        for setting in preset.shown_settings(table):
            methods[setting] |= {*preset.shown_methods(table)}
    return methods


def lacks(preset: Preset, results: Path, figures: Path) -> list[str]:
    """Say what a run's figures and tables lack of what the preset names, a sentence each.

    An experiment whose data were not at hand may be absent, if nothing of it is published.
    """
    record = json.loads((results / RECORD).read_text(encoding="utf-8"))
    absent = {*record.get("absent", [])}
    if is_published(preset.name):
        absent -= {row[0] for row in Published(preset.name).rows}
    missing = []
    for kind, entries in preset.config["figures"].items():
        for name, entry in entries.items():
            figure = make_figure(kind, entry)
            rows, marked = shown_rows(figures / kind / f"{name}.png")
            named = figure.named_rows(preset)
            what = f"the figure {kind}/{name}"
            missing += lacking(what, rows, named, absent & marked)
            if not named and not (figures / kind / f"{name}.png").is_file():
                missing.append(f"{what} is not there")
    planned = {
        (*setting, key): n
        for setting, key in product(preset.settings, preset.methods)
        if (n := preset.planned(setting, key))
    }
    # The other tables are made of it.
    name = "rate_errors.csv" if preset.identifies else "errors.csv"
    there = pd.read_csv(results / name).groupby(SETTING)["repetition"].nunique()
    return missing + lacking(name, dict(there), planned, absent)


def _chunks(folder: Path) -> list[Path]:
    """List the whole chunks of curves in a folder."""
    return sorted(folder.glob("[!.]*.parquet"))
