"""What tests of options share."""

import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.validation import ranges_of


def assert_ranges_are_checked(kind):
    """A class refuses a value out of the range of each of its options."""
    assert ranges_of(kind), kind
    for option, (allowed, _) in ranges_of(kind).items():
        wrong = next(value for value in (-1, "no") if not allowed.holds(value))
        with pytest.raises(InputError, match=f"^{option} is "):
            kind(**{option: wrong})
