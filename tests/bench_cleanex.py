"""CleaneX against the released notebook's graph: `make bench` prints the ratios."""

from collections.abc import Callable

import numpy as np

from accuracy_curves.accuracy import average_accuracy
from accuracy_curves.scores import ScoreMatrix, split


def notebook_training(sample: ScoreMatrix, threads: int = 1) -> Callable[[int], None]:
    """Build the notebook's graph anew; the result does a number of steps as the notebook does.

    A session of TensorFlow 1, the scores fed in float64 at each step, powers and their gradient
    left to TensorFlow, and the loss fetched.
    """
    import tensorflow.compat.v1 as tf

    k1 = sample.n_classes
    correct, incorrect = (scores.astype(np.float64) for scores in split(sample))
    both = np.hstack([correct[:, None], incorrect])
    correct, incorrect = ((s - both.mean()) / both.std() for s in (correct[:, None], incorrect))
    accuracy = average_accuracy(sample, np.arange(2, k1 + 1))
    graph = tf.Graph()
    with graph.as_default(), tf.variable_scope("", use_resource=False):
        fed_accuracy = tf.placeholder(tf.float32, [k1 - 1])
        fed_correct = tf.placeholder(tf.float32, [None, 1])
        fed_incorrect = tf.placeholder(tf.float32, [None, k1 - 1])
        layer = tf.concat([fed_correct, fed_incorrect], axis=1)
        for number, (inputs, outputs) in enumerate([(k1, 512), (512, 128), (128, 1)]):
            matrix = tf.get_variable(f"W{number}", [inputs, outputs], tf.float32)
            biases = tf.get_variable(f"b{number}", [outputs], tf.float32)
            layer = tf.matmul(layer, matrix) + biases
            layer = tf.nn.relu(layer) if outputs > 1 else tf.nn.sigmoid(layer)
        exponents = tf.constant(np.arange(1, k1), tf.float32)
        estimates = tf.reduce_mean(tf.math.pow(1 - layer, exponents), axis=0)
        loss = tf.reduce_mean(tf.square(estimates - fed_accuracy))
        step = tf.train.AdamOptimizer(learning_rate=1e-4).minimize(loss)
        start = tf.global_variables_initializer()
    options = tf.ConfigProto(
        intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads
    )
    session = tf.Session(graph=graph, config=options)
    session.run(start)
    feed = {fed_correct: correct, fed_incorrect: incorrect, fed_accuracy: accuracy}

    def train(steps: int) -> None:
        for _ in range(steps):
            session.run([loss, step], feed_dict=feed)

    return train
