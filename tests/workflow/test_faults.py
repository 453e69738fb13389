"""Faults injected into real runs: what stops, what it says, and that a second run mends it."""

import base64
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from collections import Counter
from datetime import datetime, timedelta

import psutil
import pytest
import yaml

from running import DEMO, TINY, command, contents, snakemake

pytestmark = pytest.mark.slow
SCORES = "results/tiny/scores/one.npz"
TRUE = "results/tiny/true/one.parquet"


@pytest.fixture(scope="module")
def untroubled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("untroubled")
    snakemake(folder, "--cores", "2")
    return contents(folder)


def start(folder, *words, preset=TINY):
    """Start a run in a session of its own, as a terminal would."""
    with (folder / "said.log").open("a") as said:
        return subprocess.Popen(
            command(folder, *words, preset=preset),
            cwd=folder,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def scripts_of(folder):
    """Processes of the run's jobs in a folder, wherever they hang in the process tree."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if any(word.startswith(f"{folder}/.snakemake/scripts/") for word in words):
            found.append(process)
    return found


def wait_until(true, seconds=600):
    end = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    return value


def endless(folder):
    """A preset whose one network trains for hours."""
    preset = yaml.safe_load(TINY.read_text())
    preset["methods"] = {"cleanex": {"hidden": [256, 128], "steps": 100_000_000}}
    preset["figures"] = preset["claims"] = {}
    path = folder / "endless.yaml"
    path.write_text(yaml.safe_dump(preset))
    return path


def unlocked(folder):
    locks = folder / ".snakemake/locks"
    return not locks.is_dir() or not any(locks.iterdir())


def kill(folder, process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    return wait_until(lambda: not scripts_of(folder), seconds=60)


def test_a_killed_job_fails_the_run_and_the_next_run_mends_it(tmp_path, untroubled):
    run = start(tmp_path, "--cores", "1")
    wait_until(lambda: scripts_of(tmp_path))[0].kill()
    assert run.wait(timeout=120) != 0
    assert unlocked(tmp_path)
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled


def test_a_killed_snakemake_leaves_no_job_and_a_lock_that_is_named(tmp_path, untroubled):
    run = start(tmp_path, "--cores", "1")
    wait_until(lambda: scripts_of(tmp_path))
    kill(tmp_path, run)
    refused = snakemake(tmp_path, "--cores", "1", check=False)
    assert refused.returncode != 0
    assert "cannot be locked" in refused.stderr
    assert "make unlock" in refused.stderr
    assert "Traceback" not in refused.stderr
    snakemake(tmp_path, "--unlock", "--cores", "1")
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled


def test_curves_whose_end_nobody_noted_are_made_anew(tmp_path):
    """A job may write its curves just after Snakemake was killed: they are not committed ones."""
    snakemake(tmp_path, "--cores", "2")
    made = contents(tmp_path)
    path = "results/tiny/predicted/one/k1_20/regression/0000-0001.parquet"
    key = base64.b64encode(path.encode()).decode()
    records = tmp_path / ".snakemake"
    (records / "metadata" / key).unlink()
    (records / "incomplete" / key).write_text('{"external_jobid": null}')
    again = snakemake(tmp_path, "--cores", "2")
    assert "rule extrapolate:" in again.stderr
    assert contents(tmp_path) == made


def smaller_demo(folder):
    """The demo with fewer classes, points and steps, and each repetition in a job of its own."""
    sizes = {25: 6, 50: 8, 100: 12, 200: 20, 500: 30, 1000: 40, 1500: 60}
    preset = yaml.safe_load(DEMO.read_text())

    def shrink(part):
        for key, value in part.items():
            if key in ("k1", "k2", "n_classes"):
                part[key] = [sizes[k] for k in value] if isinstance(value, list) else sizes[value]
            elif isinstance(value, dict):
                shrink(value)

    shrink(preset)
    preset |= {"repetitions": 2, "chunk": 1}
    preset["methods"]["cleanex"] = {"hidden": [16, 8], "steps": 60}
    path = folder / "smaller.yaml"
    path.write_text(yaml.safe_dump(preset))
    return path


def test_twenty_random_kills_and_no_finished_job_runs_twice(tmp_path):
    preset = smaller_demo(tmp_path)
    calm, troubled = tmp_path / "calm", tmp_path / "troubled"
    calm.mkdir()
    snakemake(calm, "--cores", "2", preset=preset)
    troubled.mkdir()
    chance, kills, finished, runs = random.Random(6), Counter(), Counter(), 0
    said = troubled / "said.log"
    while True:
        run = start(troubled, "--cores", "2", preset=preset)
        runs += 1
        if kills.total() < 20:
            # Most kills after some jobs; the others while Snakemake reads the rules.
            jobs = chance.randint(0, 4) if chance.random() < 0.9 else -1
            wait_until(lambda: run.poll() is not None or finished_jobs(said) >= jobs)  # noqa: B023
            time.sleep(chance.uniform(0, 4))
            running = scripts_of(troubled)
            if running and chance.random() < 0.4:
                with contextlib.suppress(psutil.NoSuchProcess):
                    chance.choice(running).kill()
                    kills["job"] += 1
                run.wait(timeout=300)
            elif run.poll() is None:
                kill(troubled, run)
                kills["Snakemake"] += 1
        code = run.wait(timeout=900)
        begun, done = jobs_of(said.read_text())
        assert not begun & set(finished)
        finished.update(done)
        said.unlink()
        snakemake(troubled, "--unlock", "--cores", "1", preset=preset)
        if code == 0:
            break
    print(f"{dict(kills)} kills, {runs} runs, {len(finished)} jobs, each finished once")
    assert kills.total() == 20
    assert set(finished.values()) == {1}
    assert contents(troubled) == contents(calm)


def finished_jobs(said):
    """How many jobs a run has finished; -1 before it has begun."""
    text = said.read_text()
    return text.count("Finished jobid") if "Execute" in text else -1


def jobs_of(said):
    """Outputs that a run's log says were begun, and those that it says were finished."""
    outputs = {}
    for block in re.findall(r"(?:rule|localrule) \w+:\n((?:    .*\n)+)", said):
        if output := re.search(r"output: (.*)", block):  # The rule all has none.
            outputs[re.search(r"jobid: (\d+)", block)[1]] = output[1]
    finished = re.findall(r"Finished jobid: (\d+)", said)
    done = {outputs[number] for number in finished if number in outputs}
    return set(outputs.values()), done


@pytest.mark.parametrize("how", ["SIGTERM", "SIGINT", "Ctrl-C"])
def test_a_stop_is_clean_and_takes_less_than_ten_seconds(how, tmp_path):
    run = start(tmp_path, "--cores", "1", "--until", "extrapolate", preset=endless(tmp_path))
    wait_until(
        lambda: (
            run.poll() is not None
            or any("extrapolate" in " ".join(p.cmdline()) for p in scripts_of(tmp_path))
        )
    )
    time.sleep(15)  # In the training.
    assert run.poll() is None, (tmp_path / "said.log").read_text()
    told = time.monotonic()
    if how == "Ctrl-C":
        os.killpg(run.pid, signal.SIGINT)
    else:
        run.send_signal(getattr(signal, how))
    assert run.wait(timeout=60) != 0
    assert time.monotonic() - told < 10
    assert not scripts_of(tmp_path)
    assert unlocked(tmp_path)
    assert not list((tmp_path / "results/tiny/predicted").rglob("*.parquet"))
    assert "Traceback" not in (tmp_path / "said.log").read_text()
    assert (tmp_path / SCORES).exists()


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


def test_a_changed_result_does_not_enter_a_figure(tmp_path, untroubled):
    snakemake(tmp_path, "--cores", "2")
    name = "figures/tiny/curves/figure4.pdf"
    figure = tmp_path / name
    for damage in (lambda b: b[:-20], lambda b: b[:200] + bytes([b[200] ^ 4]) + b[201:]):
        path = tmp_path / TRUE
        before = path.stat()
        path.write_bytes(damage(path.read_bytes()))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))  # Snakemake sees no change.
        figure.unlink(missing_ok=True)
        refused = snakemake(tmp_path, "--cores", "1", name, check=False)
        assert refused.returncode != 0
        assert f"{TRUE} is cut off, or was changed since it was written" in refused.stderr
        assert not figure.exists()
        path.unlink()
        snakemake(tmp_path, "--cores", "2")
        assert contents(tmp_path) == untroubled


