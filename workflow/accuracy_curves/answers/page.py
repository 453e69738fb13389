"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from accuracy_curves.answers.wording import span
from accuracy_curves.cautions import share

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["share"] = share
TEMPLATES.globals["span"] = span
# The page also answers for sizes that nobody asked for, up to so many times the observed one.
FARTHEST = 100


def render(template: str, values: dict[str, Any]) -> str:
    """Fill a template with values, the version and the date."""
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    made = {"version": version("accuracy-curves"), "date": date}
    return TEMPLATES.get_template(template).render(**made, **values)


def round_sizes(observed: int) -> list[int]:
    """Choose sizes beyond the observed one: 1, 2 and 5 times powers of ten, up to 100 times it."""
    powers = 10 ** np.arange(len(str(FARTHEST * observed)))
    sizes = np.outer(powers, [1, 2, 5]).ravel()
    return sizes[(sizes > observed) & (sizes <= FARTHEST * observed)].tolist()
