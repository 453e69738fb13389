"""The tables of config/README.md say what the code and the schema take, row by row."""

import inspect
import json
import re
from collections import defaultdict

import pytest
import yaml

from conftest import ROOT
from experiments.datasets.classifiers import CLASSIFIERS
from pipeline.preset.configuration import SCHEMA
from pipeline.preset.option_tables import KINDS, table, with_tables

README = (ROOT / "config/README.md").read_text()
SECTIONS = dict(re.findall(r"^##+ `?(\w+)`?[^\n]*\n(.*?)(?=^##|\Z)", README, re.M | re.S))


def words(text):
    return re.findall(r"`([^`]+)`", text)


def tables(text):
    """Paragraph above, header and rows of each table, split into cells."""
    blocks = text.strip().split("\n\n")
    for above, block in zip(["", *blocks], blocks, strict=False):
        if block.startswith("|"):
            rows = [re.split(r"(?<!\\)\|", line[1:-1]) for line in block.splitlines()]
            header, rule, *rows = [[cell.strip() for cell in row] for row in rows]
            assert set("".join(rule)) <= set("- "), f"a table without a header: {header}"
            yield above, header, rows


def documented(cell):
    """What a cell says of a default: a value, or words without one."""
    said = (words(cell) or [cell])[0]
    try:
        return json.loads(said)
    except json.JSONDecodeError:
        return said


def test_the_tables_of_options_are_made_from_the_classes():
    assert with_tables(README) == README, "make options"


@pytest.mark.parametrize("what", KINDS)
def test_every_option_has_a_row_with_its_meaning_and_default(what):
    ((_, header, rows),) = tables(table(KINDS[what]))
    assert header == ["name", "option", "range", "meaning", "default"]
    found, name = defaultdict(dict), ""
    for shown, option, _, meaning, default in rows:
        name = shown.strip("`") or name
        assert meaning
        found[name].update({option.strip("`"): default} if option else {})
    for name, kind in KINDS[what].items():
        options = inspect.signature(kind).parameters
        assert set(found[name]) == set(options) - {"seed", "progress"}
        for option, cell in found[name].items():
            default, said = options[option].default, documented(cell)
            if default is inspect.Parameter.empty:
                assert cell == "required"
            elif default is None or repr(default) == "<factory>":
                assert cell == "none"
            elif cell == "all 12":
                assert len(default) == 12
            else:
                plain = list(default) if isinstance(default, tuple) else default
                assert (type(said), said) == (type(plain), plain), option


@pytest.mark.parametrize("kind", CLASSIFIERS.values())
def test_every_classifier_has_a_row(kind):
    (row,) = re.findall(rf"^\| `{kind.name}` \| .* \| (yes|no) \|$", README, re.MULTILINE)
    assert row == ("yes" if kind.marginal else "no")


def properties(part, schema):
    """Keys below a part of the schema, at any depth."""
    if "$ref" in part:
        part = schema["$defs"][part["$ref"].rsplit("/", 1)[1]]
    below = part.get("properties", {})
    others = [part[key] for key in ("items", "additionalProperties") if part.get(key)]
    return set(below).union(*(properties(p, schema) for p in [*below.values(), *others]))


def test_every_key_of_the_schema_is_documented_where_it_belongs():
    full = yaml.safe_load(SCHEMA.read_text())
    schema = full["properties"]
    ((_, _, rows),) = tables(SECTIONS["Keys"])
    rows = {words(key)[0]: row for key, *row in rows}
    assert set(rows) == set(schema)
    for key, (meaning, said) in rows.items():
        if isinstance(schema[key].get("default"), int | str):
            assert documented(said) == schema[key]["default"]
        for nested in properties(schema[key], full):
            text = SECTIONS.get(key, meaning)
            assert re.search(rf"`{nested}`|\b{nested}: ", text), f"{key}: {nested}"
    intervals = [str(part["default"]) for part in schema["intervals"]["properties"].values()]
    assert rows["intervals"][1].split(" and ") == intervals


def test_every_kind_of_figure_has_a_row_with_its_keys():
    schema = yaml.safe_load(SCHEMA.read_text())
    _, _, rows = next(tables(SECTIONS["figures"]))
    kinds = schema["properties"]["figures"]["properties"]
    rows = {words(kind)[0]: keys for kind, _, keys in rows}
    assert set(rows) == set(kinds)
    for kind, keys in rows.items():
        # Figures of many settings share a schema; these keys are of one kind.
        of_one_kind = {"hide_above", "above", "absent"}
        of_one_kind |= set() if kind in ("matrix", "sweep") else {"show"}
        of_one_kind |= set() if kind in ("curves", "sweep") else {"k2"}
        of_one_kind |= set() if kind in ("curves", "comparison") else {"repetitions"}
        of_one_kind &= properties(kinds[kind], schema)
        assert set(words(keys)) | of_one_kind == properties(kinds[kind], schema)
    toy = kinds["bivariate_normal"]["additionalProperties"]["properties"]
    for key, part in toy.items():
        assert key == "part" or f"`{key}` ({str(part['default']).strip('[]')})" in str(rows)
