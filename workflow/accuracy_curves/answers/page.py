"""A page of HTML that says what was predicted and how far to trust it, with nothing outside it."""

import base64
import datetime
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution, version
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import jinja2
import numpy as np
import numpy.typing as npt

from accuracy_curves.answers.answer import Answer, Made
from accuracy_curves.answers.wording import sentences, span
from accuracy_curves.cautions import share
from accuracy_curves.exceptions import AccuracyWarning, MissingDependencyError
from accuracy_curves.utils.arrays import IntArray
from accuracy_curves.utils.validation import LARGEST_CLASSES

T = TypeVar("T")
FOLDER = Path(__file__).with_name("templates")
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(FOLDER),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["share"] = share
TEMPLATES.globals["span"] = span
LIBRARY = ("bokeh.min.js", "bokeh-api.min.js")
# Numbers of the charts' data.
DIGITS = 7


class Where(NamedTuple):
    """A caution, and that it holds where a number is above one and at most another.

    The number is one of classes or of people. Places that stand open in the caution, such as
    {accuracy}, are filled by `explore.js` with what is predicted there.
    """

    caution: AccuracyWarning
    above: float = 0
    up_to: float = LARGEST_CLASSES

    def plain(self) -> dict[str, Any]:
        """Write it for JSON."""
        (text,) = sentences([str(self.caution)])
        limits = {"above": self.above, "up_to": self.up_to}
        return {"text": text, "weight": self.caution.weight, **limits}


def runs(k: IntArray, values: Iterable[T]) -> Iterator[tuple[T, float, float]]:
    """Find from which k, above it, to which one a value stays; given at ascending k, (n,).

    Between two k it is that of the later one.
    """
    above = 0.0
    for value, group in groupby(zip(values, k.tolist(), strict=True), key=itemgetter(0)):
        *_, (_, up_to) = group
        yield value, above, up_to
        above = up_to


def render(
    template: str, answer: Answer, made: Made, data: Mapping[str, Any], curves: bytes, **values: Any
) -> str:
    """Fill a template: HTML with style, figure (a PNG with a text alternative) and scripts.

    It is complete without scripts; they let one ask other questions of `data`, the arrays of the
    charts, and write the answer with its sentences and cautions.
    """
    scripts = [*plotting_library(), (FOLDER / "explore.js").read_text(encoding="utf-8")]
    return TEMPLATES.get_template(template).render(
        answer=answer,
        made=made,
        origin=sentences(made.origin),
        version=version("accuracy-curves"),
        date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        refusal=answer.refusal(),
        conclusion=answer.conclusion(),
        cautions=sentences(map(str, answer.cautions)),
        other_cautions=sentences(map(str, answer.other_cautions)),
        data=packed(data),
        scripts=[{"text": text, "digest": _digest(text)} for text in scripts],
        curves=base64.b64encode(curves).decode("ascii"),
        **values,
    )


def plotting_library() -> list[str]:
    """Read the scripts of BokehJS, which draws the curves in a browser.

    From the files of the package: its import takes more than a second.
    """
    try:
        folder = Path(str(distribution("bokeh").locate_file("bokeh/server/static/js")))
    except PackageNotFoundError as error:
        message = "the page needs bokeh, which is not installed: pip install 'bokeh>=3.9,<4'"
        raise MissingDependencyError(message) from error
    return [(folder / name).read_text(encoding="utf-8") for name in LIBRARY]


def packed(data: Mapping[str, Any]) -> str:
    """Write data as base64 of gzipped JSON."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(written.encode(), mtime=0)).decode("ascii")


def plain(values: npt.ArrayLike) -> list[Any]:
    """Write an array for JSON, in which a number that is not there is null."""
    array = np.asarray(values, dtype=np.float64)
    rounded = np.round(array, DIGITS).astype(object)
    rounded[~np.isfinite(array)] = None
    return rounded.tolist()


def _digest(script: str) -> str:
    """Make the digest by which the page allows a script and no other."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
