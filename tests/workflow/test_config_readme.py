"""The tables of config/README.md have the keys of the schema."""

import re

import pytest

from conftest import ROOT
from presets import SCHEMA, read

README = (ROOT / "config/README.md").read_text(encoding="utf-8")
KEYS = read(SCHEMA)["properties"]


def rows(section):
    """Cells of the first table of a section, by what stands in the first one."""
    text = re.split(rf"^##+ `?{section}`?$", README, flags=re.MULTILINE)[1]
    found = {}
    for line in text[text.index("\n|") :].strip().split("\n\n")[0].splitlines()[2:]:
        key, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        found[key.strip("`")] = cells
    return found


def test_every_key_has_its_row_and_default():
    table = rows("Keys")
    assert set(table) == set(KEYS)
    for key, part in KEYS.items():
        if isinstance(part.get("default"), int | str):
            assert table[key][-1] == f"`{part['default']}`"


@pytest.mark.parametrize(
    ("section", "part"),
    [("experiments", KEYS["experiments"]["additionalProperties"]), ("choices", KEYS["choices"])],
)
def test_every_key_below_has_its_row(section, part):
    assert set(rows(section)) == set(part["properties"])
