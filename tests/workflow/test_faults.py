"""A fault in a real run: a second run mends what a killed job has left."""

import subprocess
import time

import psutil
import pytest

from running import command, contents, snakemake

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def untroubled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("untroubled")
    snakemake(folder, "--cores", "2")
    return contents(folder)


def scripts_of(folder):
    """Processes of the run's jobs in a folder, wherever they hang in the process tree."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(word.startswith(f"{folder}/.snakemake/scripts/") for word in words):
            found.append(process)
    return found


@pytest.fixture
def begun(tmp_path):
    """A run, and the first of its jobs."""
    with (tmp_path / "said.log").open("w") as said:
        words = command(tmp_path, "--cores", "1")
        run = subprocess.Popen(words, cwd=tmp_path, stdout=said, stderr=said)
    end = time.monotonic() + 600
    while not (jobs := scripts_of(tmp_path)):
        assert time.monotonic() < end, "no job has begun"
        time.sleep(0.05)
    return run, jobs[0]


def test_a_killed_job_fails_the_run_and_the_next_run_mends_it(begun, tmp_path, untroubled):
    run, job = begun
    job.kill()
    assert run.wait(timeout=300) != 0
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled
