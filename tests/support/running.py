"""Run the project's workflow in a folder of its own, and say what it made."""

import hashlib
import re
import subprocess
import sys

from conftest import ROOT

TINY = ROOT / "tests/workflow/presets/tiny.yaml"
DEMO = ROOT / "config/config.yaml"


def command(folder, *words, preset=TINY, snakefile=ROOT / "Snakefile"):
    """Words that run the project's Snakefile in a folder."""
    return [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(snakefile)),
        *("--configfile", str(preset), "--directory", str(folder), *words),
    ]


def snakemake(folder, *words, check=True, environment=None, **project):
    """Run the project's Snakefile in a folder of its own."""
    done = subprocess.run(
        command(folder, *words, **project),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        timeout=1800,
    )
    if check:
        assert done.returncode == 0, done.stderr[-3000:]
    return done


def planned(folder, *words, **project):
    """How many jobs of each rule a run would start, but for those of the whole run."""
    done = snakemake(folder, "--cores", "1", "--dry-run", *words, **project)
    text = done.stdout + done.stderr
    if "Nothing to be done" in text:
        return {}
    counted = dict(re.findall(r"^([a-z]\w+) +(\d+)$", text, re.MULTILINE))
    return {rule: int(n) for rule, n in counted.items() if rule not in ("all", "record", "total")}


def contents(folder):
    """SHA-256 of every result file and figure; the run's record and seconds differ by nature."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for top in ("results", "figures")
        for path in sorted((folder / top).rglob("*"))
        if path.suffix in {".npz", ".parquet", ".csv", ".pdf", ".png"}
        and path.name != "methods.csv"
    }
