import numpy as np
import pytest
from scipy.special import log_softmax
from scipy.stats import multivariate_normal, norm

from accuracy_curves.exceptions import InputError
from experiments.datasets.classifiers import CLASSIFIERS, make_classifier

FLAT = sorted(set(CLASSIFIERS) - {"deep_cnn"})


def images_of(n_classes, per_class, *, shape=(3, 2), spread=0.3, seed=0):
    """Normal images around random means, in mixed order."""
    rng = np.random.default_rng(seed)
    means = np.random.default_rng(99).random((n_classes, *shape))
    labels = rng.permutation(np.repeat(np.arange(n_classes), per_class))
    images = means[labels] + spread * rng.normal(size=(len(labels), *shape))
    return images, labels


def scores_of(name, train, labels, test, **options):
    return make_classifier(name, **options).fit(train, labels).scores(test)


TRAIN, LABELS = images_of(5, 30)
TEST, TEST_LABELS = images_of(5, 12, seed=1)


def test_which_classifiers_are_marginal():
    marginal = {name for name, kind in CLASSIFIERS.items() if kind.marginal}
    assert marginal == {"naive_bayes", "qda"}


@pytest.mark.parametrize("name", FLAT)
def test_bits_do_not_depend_on_the_run_nor_on_the_dtype_of_labels(name):
    first = scores_of(name, TRAIN, LABELS, TEST, seed=3)
    assert first.shape == (60, 5)
    assert first.dtype == np.float32
    assert (first.argmax(axis=1) == TEST_LABELS).mean() > 0.4
    again = scores_of(name, TRAIN, LABELS.astype(np.int16), TEST, seed=3)
    assert again.tobytes() == first.tobytes()


@pytest.mark.parametrize("name", FLAT)
def test_marginal_is_said_of_those_that_are(name):
    kept = np.array([0, 2, 3])
    rows = np.isin(LABELS, kept)
    alone = scores_of(name, TRAIN[rows], np.searchsorted(kept, LABELS[rows]), TEST, seed=0)
    columns = scores_of(name, TRAIN, LABELS, TEST, seed=0)[:, kept]
    if CLASSIFIERS[name].marginal:
        np.testing.assert_allclose(alone, columns, rtol=1e-6)
    else:
        # Even as a difference between two classes.
        gap, gap_alone = columns[:, 0] - columns[:, 1], alone[:, 0] - alone[:, 1]
        assert np.abs(gap - gap_alone).max() > 1e-3


# Each against an independent truth


@pytest.mark.parametrize(("epsilon", "k"), [(0.03, 4), (0.0001, 1), (1, 150)])
def test_epsilon_nn_equals_brute_force(epsilon, k):
    scores = scores_of("epsilon_nn", TRAIN, LABELS, TEST, epsilon=epsilon)
    for row, x in enumerate(TEST):
        order = sorted(range(150), key=lambda i: np.linalg.norm((x - TRAIN[i]).ravel()))
        votes = np.bincount(LABELS[order[:k]], minlength=5)
        np.testing.assert_allclose(scores[row], votes / k, rtol=1e-6)


@pytest.mark.parametrize("ridge", [1e-6, 0.05])
def test_naive_bayes_is_the_density_of_independent_normal_pixels(ridge):
    scores = scores_of("naive_bayes", TRAIN, LABELS, TEST, ridge=ridge)
    for own in range(5):
        mean = TRAIN[own == LABELS].mean(axis=0)
        deviation = np.sqrt(TRAIN[own == LABELS].var(axis=0) + ridge)
        expected = norm.logpdf(TEST, mean, deviation).sum(axis=(1, 2))
        np.testing.assert_allclose(scores[:, own], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("ridge", [1e-6, 0.05])
def test_qda_is_the_density_of_a_normal_class(ridge):
    scores = scores_of("qda", TRAIN, LABELS, TEST, ridge=ridge)
    for own in range(5):
        members = TRAIN[own == LABELS].reshape(30, -1)
        covariance = np.cov(members.T, bias=True) + ridge * np.eye(6)
        expected = multivariate_normal.logpdf(TEST.reshape(60, -1), members.mean(0), covariance)
        np.testing.assert_allclose(scores[:, own], expected, rtol=1e-5, atol=1e-5)


def test_naive_bayes_and_qda_approach_the_best_rule_of_normal_classes():
    # Two classes N(-m, 1) and N(m, 1) in each pixel: the best accuracy is Phi(|m|).
    rng = np.random.default_rng(0)
    mean = np.array([0.5, 0.3, -0.4])

    def draw(n):
        labels = np.tile([0, 1], n)
        return rng.normal(size=(2 * n, 3)) + np.where(labels, 1, -1)[:, None] * mean, labels

    train, test = draw(4000), draw(20_000)
    best = norm.cdf(np.linalg.norm(mean))
    for name in ("naive_bayes", "qda"):
        found = scores_of(name, *train, test[0]).argmax(axis=1) == test[1]
        assert found.mean() == pytest.approx(best, abs=0.01), name


def test_logistic_is_at_the_minimum_of_its_penalised_loss():
    from scipy.optimize import minimize

    x, t = TRAIN.reshape(150, -1), TEST.reshape(60, -1)

    def loss(flat):
        weights = flat.reshape(7, 5)
        logp = log_softmax(x @ weights[:6] + weights[6], axis=1)
        return -logp[np.arange(150), LABELS].sum() + 0.5 * (weights[:6] ** 2).sum() / 0.7

    best = minimize(loss, np.zeros(35), method="BFGS").x.reshape(7, 5)
    expected = log_softmax(t @ best[:6] + best[6], axis=1)
    scores = scores_of("logistic", TRAIN, LABELS, TEST, C=0.7, max_iterations=1000)
    np.testing.assert_allclose(scores, expected, atol=0.01)


def test_svm_is_at_the_minimum_of_its_penalised_loss():
    from scipy.optimize import minimize

    x = np.c_[TRAIN.reshape(150, -1), np.ones(150)]
    scores = scores_of("svm", TRAIN, LABELS, TEST, C=0.7)
    for own in range(5):
        sign = np.where(own == LABELS, 1, -1)

        def loss(weights, sign=sign):
            hinge = np.maximum(0, 1 - sign * (x @ weights))
            return 0.5 * weights @ weights + 0.7 * (hinge**2).sum()

        best = minimize(loss, np.zeros(7), method="BFGS").x
        expected = np.c_[TEST.reshape(60, -1), np.ones(60)] @ best
        np.testing.assert_allclose(scores[:, own], expected, atol=0.01)


# Refusals


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("forest", {}, "no classifier is called 'forest': there are deep_cnn, epsilon_nn"),
        (
            "naive_bayes",
            {"shrinkage": 1},
            "naive_bayes takes .*: got an unexpected keyword argument 'shrinkage'",
        ),
        ("naive_bayes", {"ridge": 0}, "ridge is 0: it must be a number above 0"),
        ("epsilon_nn", {"epsilon": 0}, "epsilon is 0: it must be a number above 0 and at most 1"),
    ],
)
def test_bad_options(name, options, sentence):
    with pytest.raises(InputError, match=sentence):
        make_classifier(name, **options)
