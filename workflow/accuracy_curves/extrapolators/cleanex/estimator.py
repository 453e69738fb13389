"""CleaneX: a network estimates each point's favorability so that the moments fit the accuracies."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain, islice
from typing import Annotated, Any, Self

import numpy as np

from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.extrapolators.cleanex import network
from accuracy_curves.extrapolators.fitted import Prepared
from accuracy_curves.scores.sample import set_aside_failures
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.extras import gpus, load_tensorflow
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Count, Number, Positive, Some, Whole

# A rank above a fourth of k1 saves next to nothing.
SAVING = 4


class CleaneX(FavorabilityExtrapolator):
    """Classification Expected Accuracy Neural EXtrapolation (ICLR 2021, Algorithm 1).

    A network k1 - hidden - 1 with ReLU takes a point's correct score and its sorted incorrect
    scores, all standardised by one mean and one standard deviation. It gives C_x as 1 minus a
    sigmoid. Full-batch Adam minimises

        L = 1 / (k1 - 1) * sum_{k = 2..k1} (sum_x w_x C_x^(k - 1) - A_k)^2

    where A_k are the observed average accuracies and w_x the weights of the points (1 / N where
    classes have equally many points, as in the paper).

    TensorFlow runs with one thread within an operation and without oneDNN, so that the result does
    not depend on the number of cores. A program that imports TensorFlow earlier sets
    TF_ENABLE_ONEDNN_OPTS=0 before, or the last bits may differ.

    Parameters
    ----------
    hidden : sequence of int
        Widths of the hidden layers.
    steps : int
        Number of training steps J.
    learning_rate : float
        Adam's rate; its other constants are 0.9, 0.999 and 1e-8. YAML reads 1e-4 as text: write
        0.0001.
    seed : int
        Seed of the initial weights and of the tie-breaking; at least 0.
    input_rank : int, optional
        Rank r to which the input is reduced where it is at least 4 r wide: its rows projected on
        their r principal directions. Sorted scores are nearly collinear, and the first layer
        then costs N * r products a unit instead of N * k1. None keeps the input as it is.
    networks : int
        Number M of networks, trained from different initial weights. Their curves are averaged.
        1 is the paper's.
    stop_share : float, optional
        Training stops when the loss is below this share of the best constant-C loss, the least
        that one C for all points can have. This is checked every 200 steps. The paper has no such
        rule: None trains all steps.

    Attributes
    ----------
    favorability_ : (M * N,) array of float
        Estimates of C_x in [0, 1], of one network's N points after the other's.
    weights_ : (M * N,) array of float
        Weights of the points, summing to 1.
    loss_history_ : (steps,) array of float
        The loss before each step, mean of the networks; one that has stopped keeps its last.
    steps_ : (M,) array of int
        Steps that each network was trained.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=30, points_per_class=2)
    >>> model = ac.CleaneX(hidden=(16, 8), steps=50).fit(matrix)  # the paper trains 10,000 steps
    >>> model.loss_history_.shape, bool(model.loss_history_[-1] < model.loss_history_[0])
    ((50,), True)
    """

    name = "cleanex"
    label = "CleaneX"
    color = "#E69F00"
    extra = "cleanex"
    splits = 5  # A network of half of the classes costs a fourth.
    slow = True
    stepwise = True

    hidden: Annotated[Sequence[int], Some(Whole(1), least=1)] = (512, 128)
    steps: Count = 10_000
    learning_rate: Positive = 1e-4
    input_rank: Count | None = None
    networks: Count = 1
    stop_share: Annotated[float, Number(0, 1, above=True)] | None = None
    loss_history_: Float64Array = field(init=False)
    steps_: IntArray = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.hidden, self.learning_rate = tuple(self.hidden), float(self.learning_rate)

    @classmethod
    def fit_each(cls, pairs: Iterable[tuple[Self, Any]]) -> Iterator[Self]:
        """Fit models whose options are equal; where TensorFlow sees a GPU all are trained first.

        Networks of samples of one shape are then one program.
        """
        rest = iter(pairs)
        for model, sample in rest:
            load_tensorflow("cleanex")
            if not gpus():
                yield from super().fit_each(chain([(model, sample)], rest))
                return
            every = [(model, sample), *rest]
            problems = [model._problems(set_aside_failures(part)[0]) for model, part in every]
            fits = iter(trained_together(list(chain(*problems)), *model._training))
            for model, part in every:
                own = list(islice(fits, model.networks))
                yield model._fit_prepared(Prepared(part, {"networks": own}))

    @property
    def _training(self) -> tuple[tuple[int, ...], int, float]:
        return tuple(self.hidden), self.steps, self.learning_rate

    def _favorability(
        self, sample: ScoreMatrix, networks: Sequence[network.Trained] | None = None
    ) -> Float64Array:
        if networks is None:
            load_tensorflow("cleanex")
            networks = [network.trained(one, *self._training) for one in self._problems(sample)]
        fits = [network.checked(fit, self.learning_rate) for fit in networks]
        self.loss_history_ = np.mean([fit.history for fit in fits], axis=0)
        self.steps_ = np.array([fit.steps for fit in fits])
        return np.exp(np.concatenate([fit.log_favorability for fit in fits]))

    def _problems(self, sample: ScoreMatrix) -> list[network.Problem]:
        """Arrange what each of the networks is trained on."""
        scores = network.standardised(sample)
        width = scores.shape[1]
        saves = self.input_rank is not None and width >= SAVING * self.input_rank
        inputs, basis = network.factored(scores, self.input_rank if saves else None)
        weights = sample.weights.astype(np.float32)
        accuracy = self.observed(sample)[1].astype(np.float32)
        inputs = np.ascontiguousarray(inputs.T)
        # Number 0 is trained where there is no other.
        purposes = [(number,) if number else () for number in range(self.networks)]
        seeds = [derive_seed(self.seed, "cleanex", "initial weights", *of) for of in purposes]
        starts = [network.initial_weights(width, self.hidden, seed) for seed in seeds]
        enough = (
            0.0 if self.stop_share is None else self.stop_share * network.constant_loss(accuracy)
        )
        return [
            network.Problem(inputs, basis, weights, accuracy, start, enough) for start in starts
        ]


def trained_together(
    problems: Sequence[network.Problem], hidden: tuple[int, ...], steps: int, learning_rate: float
) -> list[network.Trained]:
    """Train networks of several samples, those of one shape as one program: what a GPU is for.

    The results are not `checked`.
    """
    results: dict[int, network.Trained] = {}
    for shape in dict.fromkeys(problem.shape for problem in problems):
        places = [place for place, other in enumerate(problems) if other.shape == shape]
        stack = [problems[place] for place in places]
        fits = network.train(Stack(stack, hidden), stack, steps, learning_rate)
        results |= zip(places, fits, strict=True)
    return [results[place] for place in range(len(problems))]


class Stack:
    """Networks of one shape in training, R of them; all units stay awake."""

    def __init__(self, problems: Sequence[network.Problem], hidden: tuple[int, ...]) -> None:
        import tensorflow as tf

        self._run = network.training_loop(problems[0].shape, hidden)
        fields = list(zip(*problems, strict=True))
        self._data = [None if of[0] is None else tf.constant(np.stack(of)) for of in fields[:4]]
        values = tuple(tf.constant(np.stack(arrays)) for arrays in zip(*fields[4], strict=True))
        self._state = values, *(tuple(map(tf.zeros_like, values)) for _ in range(2))

    def advance(self, rates: network.Float32Array, steps: int) -> tuple[network.Float32Array, Any]:
        """Train some steps: the loss before each, (steps, R), and z, (R, N)."""
        import tensorflow as tf

        self._state, losses = self._run(self._state, *self._data, rates, tf.constant(steps))
        z = network.forward(self._state[0], *self._data[:2])[-1]
        return losses.numpy()[:steps], z[..., 0, :]
