"""Original files, fetched once, checked always; or placed by hand."""

import os
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import requests

from accuracy_curves.exceptions import InputError, MissingDependencyError
from accuracy_curves.utils.files import written_whole
from experiments.datasets.downloads.integrity import check_copy, find_flaw, keep_first_sum
from experiments.datasets.downloads.sources import CHECKSUM_NAMES, Source, find_source
from experiments.datasets.downloads.transfer import (
    Credentials,
    Patience,
    Transfer,
    TransferError,
    new_session,
)


def fetch_source(
    name: str | Source,
    folder: str | os.PathLike[str],
    *,
    credentials: Credentials | None = None,
    progress: bool = True,
    patience: Patience | None = None,
    session: requests.Session | None = None,
) -> Path:
    """Make sure that an original file is there, and is the right one.

    A file that is there is checked and used without a network. Otherwise it is fetched from the
    first address that gives the right one, beside its final name, and renamed when size and
    checksums are right; processes that fetch the same file at once do not disturb each other. A
    file that is part of a Python package keeps its place there.

    The name is `"data set/file"`, or the data set where it has one file. Credentials are by default
    those of the environment, such as `CRCNS_USER` and `CRCNS_PASSWORD`; they go over HTTPS only and
    follow no redirect. A session of `new_session` shares a connection between files.

    `InputError` if the file cannot be had, with the reason of each address, and where to put it by
    hand; or if the file that is there is another one; or if there is no room for it.
    `MissingDependencyError` if its Python package is not installed.
    """
    source = name if isinstance(name, Source) else find_source(name)
    if source.package:
        return _packaged(source)
    path = Path(folder) / source.file
    if path.exists():
        check_copy(path, source)
        return path
    credentials = (credentials or _credentials(source, path)) if source.account else None
    with nullcontext(session) if session else new_session() as asked, written_whole(path) as beside:
        failures = []
        for url in source.urls:
            host = urlsplit(url).hostname
            transfer = Transfer(asked, url, source, credentials, patience or Patience())
            try:
                transfer.write_to(beside, progress)
                flaw = find_flaw(beside, source, path)
            except TransferError as error:
                failures.append(f"{host} {error}")
            except OSError as error:
                need = f" of {source.size:,} bytes" if source.size else ""
                raise InputError(
                    f"cannot write {path}: {error.strerror or error}; make room for the file{need}"
                    ", or choose another folder"
                ) from error
            else:
                if not flaw:
                    break
                failures.append(f"{host} sends a file that {flaw}")
        else:
            reasons, hint = "; ".join(failures), ""
            if source.account and "HTML" in reasons:
                hint = " (user name or password wrong, or the terms of this data set not accepted)"
            raise InputError(
                f"could not download {source.file} of {source.title}: {reasons}{hint}; "
                f"{_by_hand(source, path)}"
            )
    keep_first_sum(path, source)
    return path


def _packaged(source: Source) -> Path:
    """Find a file of an installed package, which is not imported."""
    spec = find_spec(source.package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependencyError(
            f"{source.title} is part of the Python package {source.package}, which is not "
            f"installed: install {source.version.replace(' ', '==')}"
        )
    path = Path(spec.submodule_search_locations[0]) / source.name.split("/", 1)[1]
    if not path.exists():
        raise MissingDependencyError(f"{path} is absent: install {source.package} again")
    check_copy(path, source)
    return path


def _credentials(source: Source, path: Path) -> Credentials:
    """Take the account's user name and password from the environment."""
    names = f"{source.account}_USER", f"{source.account}_PASSWORD"
    found = Credentials(*(os.environ.get(name, "") for name in names))
    if found.user and found.password:
        return found
    raise InputError(
        f"{source.file} of {source.title} needs an account ({source.register}): set "
        f"{' and '.join(names)} in the environment, or {_by_hand(source, path)}"
    )


def _by_hand(source: Source, path: Path) -> str:
    """Say where the user puts the file, and what file that is."""
    known = [source.page or source.urls[0]] + ([f"{source.size:,} bytes"] if source.size else [])
    known += [f"{CHECKSUM_NAMES[kind]} {digits}" for kind, digits in source.checksums.items()][:1]
    return f"put the file by hand at {path} (from {', '.join(known)})"
