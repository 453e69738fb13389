"""How many people to collect, so that the interval of a later FNIR is narrow enough."""

import numpy as np
from scipy.special import expit, logit

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.base import Rate
from accuracy_curves.identification.identification import Identification
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.intervals.sample_size import Plan, search_plan

# An end at 0 or 1 has no log odds.
LEAST = 1e-6


def planned_rate_width(rate: Rate, times: float) -> float:
    """Expect the width of an interval once so many times the people and searches are there.

    Its half width in log odds falls like one over the root of their number.
    """
    ends = logit(np.clip([rate.lower[0], rate.upper[0]], LEAST, 1 - LEAST))
    middle, half = ends.mean(), (ends[1] - ends[0]) / 2 / np.sqrt(times)
    return float(expit(middle + half) - expit(middle - half))


def plan_rates(
    found: Identification, k: int, fpir: float, width: float, level: float = LEVEL, rank: int = 1
) -> Plan:
    """Find how many people give an interval of FNIR of that width, above 0 and below 1.

    At the threshold that is set for an FPIR in a gallery of k. `found` is of the pilot; searches by
    each person, and by strangers, grow with the people. `InputError` if it has no interval.
    """
    rate, n = found.fnir_at_fpir_interval(k, fpir, rank, level), found.n_classes
    if np.isnan(rate.lower[0]) or np.isinf(found.threshold(k, fpir)[0]):
        raise InputError(
            f"the pilot gives no interval of FNIR at an FPIR of {fpir:g} with {k:,} enrolled, so "
            "that nothing can be planned: take a pilot of more people, or a higher FPIR"
        )

    def width_of(people: int, by: float = 1.0) -> float:
        return planned_rate_width(rate, people / n / by)

    return search_plan(k, float(rate.value[0]), width, n, width_of)
