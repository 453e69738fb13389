"""Original files, fetched once, checked always; or placed by hand."""

import os
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import requests

from accuracy_curves.datasets.downloads.access import Credentials, Patience
from accuracy_curves.datasets.downloads.integrity import (
    CHECKSUM_NAMES,
    check_copy,
    find_flaw,
    keep_first_sum,
    record_of,
)
from accuracy_curves.datasets.downloads.packaged import packaged_file
from accuracy_curves.datasets.downloads.sources import Source, find_source, sources_of
from accuracy_curves.datasets.downloads.transfer import TransferError, new_session, transfer
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

PATIENT = Patience()


def fetch_source(
    name: str | Source,
    folder: str | os.PathLike[str],
    *,
    credentials: Credentials | None = None,
    progress: bool = True,
    patience: Patience = PATIENT,
    session: requests.Session | None = None,
) -> Path:
    """Make sure that an original file is there, and is the right one.

    A file that is there already, for instance by hand, is checked and used without a network.
    Otherwise it is fetched from the first address that gives the right one, beside its final name,
    and renamed when size and checksums are right. Processes that fetch the same file at the same
    time each write beside under their own name. Of a file without a published checksum the first
    copy is trusted, and its SHA-256 is kept in `FILE.sha256`: later copies must have it.

    Parameters
    ----------
    name : str or Source
        Name in the table of sources: `"data set/file"`, or the data set where it has one file.
    folder : path-like
        Where the file is or goes.
    credentials : Credentials or None
        User name and password, for a host that wants an account; `None` for those of the
        environment, such as `CRCNS_USER` and `CRCNS_PASSWORD`. They are sent over HTTPS only,
        follow no redirect, and are neither written nor logged.
    progress : bool
        Draw a bar on the standard error.
    patience : Patience
        Attempts, waits and time limits.
    session : requests.Session or None
        Of `new_session`, to share a connection between files.

    Returns
    -------
    Path
        The file; for a file that is part of a Python package, its place there.

    Raises
    ------
    InputError
        If the file cannot be had, with the reason of each address, and where to put it by hand; or
        if the file that is there is another one; or if there is no room for it.
    MissingDependencyError
        If the file is part of a Python package that is not installed.
    """
    source = name if isinstance(name, Source) else find_source(name)
    if source.package:
        return packaged_file(source)
    path = Path(folder) / source.file
    if path.exists():
        check_copy(path, source)
        return path
    if source.account:
        credentials = credentials or _own_credentials(source, path)
    opened = nullcontext(session) if session else new_session()
    with opened as asking, written_whole(path) as beside:
        failures = []
        for url in source.urls:
            try:
                transfer(
                    asking,
                    url,
                    beside,
                    title=source.file,
                    size=source.size,
                    form=source.form,
                    credentials=credentials if source.account else None,
                    patience=patience,
                    progress=progress,
                )
                flaw = find_flaw(beside, source, record_of(path))
            except TransferError as error:
                failures.append(f"{urlsplit(url).hostname} {error}")
            except OSError as error:
                raise _no_room(source, path, error) from error
            else:
                if not flaw:
                    break
                failures.append(f"{urlsplit(url).hostname} sends a file that {flaw}")
        else:
            raise InputError(_failed(source, path, failures))
    keep_first_sum(path, source)
    return path


def fetch_data_set(
    data_set: str,
    folder: str | os.PathLike[str],
    *,
    credentials: Credentials | None = None,
    progress: bool = True,
    patience: Patience = PATIENT,
) -> list[Path]:
    """Make sure that all files of a data set are there, over one connection.

    Parameters
    ----------
    data_set : str
        Its name in the table of sources, for instance `openface`.
    folder : path-like
        Where the files are or go.
    credentials, progress, patience
        As in `fetch_source`.

    Returns
    -------
    list of Path
        The files, in the table's order.

    Raises
    ------
    InputError, MissingDependencyError
        As `fetch_source`, at the first file that cannot be had.
    """
    with new_session() as session:
        fetch = partial(
            fetch_source,
            folder=folder,
            credentials=credentials,
            progress=progress,
            patience=patience,
            session=session,
        )
        return [fetch(source) for source in sources_of(data_set)]


def _own_credentials(source: Source, path: Path) -> Credentials:
    """Take the account's user name and password from the environment."""
    found = Credentials.of_environment(source.account)
    if found is None:
        raise InputError(
            f"{source.file} of {source.title} needs an account ({source.register}): set "
            f"{source.account}_USER and {source.account}_PASSWORD in the environment, or "
            f"{_by_hand(source, path)}"
        )
    return found


def _failed(source: Source, path: Path, failures: list[str]) -> str:
    """Say what each address answered, and where to put the file by hand."""
    hint = ""
    if source.account and any("HTML" in failure for failure in failures):
        hint = " (user name or password wrong, or the terms of this data set not accepted)"
    return (
        f"could not download {source.file} of {source.title}: {'; '.join(failures)}{hint}; "
        f"{_by_hand(source, path)}"
    )


def _no_room(source: Source, path: Path, error: OSError) -> InputError:
    """Say that the disk does not take the file."""
    need = f" of {source.size:,} bytes" if source.size else ""
    return InputError(
        f"cannot write {path}: {error.strerror or error}; make room for the file{need}, or choose "
        "another folder"
    )


def _by_hand(source: Source, path: Path) -> str:
    """Say where the user puts the file, and what file that is."""
    known = [f"{source.size:,} bytes"] if source.size else []
    known += [
        f"{CHECKSUM_NAMES[kind]} {digits}" for kind, digits in list(source.checksums.items())[:1]
    ]
    page = source.page or source.urls[0]
    return f"put the file by hand at {path} (from {', '.join([page, *known])})"
