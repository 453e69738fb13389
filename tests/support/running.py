"""Run the project's workflow in a folder of its own, and say what it made."""

import hashlib
import subprocess
import sys

from conftest import ROOT

TINY = ROOT / "tests/workflow/presets/tiny.yaml"
DEMO = ROOT / "config/config.yaml"


def command(folder, *words, preset=TINY):
    """Words that run the project's Snakefile in a folder."""
    return [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")),
        *("--configfile", str(preset), "--directory", str(folder), *words),
    ]


def snakemake(folder, *words, check=True, preset=TINY, environment=None):
    """Run the project's Snakefile in a folder of its own."""
    done = subprocess.run(
        command(folder, *words, preset=preset),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=1800,
    )
    if check:
        assert done.returncode == 0, done.stderr[-3000:]
    return done


def contents(folder):
    """SHA-256 of every result file and figure; the run's record and seconds differ by nature."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for top in ("results", "figures")
        for path in sorted((folder / top).rglob("*"))
        if path.suffix in {".npz", ".parquet", ".csv", ".pdf", ".png"}
        and path.name != "methods.csv"
    }
