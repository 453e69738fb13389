"""The base of the displays: in the manner of scikit-learn computed once, drawn on any axes."""

from abc import abstractmethod
from typing import Self

import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from accuracy_curves.utils.representation import Described
from accuracy_curves.utils.validation import check_classes

# Multiple of the observed number of classes, or people, up to which a curve goes by default.
BEYOND = 10
SMALL: str = "small"


class Display(Described):
    """What the displays share: they are drawn on axes, as often as one likes."""

    ax_: Axes
    figure_: Figure | SubFigure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw what was computed.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        display
            This one, with `ax_` and `figure_`.
        """
        if ax is None:
            # With the style that is the user's own.
            import matplotlib.pyplot as plt

            ax = plt.subplots(layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        self._draw(ax)
        return self

    @abstractmethod
    def _draw(self, axes: Axes) -> None: ...


def whole(k: npt.ArrayLike | None, observed: int) -> list[int]:
    """Check the numbers of classes, or of people, that are asked for."""
    return [int(each) for each in check_classes(BEYOND * observed if k is None else k)]
