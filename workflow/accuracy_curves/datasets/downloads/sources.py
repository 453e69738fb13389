"""The table of sources: which original files there are, and where they come from."""

import os
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from accuracy_curves.exceptions import InputError

OTHER_TABLE = "ACCURACY_CURVES_SOURCES"
_CHECKSUMS = ("sha256", "md5", "git_sha1")
_TEXTS = ("title", "account", "register", "page", "package", "version", "licence", "reference")


@dataclass(frozen=True)
class Source:
    """One original file.

    Parameters
    ----------
    name : str
        `"data set/file"`, as in the table.
    title : str
        What the file belongs to, in words.
    urls : tuple of str
        Where it is, the first place to try first.
    size : int or None
        Bytes, where known.
    checksums : dict of str to str
        `"sha256"`, `"md5"`, `"git_sha1"` (git's name of a blob) to hexadecimal digits, where known.
    starts_with : str
        The file's first characters, where no checksum is known.
    account : str
        Prefix of the two environment variables with user name and password (`CRCNS` for
        `CRCNS_USER` and `CRCNS_PASSWORD`); empty where no account is needed.
    register : str
        Where one asks for the account.
    page : str
        Where a person downloads the file with a browser; empty for the first of `urls`.
    form : dict of str to str
        Fields of the form that is posted, beside user name and password.
    package : str
        The Python package that contains the file; then there is nothing to download.
    version, licence, reference : str
        What the field calls this version, its terms, and what to cite.
    """

    name: str
    title: str
    urls: tuple[str, ...] = ()
    size: int | None = None
    checksums: dict[str, str] = field(default_factory=dict)
    starts_with: str = ""
    account: str = ""
    register: str = ""
    page: str = ""
    form: dict[str, str] = field(default_factory=dict)
    package: str = ""
    version: str = ""
    licence: str = ""
    reference: str = ""

    @property
    def data_set(self) -> str:
        """The data set to which the file belongs, as in the table."""
        return self.name.split("/", 1)[0]

    @property
    def file(self) -> str:
        """The file's name, without folders."""
        return self.name.rsplit("/", 1)[-1]


@cache
def all_sources() -> dict[str, Source]:
    """Read the table: `sources.yaml`, and the file that `ACCURACY_CURVES_SOURCES` names.

    Returns
    -------
    dict of str to Source
        By name, in the table's order. A data set of the file replaces the one of this name.

    Raises
    ------
    InputError
        If the file that the environment names is no such table.
    """
    table = yaml.safe_load((files(__package__) / "sources.yaml").read_text(encoding="utf-8"))
    other = os.environ.get(OTHER_TABLE)
    try:
        if other:
            table |= yaml.safe_load(Path(other).read_text(encoding="utf-8"))
        return {
            f"{data_set}/{file}": _source(data_set, file, entry)
            for data_set, entry in table.items()
            for file in entry["files"]
        }
    except (OSError, yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{other}, named by {OTHER_TABLE}, is no table of sources ({reason}): unset it, or "
            "write it as sources.yaml is written"
        ) from error


def find_source(name: str) -> Source:
    """Find one file in the table.

    Parameters
    ----------
    name : str
        `"data set/file"`, or the data set alone where it has one file.

    Returns
    -------
    Source

    Raises
    ------
    InputError
        If the table has no such file, or the data set has several.
    """
    if "/" not in name:
        several = sources_of(name)
        if len(several) > 1:
            raise InputError(
                f"{name} has {len(several)} files: name one of them, such as {several[0].name}"
            )
        return several[0]
    found = all_sources().get(name)
    if found is None:
        raise InputError(f"there is no file {name} in the table of sources: see sources.yaml")
    return found


def sources_of(data_set: str) -> list[Source]:
    """Find all the files of a data set.

    Parameters
    ----------
    data_set : str
        For instance `openface`.

    Returns
    -------
    list of Source
        In the table's order.

    Raises
    ------
    InputError
        If the table has no such data set.
    """
    found = [s for name, s in all_sources().items() if name.startswith(f"{data_set}/")]
    if not found:
        known = sorted({name.split("/")[0] for name in all_sources()})
        raise InputError(f"there is no data set {data_set}: choose one of {', '.join(known)}")
    return found


def _source(data_set: str, file: str, entry: dict[str, Any]) -> Source:
    """Join what the table says of a data set and of one of its files."""
    known = entry["files"][file]

    def filled(text: str) -> str:
        return text.replace("{file}", file)

    return Source(
        name=f"{data_set}/{file}",
        urls=tuple(filled(url) for url in entry.get("urls", ())),
        size=known.get("size"),
        checksums={kind: known[kind] for kind in _CHECKSUMS if kind in known},
        starts_with=known.get("starts_with", ""),
        form={key: filled(text) for key, text in entry.get("form", {}).items()},
        **{key: entry.get(key, "") for key in _TEXTS},
    )
