"""Where results come from: commit, configuration, versions and machine."""

import hashlib
import json
import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# What decides results; a changed result file does not make the code dirty.
CODE = ("Snakefile", "config", "workflow", "requirements.txt")
FLOATING_POINT = (
    "The same bytes are promised on a CPU with the same vector instructions and linear algebra. "
    "Elsewhere the last digits may differ, and training a network or a classifier amplifies them: "
    "`make verify` compares within tolerances."
)
PACKAGES = (
    "keras",
    "matplotlib",
    "numpy",
    "pandas",
    "pyarrow",
    "rpy2",
    "scikit-learn",
    "scipy",
    "snakemake",
    "tensorflow",
    "tensorflow-cpu",
)


def commit() -> dict[str, Any]:
    """Commit of the code, and whether it has changes that are not committed."""
    head = git("rev-parse", "HEAD")
    if head is None:
        return {"commit": "unknown (not a git checkout)", "dirty": None}
    changed = git("status", "--porcelain", "--", *CODE)
    return {"commit": head, "dirty": bool(changed)}


def config_hash(config: Mapping[str, Any]) -> str:
    """SHA-256 of a configuration, wherever its data folder lies."""
    text = json.dumps(_said(config), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _said(config: Mapping[str, Any]) -> dict[str, Any]:
    """Copy a configuration without the data's place on this machine, and what this run computes."""
    return {
        key: value
        for key, value in config.items()
        if key not in ("data_dir", "compute", "compute_k1")
    }


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that decide results."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def stamp(config: Mapping[str, Any], options: str | None = None) -> str:
    """One line of JSON that every result file carries: commit, configuration, versions.

    Of the configuration, ``options`` is the hash of what decides this file.
    """
    said = {**commit(), "config_sha256": config_hash(config), "versions": versions()}
    if options is not None:
        said["options"] = options
    return json.dumps(said, sort_keys=True)


def origin(config: Mapping[str, Any]) -> dict[str, Any]:
    """Say what makes results here: commit, configuration, versions and machine."""
    return {
        **commit(),
        "config": _said(config),
        "config_sha256": config_hash(config),
        "versions": versions(),
        "r": _first_line("R", "--version"),
        "host": host(),
        "floating_point": FLOATING_POINT,
    }


def host() -> dict[str, str]:
    """Name, system and CPU of this machine, and what decides how it rounds."""
    return {
        "name": platform.node(),
        "system": platform.platform(),
        "cpu": _cpu(),
        "vector_instructions": _vector_instructions(),
        "blas": _blas(),
    }


def git(*words: str, folder: Path = ROOT) -> str | None:
    """Ask git; None where there is no git, or it knows nothing of that."""
    # No timeout: Python's clocks fail where the date is faked, and a result would lose its commit.
    try:
        done = subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, check=True
        )
    except (FileNotFoundError, PermissionError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def show(path: str, folder: Path | None = None) -> bytes | None:
    """Read a file as it was committed, by its path in a folder, by default the working directory.

    None where it is not committed, or there is no git.
    """
    try:
        done = subprocess.run(
            ["git", "show", f"HEAD:./{path}"], cwd=folder, capture_output=True, check=True
        )
    except (FileNotFoundError, PermissionError, subprocess.CalledProcessError):
        return None
    return done.stdout


def _first_line(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return "not found"
    return done.stdout.splitlines()[0]


def _cpu() -> str:
    names = _cpuinfo("model name")
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()


def _vector_instructions() -> str:
    """Instruction sets that decide how floating-point sums are grouped."""
    flags = " ".join((_cpuinfo("flags") or _cpuinfo("Features") or [""])[:1]).split()
    known = ("sse4_2", "avx", "avx2", "fma", "avx512", "amx", "asimd", "sve")
    return " ".join(sorted(flag for flag in flags if flag.startswith(known)))


def _cpuinfo(key: str) -> list[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []
    pairs = [line.partition(":") for line in lines]
    return [value.strip() for name, _, value in pairs if name.strip() == key]


def _blas() -> str:
    """Linear algebra libraries, each with the kind of CPU whose kernels it chose."""
    import scipy.linalg  # noqa: F401  # Only libraries that are loaded are found.
    from threadpoolctl import threadpool_info

    found = [
        f"{pool['internal_api']} {pool.get('version')} {pool.get('architecture', '')}".strip()
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    ]
    return ", ".join(dict.fromkeys(found))
