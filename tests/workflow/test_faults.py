"""Faults in real runs: what stops, what it says, and that a second run mends it."""

import os
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


def test_a_killed_snakemake_leaves_a_lock_that_is_named(begun, tmp_path, untroubled):
    run, _ = begun
    run.kill()
    run.wait()
    # Its job goes on to its end.
    psutil.wait_procs(scripts_of(tmp_path), timeout=300)
    refused = snakemake(tmp_path, "--cores", "1", check=False)
    assert refused.returncode != 0
    assert "cannot be locked" in refused.stderr
    snakemake(tmp_path, "--unlock", "--cores", "1")
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled


@pytest.fixture
def small_disk(tmp_path):
    """A results folder that is a file system of 64 kB, and its mount options."""
    results = tmp_path / "results"
    results.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(results)]
    if os.getuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("a file system can be mounted by root only")

    def remount(options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(results)], check=True)

    yield remount
    subprocess.run(["umount", "--lazy", str(results)], check=True)


def test_a_full_disk_is_said_and_the_run_goes_on_when_there_is_room(
    small_disk, tmp_path, untroubled
):
    full = snakemake(tmp_path, "--cores", "1", check=False)
    assert full.returncode != 0
    assert "No space left on device" in full.stdout + full.stderr
    small_disk("size=64m")
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled


def test_a_read_only_folder_is_said(small_disk, tmp_path):
    small_disk("ro")
    refused = snakemake(tmp_path, "--cores", "1", check=False)
    assert refused.returncode != 0
    assert "Read-only file system" in refused.stdout + refused.stderr
