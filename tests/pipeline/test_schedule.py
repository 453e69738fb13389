import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.cost.schedule import Job, core_seconds, critical_path, wall_seconds

DIAMOND = {
    "a": Job(2.0),
    "b": Job(3.0, after=("a",)),
    "c": Job(5.0, after=("a",)),
    "d": Job(1.0, after=("b", "c")),
}


def test_a_diamond_by_hand():
    assert core_seconds(DIAMOND) == 11
    assert critical_path(DIAMOND) == ["a", "c", "d"]
    assert [wall_seconds(DIAMOND, cores) for cores in (1, 2, 100)] == [11, 8, 8]


def test_threads_occupy_cores_and_are_cut_to_what_there_is():
    jobs = {"wide": Job(4.0, threads=2), "one": Job(4.0), "two": Job(4.0)}
    assert core_seconds(jobs) == 16
    assert [wall_seconds(jobs, cores) for cores in (1, 2, 4)] == [12, 8, 4]


def test_nothing_takes_no_time():
    assert critical_path({}) == []
    assert wall_seconds({}, 3) == 0


@st.composite
def graphs(draw):
    jobs = {}
    for number in range(draw(st.integers(1, 12))):
        before = draw(st.lists(st.sampled_from(sorted(jobs)), unique=True)) if jobs else []
        jobs[f"j{number:02d}"] = Job(draw(st.integers(1, 50)), after=tuple(before))
    return jobs


@settings(deadline=None)
@given(graphs(), st.integers(1, 6))
def test_wall_time_keeps_grahams_bounds(jobs, cores):
    total = core_seconds(jobs)
    longest = sum(jobs[name].seconds for name in critical_path(jobs))
    wall = wall_seconds(jobs, cores)
    assert max(total / cores, longest) <= wall <= total / cores + longest
    assert wall_seconds(jobs, 1) == total
    assert wall_seconds(jobs, len(jobs)) == longest


@settings(deadline=None)
@given(graphs())
def test_the_critical_path_is_a_chain_and_no_chain_is_longer(jobs):
    chain = critical_path(jobs)
    assert all(a in jobs[b].after for a, b in itertools.pairwise(chain))

    def longest(name):
        return jobs[name].seconds + max(map(longest, jobs[name].after), default=0)

    expected = max(map(longest, jobs))
    assert sum(jobs[name].seconds for name in chain) == pytest.approx(expected)
