"""The table of sources: which original files there are, where from, and is a file one of them."""

import hashlib
import os
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable

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
