"""The table of sources: which original files there are, where from, and which a data set reads."""

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable
from experiments.datasets.base import Dataset

OTHER_TABLE = "ACCURACY_CURVES_SOURCES"
CHECKSUM_NAMES = {"sha256": "SHA-256", "md5": "MD5", "git_sha1": "git blob name"}
_TEXTS = ("title", "account", "register", "page")


@dataclass(frozen=True)
class Source:
    """One original file; the fields are explained at the top of `sources.yaml`."""

    name: str  # "data set/file", as in the table.
    title: str
    urls: tuple[str, ...] = ()
    size: int | None = None
    checksums: dict[str, str] = field(default_factory=dict)
    starts_with: str = ""
    account: str = ""
    register: str = ""
    page: str = ""
    form: dict[str, str] = field(default_factory=dict)
    made: tuple[str, ...] = ()

    @property
    def data_set(self) -> str:
        """The data set to which the file belongs, as in the table."""
        return self.name.split("/", 1)[0]

    @property
    def credentials(self) -> tuple[str, str]:
        """Names of the user and the password in the environment, where it needs an account."""
        return f"{self.account}_USER", f"{self.account}_PASSWORD"

    @property
    def file(self) -> str:
        """The file's name, without folders."""
        return self.name.rsplit("/", 1)[-1]


@cache
def all_sources() -> dict[str, Source]:
    """Read the table: `sources.yaml`, and the file that `ACCURACY_CURVES_SOURCES` names.

    A data set of that file replaces the one of its name.
    """
    paths = [Path(str(files(__package__))) / "sources.yaml"]
    paths += [Path(other)] if (other := os.environ.get(OTHER_TABLE)) else []
    table: dict[str, Any] = {}
    for path in paths:
        with readable(path):
            table |= yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return {
        f"{data_set}/{file}": _source(data_set, file, entry)
        for data_set, entry in table.items()
        for file in entry["files"]
    }


def sources_of(data_set: str) -> list[Source]:
    """List the files of a data set, such as `openface`, in the table's order."""
    return [source for source in all_sources().values() if source.data_set == data_set]


def _source(data_set: str, file: str, entry: dict[str, Any]) -> Source:
    """Join what the table says of a data set and of one of its files."""
    known = entry["files"][file]
    return Source(
        name=f"{data_set}/{file}",
        urls=tuple(url.replace("{file}", file) for url in entry.get("urls", ())),
        checksums={kind: known[kind] for kind in CHECKSUM_NAMES if kind in known},
        **{key: known[key] for key in ("size", "starts_with", "made") if key in known},
        form={key: text.replace("{file}", file) for key, text in entry.get("form", {}).items()},
        **{key: entry.get(key, "") for key in _TEXTS},
    )


def find_flaw(path: Path, source: Source) -> str:
    """Say what is wrong with a file, to follow "the file ..."; empty where all is right."""
    if not path.is_file():
        return "is no file"
    size = path.stat().st_size
    if source.size is not None and size != source.size:
        return f"has {size:,} bytes and not {source.size:,}"
    with path.open("rb") as file:
        if not file.read(512).startswith(source.starts_with.encode()):
            return f'does not start with "{source.starts_with}"'
    for kind, digits in source.checksums.items():
        if (found := _checksum(path, kind)) != digits:
            return f"has the {CHECKSUM_NAMES[kind]} {found} and not {digits}"
    return ""


def check_copy(path: Path, source: Source) -> None:
    """Refuse a file that is already there if it is another one, or cannot be read."""
    with readable(path):
        flaw = find_flaw(path, source)
    if flaw:
        raise InputError(
            f"the file {path} {flaw}: delete it to have it downloaded, or put the right one there"
        )


def _checksum(path: Path, kind: str) -> str:
    """Compute the digits of a checksum; git's is the SHA-1 of "blob SIZE", zero, and content."""
    start = hashlib.new(kind.removeprefix("git_"), usedforsecurity=False)
    if kind == "git_sha1":
        start.update(b"blob %d\0" % path.stat().st_size)
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: start).hexdigest()


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
