"""Where results come from: commit, configuration, versions and machine."""

import hashlib
import json
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from accuracy_curves.utils.extras import gpus

ROOT = Path(__file__).resolve().parents[2]
# What decides results; a changed result file does not make the code dirty.
CODE = ("Snakefile", "config", "workflow", "requirements.txt")
PACKAGES = (
    *("matplotlib", "numpy", "pandas", "pyarrow", "rpy2", "scikit-learn", "scipy", "snakemake"),
    *("keras", "tensorflow", "tensorflow-cpu"),
)


def commit() -> dict[str, Any]:
    """Commit of the code, and whether it has changes that are not committed."""
    head = said("git", "rev-parse", "HEAD")
    if head is None:
        # Also where another user owns the files.
        refused = (ROOT / ".git").exists() and shutil.which("git")
        why = "git refuses to read this checkout" if refused else "not a git checkout"
        return {"commit": f"unknown ({why})", "dirty": None}
    changed = said("git", "status", "--porcelain", "--", *CODE)
    return {"commit": head, "dirty": bool(changed)}


def config_hash(config: Mapping[str, Any]) -> str:
    """SHA-256 of a configuration, wherever its data folder lies."""
    text = json.dumps({**config, "data_dir": None}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide results."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[package] = metadata.version(package)
    return found


def stamp(config: Mapping[str, Any]) -> str:
    """One line of JSON that every result file carries: commit, configuration, versions."""
    about = {**commit(), "config_sha256": config_hash(config), "versions": versions()}
    return json.dumps(about, sort_keys=True)


def with_gpus(stamp: str) -> str:
    """Add to a stamp the GPUs that TensorFlow computes with, where there are any."""
    return json.dumps(json.loads(stamp) | {"gpus": gpus()}, sort_keys=True) if gpus() else stamp


def checksums(paths: Iterable[str]) -> dict[str, str]:
    """Compute the SHA-256 of files, by their names."""
    digests = {}
    for path in map(Path, paths):
        with path.open("rb") as file:
            digests[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return digests


def host() -> dict[str, str]:
    """Name, system and CPU of this machine, and what decides how it rounds."""
    import scipy.linalg  # noqa: F401  # Only libraries that are loaded are found.
    from threadpoolctl import threadpool_info

    cpus = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else []
    blas = {
        f"{pool['internal_api']} {pool.get('version')} {pool.get('architecture', '')}".strip()
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    }
    return {
        "name": platform.node(),
        "system": platform.platform(),
        "cpu": f"{models[0]}, {len(models)} cores" if models else platform.processor(),
        "vector_instructions": " ".join(np.show_config(mode="dicts")["SIMD Extensions"]["found"]),
        # Each library with the kind of CPU whose kernels it chose.
        "blas": ", ".join(sorted(blas)),
    }


def said(*command: str) -> str | None:
    """Give what a command prints in the project's folder; None where it fails, or is not there."""
    # No timeout: Python's clocks fail where the date is faked, and a result would lose its commit.
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (FileNotFoundError, PermissionError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
