"""Files that are read: what each holds, and which commands take it.

The reader NAME is the module NAME beside this one: a format is a module and an entry. The first
line of its docstring says what a user has, the rest what the file holds. It has `recognises`, which
says whether a `Source` is of this format without reading all of it, and `read`, which makes it
`Given`.
"""

from importlib import import_module
from types import ModuleType

# What a file may hold: the commands that take it, and what reads it in Python.
_OF_SCORES = ("predict", "observe", "plan", "compare", "identify", "convert")
KINDS = {
    "scores": (_OF_SCORES, "load_scores"),
    "searches": (_OF_SCORES, "load_searches"),
    "drawn": (("predict", "observe", "plan", "compare"), "ScoreMatrix.from_drawn"),
    "lists": (("predict", "observe", "plan", "compare"), "load_candidates"),
    "embeddings": (("predict", "observe", "plan", "compare", "identify"), "score_embeddings"),
    "curve": (("extend",), "read_curve"),
}
# The first that recognises a file reads it. The last one also says what a file lacks.
FORMATS = {
    "curve": "curve",
    "records": "lists",
    "runs": "lists",
    "drawn": "drawn",
    "candidates": "lists",
    "distmat": "searches",
    "embedded": "embeddings",
    "long_table": "searches",
    "scores": "scores",
}


def taken_by(command: str) -> list[str]:
    """List the kinds that a command takes."""
    return [kind for kind, (commands, _) in KINDS.items() if command in commands]


def reader(name: str) -> ModuleType:
    """Import a reader."""
    return import_module(f"{__package__}.{name}")


def description(name: str) -> tuple[str, str]:
    """Say what a user has, in lower case and without a full stop, and what the file holds."""
    have, _, holds = (reader(name).__doc__ or "").partition(".")
    return have[0].lower() + have[1:], " ".join(holds.split())
