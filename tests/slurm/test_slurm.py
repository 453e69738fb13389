"""The workflow through a real one-node Slurm, from submission to figures: `make test-slurm`."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from conftest import ROOT
from running import DEMO, TINY, command, contents, snakemake

CLUSTER = ROOT / "tests/slurm/cluster.sh"
DAEMONS = ("munged", "slurmctld", "slurmd")

pytestmark = pytest.mark.slurm


@pytest.fixture(scope="session", autouse=True)
def cluster():
    path = f"{os.environ['PATH']}:/usr/sbin"
    missing = [name for name in DAEMONS if not shutil.which(name, path=path)]
    if os.getuid() != 0 or missing:
        pytest.skip(f"root and Slurm's daemons are needed; not found: {missing}")
    subprocess.run([CLUSTER, "start"], check=True, timeout=60)
    yield
    subprocess.run([CLUSTER, "stop"], check=True, timeout=60)
    assert not os.path.exists("/run/accuracy-curves-slurm")


# As in the profile, but for chunks of repetitions, which are of seconds here.
GROUPS = ("data=4", "train=10", "errors=8", "drawing=20", "curves=6")


def slurm(*words):
    """What a site without an accounting database adds, and shorter waits than for a network."""
    return [
        *("--profile", str(ROOT / "profiles/slurm"), "--slurm-status-command", "squeue"),
        *("--group-components", *GROUPS),
        *("--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5", *words),
    ]


def local_run(folder, preset):
    folder.mkdir()
    snakemake(folder, "--cores", "2", preset=preset)
    return contents(folder)


def accounts(run_id):
    """State, name and count of the jobs of a run that Slurm knows."""
    listed = subprocess.run(
        ["squeue", "--states=all", "--noheader", f"--name={run_id}", "--format=%T"],
        check=True,
        capture_output=True,
        text=True,
    )
    return listed.stdout.split()


@pytest.mark.parametrize(
    "preset", [TINY, pytest.param(DEMO, marks=pytest.mark.slow)], ids=["tiny", "demo"]
)
def test_the_same_bytes_as_a_local_run_and_every_job_through_slurm(preset, tmp_path):
    far = tmp_path / "slurm"
    far.mkdir()
    done = snakemake(far, *slurm(), preset=preset)
    run_id = re.search(r"SLURM run ID: (\S+)", done.stderr)[1]
    states = accounts(run_id)
    submitted = done.stderr.count("has been submitted with SLURM jobid")
    assert set(states) == {"COMPLETED"}
    assert len(states) == submitted >= 4
    # What does not go through Slurm is named local.
    assert set(re.findall(r"localrule (\w+):", done.stderr)) == {"record", "all"}
    print(f"{submitted} Slurm jobs, {done.stderr.count('Finished jobid')} finished")
    made = contents(far)
    assert len(made) > 18
    assert made == local_run(tmp_path / "local", preset)


# A job of some seconds.
CLEANEX = "results/tiny/predicted/one/k1_20/cleanex/0000-0001.parquet"


@pytest.mark.slow
def test_a_job_killed_for_its_memory_runs_again_with_more(tmp_path):
    # Snakemake takes some of it; TensorFlow alone needs more than the first attempt has.
    memory = "extrapolate:mem_mb=330 * 8 ** (attempt - 1)"
    done = snakemake(tmp_path, CLEANEX, *slurm("--set-resources", memory))
    assert "Trying to restart job" in done.stderr
    assert "Exceeded job memory limit" in done.stderr
    local = tmp_path / "local"
    local.mkdir()
    snakemake(local, "--cores", "2", CLEANEX)
    assert (local / CLEANEX).read_bytes() == (tmp_path / CLEANEX).read_bytes()


@pytest.mark.slow
def test_a_killed_job_step_is_submitted_again(tmp_path):
    target = "results/tiny/true/one.parquet"
    snakemake(tmp_path, "--cores", "1", "results/tiny/scores/one.npz")
    with subprocess.Popen(
        command(tmp_path, *slurm(), target), stderr=subprocess.PIPE, text=True
    ) as run:
        step = _process_of_step(tmp_path)
        os.kill(step, signal.SIGKILL)
        said = run.communicate(timeout=300)[1]
    assert run.returncode == 0, said[-3000:]
    assert "Trying to restart job" in said
    assert (tmp_path / target).exists()


@pytest.mark.slow
def test_ctrl_c_cancels_the_jobs(tmp_path):
    snakemake(tmp_path, "--cores", "1", "results/tiny/scores/one.npz")
    words = command(tmp_path, *slurm(), CLEANEX)
    run = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    _process_of_step(tmp_path)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=60)[1]
    assert run.returncode != 0
    time.sleep(3)
    assert set(accounts(re.search(r"SLURM run ID: (\S+)", said)[1])) == {"CANCELLED"}
    locks = tmp_path / ".snakemake/locks"
    assert not locks.is_dir() or not any(locks.iterdir())


@pytest.mark.slow
def test_the_generic_profile_gives_the_same_bytes(tmp_path):
    target = "results/tiny/errors/one/k1_20.parquet"
    folders = tmp_path / "generic", tmp_path / "local"
    for folder in folders:
        folder.mkdir()
    status = str(ROOT / "profiles/generic/status.sh")
    profile = ("--profile", str(ROOT / "profiles/generic"), "--latency-wait", "5")
    snakemake(folders[0], *profile, "--cluster-generic-status-cmd", status, target)
    snakemake(folders[1], "--cores", "2", target)
    assert contents(folders[0]) == contents(folders[1])


def _process_of_step(folder):
    """Wait for a job's script that runs in a folder, and return its process id."""
    for _ in range(600):
        found = subprocess.run(
            ["pgrep", "--full", f"python {re.escape(str(folder))}/.snakemake/scripts/"],
            capture_output=True,
            text=True,
        ).stdout.split()
        if found:
            return int(found[0])
        time.sleep(0.1)
    pytest.fail("no job step started within a minute")
