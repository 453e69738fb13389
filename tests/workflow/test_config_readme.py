"""The tables of config/README.md say what the code and the schema take, row by row."""

import inspect
import json
import re
from collections import defaultdict

import pytest
import yaml

from accuracy_curves.datasets import DATASETS
from accuracy_curves.datasets.classifiers import CLASSIFIERS
from accuracy_curves.extrapolators import EXTRAPOLATORS
from conftest import ROOT
from pipeline.preset.configuration import SCHEMA

README = (ROOT / "config/README.md").read_text()
SECTIONS = dict(re.findall(r"^##+ `?(\w+)`?[^\n]*\n(.*?)(?=^##|\Z)", README, re.M | re.S))
OF_THE_WORKFLOW = {"seed", "progress"}


def words(text):
    return re.findall(r"`([^`]+)`", text)


def tables(text):
    """Paragraph above, header and rows of each table, split into cells."""
    blocks = text.strip().split("\n\n")
    for above, block in zip(["", *blocks], blocks, strict=False):
        if block.startswith("|"):
            rows = [line[1:-1].split("|") for line in block.splitlines()]
            header, rule, *rows = [[cell.strip() for cell in row] for row in rows]
            assert set("".join(rule)) <= set("- "), f"a table without a header: {header}"
            yield above, header, rows


def option_rows():
    """Of each method and kind, each option's cell with the default, and its place in that cell."""
    found = defaultdict(dict)
    for above, header, rows in tables(SECTIONS["methods"] + SECTIONS["experiments"]):
        # Options that several kinds share are in a table below a sentence that names the kinds.
        names = words(above)
        if header[-3:] != ["option", "meaning", "default"]:
            continue
        for *first, options, _, default in rows:
            names = words("".join(first)) or names
            for name in names:
                for number, option in enumerate(words(options)):
                    assert option not in found[name], f"{name}: two rows of {option}"
                    found[name][option] = default, number
    return found


def documented(name, cell, number):
    """What a cell says of one of a row's options: a value, or words without one."""
    own = re.search(rf"; (.+) for `{name}`", cell)
    said = own[1] if own else cell.partition("; ")[0]
    several = words(said)
    text = several[number] if len(several) > 1 else said.partition(":")[0].strip("`")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


@pytest.mark.parametrize("kind", [*EXTRAPOLATORS.values(), *DATASETS.values()])
def test_every_option_of_a_method_or_data_set_has_a_row_with_its_default(kind):
    name = getattr(kind, "kind", None) or kind.name
    rows = option_rows()[name]
    options = inspect.signature(kind).parameters
    assert set(rows) == set(options) - OF_THE_WORKFLOW
    for option, (cell, number) in rows.items():
        default, said = options[option].default, documented(name, cell, number)
        if default is inspect.Parameter.empty:
            assert said == "required", option
        elif default is None or repr(default) == "<factory>":
            # In words: none, all, what the file says.
            assert isinstance(said, str), option
            assert not set(cell.partition("; ")[0]) & set("`0123456789"), option
            assert said != "required", option
        elif isinstance(default, tuple) and isinstance(default[0], str):
            assert int(re.findall(r"\d+", cell)[number]) == len(default), option
        else:
            plain = list(default) if isinstance(default, tuple) else default
            assert (type(said), said) == (type(plain), plain), option


@pytest.mark.parametrize("kind", CLASSIFIERS.values())
def test_every_classifier_has_a_row(kind):
    (row,) = (line for line in README.splitlines() if line.startswith(f"| `{kind.name}` |"))
    assert f"| {'yes' if kind.marginal else 'no'} |" in row
    for option, parameter in inspect.signature(kind).parameters.items():
        assert option == "seed" or f"`{option}` {parameter.default}" in row


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
            assert documented("", said, 0) == schema[key]["default"]
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
        of_one_kind = {"hide_above", "absent", *([] if kind in ("matrix", "sweep") else ["show"])}
        of_one_kind &= properties(kinds[kind], schema)
        assert set(words(keys)) | of_one_kind == properties(kinds[kind], schema)
    toy = kinds["bivariate_normal"]["additionalProperties"]["properties"]
    for key, part in toy.items():
        assert key == "part" or f"`{key}` ({str(part['default']).strip('[]')})" in str(rows)
