"""What accidents leave of an answer: `python benchmarks/accidents/accidents.py`.

Each kind of accident is made many times, in a folder of its own. An accident is survived if no
file of the user is lost, the folder holds one answer, whole, and what went wrong is said in one
sentence. The table, accidents.csv, has a row a kind: how often it was tried, and how often what was
lost, mixed, silent, left behind, or said in words that are no sentence. The code of another folder
is tried with PYTHONPATH. A full disk needs the right to mount a small file system.
"""

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console

from accuracy_curves import save_scores, simulate

TABLE = Path(__file__).with_suffix(".csv")
RUN = [sys.executable, "-m", "accuracy_curves"]
OLD = ["predict", "scores.npz", "--classes", "90", "--splits", "5", "--out", "answer"]
NEW = [*OLD, "--overwrite", "--seed", "1", "--top", "2"]
FILES = ("curves.csv", "curves.pdf", "curves.png", "report.html")
PATIENCE = 5  # Seconds that a process may live on.
WORST = ("lost", "mixed", "silent", "left", "unsaid")
Accident = Callable[[Path, np.random.Generator], Generator[str, None, None]]


def run(*words: object, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *map(str, words)], capture_output=True, text=True, check=False, **more
    )


def start(words: list[str], **more: object) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*RUN, *words], **pipes, **more)


def digest(folder: Path) -> dict[str, str]:
    """Digests of the files of an answer; a page without the command that it names."""
    found = {}
    for name in FILES:
        if (folder / name).exists():
            found[name] = hashlib.sha1((folder / name).read_bytes()).hexdigest()
    return found


def said(done: subprocess.CompletedProcess[str]) -> str:
    """Judge a refusal: one sentence, with status 2."""
    one = done.stderr.count("\n") == 1 and done.stderr.startswith("Error: ")
    return "ok" if done.returncode == 2 and one else "unsaid"


def both(where: Path) -> tuple[dict[str, str], dict[str, str], float]:
    """Make the old answer, and what the new one would be; give the time of a run as well."""
    save_scores(simulate(30, 4, variance=0.5), where / "scores.npz")
    run(*OLD, cwd=where)
    shutil.copytree(where / "answer", where / "kept")
    begin = time.monotonic()
    run(*NEW, cwd=where)
    seconds, new = time.monotonic() - begin, digest(where / "answer")
    restore(where)
    return digest(where / "answer"), new, seconds


def restore(where: Path) -> None:
    shutil.rmtree(where / "answer", ignore_errors=True)
    shutil.copytree(where / "kept", where / "answer")
    (where / "answer" / "mine.txt").write_text("mine")


def judge(where: Path, *wholes: dict[str, str]) -> str:
    """Judge a folder after an accident, then after the next run."""
    answer = where / "answer"
    if answer.exists() and not (answer / "mine.txt").exists():
        return "lost"
    if digest(answer) not in wholes:
        return "mixed"
    return "ok"


