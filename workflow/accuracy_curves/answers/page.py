"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

import base64
import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import numpy as np

from accuracy_curves.answers.answer import Answer, Made
from accuracy_curves.answers.wording import sentences, span
from accuracy_curves.answers.words import TEXT_OF_PAGE
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


def render(template: str, answer: Answer, made: Made, curves: bytes, **values: Any) -> str:
    """Fill a template: HTML with its style and its figure, a PNG with a text alternative."""
    page = TEMPLATES.get_template(template).render(
        answer=answer,
        made=made,
        origin=sentences(made.origin),
        version=version("accuracy-curves"),
        date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        refusal=answer.refusal(),
        conclusion=answer.conclusion(),
        cautions=[(*sentences([str(each)]), each.reason) for each in answer.cautions],
        other_cautions=sentences(map(str, answer.other_cautions)),
        curves=base64.b64encode(curves).decode("ascii"),
        **values,
    )
    return TEXT_OF_PAGE.sub(lambda text: answer.say(text[0]), page)


def round_sizes(observed: int) -> list[int]:
    """Choose sizes beyond the observed one: 1, 2 and 5 times powers of ten, up to 100 times it."""
    powers = 10 ** np.arange(len(str(FARTHEST * observed)))
    sizes = np.outer(powers, [1, 2, 5]).ravel()
    return sizes[(sizes > observed) & (sizes <= FARTHEST * observed)].tolist()
