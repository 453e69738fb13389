import pickle

import pytest

from accuracy_curves.exceptions import FitError, InputError, MissingDependencyError


@pytest.mark.parametrize("kind", [InputError, FitError, MissingDependencyError])
def test_no_control_character_reaches_a_terminal(kind):
    error = kind("the file \x1b[31m\n\x07é \u202e\udcff is none: delete it")
    # A message is one line.
    assert str(error) == r"the file \x1b[31m \x07é \u202e\udcff is none: delete it"
    assert str(error).encode()
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(kind()) in ("", "None")
