"""Verdicts on a paper's claims, computed from the errors of a run; they can come out either way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable
from experiments.evaluation.bootstrap import Array, Errors, Resampled

REPRODUCED, NOT_REPRODUCED, NOT_TESTABLE = "reproduced", "not reproduced", "not testable here"
UNDECIDED = "undecided"
# The choice that leaves every claim alone.
AS_THEY_ARE = "as_they_are"
# A claim is reproduced if it holds in this share of the resamples, and not if in one less this.
CERTAIN = 0.9
# Where a claim is taken to be true for its power, it is true by this factor.
MARGIN = 2.0
# Runs imagined for the power.
IMAGINED = 200
COLUMNS = ("rmse_curve", "error_at_k2", "largest_rise")
# A rise below rounding is none.
RISE = 1e-9

QUANTITIES: dict[str, Callable[[Errors], Array]] = {
    "median": lambda errors: np.median(errors["rmse_curve"], axis=-1),
    "mean": lambda errors: errors["rmse_curve"].mean(axis=-1),
    "smallest": lambda errors: errors["rmse_curve"].min(axis=-1),
    "bias": lambda errors: np.abs(errors["error_at_k2"].mean(axis=-1)),
    "sd": lambda errors: errors["error_at_k2"].std(axis=-1),
    "rising": lambda errors: (errors["largest_rise"] > RISE).mean(axis=-1),
}


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A claim about the errors of methods, as something to count.

    In each setting a quantity of the method is computed over the repetitions: `median`, `mean` or
    `smallest` RMSE of the curve; `bias` (absolute) or `sd` of the error at k2; `rising`, the share
    of curves that increase somewhere. With `against`, it is the rival's quantity over the method's,
    the smallest over the rivals; `ratio` is the median over the repetitions of the rival's RMSE
    over the method's. With `other_experiments`, which pair off with `experiments`, it is the
    quantity there (at `other_k1`, where it differs) over that in the setting. The claim holds if
    the value lies between `above` and `below`, both outside it, in `at_least` of the cases: every
    setting and method, all of which is the default. With `outside` it must lie below `above` or
    above `below` instead, as where something changes, up or down.

    Without `k1` each experiment has the one k1 of its errors.

    `printed` is the number in print. `derived` is whether the sentence is not about these settings:
    it says only that they are consistent with others, or it is about other data.
    """

    claim: str
    source: str
    quantity: str
    methods: Sequence[str]
    experiments: Sequence[str]
    k1: Sequence[int] = ()
    printed: str = ""
    against: Sequence[str] = ()
    other_experiments: Sequence[str] = ()
    other_k1: int | None = None
    above: float = -np.inf
    below: float = np.inf
    at_least: int | None = None
    outside: bool = False
    derived: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        known = [*QUANTITIES, "ratio"]
        if self.quantity not in known:
            raise InputError(f"quantity is {self.quantity!r}: it must be one of {', '.join(known)}")
        if self.quantity == "ratio" and not self.against:
            raise InputError("quantity is 'ratio': it needs rivals in `against`")
        if not self.above < self.below or (self.above, self.below) == (-np.inf, np.inf):
            raise InputError("a claim needs `above` or `below`, the former below the latter")
        if len(self.other_experiments) not in (0, len(self.experiments)):
            raise InputError("other_experiments must pair off with experiments")
        if not 1 <= self.needed <= self.cases:
            raise InputError(f"at_least is {self.at_least}: it must be from 1 to {self.cases}")

    @property
    def cases(self) -> int:
        """Number of settings times methods."""
        return len(self.experiments) * max(1, len(self.k1)) * len(self.methods)

    @property
    def needed(self) -> int:
        """In how many cases the condition must be met."""
        return self.cases if self.at_least is None else self.at_least