def ended(kind: signal.Signals) -> Accident:
    def end(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
        """End `--overwrite` at a random moment, half of the times while it writes."""
        old, new, seconds = both(where)
        for turn in range(20):
            restore(where)
            running = start(NEW, cwd=where)
            time.sleep(rng.uniform(0.65 * (turn % 2), 1) * seconds)
            running.send_signal(kind)
            _, err = running.communicate()
            found = judge(where, old, new)
            if "Traceback" in err and found == "ok":
                found = "unsaid"
            run(*NEW, cwd=where)
            left = {path.name for path in (where / "answer").iterdir()} - {*FILES, "mine.txt"}
            yield "left" if found == "ok" and left else found

    return end


def ended_first(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
    """Kill a first run; the same command without --overwrite comes next."""
    old, _, seconds = both(where)
    for _ in range(20):
        shutil.rmtree(where / "answer", ignore_errors=True)
        running = start(OLD, cwd=where)
        time.sleep(rng.uniform(0.6, 1) * seconds)
        running.kill()
        running.communicate()
        if digest(where / "answer") not in (old, {}):
            yield "mixed"
            continue
        whole = digest(where / "answer") == old
        again = run(*OLD, cwd=where)
        left = len(os.listdir(where / "answer")) != len(FILES)
        yield "left" if left or (again.returncode and not whole) else "ok"


def two_runs(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
    """Begin a second run into the folder at a random moment of the first one."""
    _, new, seconds = both(where)
    first = [*OLD, "--overwrite"]
    run(*first, cwd=where)
    old = digest(where / "answer")  # Its page has another command.
    for turn in range(20):
        restore(where)
        one = start(first, cwd=where)
        time.sleep(rng.uniform(0, (1, 0.1)[turn % 2]) * seconds)
        other = start(NEW, cwd=where)
        _, err = one.communicate(), other.communicate()[1]
        found = judge(where, old, new)
        if one.returncode == other.returncode == 0 and digest(where / "answer") != new:
            found = "silent"
        if found == "ok" and other.returncode not in (0, 2):
            found = "unsaid"
        yield found if "Traceback" not in err else "unsaid"


def full_disk(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
    """Write over an answer on a file system that has no room for another one."""
    old, new, _ = both(where)
    disk = where / "disk"
    disk.mkdir()
    for size in np.linspace(280, 620, 20).astype(int):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "t", disk], check=True)
        try:
            shutil.copytree(where / "kept", disk / "answer")
            (disk / "answer" / "mine.txt").write_text("mine")
            done = run(*NEW, "--out", disk / "answer", cwd=where)
            whole = dict(new if done.returncode == 0 else old)
            now = digest(disk / "answer")
            if done.returncode == 0:  # Its page has another command.
                whole.pop("report.html")
                now.pop("report.html", "")
            left = {path.name for path in (disk / "answer").iterdir()} - {*FILES, "mine.txt"}
            if now != whole:
                yield "mixed"
            elif left:
                yield "left"
            else:
                yield "ok" if done.returncode == 0 else said(done)
        finally:
            subprocess.run(["umount", disk], check=True)


def inputs(where: Path, _rng: np.random.Generator) -> Generator[str, None, None]:
    """Read a file that the answer would replace."""
    matrix = simulate(30, 4, variance=0.5)
    table = pd.DataFrame(-matrix.scores)
    table.insert(0, "label", matrix.labels)
    table.to_csv(where / "scores.csv", index=False)
    lists = "".join(
        f"q{q} Q0 d{(q + i) % 60} {i} {60 - i} x\n" for q in range(60) for i in range(40)
    )
    (where / "run.trec").write_text(lists)
    (where / "qrels").write_text("".join(f"q{q} 0 d{(q + q % 3) % 60} 1\n" for q in range(60)))
    (where / "full").mkdir()
    into = ["--out", "full", "--overwrite"]
    searched = ["--searched", "60"]
    for given, name, words in (
        ("scores.csv", "comparison.csv", ["compare", "scores.csv", "FULL", "--classes", "90"]),
        ("scores.csv", "comparison.csv", ["compare", "FULL", "scores.csv", "--classes", "90"]),
        ("qrels", "curves.csv", ["predict", "run.trec", "--qrels", "FULL", "--classes", "90"]),
        ("qrels", "observed.csv", ["observe", "run.trec", "--qrels", "FULL"]),
        ("qrels", "report.html", ["predict", "run.trec", "--qrels", "FULL", "--classes", "90"]),
        ("run.trec", "curves.csv", ["predict", "FULL", "--qrels", "qrels", "--classes", "90"]),
        ("scores.csv", "curves.csv", ["predict", "FULL", "--classes", "90"]),
        ("scores.csv", "identification.csv", ["identify", "FULL", "--gallery-size", "90"]),
    ):
        for link in (shutil.copy, os.link, lambda a, b: os.symlink(Path(a).resolve(), b)):
            target = where / "full" / name
            target.unlink(missing_ok=True)
            link(where / given, target)
            before = target.read_bytes()
            more = searched if "run.trec" in words or "--qrels" in words else []
            run(*(f"full/{name}" if w == "FULL" else w for w in words), *more, *into, cwd=where)
            yield "ok" if target.exists() and target.read_bytes() == before else "lost"
    for words in (["run.trec", "qrels", "--qrels", "qrels"], ["run.trec", "q2", "--qrels", "q2"]):
        shutil.copy(where / "qrels", where / "q2")
        run("convert", *words, *searched, "--overwrite", cwd=where)
        same = (where / "q2").read_bytes() == (where / "qrels").read_bytes()
        yield "ok" if same and (where / "qrels").read_text().startswith("q0 0") else "lost"


def living(session: int) -> list[str]:
    """List the processes of a session that have not ended."""
    listed = subprocess.run(
        ["ps", "-o", "stat=", "-s", str(session)], capture_output=True, text=True, check=False
    )
    return [each for each in listed.stdout.split() if not each.startswith("Z")]


def with_jobs(kind: signal.Signals) -> Accident:
    def end(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
        """End a run of two processes; whoever reads its output must see the end of it."""
        save_scores(simulate(200, 10, variance=0.5), where / "scores.npz")
        words = ["predict", "scores.npz", "--classes", "900", "--jobs", "2", "--method"]
        words += ["regression", "--splits", "60", "--overwrite", "--out", "answer"]
        for _ in range(20):
            running = start(words, cwd=where, start_new_session=True)
            time.sleep(rng.uniform(2, 7))
            running.send_signal(kind)
            end = time.monotonic() + PATIENCE
            while (left := living(running.pid)) and time.monotonic() < end:
                time.sleep(0.1)
            if left:
                os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            yield "left" if left else "ok"

    return end


def deleted(where: Path, rng: np.random.Generator) -> Generator[str, None, None]:
    """Delete the folder, or put another one in its place, under a run."""
    *_, seconds = both(where)
    for turn in range(10):
        restore(where)
        running = start(NEW, cwd=where)
        time.sleep(rng.uniform(0.55, 0.85) * seconds)
        shutil.rmtree(where / "answer", ignore_errors=True)
        if turn % 2:
            (where / "answer").mkdir()
        _, err = running.communicate()
        # Before it began, or after it was through, there is nothing to say.
        if running.returncode == 0:
            left = os.listdir(where / "answer") if (where / "answer").exists() else []
            yield "ok" if sorted(left) in ([], sorted(FILES)) else "mixed"
        else:
            yield "ok" if err.count("\n") == 1 and "answer" in err else "unsaid"


ACCIDENTS: dict[str, Accident] = {
    "SIGKILL of --overwrite": ended(signal.SIGKILL),
    "SIGINT of --overwrite": ended(signal.SIGINT),
    "SIGTERM of --overwrite": ended(signal.SIGTERM),
    "SIGKILL of a first run": ended_first,
    "two runs into one folder": two_runs,
    "a full disk": full_disk,
    "an input in the folder": inputs,
    "SIGTERM of --jobs 2": with_jobs(signal.SIGTERM),
    "SIGKILL of --jobs 2": with_jobs(signal.SIGKILL),
    "the folder deleted": deleted,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*ACCIDENTS, []], help="by default all")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--code", default="now", help="what the table calls the code")
    parser.add_argument("--times", type=int, help="at most so many of a kind; by default 10 to 26")
    given = parser.parse_args()
    for kind in given.kinds or ACCIDENTS:
        with tempfile.TemporaryDirectory() as folder:
            tried = ACCIDENTS[kind](Path(folder), np.random.default_rng(0))
            found = Counter(islice(tried, given.times))
            tried.close()
        of_kind = {name: found[name] for name in ("ok", *WORST)}
        row = {"accident": kind, "code": given.code, "tried": found.total(), **of_kind}
        Console().print(row)
        known = pd.read_csv(given.table) if given.table.exists() else pd.DataFrame(columns=[*row])
        again = (known["accident"] == kind) & (known["code"] == given.code)
        table = pd.concat([known[~again], pd.DataFrame([row])])
        places = table["accident"].map([*ACCIDENTS].index)
        table.assign(place=places).sort_values(["place", "code"]).drop(columns="place").to_csv(
            given.table, index=False
        )


if __name__ == "__main__":
    main()
