"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2

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


def render(template: str, values: dict[str, Any]) -> str:
    """Fill a template with values, the version and the date."""
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    made = {"version": version("accuracy-curves"), "date": date}
    return TEMPLATES.get_template(template).render(**made, **values)
