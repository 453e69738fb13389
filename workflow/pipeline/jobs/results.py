"""What a result is and what it was made from: it says so itself, and is refused elsewhere."""

import hashlib
import json
import logging
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import damaged
from accuracy_curves.utils.tables import table_provenance
from pipeline.provenance import stamp

# Arrays of an npz file that may differ where the scores are the same.
BESIDE_SCORES = {"provenance.npy", "folder.npy", "bytes_and_time.npy"}


def result_name(path: Path) -> str:
    """Name a result by its place in ``results/PRESET``; "" for a file that is no result.

    ``results/demo/predicted/normal/k1_50/kde/0000-0004.parquet`` is called
    ``predicted/normal/k1_50/kde/0000-0004``: kind, experiment, k1, method and chunk. So is its
    copy in ``results/demo/committed``.
    """
    parts = path.with_suffix("").parts
    place = parts[parts.index("results") + 2 :] if "results" in parts else ()
    return "/".join(place[1:] if place[:1] == ("committed",) else place)


def check_results(paths: Iterable[str | Path]) -> dict[str, str]:
    """Refuse results that were changed or moved, or that do not belong together.

    Of what a job is about to read, score matrices (npz) and curves (Parquet) of the run are looked
    at. Those of older versions, which have no name in them, are taken as they are, and logged.
    Returns the score matrices behind these files, by name, each with a digest of its content.
    `InputError` if a file is damaged, was made as another result, or of another score matrix than
    the other files. (The pages of Parquet files are checked when they are read.)
    """
    made_from: dict[str, str] = {}
    for path in dict.fromkeys(map(Path, paths)):
        name = result_name(path)
        if not name or path.suffix not in (".npz", ".parquet"):
            continue
        if path.suffix == ".npz":
            said, content = _check_arrays(path)
            behind = {name: content}
        else:
            said = _parsed(table_provenance(path))
            behind = dict(said.get("made_from", {}))
        if "result" not in said:
            logging.info("%s does not say which result it is: taken as it is", path)
        elif said["result"] != name:
            raise InputError(
                f"{path} is not what its name says, but {said['result']}: delete it and run again"
            )
        for scores, content in behind.items():
            if made_from.setdefault(scores, content) != content:
                raise InputError(
                    f"{path} was made from another {scores} than the files beside it: "
                    "delete it and run again"
                )
    return made_from


def stamp_result(
    config: Mapping[str, Any], path: str, made_from: Mapping[str, str], options: str | None = None
) -> str:
    """Write the line of JSON that a result at `path` carries.

    What `stamp` says, with ``result``, and ``made_from`` as `check_results` returned it.
    """
    said = {**json.loads(stamp(config, options)), "result": result_name(Path(path))}
    return json.dumps({**said, "made_from": made_from}, sort_keys=True)


def _check_arrays(path: Path) -> tuple[dict[str, Any], str]:
    """Check the CRC of every array of an npz file; its provenance, and a digest of the others."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            # A damaged list of arrays may be shorter: the file's last bytes say how long it was.
            if archive.testzip() is not None or len(members) != _stated_length(path):
                raise zipfile.BadZipFile("not the arrays that were written")
            arrays = sorted(
                (member.filename, member.CRC)
                for member in members
                if member.filename not in BESIDE_SCORES
            )
        with np.load(path, allow_pickle=False) as stored:
            said = _parsed(str(stored["provenance"])) if "provenance" in stored else {}
    except Exception as error:  # What a damaged file raises is of many kinds.
        raise damaged(path) from error
    return said, hashlib.sha256(json.dumps(arrays).encode()).hexdigest()[:16]


def _stated_length(path: Path) -> int:
    """Read how many members the end record of a zip file without comment states."""
    with path.open("rb") as file:
        file.seek(-22, os.SEEK_END)
        return int.from_bytes(file.read(22)[10:12], "little")


def _parsed(provenance: str) -> dict[str, Any]:
    """Read a line of provenance; one that is not JSON says nothing."""
    try:
        return dict(json.loads(provenance))
    except (ValueError, TypeError):
        return {}
