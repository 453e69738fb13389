"""The defaults of the schema, filled into a preset."""

from collections.abc import Mapping
from typing import Any


def with_defaults(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Copy a valid value, with the schema's defaults where a key is absent.

    Parameters
    ----------
    value : object
        A part of a preset, valid under `schema`.
    schema : mapping
        Its schema, a part of `root`.
    root : mapping
        The whole schema, to which references point.

    Returns
    -------
    object
        A copy of `value`; what is no mapping comes back as it is.
    """
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if not isinstance(value, dict):
        return value
    filled = dict(value)
    for key, part in schema.get("properties", {}).items():
        target = root["$defs"][part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        if key not in filled and "default" in target:
            filled[key] = target["default"]
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for key, part in filled.items():
        rule = known.get(key, others if isinstance(others, dict) else {})
        filled[key] = with_defaults(part, rule, root)
    return filled
