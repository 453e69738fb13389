"""How many classes to collect, so that the interval of a later prediction is narrow enough."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from scipy.special import chdtri

from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.intervals.cautions import Predicted, caution_of_distance, too_far
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.intervals.monotone_ends import least
from accuracy_curves.intervals.variance import DEGREES
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.utils.validation import Number, check

MOST_CLASSES = 10**9
# Beyond this multiple of the pilot its two parts of the variance are not known well enough.
FARTHEST = 20
LADDER = 1, 2, 4, 8, 16
# Of the variance, at the ends of the range of plans, of 90 %.
RANGE = tuple(DEGREES / float(chdtri(DEGREES, (1 + sign * 0.9) / 2)) for sign in (-1, 1))


@dataclass(frozen=True)
class Plan:
    """How many classes are needed for an interval of `width` at k classes, by a pilot.

    The pilot predicts the `value` of an accuracy there, with an interval of `width_now`. The
    classes `needed` include its own; their range is from `low` to `high` at 90 %, as the variance
    is estimated from one pilot. None is beyond 10^9. The `cautions` say where it is rough, or no
    answer; `widths` are those of 1, 2, 4, 8 and 16 times the classes of the pilot. Of
    identification the value is FNIR in a gallery of k, and people are needed.
    """

    k: int
    value: float
    width: float
    width_now: float
    needed: int | None
    low: int | None
    high: int | None
    cautions: list[AccuracyWarning]
    widths: dict[int, float] = field(default_factory=dict)


def planned_width(
    intervals: ClassIntervals, k: int, n: int, scale: float = 1.0, *, level: float, top: Top = 1
) -> float:
    """Expect the width of the interval at k classes, upper minus lower end, once n are sampled.

    The variance on the scale of the intervals falls with n and with the error rate at n classes
    (`HalfFits.variance`). It is taken `scale` times.
    """
    lower, upper = intervals.ends(k, top, level, sample_classes=n, scale=scale)
    return float(upper[0] - lower[0])


def plan_classes(
    intervals: ClassIntervals, k: int, width: float, level: float = LEVEL, *, top: Top = 1
) -> Plan:
    """Find how many classes give an interval of that width at k classes, from those of a pilot.

    `InputError` if the pilot has no error, so that nothing can be planned from it.
    """
    top, k1 = Measure.of(top), intervals.n_classes
    if intervals.variation.effective_classes(top) == 0:
        raise InputError(
            f"every point of the {k1} classes is recognised, so that nothing can be planned from "
            "them: take a pilot of more classes"
        )

    width_of = partial(planned_width, intervals, k, level=level, top=top)
    plan = search_plan(k, float(intervals.accuracy(k, top)[0]), width, k1, width_of)
    plan.cautions.extend(too_far(Predicted(intervals.fitted, k1, [k], (top,))))
    return plan


def search_plan(k: int, value: float, width: float, n: int, width_of: Callable[..., float]) -> Plan:
    """Search for what a pilot of n needs; `width_of` m expects a width, with the variance so often.

    `InputError` if the width is not above 0 and below 1.
    """
    check("width", width, Number(0, 0.999, above=True))

    def narrow(m: int, by: float) -> bool:
        return width_of(m, by) <= width

    needed, low, high = (least(3, n, MOST_CLASSES, partial(narrow, by=by)) for by in (1.0, *RANGE))
    far = needed is None or needed > FARTHEST * n
    cautions = [caution_of_distance("the needed classes", FARTHEST, n, "a plan")] if far else []
    widths = {n * times: width_of(n * times) for times in LADDER}
    return Plan(k, value, width, widths[n], needed, low, high, cautions, widths)
