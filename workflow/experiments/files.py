"""The files that the data sets of a preset read: which are fetched."""

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from experiments.datasets.downloads.original_files import convertible, originals_of
from experiments.preset import Preset


class Download(NamedTuple):
    """Absent files that one job fetches: those of one folder of originals, or a single one."""

    name: str
    files: list[str]
    # Their names in the table of sources; none of a file that is made of public ones.
    sources: list[str]


def downloads(preset: Preset) -> list[Download]:
    """List what is to be fetched for a preset: public files that are not there."""
    found: dict[Path, dict[Path, str]] = defaultdict(dict)
    for name in preset.experiments:
        dataset = preset.datasets[name]
        whole = set(dataset.files())
        for path, source in originals_of(dataset).items():
            if not path.exists():
                found[path if path in whole else path.parent][path] = source.name
        for path in convertible(dataset):
            found[path][path] = ""
    return [
        # A folder's place among all makes its name unique.
        Download(f"{number}_{place.stem}", [*map(str, absent)], [*filter(None, absent.values())])
        for number, (place, absent) in enumerate(found.items())
    ]
