"""Which of a data set's input files are files of the table of sources, and which are fetched."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from experiments.datasets.base import Dataset
from experiments.datasets.downloads.sources import Source, all_sources, check_copy, sources_of


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


def absent_files(dataset: Dataset) -> dict[Path, Source | None]:
    """Map the absent input files of a data set to their entries in the table of sources, if any.

    That is of the original, or of a file that is made of public ones.
    """
    originals, made = originals_of(dataset), {each.file: each for each in sources_of("converted")}
    return {
        path: originals.get(path, made.get(path.name))
        for path in input_files(dataset)
        if not path.exists()
    }


def why_absent(dataset: Dataset, absent: str) -> str:
    """Say why an experiment is left out, and how its files are to be had; "" where it is not.

    `absent` is what its preset says of public files that are not there.
    """
    files = absent_files(dataset)
    own = [path for path, how in files.items() if not how]
    if absent == "expect" or not files or (absent == "fetch" and not own):
        return ""
    path = own[0] if own else next(iter(files))
    are = f" and {len(files) - 1} more are" if len(files) > 1 else " is"
    there = f"{path.name}{are} not in {path.parent}"
    source = files[path]
    entries = (each for each in all_sources().values() if each.file == path.name)
    page = next((each.page or [*each.urls, ""][0] for each in entries), "")
    if source is None:
        gives = f"it is made by hand of {page}" if page else "no public file gives it"
        return f"{there}, and {gives}; see config/README.md"
    if source.account:
        account = f"{' and '.join(source.credentials)} of an account ({source.register})"
        return f"{there}; set {account}"
    by_hand = f", or put it there by hand (from {page})" if page else ""
    return f"{there}; run it again with a network{by_hand}"


def check_originals(dataset: Dataset) -> None:
    """Refuse originals that are not those of the table; the user's own are not looked at."""
    for path, source in originals_of(dataset).items():
        check_copy(path, source)


def downloads(datasets: Iterable[Dataset]) -> dict[str, dict[str, str]]:
    """List the public files of data sets that are not there, by the names of jobs that fetch them.

    A job fetches a single file, or those of one folder of originals. Each has its name in the table
    of sources.
    """
    found: dict[Path, dict[str, str]] = defaultdict(dict)
    for dataset in datasets:
        whole = set(dataset.files())
        for path, how in absent_files(dataset).items():
            if how:
                place = path if path in whole else path.parent
                found[place][str(path)] = how.name
    # A folder's place among all makes its name unique.
    return {f"{number}_{place.stem}": found[place] for number, place in enumerate(found)}
