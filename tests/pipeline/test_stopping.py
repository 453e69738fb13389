import os
import signal
import subprocess
import sys
import time

from conftest import ROOT
from pipeline.jobs import stopping

JOB = """
import time
from pipeline.jobs.stopping import end_with_snakemake
end_with_snakemake()
print("ready", flush=True)
time.sleep(60)
"""


def started(parent):
    environment = {**os.environ, stopping.PARENT: parent, "PYTHONPATH": str(ROOT / "workflow")}
    return subprocess.Popen([sys.executable, "-c", JOB], env=environment, stdout=subprocess.PIPE)


def job_of(parent):
    job = started(stopping.name_process(parent))
    assert job.stdout.readline() == b"ready\n"
    return job


def test_a_job_ends_when_its_snakemake_is_gone():
    with subprocess.Popen(["sleep", "60"]) as parent, job_of(parent.pid) as job:
        time.sleep(2 * stopping.SECONDS)
        assert job.poll() is None
        parent.kill()  # A zombie until it is waited for.
        assert job.wait(timeout=20) == 1


def test_a_job_ends_whose_snakemake_is_gone_before_it_begins():
    with subprocess.Popen(["true"]) as parent:
        pass
    with started(stopping.name_process(parent.pid)) as job:
        assert job.wait(timeout=20) == 1
    # Another machine's process: its number says nothing.
    with started(f"elsewhere {parent.pid}") as job:
        assert job.stdout.readline() == b"ready\n"
        time.sleep(2 * stopping.SECONDS)
        assert job.poll() is None
        job.kill()


def test_a_job_ends_at_once_on_ctrl_c():
    with job_of(os.getpid()) as job:
        job.send_signal(signal.SIGINT)
        assert job.wait(timeout=20) == -signal.SIGINT


def test_a_script_outside_snakemake_is_left_alone(monkeypatch):
    monkeypatch.setenv(stopping.PARENT, "")
    before = signal.getsignal(signal.SIGINT)
    try:
        stopping.end_with_snakemake()
    finally:
        signal.signal(signal.SIGINT, before)


def test_locked_says_whether_a_lock_lies_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert not stopping.locked()
    stopping.LOCKS.mkdir(parents=True)
    assert not stopping.locked()
    (stopping.LOCKS / "0.input.lock").touch()
    assert stopping.locked()
