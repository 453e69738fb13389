"""DET curves, as predicted from a few identities and true."""

from collections.abc import Mapping
from typing import Any

from accuracy_curves.answers.plots import OBSERVED_COLOR, SMALL_SIZE, TEXT_WIDTH
from experiments.evaluation.identification_errors import det_curves
from experiments.figures.base import FigureOfSettings, Plan
from experiments.figures.panels import Figure, Rows, key_line, legend_above, mark, panel_grid
from experiments.figures.shown import TRUE_COLOR, Settings, Styles
from experiments.preset import Preset
from experiments.stored import load_matrix

HEIGHT = 1.7
MOST_COLUMNS = 3
SEEN = "observed with $k_1$"


class Det(FigureOfSettings):
    """DET curves in the largest gallery, true and predicted, one panel per setting.

    DET curves in the largest gallery: true (black), and as predicted from one choice of k1
    identities. Dotted: what these show themselves.
    """

    kind = "det"
    identifies = True

    def named_rows(self, preset: Preset) -> Rows:
        """Say that one repetition of each is drawn."""
        return dict.fromkeys(super().named_rows(preset), 1)

    def plan_more(self, preset: Preset) -> Plan:
        """Say with which options and seed the methods are fitted."""
        fitted = {key: list(preset.method(key)) for key in self.shown_methods(preset)}
        return {"fitted": fitted, "seed": preset.config["seed"]}

    def runs(self, preset: Preset) -> list[type]:
        """All methods that are shown are fitted."""
        return [type(self), *map(preset.class_of_method, self.shown_methods(preset))]

    def draw(
        self,
        scores: Mapping[str, str],
        styles: Styles,
        settings: Settings,
        fitted: Mapping[str, Any],
        seed: int,
    ) -> Figure:
        """Fit the methods to the first repetition of each setting, and draw one panel per setting.

        The DET curve of all identities is true. The grey dotted line is what the k1 show.
        """
        looks: dict[str, dict[str, Any]] = {
            "observed": {"color": OBSERVED_COLOR, "ls": ":", "lw": 1.4, "label": SEEN},
            **{key: {"color": s.color, "lw": 1.0, "label": s.label} for key, s in styles.items()},
            "true": {"color": TRUE_COLOR, "lw": 1.6, "label": "true"},
        }
        columns = min(MOST_COLUMNS, len(settings))
        heights = [HEIGHT] * -(-len(settings) // columns)
        figure, grid = panel_grid(heights, columns, 0.55, TEXT_WIDTH)
        for axes in grid.flat[len(settings) :]:
            axes.remove()
        for axes, each in zip(grid.flat, settings, strict=False):
            matrix = load_matrix(scores[each.experiment])
            table = det_curves(matrix, each.k1, (seed, each.experiment), fitted)
            for key, look in looks.items():
                part = table[table["method"] == key]
                gid = mark((each.experiment, each.k1, key, 1))
                axes.plot(part["fpir"], part["fnir"], gid=gid, **look)
            axes.set(xscale="log", ylim=(0, 1.02), xlabel="FPIR", ylabel="FNIR")
            axes.set_title(f"{each.label}, $k_1$ = {each.k1}", fontsize=SMALL_SIZE, pad=3)
        legend_above(figure, [key_line(**look) for look in looks.values()])
        return figure
