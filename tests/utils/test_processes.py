"""Work spread over processes: results and errors are those of one process, and so is its end."""

import os

import numpy as np
import pytest

from accuracy_curves import AccuracyCurvesError, FitError, InputError
from accuracy_curves.utils.processes import in_processes


def added(array, number, item):
    return float(array.sum()) + number + item, os.getpid()


def refused(item):
    raise FitError(f"{item} cannot be fitted", reason="no_tail")


def ended(item):
    os._exit(9)


def test_results_are_in_the_order_of_the_items():
    array = np.arange(4.0)
    alone = list(in_processes(added, range(5), array, 10))
    spread = list(in_processes(added, range(5), array, 10, jobs=2))
    assert [value for value, _ in alone] == [value for value, _ in spread] == [16, 17, 18, 19, 20]
    assert {process for _, process in alone} == {os.getpid()}
    assert os.getpid() not in {process for _, process in spread}


def test_a_mapped_array_may_be_given(tmp_path):
    array = np.arange(1000.0).reshape(20, 50)
    np.save(tmp_path / "a.npy", array)
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    found = [value for value, _ in in_processes(added, [0, 1], mapped, 0, jobs=2)]
    assert found == [array.sum(), array.sum() + 1]
    found = [value for value, _ in in_processes(added, [0, 1], mapped[3:, ::2], 0, jobs=2)]
    assert found == [array[3:, ::2].sum(), array[3:, ::2].sum() + 1]


def test_errors_are_those_of_the_function():
    with pytest.raises(FitError, match=r"[12] cannot be fitted") as caught:
        list(in_processes(refused, [1, 2], jobs=2))
    assert caught.value.reason == "no_tail"


def test_a_process_that_ends_is_one_sentence():
    with pytest.raises(AccuracyCurvesError, match="ended before its work did"):
        list(in_processes(ended, [1, 2], jobs=2))


def test_jobs_are_a_whole_number():
    with pytest.raises(InputError, match="jobs"):
        list(in_processes(added, [1], jobs=0))
