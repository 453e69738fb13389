"""Names and colours of the methods of a preset, where several keys use one method."""

from collections.abc import Mapping
from typing import Any

from matplotlib.colors import to_hex, to_rgb

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.prediction.plots.style import Style
from accuracy_curves.utils.validation import Choice, ranges_of

TRUE_COLOR = "#000000"
# Amounts of black (negative) or white mixed into the colour of the second, third... key.
SHADES = (0.0, -0.45, 0.5, -0.7, 0.7, -0.2)


def shaded(color: str, amount: float) -> str:
    """Mix a colour with white (amount in (0, 1]) or black (amount in [-1, 0))."""
    target = 1.0 if amount > 0 else 0.0
    red, green, blue = (c + abs(amount) * (target - c) for c in to_rgb(color))
    return to_hex((red, green, blue))


def key_styles(
    methods: Mapping[str, str], known: Mapping[str, Any] = EXTRAPOLATORS
) -> dict[str, Style]:
    """Choose a name and a colour for each method: configuration key -> name of the extrapolator.

    `known` has the class of each name, with its ``label`` and ``color``.

    A method has the label and colour of its extrapolator. Where several keys use one extrapolator,
    they are told apart in the label by what the key adds to the extrapolator's name, as "KDE, ucv"
    for kde_ucv, and by shades of its colour, in the order of the keys. A value of an option is
    spelt as the extrapolator spells it: "KDE, SJ" for kde_sj.
    """
    styles: dict[str, Style] = {}
    used: list[str] = []
    for key, name in methods.items():
        if name not in known:
            raise InputError(f"no method is called {name!r}: there are {', '.join(known)}")
        kind = known[name]
        alone = list(methods.values()).count(name) == 1 or key == name
        added = key.removeprefix(name).strip("_")
        words = _words(kind)
        added = words.get(added, added).replace("_", " ")
        styles[key] = Style(
            label=kind.label if alone else f"{kind.label}, {added}",
            color=shaded(kind.color, SHADES[used.count(name) % len(SHADES)]),
        )
        used.append(name)
    return styles


def _words(kind: type) -> dict[str, str]:
    """Collect the words that options of a class take, by their lower case."""
    allowed = (found for found, _ in ranges_of(kind).values())
    return {w.lower(): w for found in allowed if isinstance(found, Choice) for w in found.words}
