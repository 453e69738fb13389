from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.utils.validation import (
    Choice,
    Count,
    Number,
    Some,
    Whole,
    check_classes,
    check_options,
)
from ranges import assert_ranges_are_checked


@dataclass(frozen=True, kw_only=True)
class Fields:
    count: Count = 3
    share: Annotated[float, Number(0, 1, above=True)] | None = None
    word: Annotated[str, Choice("a", "b")] = "a"
    flag: bool = False
    between: Annotated[int, Whole(2, 5)] = 2
    several: Annotated[Sequence[int], Some(Whole(1), least=1, most=2)] = (1,)
    free: str = ""

    def __post_init__(self):
        check_options(self)


class Arguments:
    def __init__(self, *, count: Count = 3, share: Annotated[float, Number(0)] | None = None):
        self.count, self.share = count, share
        check_options(self)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"count": 0}, "count is 0: it must be a whole number of at least 1"),
        ({"count": True}, "count is True: it must be a whole number of at least 1"),
        ({"count": None}, "count is None: it must be a whole number of at least 1"),
        ({"count": 1.0}, r"count is 1\.0: it must be a whole number of at least 1"),
        ({"share": 0}, "share is 0: it must be a number above 0 and at most 1"),
        ({"share": float("nan")}, "share is nan: it must be a number above 0 and at most 1"),
        ({"share": "1"}, "share is '1': it must be a number above 0 and at most 1"),
        ({"word": "c"}, "word is 'c': it must be one of a, b"),
        ({"flag": 1}, "flag is 1: it must be true or false"),
        ({"between": 6}, "between is 6: it must be a whole number from 2 to 5"),
        (
            {"several": [0]},
            r"several is \[0\]: it must be a list of 1 to 2, each a whole number of at least 1",
        ),
        ({"several": []}, r"several is \[\]: it must be a list of 1 to 2, each .*"),
        ({"several": [1, 2, 3]}, r"several is \[1, 2, 3\]: .*"),
        ({"several": 1}, "several is 1: .*"),
        ({"several": "11"}, "several is '11': .*"),
    ],
)
def test_one_sentence_says_the_range(options, sentence):
    with pytest.raises(InputError, match=f"^{sentence}$"):
        Fields(**options)


def test_what_is_in_range_passes():
    Fields(count=np.int64(7), share=1, word="b", flag=True, between=5, free=object())
    assert Arguments(count=1, share=None).share is None
    with pytest.raises(InputError, match="count is -1"):
        Arguments(count=-1)
    with pytest.raises(InputError, match=r"share is -0\.5: it must be a number of at least 0"):
        Arguments(share=-0.5)


def test_every_range_of_a_method_is_checked():
    for kind in EXTRAPOLATORS.values():
        assert_ranges_are_checked(kind)


@pytest.mark.parametrize(
    ("k", "word"),
    [
        *((k, "is not a number of classes") for k in (1, -3, 2.5, [2, 3, 1], np.nan, np.inf)),
        (10**18 + 1, "1000000000000000001 is not"),
        *((k, "whole number") for k in ("x", True, None, [[2, 3]])),
    ],
)
def test_what_is_no_number_of_classes_is_one_sentence(k, word):
    with pytest.raises(InputError, match=word):
        check_classes(k)


def test_numbers_of_classes_as_they_come():
    np.testing.assert_array_equal(check_classes(10**18), [10**18])
    np.testing.assert_array_equal(check_classes([2.0, 1e12]), [2, 10**12])
    np.testing.assert_array_equal(check_classes(np.array([3], np.uint8)), [3])
    assert check_classes([]).shape == (0,)
    assert check_classes(5).dtype == np.int64