def test_curves_that_were_swapped_do_not_enter_the_errors(tmp_path, untroubled):
    """Those of two methods are computed again; of two repetitions, with equal options, refused."""
    snakemake(tmp_path, "--cores", "2")
    curves = tmp_path / "results/tiny/predicted/one/k1_20"
    name = "results/tiny/errors/one/k1_20.parquet"
    swap(*(curves / f"{method}/0000-0001.parquet" for method in ("regression", "kde_nrd0")))
    (tmp_path / name).unlink()
    mended = snakemake(tmp_path, "--cores", "1", name)
    assert len(re.findall("rule extrapolate:", mended.stderr)) == 2
    chunks = [curves / f"regression/{chunk}.parquet" for chunk in ("0000-0001", "0002-0002")]
    swap(*chunks)
    (tmp_path / name).unlink()
    refused = snakemake(tmp_path, "--cores", "1", name, check=False)
    assert refused.returncode != 0
    assert "is not what its name says, but predicted/one/k1_20/" in refused.stderr
    for path in chunks:
        path.unlink()
    snakemake(tmp_path, "--cores", "2", name)
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled


def swap(one, two):
    """Swap what two files hold; each path keeps its date."""
    dates = {path: path.stat().st_mtime_ns for path in (one, two)}
    held = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(held)
    for path, date in dates.items():
        os.utime(path, ns=(date, date))


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_jumps_changes_no_result(days, tmp_path, untroubled):
    """The first jobs ran at another time: what follows is not refused."""
    snakemake(tmp_path, "--cores", "2", "--until", "observe", "average_all")
    then = time.time() + days * 86400
    for path in (tmp_path / "results/tiny").rglob("*"):
        if path.suffix in {".npz", ".parquet"}:
            os.utime(path, (then, then))
    again = snakemake(tmp_path, "--cores", "2")
    assert "rule score:" not in again.stderr
    assert contents(tmp_path) == untroubled
    last = snakemake(tmp_path, "--cores", "1", "--dry-run")
    assert "Nothing to be done" in last.stdout + last.stderr


