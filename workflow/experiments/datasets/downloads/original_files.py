"""Which of a data set's input files are files of the table of sources, and which are fetched."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from experiments.datasets.base import Dataset
from experiments.datasets.downloads.converted import CONVERTED
from experiments.datasets.downloads.sources import (
    Source,
    all_sources,
    check_copy,
    sources_of,
)


class Download(NamedTuple):
    """Absent files that one job fetches: those of one folder of originals, or a single one."""

    name: str
    files: list[str]
    # Their names in the table of sources; none of a file that is made of public ones.
    sources: list[str]


def originals_of(dataset: Dataset) -> dict[Path, Source]:
    """Find the input files of a data set that the table of sources has, there or not.

    A path among its options is an original by its name: that of a file that the table has for this
    option, or, for a folder of files, that of their data set. Any other name is the user's own.
    """
    found: dict[Path, Source] = {}
    for option, data_set in dataset.originals.items():
        sources = {source.file: source for source in sources_of(data_set)}
        value = getattr(dataset, option)
        for path in [value] if isinstance(value, Path) else value:
            if path.name in sources:
                found[path] = sources[path.name]
            elif path.name == data_set:
                found |= {path / name: source for name, source in sources.items()}
    return found


def input_files(dataset: Dataset) -> list[Path]:
    """List every input file of a data set, there or not; a folder of originals by its files."""
    known = list(originals_of(dataset))
    files: list[Path] = []
    for path in dataset.files():
        files += [one for one in known if one.parent == path] or [path]
    return files


def convertible(dataset: Dataset) -> list[Path]:
    """List the absent files of a data set that are made of public ones, by their names."""
    return [path for path in dataset.files() if path.name in CONVERTED and not path.exists()]


def without_source(dataset: Dataset) -> list[Path]:
    """List the absent files of a data set that can neither be fetched nor made of public ones."""
    originals = originals_of(dataset)
    known = {*originals, *(path.parent for path in originals), *convertible(dataset)}
    return [path for path in dataset.files() if not path.exists() and path not in known]


def page_of(path: Path) -> str:
    """Give the address of the data of which a file is made by hand; "" where it is not known."""
    return next((source.page for source in all_sources().values() if source.file == path.name), "")


def why_absent(dataset: Dataset, absent: str) -> str:
    """Say why an experiment is left out, and how its files are to be had; "" where it is not.

    `absent` is what its preset says of public files that are not there.
    """
    if absent == "expect":
        return ""
    if own := without_source(dataset):
        page = page_of(own[0])
        gives = f"it is made by hand of {page}" if page else "no public file gives it"
        return f"{_spelt(own)}, and {gives}; see config/README.md"
    files = [path for path in input_files(dataset) if not path.exists()]
    if absent == "fetch" or not files:
        return ""
    source = originals_of(dataset).get(files[0])
    if source and source.account:
        account = f"{' and '.join(source.credentials)} of an account ({source.register})"
        return f"{_spelt(files)}; set {account}"
    page = (source.page or source.urls[0]) if source and source.urls else page_of(files[0])
    by_hand = f", or put it there by hand (from {page})" if page else ""
    return f"{_spelt(files)}; run it again with a network{by_hand}"


def _spelt(files: list[Path]) -> str:
    """Say that files are not there."""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"{files[0].name}{more} is not in {files[0].parent}"


def check_originals(dataset: Dataset) -> None:
    """Refuse originals that are not those of the table; the user's own are not looked at."""
    for path, source in originals_of(dataset).items():
        check_copy(path, source)


def downloads(datasets: Iterable[Dataset]) -> list[Download]:
    """List what is to be fetched for data sets: public files that are not there."""
    found: dict[Path, dict[Path, str]] = defaultdict(dict)
    for dataset in datasets:
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