def read_claims(paths: Iterable[str]) -> dict[str, Claim]:
    """Read the claims of YAML files, whose keys name them; `InputError` where one is none."""
    claims = {}
    for path in paths:
        with readable(path):
            found = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        for name, options in found.items():
            try:
                claims[name] = Claim(**options)
            except (InputError, TypeError) as error:
                raise InputError(f"{path}, {name}: {error}") from error
    return claims


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a paper does not print, settled in some way: what stands in for what.

    `methods` and `experiments` map those of the claims to those that stand in for them. `group`
    is what is chosen, and `label` how.
    """

    group: str
    label: str
    methods: Mapping[str, str] = field(default_factory=dict)
    experiments: Mapping[str, str] = field(default_factory=dict)

    def settle(self, claim: Claim) -> Claim | None:
        """Put the chosen methods and experiments into a claim; None if it has none of them."""
        methods, experiments = self.methods, self.experiments
        names = [*claim.methods, *claim.against, *claim.experiments, *claim.other_experiments]
        if not (methods.keys() | experiments.keys()) & set(names):
            return None
        return replace(
            claim,
            methods=[methods.get(name, name) for name in claim.methods],
            against=[methods.get(name, name) for name in claim.against],
            experiments=[experiments.get(name, name) for name in claim.experiments],
            other_experiments=[experiments.get(name, name) for name in claim.other_experiments],
        )


def judge_choices(
    errors: pd.DataFrame,
    claims: Mapping[str, Claim],
    choices: Mapping[str, Choice],
    seed: int = 0,
) -> pd.DataFrame:
    """Decide on each claim under each choice, see `judge`.

    Returns the columns of `judge` after ``choice``, ``group`` and ``label``; first the claims as
    they are, whose choice is "as_they_are", then for each choice those claims that it changes. A
    claim that names what some choice puts in is about that choice, and is judged as it is only.
    """
    parts = [judge(errors, claims, seed).assign(choice=AS_THEY_ARE, group="", label="")]
    chosen = {method for choice in choices.values() for method in choice.methods.values()}
    free = {key: c for key, c in claims.items() if not chosen & {*c.methods, *c.against}}
    for name, choice in choices.items():
        settled = {key: changed for key, c in free.items() if (changed := choice.settle(c))}
        table = judge(errors, settled, seed)
        parts.append(table.assign(choice=name, group=choice.group, label=choice.label))
    whole = pd.concat([part for part in parts if len(part)], ignore_index=True)
    first = ["choice", "group", "label"]
    return whole[[*first, *(column for column in whole if column not in first)]]


def judge(errors: pd.DataFrame, claims: Mapping[str, Claim], seed: int = 0) -> pd.DataFrame:
    """Decide on each claim, with a bootstrap over the repetitions of `errors`, see `Resampled`.

    Returns a row a claim: name, claim, source, printed; ``basis``, "stated" or "derived"; ``ours``,
    in how many of the cases it is so, and the range of the values; ``low`` and ``high``, the 2.5
    and 97.5 % quantiles of that number of cases, or of the value if there is one case only;
    ``holds``, the share of the resamples in which the claim holds; ``power``, see `power`;
    ``repetitions``, the smallest number; ``verdict``: "reproduced" if the claim holds in at least
    90 % of the resamples, "not reproduced" if in at most 10 %, "undecided" between, "not testable
    here" without errors; ``note``.
    """
    resampled = Resampled(errors, COLUMNS, seed)
    return pd.DataFrame(
        [{"name": name, **_judged(claim, resampled)} for name, claim in claims.items()]
    )


def _judged(claim: Claim, resampled: Resampled) -> dict[str, Any]:
    """One row of the verdicts."""
    row: dict[str, Any] = {key: getattr(claim, key) for key in ("claim", "source", "printed")}
    row["basis"] = "derived" if claim.derived else "stated"
    values, repetitions = [], []
    others = claim.other_experiments or claim.experiments
    for experiment, other in zip(claim.experiments, others, strict=True):
        for k1 in claim.k1 or resampled.k1_of(experiment):
            here = resampled.of(experiment, k1, [*claim.methods, *claim.against])
            there = resampled.of(other, claim.other_k1 or k1, claim.methods)
            if here is None or there is None:
                row["ours"] = f"no errors of {experiment} at k1 = {k1}"
                row |= dict.fromkeys(("low", "high", "holds", "power"), np.nan)
                return {**row, "repetitions": 0, "verdict": NOT_TESTABLE, "note": claim.note}
            for method in claim.methods:
                values.append(_value(claim, method, here, there))
                repetitions.append(here[method][COLUMNS[0]].shape[-1])
    cases = np.stack(values)
    met = _met(claim, cases)
    holds = float((met[1:] >= claim.needed).mean())
    shown = cases[0] if len(cases) == 1 else met
    low, high = np.quantile(shown[1:], [0.025, 0.975])
    first = cases[:, 0]
    within = f"{first[0]:.3g}" if len(first) == 1 else f"{first.min():.3g} to {first.max():.3g}"
    return {
        **row,
        "ours": f"{met[0]} of {len(cases)} ({within})",
        "low": low,
        "high": high,
        "holds": holds,
        "power": power(claim, cases),
        "repetitions": min(repetitions),
        "verdict": _verdict(holds),
        "note": claim.note,
    }


def _met(claim: Claim, cases: Array) -> npt.NDArray[np.int64]:
    """Count the cases (first axis) in which the condition is met."""
    inside = (cases > claim.above) & (cases < claim.below)
    return np.asarray(np.sum(inside != claim.outside, axis=0))


def _verdict(holds: float) -> str:
    """Decide from the share of the resamples in which a claim holds."""
    if holds >= CERTAIN:
        return REPRODUCED
    return NOT_REPRODUCED if holds <= 1 - CERTAIN else UNDECIDED


def power(claim: Claim, cases: Array) -> float:
    """Find how often a claim would be reproduced if it were true.

    It is taken to be true in as many cases as it says: there the true value lies in the middle of
    `above` and `below` (geometrically), or past the only one of them by a factor of two; in the
    other cases it misses by as much. The observed values scatter about the true ones as the
    resampled values do about those of this run, by factors, and the verdict on each of 200 such
    runs is that of `judge`.

    `cases` is (cases, 1 + resamples): values as they are, then resampled. The result is NaN where a
    value or a bound is not positive, so that no factor is. Resamples in which a value is zero or
    not finite are left out.
    """
    low, high = claim.above, claim.below
    bounds = [bound for bound in (low, high) if np.isfinite(bound)]
    usable = np.all(np.isfinite(cases) & (cases > 0), axis=0)
    if min(bounds) <= 0 or not usable[0]:
        return float("nan")
    cases = cases[:, usable]
    if len(bounds) == 2:
        true, false = np.sqrt(low * high), high * MARGIN
        if claim.outside:
            true, false = false, true
    else:
        step = MARGIN if np.isfinite(low) else 1 / MARGIN
        true, false = bounds[0] * step, bounds[0] / step
    met = np.arange(len(cases))[:, None] < claim.needed
    truth = np.where(met, np.log(true), np.log(false))
    scatter = np.log(cases[:, 1:]) - np.log(cases[:, :1])
    reproduced = []
    for run in scatter.T[:IMAGINED]:
        values = np.exp(truth + run[:, None] + scatter)
        holds = float((_met(claim, values) >= claim.needed).mean())
        reproduced.append(_verdict(holds) == REPRODUCED)
    return float(np.mean(reproduced)) if reproduced else float("nan")


def _value(
    claim: Claim, method: str, here: Mapping[str, Errors], there: Mapping[str, Errors]
) -> Array:
    """Compute the value of one case, one number a resample."""
    if claim.quantity == "ratio":
        own = here[method]["rmse_curve"]
        ratios = [np.median(here[rival]["rmse_curve"] / own, axis=-1) for rival in claim.against]
        return np.min(ratios, axis=0)
    quantity = QUANTITIES[claim.quantity]
    own = quantity(here[method])
    with np.errstate(divide="ignore", invalid="ignore"):
        if claim.against:
            return np.minimum.reduce([quantity(here[rival]) / own for rival in claim.against])
        if claim.other_experiments or claim.other_k1:
            return quantity(there[method]) / own
    return own