@pytest.mark.parametrize("days", [0, -400, 400])
def test_another_date_and_host_give_the_same_bytes(days, tmp_path, untroubled):
    words = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh"]
    if os.getuid() != 0 or subprocess.run([*words, "true"], capture_output=True).returncode:
        pytest.skip("another host name needs root and unshare")
    if days and not shutil.which("faketime"):
        pytest.skip("another date needs faketime")
    if days:
        words += ["faketime", "-f", f"{days:+}d"]
    done = subprocess.run(
        [*words, *command(tmp_path, "--cores", "1")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=900,
        # Threads that wait on a faked steady clock may wait for ever.
        env={**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    origin = json.loads((tmp_path / "results/tiny/provenance.json").read_text())
    assert origin["host"]["name"] == "elsewhere"
    year = (datetime.now() + timedelta(days=days)).year
    log = (tmp_path / "results/tiny/logs/extrapolate/one/k1_20/cleanex/0000-0001.log").read_text()
    assert str(year) in done.stderr + log
    assert contents(tmp_path) == untroubled


def test_of_two_runs_in_one_folder_the_second_is_refused(tmp_path, untroubled):
    first = start(tmp_path, "--cores", "1")
    wait_until(lambda: scripts_of(tmp_path))
    second = snakemake(tmp_path, "--cores", "1", check=False)
    assert second.returncode != 0
    assert "cannot be locked" in second.stderr
    assert first.wait(timeout=600) == 0
    assert contents(tmp_path) == untroubled


def test_a_job_without_memory_fails_in_the_log_and_the_next_run_mends_it(tmp_path, untroubled):
    target = "results/tiny/predicted/one/k1_20/cleanex/0000-0001.parquet"
    snakemake(tmp_path, "--cores", "1", SCORES)
    room = 1_500_000_000  # Bytes of addresses: enough for Snakemake, too few for TensorFlow.
    refused = subprocess.run(
        command(tmp_path, "--cores", "1", target),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
    )
    assert refused.returncode != 0
    assert "Error in rule extrapolate" in refused.stderr
    assert not (tmp_path / target).exists()
    assert unlocked(tmp_path)
    snakemake(tmp_path, "--cores", "2")
    assert contents(tmp_path) == untroubled
