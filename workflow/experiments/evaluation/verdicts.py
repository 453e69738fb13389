"""Verdicts on a paper's claims, computed from the errors of a run; they can come out either way."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.utils.arrays import Float64Array, IntArray
from experiments.evaluation.claims import Choice, Claim, listed
from experiments.evaluation.quantities import OVER_THE_CURVE, POOLS, QUANTITIES, Resampled, column

Setting = tuple[str, int]

REPRODUCED, NOT_REPRODUCED, NOT_TESTABLE = "reproduced", "not reproduced", "not testable here"
UNDECIDED, NOT_JUDGED = "undecided", "not judged yet"
# The choice that leaves every claim alone.
AS_THEY_ARE = "as_they_are"
# A claim is reproduced if it holds in this share of the resamples, and not if in one less this.
CERTAIN = 0.9
# Where a claim is taken to be true for its power, it is true by this factor.
MARGIN = 2.0
# Runs imagined for the power.
IMAGINED = 200


def judge(
    errors: pd.DataFrame,
    claims: Mapping[str, Claim],
    seed: int = 0,
    tables: Mapping[str, pd.DataFrame] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> pd.DataFrame:
    """Decide on each claim, with a bootstrap over the repetitions of `errors`, see `Resampled`.

    `tables` are those that claims name. Returns one row per claim: name, short, claim, source,
    printed; ``belongs_to``, empty for a claim that counts; ``ours``, in how many of the cases it is
    so, and the range of the values; ``low`` and ``high``, the 2.5 and 97.5 % quantiles of that
    number of cases, or of the value if there is one case only; ``holds``, the share of the
    resamples in which the claim holds; ``power``, see `power`; ``repetitions``, the smallest
    number; ``verdict``; ``note``.

    The verdict is "reproduced" if the claim holds in at least 90 % of the resamples, "not
    reproduced" if in at most 10 %, "undecided" between. A case whose errors are missing may be
    either: where these cases decide, it is "not testable here", or "not judged yet" if only their
    bias and spread over the curve are missing.

    With `choices` there are ``choice``, ``group`` and ``label`` before; first the claims as they
    are, whose choice is "as_they_are", then for each choice the claims that it changes. A claim
    that names what some choice puts in is about that choice, and is judged as it is only.
    """
    resampled = Resampled(errors, seed)

    def judged(choice: Choice, claims: Mapping[str, Claim]) -> pd.DataFrame:
        rows = []
        for name, claim in claims.items():
            values = _Values(claim, choice, resampled, tables or {}, seed)
            rows.append({"name": name, **_judged(claim, values)})
        return pd.DataFrame(rows)

    whole = judged(Choice(), claims)
    if not choices:
        return whole
    chosen = {method for choice in choices.values() for method in choice.methods.values()}
    free = {name: claim for name, claim in claims.items() if not chosen & {*claim.named["methods"]}}
    parts = {(AS_THEY_ARE, "", ""): whole}
    for name, choice in choices.items():
        if changed := {key: claim for key, claim in free.items() if choice.changes(claim)}:
            parts[name, choice.group, choice.label] = judged(choice, changed)
    return pd.concat(parts, names=["choice", "group", "label"]).reset_index(level=[0, 1, 2])


def _judged(claim: Claim, values: "_Values") -> dict[str, Any]:
    """One row of the verdicts."""
    known, absent = [], []
    cases = [*_cases(claim, values.k1_of)]
    for case, over in zip(cases, claim.over or [1.0] * len(cases), strict=True):
        try:
            known.append(values.of(*case) / over)
        except _MissingError as error:
            absent.append(str(error))
    judged = [each for each in known if claim.quantity not in OVER_THE_CURVE or each[0] >= 0]
    missing, needed = len(cases) - len(judged), claim.at_least or len(cases)
    met = _met(claim, np.stack(judged)) if judged else np.zeros(2, dtype=np.int64)
    # Where each of the missing cases speaks against the claim, and where each speaks for it.
    least, most = (float((met[1:] + more >= needed).mean()) for more in (0, missing))
    if not missing or _verdict(least) == REPRODUCED or _verdict(most) == NOT_REPRODUCED:
        holds = least if _verdict(least) == REPRODUCED else most
        verdict = _verdict(holds)
    else:
        # Whether cases that a run of ours adds can decide.
        decide = len(known) >= needed or len(absent) < needed
        pending = len(known) > len(judged) and decide
        holds, verdict = np.nan, NOT_JUDGED if pending else NOT_TESTABLE
    ours, low, high = [], np.nan, np.nan
    if judged:
        first = [each[0] for each in judged]
        spans = " to ".join(dict.fromkeys([f"{min(first):.3g}", f"{max(first):.3g}"]))
        ours.append(f"{met[0]} of {len(cases)} ({spans})")
        low, high = np.quantile((judged[0] if len(cases) == 1 else met)[1:], [0.025, 0.975])
    if absent:
        ours.append(f"no errors of {', '.join(dict.fromkeys(absent))}")
    if len(known) > len(judged):
        ours.append("bias and spread over the curve are not published")
    return {
        **{key: getattr(claim, key) for key in ("short", "claim", "source", "printed")},
        "belongs_to": claim.belongs_to,
        "ours": "; ".join(ours),
        "low": low,
        "high": high,
        "holds": holds,
        "power": np.nan if missing else power(claim, np.stack(judged)),
        "repetitions": min(values.repetitions, default=0),
        "verdict": verdict,
        "note": claim.note,
    }


def _cases(
    claim: Claim, k1_of: Callable[[str], list[int]]
) -> Iterator[tuple[str, list[Setting], list[Setting]]]:
    """Give each case's method, its settings, and the settings that it is compared with."""
    others = claim.other_experiments or claim.experiments
    other_k1 = claim.other_k1 or claim.k1
    for pair in zip(claim.experiments, others, strict=True):
        for k1 in zip(claim.k1, other_k1, strict=True) if claim.k1 else [(None, None)]:
            here, there = (
                [(name, each) for name in listed(names) for each in ([at] if at else k1_of(name))]
                for names, at in zip(pair, k1, strict=True)
            )
            for method in claim.methods:
                yield method, here, there


class _MissingError(Exception):
    """An experiment whose errors are missing."""


@dataclass
class _Values:
    """Values of the cases of a claim under a choice, (1 + RESAMPLES,)."""

    claim: Claim
    choice: Choice
    resampled: Resampled
    tables: Mapping[str, pd.DataFrame]
    seed: int
    repetitions: list[int] = field(default_factory=list)
    # Of a method, or of a rival over it.
    quantities: dict[Setting, dict[tuple[str, str], Float64Array]] = field(default_factory=dict)

    def k1_of(self, experiment: str) -> list[int]:
        """List the k1 of the errors of an experiment; 0 if it has none."""
        chosen = self.choice.experiments.get(experiment, experiment)
        return self.resampled.k1_of(chosen) or [0]

    def of(self, method: str, here: list[Setting], there: list[Setting]) -> Float64Array:
        """Give the value of one case; `_MissingError` without errors."""
        rivals = self.claim.against or [""]
        values = [self._quotient(method, rival, here) for rival in rivals]
        if there != here:
            others = (self._quotient(method, rival, there) for rival in rivals)
            values = [_divide(other, own) for other, own in zip(others, values, strict=True)]
        worst = np.maximum if np.isneginf(self.claim.above) else np.minimum
        return np.asarray(worst.reduce(values))

    def _quotient(self, method: str, rival: str, settings: list[Setting]) -> Float64Array:
        """Give the pooled quantity of a method, or a rival's over it."""
        if not rival or self.claim.quantity == "ratio":
            return self._pooled(method, rival, settings)
        return _divide(self._pooled(rival, "", settings), self._pooled(method, "", settings))

    def _pooled(self, method: str, rival: str, settings: list[Setting]) -> Float64Array:
        for setting in settings:
            if setting not in self.quantities:
                self.quantities[setting] = self._in_setting(setting)
        values = [self.quantities[setting][method, rival] for setting in settings]
        return values[0] if len(values) == 1 else POOLS[self.claim.pool](np.stack(values))

    def _in_setting(self, setting: Setting) -> dict[tuple[str, str], Float64Array]:
        claim, choice = self.claim, self.choice
        experiment, k1 = choice.experiments.get(setting[0], setting[0]), setting[1]
        chosen = {name: choice.methods.get(name, name) for name in claim.named["methods"]}
        if claim.table:
            values = {}
            for method, name in chosen.items():
                keys = {"experiment": experiment, "k1": k1, "method": name, "k": claim.k}
                entry = column(self.tables, claim.table, claim.quantity, keys, self.seed)
                if entry is None:
                    raise _MissingError(experiment)
                values[method, ""], repetitions = entry
                self.repetitions.append(repetitions)
            return values
        known = self.resampled.of(experiment, k1, [*chosen.values()])
        if known is None:
            raise _MissingError(experiment)
        errors = {method: known[name] for method, name in chosen.items()}
        self.repetitions.append(errors[claim.methods[0]]["rmse_curve"].shape[-1])
        if claim.quantity == "ratio":
            rmse = {method: of["rmse_curve"] for method, of in errors.items()}
            return {
                (own, rival): np.median(rmse[rival] / rmse[own], axis=-1)
                for own in claim.methods
                for rival in claim.against
            }
        return {(method, ""): QUANTITIES[claim.quantity](of) for method, of in errors.items()}


def _divide(value: Float64Array, by: Float64Array) -> Float64Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return value / by


def _met(claim: Claim, cases: Float64Array) -> IntArray:
    """Count the cases (first axis) in which the condition is met."""
    inside = (cases > claim.above) & (cases < claim.below)
    return np.asarray(np.sum(inside != claim.outside, axis=0))


def _verdict(holds: float) -> str:
    """Decide from the share of the resamples in which a claim holds."""
    if holds >= CERTAIN:
        return REPRODUCED
    return NOT_REPRODUCED if holds <= 1 - CERTAIN else UNDECIDED


def power(claim: Claim, cases: Float64Array) -> float:
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
    needed = claim.at_least or len(cases)
    met = np.arange(len(cases))[:, None] < needed
    truth = np.where(met, np.log(true), np.log(false))
    scatter = np.log(cases[:, 1:]) - np.log(cases[:, :1])
    reproduced = []
    for run in scatter.T[:IMAGINED]:
        values = np.exp(truth + run[:, None] + scatter)
        holds = float((_met(claim, values) >= needed).mean())
        reproduced.append(_verdict(holds) == REPRODUCED)
    return float(np.mean(reproduced)) if reproduced else float("nan")
