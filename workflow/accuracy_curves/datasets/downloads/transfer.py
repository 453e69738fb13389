"""One file from one address: retries with back-off, resumed where it broke, refused if no data."""

import errno
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import requests
import urllib3
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from accuracy_curves.datasets.downloads.access import Credentials, Patience
from accuracy_curves.datasets.downloads.integrity import is_web_page
from accuracy_curves.exceptions import AccuracyCurvesError

_CHUNK = 1 << 18
_PASSING = {408, 425, 429, 500, 502, 503, 504}


class TransferError(AccuracyCurvesError):
    """An address did not give the file; the text follows the name of the host."""


class _PassingError(TransferError):
    """The same request may succeed later; perhaps the host says when, in seconds."""

    def __init__(self, text: str, wait: float = 0.0) -> None:
        super().__init__(text)
        self.wait = wait


def new_session() -> requests.Session:
    """Open a session that asks for files as they are, and follows few redirects."""
    session = requests.Session()
    session.max_redirects = 8
    session.headers.update({"Accept-Encoding": "identity", "User-Agent": "accuracy-curves"})
    return session


def transfer(
    session: requests.Session,
    url: str,
    to: Path,
    *,
    title: str = "",
    size: int | None = None,
    form: dict[str, str] | None = None,
    credentials: Credentials | None = None,
    patience: Patience,
    progress: bool = True,
) -> None:
    """Fetch one address into one file.

    Parameters
    ----------
    session : Session
        Of `new_session`.
    url : str
        HTTP or HTTPS; credentials go over HTTPS only, or to this very machine.
    to : Path
        The file to write; what it holds is lost.
    title : str
        What the bar is called; empty for the file's name.
    size : int or None
        Bytes, where known.
    form : dict of str to str or None
        Fields to post; a GET where both this and the credentials are absent.
    credentials : Credentials or None
        User name and password to post.
    patience : Patience
        Attempts, waits and time limits.
    progress : bool
        Draw a bar on the standard error.

    Raises
    ------
    TransferError
        If the address does not give the file, with the reason.
    OSError
        If the file cannot be written.
    """
    if credentials is not None and not _private(url):
        raise TransferError("is not asked over HTTPS, and a password is not sent without")
    retry = urllib3.Retry(total=patience.attempts - 1, backoff_factor=patience.backoff)
    one = _Transfer(session, url, size, form or {}, credentials, patience)
    bar = Progress(
        *(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()),
        console=Console(stderr=True),
        disable=not progress,
    )
    with bar, open(to, "wb") as file:
        show = partial(bar.update, bar.add_task(title or to.name, total=size))
        while True:
            try:
                return one.attempt(file, show)
            except _PassingError as failure:
                reason, wait = str(failure), failure.wait
            if not retry.total:
                break
            retry = retry.increment()
            time.sleep(min(max(retry.get_backoff_time(), wait), patience.longest))
    raise TransferError(f"{reason}, in {patience.attempts} attempts")


@dataclass
class _Transfer:
    """What is known between two attempts: the bytes so far, and whose bytes they are."""

    session: requests.Session
    url: str
    size: int | None
    form: dict[str, str]
    credentials: Credentials | None
    patience: Patience
    done: int = 0
    validator: str = ""

    def attempt(self, file: BinaryIO, show: Callable[..., None]) -> None:
        """Send one request and receive what is missing."""
        try:
            with self._asked() as response:
                self._begin(response, file)
                self._receive(response, file, show)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise self._translated(error) from None  # The library's error carries the password.

    def _asked(self) -> requests.Response:
        posts = bool(self.form or self.credentials)
        if posts or not self.validator:
            self.done = 0
        headers = {"Range": f"bytes={self.done}-", "If-Range": self.validator} if self.done else {}
        return self.session.request(
            "POST" if posts else "GET",
            self.url,
            data=self.credentials.added_to(self.form) if self.credentials else self.form,
            headers=headers,
            stream=True,
            timeout=(self.patience.connect, self.patience.read),
            allow_redirects=self.credentials is None,
        )

    def _begin(self, response: requests.Response, file: BinaryIO) -> None:
        """Read the answer's head, and go to the place in the file where its bytes belong."""
        status = response.status_code
        resumed = response.headers.get("Content-Range", "").startswith(f"bytes {self.done}-")
        if status == 416 or (status == 206 and not resumed):
            self.validator = ""
            raise _PassingError("does not resume where it broke")
        if 300 <= status < 400:
            raise TransferError("redirects elsewhere, and a password is not sent on")
        if status not in (200, 206):
            known = status in HTTPStatus.__members__.values()
            text = f"answers {status} {HTTPStatus(status).phrase if known else ''}".rstrip()
            if status not in _PASSING:
                raise TransferError(text)
            wait = response.headers.get("Retry-After", "")
            raise _PassingError(text, float(wait) if wait.isdigit() else 0.0)
        self.done = self.done if status == 206 else 0
        tag = response.headers.get("ETag", "")
        self.validator = tag if tag.startswith('"') else response.headers.get("Last-Modified", "")
        file.seek(self.done)
        file.truncate()

    def _receive(
        self, response: requests.Response, file: BinaryIO, show: Callable[..., None]
    ) -> None:
        length = response.headers.get("Content-Length", "")
        total = self.done + int(length) if length.isdigit() else self.size
        if total is not None and total - self.done > shutil.disk_usage(Path(file.name).parent).free:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for chunk in response.raw.stream(_CHUNK, decode_content=False):
            if not self.done and is_web_page(chunk):
                raise TransferError("sends a web page (HTML) instead of the data")
            file.write(chunk)
            self.done += len(chunk)
            show(completed=self.done, total=total)
            if self.size is not None and self.done > self.size:
                raise TransferError(f"sends more than the {self.size:,} bytes of the file")
        if self.size is not None and self.done < self.size:
            kind = TransferError if length.isdigit() else _PassingError
            raise kind(f"sends {self.done:,} bytes instead of {self.size:,}")

    def _translated(self, error: Exception) -> TransferError:
        """Say in our words what the library says, which may quote the request."""
        inner = error.args[0] if error.args else None
        if isinstance(error, requests.TooManyRedirects):
            return TransferError("redirects without end")
        if isinstance(error, requests.exceptions.SSLError | urllib3.exceptions.SSLError):
            return TransferError("has no valid certificate")
        if isinstance(error, requests.ConnectTimeout):
            return _PassingError(f"takes no connection within {self.patience.connect:g} s")
        if isinstance(error, requests.ReadTimeout | urllib3.exceptions.ReadTimeoutError):
            return _PassingError(f"sends nothing for {self.patience.read:g} s")
        broken = urllib3.exceptions.ProtocolError
        if isinstance(error, broken) or isinstance(inner, broken):
            return _PassingError(f"breaks the connection after {self.done:,} bytes")
        if isinstance(error, requests.ConnectionError):
            return _PassingError("cannot be reached")
        return TransferError(f"cannot be asked ({type(error).__name__})")


def _private(url: str) -> bool:
    """Tell whether what is sent to this address stays unread on the way."""
    parts = urlsplit(url)
    try:
        return parts.scheme == "https" or ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return parts.hostname == "localhost"
