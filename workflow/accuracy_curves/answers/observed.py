"""How accurate on fewer classes: the answer of `observe`."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy_plots import draw_observed, dress_accuracy
from accuracy_curves.answers.answer import Answer
from accuracy_curves.answers.curves import facts_of_sample, name_of, observed_curve
from accuracy_curves.cautions import listed, share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.cautions import cautions_of_sample
from accuracy_curves.scores.sample import Sample

TABLE_ROWS = 8


@dataclass(frozen=True, repr=False)
class ObservedAnswer(Answer):
    """The average accuracies of a sample at every number of its classes, for each top."""

    tables_written = ("observed.csv",)
    stem = "observed"
    title = "How accurate on fewer classes?"
    caption = "The average accuracy over all subsets of k of the classes."
    sample: Sample
    tops: tuple[int | str, ...] = (1,)
    seed: int = 0

    @cached_property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the scores, the gravest first."""
        return sort_cautions(cautions_of_sample(self.sample))

    @cached_property
    def table(self) -> pd.DataFrame:
        """The accuracy at each number of classes; its bounds where lists have no more."""
        curves = [observed_curve(self.sample, top, self.seed) for top in self.tops]
        return pd.concat(curves, ignore_index=True)[["k", "top", "accuracy", "lower", "upper"]]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        return {"observed.csv": self.table.rename(columns={"top": name_of(self.tops)})}

    def conclusion(self) -> list[str]:
        """Say the accuracy of all classes and of two, which is the area under the reversed ROC."""
        last = self.table.groupby("top")["accuracy"].last().to_dict()
        name = self.words.measure
        seen = listed([f"the {name(top)} is {share(last[top])}" for top in self.tops])
        of_two = self.table.query("k == 2 and top == 1")["accuracy"].dropna()
        pairs = [f"; with two, {share(value)} (rAUC)" for value in of_two]
        k1 = self.sample.counted_classes
        return [f"With {k1:,} classes, as tested, {seen}{''.join(pairs)}."]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write a few numbers of classes, evenly apart by their ratio."""
        curves = self.table.pivot(index="k", columns="top", values="accuracy").dropna()
        few = np.unique(np.geomspace(1, len(curves), TABLE_ROWS).astype(int)) - 1
        rows = [
            [f"{k:,}", *(share(row[top]) for top in self.tops)]
            for k, row in curves.iloc[few].iterrows()
        ]
        return ["classes", *(f"average {self.words.measure(top)}" for top in self.tops)], rows

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the curves, one panel per top."""
        return [partial(self._draw, top=top) for top in self.tops]

    def _draw(self, axes: Axes, top: int | str) -> None:
        k1 = self.sample.counted_classes
        draw_observed(axes, self.table[self.table["top"] == top])
        dress_accuracy(axes, k1, k1, top)

    def facts(self) -> dict[str, str]:
        """Describe the sample."""
        tied = np.count_nonzero(self.sample.outscored_and_tied()[1])
        ties = {"points that tie with an incorrect class": f"{tied:,}"}
        return facts_of_sample(self.sample, self.seed) | ties
