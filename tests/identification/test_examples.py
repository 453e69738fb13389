import doctest

import pytest

from accuracy_curves.identification import identification, rivals, searches


@pytest.mark.parametrize("module", [identification, rivals, searches])
def test_examples_run(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed
