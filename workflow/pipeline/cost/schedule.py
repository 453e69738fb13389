"""How long jobs that wait for each other take on a number of cores."""

import heapq
from collections.abc import Mapping
from typing import NamedTuple


class Job(NamedTuple):
    """One job: its wall time in seconds, its threads, and the names of the jobs it waits for."""

    seconds: float
    threads: int = 1
    after: tuple[str, ...] = ()


def core_seconds(jobs: Mapping[str, Job]) -> float:
    """Sum wall time times threads over all jobs."""
    return sum(job.seconds * job.threads for job in jobs.values())


def critical_path(jobs: Mapping[str, Job]) -> list[str]:
    """Find the chain of jobs that no number of cores shortens.

    Parameters
    ----------
    jobs : mapping of str to Job
        Each job stands after those that it waits for.

    Returns
    -------
    list of str
        Names, first job first; their seconds sum to the shortest possible wall time.
    """
    ends: dict[str, float] = {}
    before: dict[str, str | None] = {}
    for name, job in jobs.items():
        last = max(job.after, key=ends.__getitem__, default=None)
        before[name] = last
        ends[name] = job.seconds + (ends[last] if last is not None else 0.0)
    chain: list[str] = []
    at: str | None = max(ends, key=ends.__getitem__, default=None)
    while at is not None:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def wall_seconds(jobs: Mapping[str, Job], cores: int) -> float:
    """Simulate a run: of the jobs that are ready, the one with the longest way to go is next.

    Parameters
    ----------
    jobs : mapping of str to Job
        Each job stands after those that it waits for.
    cores : int
        Cores, at least 1. A job that asks for more takes them all.

    Returns
    -------
    float
        Wall time in seconds; between ``core_seconds(jobs) / cores`` and the sum of all jobs.
    """
    to_go, followers = _to_go(jobs)
    waits = {name: len(job.after) for name, job in jobs.items()}
    ready = [(-to_go[name], name) for name, count in waits.items() if count == 0]
    heapq.heapify(ready)
    running: list[tuple[float, str, int]] = []
    now, free = 0.0, cores
    while ready or running:
        while ready and (threads := min(jobs[ready[0][1]].threads, cores)) <= free:
            name = heapq.heappop(ready)[1]
            heapq.heappush(running, (now + jobs[name].seconds, name, threads))
            free -= threads
        now, name, threads = heapq.heappop(running)
        free += threads
        for follower in followers[name]:
            waits[follower] -= 1
            if waits[follower] == 0:
                heapq.heappush(ready, (-to_go[follower], follower))
    return now


def _to_go(jobs: Mapping[str, Job]) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Seconds from each job's start to the end of the longest chain behind it; who waits for it."""
    followers: dict[str, list[str]] = {name: [] for name in jobs}
    for name, job in jobs.items():
        for other in job.after:
            followers[other].append(name)
    to_go: dict[str, float] = {}
    for name in reversed(list(jobs)):
        to_go[name] = jobs[name].seconds + max((to_go[n] for n in followers[name]), default=0.0)
    return to_go, followers
