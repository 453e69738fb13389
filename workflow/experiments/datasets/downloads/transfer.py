"""One file from one address: retried, resumed where it broke, refused if it is no data."""

import errno
import os
import shutil
import time
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO

import requests
from tqdm import tqdm
from urllib3 import exceptions as broken

from accuracy_curves.exceptions import AccuracyCurvesError
from experiments.datasets.downloads.integrity import is_web_page
from experiments.datasets.downloads.sources import Source

_PASSING = {408, 425, 429, 500, 502, 503, 504}
# What a library's error means, and whether the same request may succeed later.
_FAILURES: tuple[tuple[Any, str, bool], ...] = (
    (requests.TooManyRedirects, "redirects without end", False),
    (requests.exceptions.SSLError | broken.SSLError, "has no valid certificate", False),
    (requests.ConnectTimeout, "takes no connection within {connect:g} s", True),
    (requests.ReadTimeout | broken.ReadTimeoutError, "sends nothing for {read:g} s", True),
    (broken.ProtocolError, "breaks the connection after {done:,} bytes", True),
    (requests.ConnectionError, "cannot be reached", True),
    (Exception, "cannot be asked ({kind})", False),
)


@dataclass(frozen=True)
class Patience:
    """Attempts at one address; seconds between them, for a connection, and for a byte."""

    attempts: int = 5
    backoff: float = 1.0
    longest: float = 60.0
    connect: float = 15.0
    read: float = 60.0


@dataclass(frozen=True, repr=False)
class Credentials:
    """User name and password, which no text shows."""

    user: str
    password: str


class TransferError(AccuracyCurvesError):
    """An address did not give the file; the text follows the host's name."""

    def __init__(self, text: str, passing: bool = False, wait: float = 0.0) -> None:
        super().__init__(text)
        self.passing, self.wait = passing, wait


def new_session() -> requests.Session:
    """Open a session that asks for files as they are, and follows few redirects."""
    session = requests.Session()
    session.max_redirects = 8
    session.headers.update({"Accept-Encoding": "identity", "User-Agent": "accuracy-curves"})
    return session


@dataclass
class Transfer:
    """Where one file comes from, and what has come of it; credentials go over HTTPS only."""

    session: requests.Session
    url: str
    source: Source
    credentials: Credentials | None
    patience: Patience
    done: int = 0
    validator: str = ""

    def write_to(self, path: Path, progress: bool) -> None:
        """Fetch the file, or raise a `TransferError`, or the `OSError` of the disk."""
        if self.credentials and not self.url.startswith(("https://", "http://127.0.0.1:")):
            raise TransferError("is not asked over HTTPS, and a password is not sent without")
        bar = tqdm(desc=self.source.file, unit="B", unit_scale=True, disable=not progress)
        with bar, open(path, "wb") as file:
            for attempt in range(self.patience.attempts):
                try:
                    return self._attempt(file, bar)
                except TransferError as failure:
                    if not failure.passing:
                        raise
                    reason, wait = str(failure), failure.wait
                wait = max(wait, self.patience.backoff * 2**attempt)
                if attempt + 1 < self.patience.attempts:
                    time.sleep(min(wait, self.patience.longest))
        raise TransferError(f"{reason}, in {self.patience.attempts} attempts")

    def _attempt(self, file: BinaryIO, bar: Any) -> None:
        try:
            with self._asked() as response:
                self._begin(response, file)
                self._receive(response, file, bar)
        except (requests.RequestException, broken.HTTPError) as error:
            raise self._translated(error) from None  # The library's error carries the password.

    def _asked(self) -> requests.Response:
        form, who = dict(self.source.form), self.credentials
        if who is not None:
            form |= {"username": who.user, "password": who.password}
        if form or not self.validator:
            self.done = 0
        headers = {"Range": f"bytes={self.done}-", "If-Range": self.validator} if self.done else {}
        return self.session.request(
            "POST" if form else "GET",
            self.url,
            data=form,
            headers=headers,
            stream=True,
            timeout=(self.patience.connect, self.patience.read),
            allow_redirects=who is None,
        )

    def _begin(self, response: requests.Response, file: BinaryIO) -> None:
        """Read the answer's head, and go to the place in the file where its bytes belong."""
        status, headers = response.status_code, response.headers
        resumed = headers.get("Content-Range", "").startswith(f"bytes {self.done}-")
        if status == 416 or (status == 206 and not resumed):
            self.validator = ""
            raise TransferError("does not resume where it broke", passing=True)
        if 300 <= status < 400:
            raise TransferError("redirects elsewhere, and a password is not sent on")
        if status not in (200, 206):
            known = status in HTTPStatus.__members__.values()
            text = f"answers {status} {HTTPStatus(status).phrase if known else ''}".rstrip()
            wait = headers.get("Retry-After", "")
            raise TransferError(text, status in _PASSING, float(wait) if wait.isdigit() else 0.0)
        self.done = self.done if status == 206 else 0
        tag = headers.get("ETag", "")
        self.validator = tag if tag.startswith('"') else headers.get("Last-Modified", "")
        file.seek(self.done)
        file.truncate()

    def _receive(self, response: requests.Response, file: BinaryIO, bar: Any) -> None:
        length, size = response.headers.get("Content-Length", ""), self.source.size
        total = self.done + int(length) if length.isdigit() else size
        if total is not None and total - self.done > shutil.disk_usage(Path(file.name).parent).free:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for chunk in response.raw.stream(1 << 18, decode_content=False):
            if not self.done and is_web_page(chunk):
                raise TransferError("sends a web page (HTML) instead of the data")
            file.write(chunk)
            self.done += len(chunk)
            bar.total, bar.n = total, self.done
            bar.update(0)
            if size is not None and self.done > size:
                raise TransferError(f"sends more than the {size:,} bytes of the file")
        if size is not None and self.done < size:
            text = f"sends {self.done:,} bytes instead of {size:,}"
            raise TransferError(text, passing=not length.isdigit())

    def _translated(self, error: Exception) -> TransferError:
        """Say in our words what the library says, which may quote the request."""
        found = (error, error.args[0] if error.args else None)
        _, text, passing = next(
            case for case in _FAILURES if any(isinstance(one, case[0]) for one in found)
        )
        known = {**vars(self.patience), "done": self.done, "kind": type(error).__name__}
        return TransferError(text.format(**known), passing)
