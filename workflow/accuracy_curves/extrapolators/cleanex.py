"""CleaneX: a network estimates each point's favorability so that the moments fit the accuracies."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from accuracy_curves.errors import FitError, InputError
from accuracy_curves.extrapolators._cleanex_input import factored, standardised
from accuracy_curves.extrapolators._cleanex_network import (
    STEPS_A_CALL,
    adam_rates,
    forward,
    initial_weights,
    training_loop,
)
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.options import check_number, check_whole
from accuracy_curves.scores import Float64Array, ScoreMatrix
from accuracy_curves.seeds import derive_seed
from accuracy_curves.tensors import load_tensorflow

FITTED_LOSS = 1e-6
# A rank above a fourth of k1 saves next to nothing.
SAVING = 4


class CleaneX(FavorabilityExtrapolator):
    """Classification Expected Accuracy Neural EXtrapolation (ICLR 2021, Algorithm 1).

    A network k1 - hidden - 1 with ReLU takes a point's correct score and its sorted incorrect
    scores, all standardised by one mean and one standard deviation, and gives C_x as 1 minus a
    sigmoid. Full-batch Adam minimises

        L = 1 / (k1 - 1) * sum_{k = 2..k1} (sum_x w_x C_x^(k - 1) - A_k)^2

    where A_k are the observed average accuracies and w_x the weights of the points (1 / N where
    classes have equally many points, as in the paper).

    Parameters
    ----------
    hidden : sequence of int
        Widths of the hidden layers.
    steps : int
        Number of training steps J.
    learning_rate : float
        Adam's rate; its other constants are 0.9, 0.999 and 1e-8.
    seed : int
        Seed of the initial weights and of the tie-breaking; at least 0.
    progress : bool
        Draw a progress bar on the standard error stream.
    most_scores : int, optional
        Where a point has more incorrect scores, so many are drawn at random for the network's
        input; the accuracies are those of all classes. None takes all.
    input_rank : int, optional
        Rank r to which the input is reduced where it is at least 4 r wide: its rows projected on
        their r principal directions. Sorted scores are nearly collinear, and the first layer
        then costs N * r products a unit instead of N * k1. None keeps the input as it is.
    threads : int
        TensorFlow's threads within an operation. 1 by default, because sums that are split
        between threads may differ in the last bits: with 1 the result does not depend on the
        number of cores. The first fit of a process decides for all.

    Attributes
    ----------
    favorability_ : (N,) array of float
        Estimates of C_x in [0, 1].
    weights_ : (N,) array of float
        Weights of the points, summing to 1.
    loss_history_ : (steps,) array of float
        The loss before each step.
    """

    name = "cleanex"
    label = "CleaneX"
    color = "#E69F00"

    loss_history_: Float64Array

    def __init__(
        self,
        *,
        hidden: Sequence[int] = (512, 128),
        steps: int = 10_000,
        learning_rate: float = 1e-4,
        seed: int = 0,
        most_scores: int | None = None,
        input_rank: int | None = None,
        progress: bool = False,
        threads: int = 1,
    ) -> None:
        if not isinstance(hidden, Sequence) or isinstance(hidden, str) or len(hidden) == 0:
            raise InputError(f"hidden is {hidden!r}: it must be a list of widths")
        if not isinstance(progress, bool):
            raise InputError(f"progress is {progress!r}: it must be true or false")
        for width in hidden:
            check_whole("every width in hidden", width, 1)
        check_whole("steps", steps, 1)
        check_number("learning_rate", learning_rate, 0, above=True)
        check_whole("seed", seed, 0)
        check_whole("threads", threads, 1)
        if input_rank is not None:
            check_whole("input_rank", input_rank, 1)
        if most_scores is not None:
            check_whole("most_scores", most_scores, 2)
        self.most_scores = most_scores
        self.input_rank = input_rank
        self.hidden = tuple(hidden)
        self.steps = steps
        self.learning_rate = float(learning_rate)
        self.seed = seed
        self.progress = progress
        self.threads = threads

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        tf = load_tensorflow(self.threads, "cleanex")
        scores = standardised(sample, self.most_scores, self.seed)
        width = scores.shape[1]
        rank = self.input_rank
        if rank is not None and width < SAVING * rank:
            rank = None
        inputs, basis = factored(scores, rank)
        inputs = tf.constant(np.ascontiguousarray(inputs.T))
        weights = tf.constant(sample.weights, tf.float32)
        accuracy = tf.constant(self.observed(sample)[1], tf.float32)
        seed = derive_seed(self.seed, "cleanex", "initial weights")
        parameters = initial_weights(width, self.hidden, seed)
        zeros = tuple(tf.zeros_like(parameter) for parameter in parameters)
        state: Any = (tuple(tf.constant(parameter) for parameter in parameters), zeros, zeros)
        run = training_loop(sample.n_points, width, self.hidden, rank)
        history = np.empty(self.steps)
        with _progress_bar(self.steps, self.progress) as bar:
            for done in range(0, self.steps, STEPS_A_CALL):
                steps = min(STEPS_A_CALL, self.steps - done)
                rates = tf.constant(adam_rates(self.learning_rate, done))
                state, losses = run(
                    state, inputs, basis, weights, accuracy, rates, tf.constant(steps)
                )
                history[done : done + steps] = losses.numpy()[:steps]
                self._check_finite(history[: done + steps])
                bar(done + steps, history[done + steps - 1])
        log_favorability = -tf.nn.softplus(forward(state[0], inputs, basis)[-1][0]).numpy()
        self._check_finite(np.append(history, log_favorability.sum()))
        self._check_fell(history)
        self.loss_history_ = history
        favorability: Float64Array = np.exp(log_favorability.astype(np.float64))
        return favorability

    def _check_finite(self, history: npt.NDArray[np.float64]) -> None:
        """Raise if the loss is not a number somewhere."""
        wrong = np.flatnonzero(~np.isfinite(history))
        if len(wrong):
            raise FitError(
                f"cleanex's loss is {history[wrong[0]]} after {wrong[0]} of {self.steps} steps: "
                f"try a learning_rate below {self.learning_rate:g}, "
                "and look for extreme values among the scores"
            )

    def _check_fell(self, history: npt.NDArray[np.float64]) -> None:
        """Raise if training did not lower the loss."""
        last = float(history[-max(1, self.steps // 10) :].mean())
        if last >= history[0] and last > FITTED_LOSS:
            raise FitError(
                f"cleanex's loss did not fall: it was {history[0]:.6g} at first and "
                f"{last:.6g} over the last tenth of {self.steps} steps; "
                f"try more steps, another seed or another learning_rate than "
                f"{self.learning_rate:g}"
            )


class _Report(Protocol):
    def __call__(self, done: int, loss: float) -> None: ...


@contextmanager
def _progress_bar(steps: int, shown: bool) -> Iterator[_Report]:
    """Yield a function that reports the steps done and the loss."""
    if not shown:
        yield lambda done, loss: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    loss_column = TextColumn("steps, loss {task.fields[loss]}")
    columns = ("CleaneX", BarColumn(), MofNCompleteColumn(), loss_column, Remaining())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=steps, loss="?")
        yield lambda done, loss: bar.update(task, completed=done, loss=f"{loss:.2e}")
