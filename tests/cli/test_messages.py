"""Only the commands know a flag, and they add it to what the library says."""

import ast
import re
from pathlib import Path

import accuracy_curves
from accuracy_curves.cli.main import COMMANDS, commands
from accuracy_curves.cli.terminal import ADVICE, advised

PACKAGE = Path(accuracy_curves.__file__).parent
FLAG = re.compile(r"--[a-z]")


def texts(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_text_of_the_library_names_a_flag():
    flags = {flag for name in COMMANDS for each in commands.get_command(None, name).params
             for flag in (*each.opts, *each.secondary_opts) if FLAG.match(flag)}  # fmt: skip
    assert len(flags) > 10
    modules = [path for path in PACKAGE.rglob("*.py") if "cli" not in path.parts]
    assert len(modules) > 100
    named = [(path.name, text) for path in modules for text in texts(path)
             if any(flag in text.split() or f"{flag} " in text for flag in flags)]  # fmt: skip
    assert named == []


def test_each_advice_names_an_option_and_mends_a_reason_that_there_is():
    known = {text for path in PACKAGE.rglob("*.py") for text in texts(path)}
    known |= {"similarities_below_chance", "distances_below_chance"}
    for reason, advice in ADVICE.items():
        assert FLAG.search(advice)
        assert reason in known
        assert advised("it is wrong", reason) == f"it is wrong{advice}"
    assert advised("it is wrong", "") == "it is wrong"


def test_advised_options_are_options():
    flags = {flag for each in commands.get_command(None, "predict").params
             for flag in (*each.opts, *each.secondary_opts)}  # fmt: skip
    assert {word for each in ADVICE.values() for word in re.findall(r"--[a-z-]+", each)} <= flags
