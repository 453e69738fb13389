"""Original files: fetched once by pooch and checked always, placed by hand, or made of others."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pooch
import requests

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.files import save_arrays, written_whole
from experiments.datasets.downloads.sources import (
    CHECKSUM_NAMES,
    Source,
    all_sources,
    check_copy,
    find_flaw,
)
from experiments.datasets.readers import read_omniglot

RETRIES = 4
TIMEOUT = 60  # Seconds without a byte.

# It would report each file and its checksum.
pooch.get_logger().setLevel(logging.WARNING)


def fetch_source(name: str | Source, folder: str | os.PathLike[str]) -> Path:
    """Make sure that an original file is there, and is the right one.

    A file that is there is checked and used without a network. Otherwise it is fetched from the
    first address that gives the right one, beside its final name, and renamed when size and
    checksums are right. What a file is made of is kept beside it, in ``public``.

    The name is `"data set/file"`. A user name and a password come from the environment, such as
    `CRCNS_USER` and `CRCNS_PASSWORD`.

    `InputError` if the file cannot be had, with the reason of each address, and where to put it by
    hand; or if the file that is there is another one; or if there is no room for it.
    """
    source = name if isinstance(name, Source) else all_sources()[name]
    path = Path(folder) / source.file
    if path.exists():
        check_copy(path, source)
        return path
    if source.made:
        kind, *names = source.made
        kept = path.parent / "public"
        parts = [fetch_source(each, kept / each.split("/")[0]) for each in names]
        save_arrays(CONVERTERS[kind](*parts), path, f"made from {' and '.join(names)}")
        return path
    download = _downloader(source, path)
    reasons = []
    with written_whole(path) as partial:
        for url in source.urls:
            reason = _download(url, partial, download)
            if not reason and not (flaw := find_flaw(partial, source)):
                return path
            partial.unlink(missing_ok=True)
            reasons.append(f"{urlsplit(url).hostname} {reason or f'sends a file that {flaw}'}")
        why = "; ".join(reasons)
        if source.account:
            why += " (user name or password wrong, or the terms of this data set not accepted?)"
        raise InputError(
            f"could not download {source.file} of {source.title}: {why}; {_by_hand(source, path)}"
        )


def _download(url: str, partial: Path, download: Callable[..., Any]) -> str:
    """Download a file with some patience, or say why not, to follow the host's name."""
    keeper = pooch.create(
        partial.parent,
        base_url="",
        registry={partial.name: None},
        urls={partial.name: url},
        retry_if_failed=RETRIES,
    )
    try:
        keeper.fetch(partial.name, downloader=download)
    except requests.HTTPError as error:
        return f"answers {error.response.status_code} {error.response.reason}"
    except (requests.RequestException, ValueError) as error:
        return f"cannot be reached ({type(error).__name__})"
    return ""


@dataclass(frozen=True)
class FormDownloader:
    """Download the answer to a form; no redirect takes the password elsewhere."""

    form: dict[str, str] = field(repr=False)

    def __call__(self, url: str, output_file: str, _: Any) -> None:
        """Write the answer to a file, as `pooch` needs of its downloaders."""
        asked = requests.post(
            url, data=self.form, stream=True, timeout=TIMEOUT, allow_redirects=False
        )
        with asked as response, open(output_file, "wb") as file:
            response.raise_for_status()
            for chunk in response.iter_content(1 << 18):
                file.write(chunk)


def _downloader(source: Source, path: Path) -> Any:
    """Choose the request for the file: its address, or a form with the names of an account."""
    if not source.account:
        headers = {"Accept-Encoding": "identity", "User-Agent": "accuracy-curves"}
        return pooch.HTTPDownloader(timeout=TIMEOUT, headers=headers)
    user, password = (os.environ.get(name, "") for name in source.credentials)
    if not (user and password):
        raise InputError(
            f"{source.file} of {source.title} needs an account ({source.register}): set "
            f"{' and '.join(source.credentials)} in the environment, or {_by_hand(source, path)}"
        )
    return FormDownloader({**source.form, "username": user, "password": password})


def _by_hand(source: Source, path: Path) -> str:
    """Say where the user puts the file, and what file that is."""
    known = [source.page or source.urls[0]] + ([f"{source.size:,} bytes"] if source.size else [])
    known += [f"{CHECKSUM_NAMES[kind]} {digits}" for kind, digits in source.checksums.items()][:1]
    return f"put the file by hand at {path} (from {', '.join(known)})"


Arrays = dict[str, AnyArray]


def _square_scores(path: Path, index_col: int | None = None) -> Arrays:
    """Read a square score matrix: the correct class of a row is its own column.

    R's table of correlations, or a table of searches (rows) against enrolled people of the same
    names (columns), whose first column are the names.
    """
    scores = pd.read_csv(path, index_col=index_col).to_numpy(np.float32)
    return _matrix(scores, np.arange(len(scores)))


def _log_probabilities(path: Path) -> Arrays:
    """Read one row per class, one column per point; the points of a class stand together."""
    scores = np.loadtxt(path, dtype=np.float32, ndmin=2).T
    n_points, n_classes = scores.shape
    return _matrix(scores, np.repeat(np.arange(n_classes), n_points // n_classes))


def _matrix(scores: AnyArray, labels: AnyArray) -> Arrays:
    return {"scores": scores, "labels": labels, "higher_is_better": np.array(True)}


def _embeddings(representations: Path, labels: Path) -> Arrays:
    """Read what OpenFace writes: one row per photo; and a line `person,photo` for each."""
    return {
        "embeddings": np.loadtxt(representations, dtype=np.float32, delimiter=",", ndmin=2),
        "person": pd.read_csv(labels, header=None)[0].to_numpy(np.int32),
    }


def _last_layer(path: Path) -> Arrays:
    """Read one row per image: its number, its embedding, its label."""
    table = pd.read_csv(path, index_col=0)
    embeddings = table.drop(columns="label").to_numpy(np.float32)
    return {"embeddings": embeddings, "labels": table["label"].to_numpy(np.int16)}


CONVERTERS: dict[str, Callable[..., Arrays]] = {
    "square_scores": _square_scores,
    "named_scores": partial(_square_scores, index_col=0),
    "log_probabilities": _log_probabilities,
    "embeddings": _embeddings,
    "last_layer": _last_layer,
    "drawings": lambda path: {"images": read_omniglot(path)},
}
