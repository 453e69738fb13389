"""Options that no method takes: one sentence that names the option."""

import pytest

from accuracy_curves import EXTRAPOLATORS, InputError
from accuracy_curves.extrapolators import make_extrapolator

WRONG = [
    ("cleanex", "hidden", 512),
    ("cleanex", "hidden", "512"),
    ("cleanex", "hidden", []),
    ("cleanex", "hidden", [512, 0]),
    ("cleanex", "steps", 10.0),
    ("cleanex", "steps", True),
    ("cleanex", "learning_rate", 0),
    ("cleanex", "learning_rate", float("nan")),
    ("cleanex", "learning_rate", "1e-4"),
    ("cleanex", "threads", 0),
    ("cleanex", "networks", 0),
    ("cleanex", "stop_share", 1.5),
    ("cleanex", "input_rank", 0),
    ("covariate_adjusted", "basis", "fourier"),
    ("covariate_adjusted", "degree", 0),
    ("covariate_adjusted", "knots", 0),
    ("covariate_adjusted", "spacing", "cubic"),
    ("covariate_adjusted", "variance", "none"),
    ("empirical_bayes", "degree", 0),
    ("empirical_bayes", "penalty", -1.0),
    ("kde", "bandwidth", "wide"),
    ("kde", "transformation", "cube"),
    ("p_exp", "step", 0.0),
    ("p_exp", "step", 2),
    ("radial_nnls", "bandwidth", 0),
    ("radial_nnls", "bandwidth", "bcv"),
    ("radial_nnls", "bandwidth", None),
    ("regression", "bandwidth", 0.0),
    ("regression", "largest_knot", 10.0),
    ("regression", "max_iterations", 0),
    ("regression", "n_knots", 1),
    ("regression", "penalty", 2.0),
    ("regression", "solver", "lbfgs"),
    ("regression", "xtol", -1.0),
    ("spline", "knots", 1.5),
    ("spline", "spacing", "cubic"),
]


@pytest.mark.parametrize(("method", "option", "value"), WRONG)
def test_a_wrong_option_is_named(method, option, value):
    with pytest.raises(InputError, match=option):
        make_extrapolator(method, **{option: value})


@pytest.mark.parametrize("method", EXTRAPOLATORS)
@pytest.mark.parametrize("seed", [-1, 0.5, None])
def test_a_wrong_seed_is_named(method, seed):
    with pytest.raises(InputError, match="seed"):
        make_extrapolator(method, seed=seed)
