"""Run the project's workflow in a folder of its own, and say what it made."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path

from conftest import ROOT

TINY = ROOT / ".test/config/config.yaml"
DEMO = ROOT / "config/config.yaml"


def command(folder, *words, preset=TINY, snakefile=ROOT / "Snakefile"):
    """Words that run the project's Snakefile in a folder."""
    return [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(snakefile)),
        *("--configfile", str(preset), "--directory", str(folder), *words),
    ]


# Snakemake imports for longer than it plans a tiny preset: a process that has imported it forks one
# for each run. Nothing of this project is loaded before: a Snakefile takes it from its own folder.
SERVER = get_context("forkserver")
SERVER.set_forkserver_preload(["snakemake.cli", "pandas", "scipy.optimize"])


def _run(words, folder, environment, written):
    """Be Snakemake: what a process of its own would be, from its first line on."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in zip((1, 2), written, strict=True):
        with path.open("w") as file:
            os.dup2(file.fileno(), stream)
    # Pytest's own folders.
    folders = ("workflow", "tests", "tests/support", "benchmarks/studies", "docs/parts")
    tests = [str(ROOT / name) for name in folders]
    sys.path[:] = [path for path in sys.path if path not in tests]
    # The tests' configuration imports the library, from their own folder.
    for name in [name for name in sys.modules if name.startswith("accuracy_curves")]:
        del sys.modules[name]
    sys.argv = ["snakemake", *map(str, words)]
    from snakemake.cli import main

    main()


def snakemake(folder, *words, check=True, environment=None, **project):
    """Run the project's Snakefile in a folder of its own."""
    words = command(folder, *words, **project)[3:]
    with tempfile.TemporaryDirectory() as written:
        files = [Path(written, name) for name in ("out", "err")]
        given = words, folder, dict(environment or os.environ), files
        process = SERVER.Process(target=_run, args=given)
        process.start()
        process.join(1800)
        if process.exitcode is None:
            process.kill()
            process.join()
        out, err = (file.read_text() for file in files)
    done = subprocess.CompletedProcess(words, process.exitcode, out, err)
    if check:
        assert done.returncode == 0, done.stderr[-3000:]
    return done


def copied_project(folder):
    """Copy what a run needs of the project, with nothing published."""
    for part in ("workflow", "profiles", "config", "envs", "tests/workflow/presets"):
        shutil.copytree(ROOT / part, folder / part)
    (folder / "results/published").mkdir(parents=True)
    shutil.copy(ROOT / "Snakefile", folder)
    return folder


def planned(folder, *words, **project):
    """How many jobs of each rule a run would start, but for those of the whole run."""
    done = snakemake(folder, "--cores", "1", "--dry-run", *words, **project)
    text = done.stdout + done.stderr
    if "Nothing to be done" in text:
        return {}
    counted = dict(re.findall(r"^([a-z]\w+) +(\d+)$", text, re.MULTILINE))
    return {rule: int(n) for rule, n in counted.items() if rule not in ("all", "record", "total")}


def contents(folder):
    """SHA-256 of every result file and figure, but for those of seconds, which differ by nature."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for top in ("results", "figures")
        for path in sorted((folder / top).rglob("*"))
        if path.suffix in {".npz", ".parquet", ".csv", ".pdf", ".png"}
        and path.name != "methods.csv"
        and path.relative_to(folder).parts[2] != "seconds"
    }


def python(folder, *arguments):
    """Run Python on the packages of a folder, there."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


def output(folder, *arguments):
    """What Python says without an error."""
    done = python(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout
