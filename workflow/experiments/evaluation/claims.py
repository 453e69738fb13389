"""What papers claim, as something to count, and the choices that they do not print."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import yaml

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable
from accuracy_curves.utils.validation import Choice as Words
from accuracy_curves.utils.validation import check
from experiments.evaluation.quantities import POOLS, QUANTITIES

# The table of the toy example, which no rule makes.
TOY_EXAMPLE = "bivariate_normal"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence of a paper about the errors of methods, as something to count.

    A case is an experiment, a k1 and a method. Where an entry of `experiments` is a list, these are
    one case: their quantities are pooled, by `pool`. The quantity of a case is one of the errors
    over the repetitions, see `QUANTITIES`, or `ratio`, the median over the repetitions of a rival's
    RMSE over the method's; with `table` it is a column of that table of the run, at `k`.

    With `against` the value of a case is the rival's quantity over the method's, of the rival that
    speaks most against the claim. With `other_experiments`, which pair off with `experiments`, or
    `other_k1`, which pair off with `k1`, it is the quantity (or quotient) there over that in the
    case. With `over` it is the quantity over a number in print, one a case. The claim holds if
    the value lies between `above` and `below` in `at_least` of the cases, all by default; with
    `outside`, if it does not.

    Without `k1` an experiment has every k1 of its errors. `printed` is the number in print. A claim
    that `belongs_to` another is not counted: it is another reading, a part or a consequence of it.
    `short` names a claim that is counted in a list.
    """

    claim: str
    source: str
    quantity: str
    methods: Sequence[str]
    experiments: Sequence[str | Sequence[str]]
    k1: Sequence[int] = ()
    short: str = ""
    printed: str = ""
    table: str = ""
    k: int | None = None
    pool: str = "geometric_mean"
    against: Sequence[str] = ()
    other_experiments: Sequence[str | Sequence[str]] = ()
    other_k1: Sequence[int] = ()
    over: Sequence[float] = ()
    above: float = -np.inf
    below: float = np.inf
    at_least: int | None = None
    outside: bool = False
    belongs_to: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if not self.table:
            check("quantity", self.quantity, Words(*QUANTITIES, "ratio"))
        check("pool", self.pool, Words(*POOLS))
        if self.quantity == "ratio" and not self.against:
            raise InputError("quantity is 'ratio': it needs rivals in `against`")
        if not self.above < self.below or (self.above, self.below) == (-np.inf, np.inf):
            raise InputError("a claim needs `above` or `below`, the former below the latter")
        cases = len(self.experiments) * max(1, len(self.k1)) * len(self.methods)
        for name in ("experiments", "k1"):
            if len(getattr(self, f"other_{name}")) not in (0, len(getattr(self, name))):
                raise InputError(f"other_{name} must pair off with {name}")
        needed = cases if self.at_least is None else self.at_least
        if len(self.over) not in (0, cases) or not 1 <= needed <= cases:
            raise InputError(f"at_least must be from 1 to {cases}, and over has {cases} numbers")

    @property
    def named(self) -> dict[str, list[str]]:
        """Every method and experiment that the claim names."""
        experiments = (listed(each) for each in (*self.experiments, *self.other_experiments))
        return {
            "methods": [*self.methods, *self.against],
            "experiments": [name for names in experiments for name in names],
        }


def listed(names: str | Sequence[str]) -> list[str]:
    """List the experiments of a case."""
    return [names] if isinstance(names, str) else list(names)


def read_claims(paths: Iterable[str]) -> dict[str, Claim]:
    """Read the claims of YAML files, whose keys name them; `InputError` where one is none."""
    claims: dict[str, Claim] = {}
    for path in paths:
        with readable(path):
            entries = yaml.load(Path(path).read_text(encoding="utf-8"), yaml.CSafeLoader)
        for name, options in entries.items():
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

    group: str = ""
    label: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)
    experiments: Mapping[str, str] = field(default_factory=dict)

    def changes(self, claim: Claim) -> bool:
        """Whether a claim names something for which another stands in."""
        return any({*getattr(self, kind)} & {*names} for kind, names in claim.named.items())
