"""An argument has one default in the whole library."""

import ast

import pytest

from conftest import ROOT

PATHS = (ROOT / "workflow" / "accuracy_curves").rglob("*.py")
NODES = [node for path in PATHS for node in ast.walk(ast.parse(path.read_text()))]
DEFAULTS = {"seed": "0", "top": "1", "rank": "1", "jobs": "1", "splits": "30", "level": "LEVEL"}


@pytest.mark.parametrize("name", DEFAULTS)
def test_an_argument_has_one_default(name):
    found = {"None"}
    for of in (node.args for node in NODES if isinstance(node, ast.FunctionDef)):
        given = of.args[len(of.args) - len(of.defaults) :] + of.kwonlyargs
        for each, value in zip(given, of.defaults + of.kw_defaults, strict=True):
            found |= {ast.unparse(value)} if value and each.arg == name else set()
    assert found == {"None", DEFAULTS[name]}
