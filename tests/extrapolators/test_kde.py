import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import norm

from accuracy_curves import load_scores
from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.kde import estimator
from accuracy_curves.extrapolators.kde.estimator import KDE, RULES
from accuracy_curves.extrapolators.kde.r_bridge import call_r
from accuracy_curves.scores.parts import split
from accuracy_curves.scores.score_matrix import ScoreMatrix
from conftest import ROOT, shared_data, simulated

# Zheng, Achanta & Benjamini (2018), table of Telugu OCR, columns KDE (bcv) and KDE (ucv), which
# are swapped in print; recomputed to seven digits with R 4.2.2 on the authors' score matrices.
TELUGU = [
    ("deepslim_20", 100, 0.6507035, 0.7138592),
    ("deepslim_20", 400, 0.3863184, 0.4902794),
    ("logistic_20", 100, 0.8161257, 0.8414840),
    ("logistic_20", 400, 0.7015413, 0.7466778),
    ("logistic_100", 400, 0.6775534, 0.7088487),
]

# density()$bw row by row.
ROW_BY_ROW = """
arguments <- commandArgs(TRUE)
size <- as.integer(arguments[2])
scores <- matrix(readBin(arguments[1], "double", 1e7), nrow = size)
for (rule in c("bcv", "ucv", "SJ", "nrd0")) for (i in seq_len(ncol(scores))) {
  cat(rule, sprintf("%a", suppressWarnings(density(scores[, i], bw = rule)$bw)), "\\n")
}
"""


def matrix_of(correct, incorrect):
    """Score matrix whose first column is the correct class of every point."""
    scores = np.column_stack([correct, incorrect])
    return ScoreMatrix(scores, np.zeros(len(scores), dtype=int))


def normal_matrix(points, k, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    return matrix_of(rng.normal(1, 1, points) * scale, rng.normal(size=(points, k - 1)) * scale)


@pytest.mark.parametrize(("name", "k2", "bcv", "ucv"), TELUGU)
def test_published_telugu_values(name, k2, bcv, ucv):
    matrix = load_scores(shared_data(f"telugu_scores_{name}.npz"))
    for rule, published in (("bcv", bcv), ("ucv", ucv)):
        method = KDE(bandwidth=rule).fit(matrix)
        assert method.predict(k2)[0] == pytest.approx(published, abs=5e-7)


@pytest.mark.parametrize("k", [20, 601])
def test_bandwidths_are_those_of_density(k, tmp_path):
    # R bins the pairs of up to 500 scores in another way than those of more.
    two_valued = np.repeat([0.25, 1.0], [3, 6])[np.arange(k - 1) % 9]
    incorrect = np.vstack([split(normal_matrix(15, k))[1], np.sort(two_valued)])
    incorrect.tofile(tmp_path / "scores")
    program = tmp_path / "rows.R"
    program.write_text(ROW_BY_ROW)
    command = ["Rscript", "--vanilla", program, tmp_path / "scores", str(k - 1)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    rows = [line.split() for line in lines if line]
    assert len(rows) == 4 * len(incorrect)
    for rule in ("bcv", "ucv", "SJ", "nrd0"):
        method = KDE(bandwidth=rule).fit(matrix_of(np.zeros(len(incorrect)), incorrect))
        truth = [float.fromhex(bw) for name, bw in rows if name == rule]
        # Those of R's selectors to the bit; Silverman's rule is not R's.
        np.testing.assert_allclose(method.bandwidth_, truth, rtol=1e-12 * (rule == "nrd0"))
        assert (method.n_constant_, method.n_fallback_) == (0, 0)


def mlcv_samples():
    rng = np.random.default_rng(7)
    pairs = np.random.default_rng(16)
    singles, jitter = pairs.normal(size=42), 0.002 * pairs.normal(size=35)
    return {
        # Two local maxima, of which a line search over the whole interval finds the lower one.
        "two maxima": np.concatenate([singles, singles[:35] + jitter]),
        "normal": rng.normal(size=40),
        "clusters": np.concatenate([rng.normal(0, 0.01, 20), rng.normal(5, 1, 20)]),
        "heavy tails": rng.standard_t(2, size=40),
        "ties": np.round(rng.normal(size=40), 1),
        "three": np.array([0.0, 1.0, 1.5]),
        "two": np.array([-3.0, 4.0]),
    }


@pytest.mark.parametrize("name", mlcv_samples())
def test_mlcv_maximises_the_leave_one_out_likelihood(name):
    x = mlcv_samples()[name]
    h = np.geomspace(np.ptp(x) * 1e-4, np.ptp(x) * 3, 4000)

    def likelihood(h):
        kernel = norm.logpdf(x[:, None], x[None, :], h)
        np.fill_diagonal(kernel, -np.inf)
        return np.sum(logsumexp(kernel, axis=1) - np.log(len(x) - 1))

    found = KDE(bandwidth="mlcv").fit(matrix_of([0.0], [x])).bandwidth_[0]
    on_grid = np.array([likelihood(width) for width in h])
    assert np.log(found) == pytest.approx(np.log(h[on_grid.argmax()]), abs=3 * np.log(h[1] / h[0]))
    assert likelihood(found) > on_grid.max() - 1e-6


def many_scores():
    rng = np.random.default_rng(11)
    distances = [simulated(500, 1, seed=seed).scores[::60] for seed in range(10)]
    return {
        **{f"distances {seed}": np.sort(-scores, axis=1) for seed, scores in enumerate(distances)},
        # Whose bandwidth is too small for bins, or which have a score that is far from all others.
        "clusters": np.sort(rng.normal(np.repeat([0, 1], 150), 1e-4, (2, 300)), axis=1),
        "outlier": np.sort(np.append(rng.normal(size=(2, 300)), [[17.0], [30.0]], axis=1), axis=1),
        "pairwise ties": np.repeat(np.arange(120.0), 2)[None],
    }


@pytest.mark.parametrize("name", many_scores())
def test_binned_mlcv_is_that_of_all_pairs(name, monkeypatch):
    incorrect = many_scores()[name]
    matrix = matrix_of(np.quantile(incorrect, 0.99, axis=1), incorrect)
    binned = KDE(bandwidth="mlcv").fit(matrix)
    monkeypatch.setattr(estimator, "FEWEST_BINNED", 10**6)
    exact = KDE(bandwidth="mlcv").fit(matrix)
    np.testing.assert_allclose(binned.bandwidth_, exact.bandwidth_, rtol=0.012)
    k = np.arange(2, 2001)
    np.testing.assert_allclose(binned.predict(k), exact.predict(k), rtol=0, atol=5e-4)


@pytest.mark.parametrize("rule", RULES)
def test_favorability_is_the_kernel_distribution_function(rule):
    matrix = normal_matrix(6, 12)
    method = KDE(bandwidth=rule).fit(matrix)
    cdf = statistics.NormalDist().cdf
    for (x, *others), width, favorability in zip(
        matrix.scores, method.bandwidth_, method.favorability_, strict=True
    ):
        truth = statistics.fmean(cdf((x - other) / width) for other in others)
        assert favorability == pytest.approx(truth, abs=1e-14)
    assert method.predict(3)[0] == pytest.approx(np.mean(method.favorability_**2), abs=1e-14)


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10**6),
    k=st.integers(5, 40),
    exponent=st.integers(-20, 20),
    rule=st.sampled_from(["bcv", "ucv", "SJ", "nrd0"]),
)
def test_scale_does_not_matter(seed, k, exponent, rule):
    # A power of two scales without rounding.
    matrix, scaled = normal_matrix(3, k, seed), normal_matrix(3, k, seed, scale=2.0**exponent)
    first, second = (KDE(bandwidth=rule).fit(m) for m in (matrix, scaled))
    np.testing.assert_allclose(second.bandwidth_, first.bandwidth_ * 2.0**exponent, rtol=1e-6)
    np.testing.assert_allclose(second.favorability_, first.favorability_, rtol=0, atol=1e-6)


@pytest.mark.parametrize("rule", ["bcv", "ucv", "SJ"])
def test_scores_far_from_zero_have_bandwidths(rule):
    plain = np.round(np.random.default_rng(3).normal(size=(20, 50)) * 2**10) / 2**10
    plain -= plain.min(axis=1, keepdims=True)
    near, far = (
        KDE(bandwidth=rule).fit(matrix_of(np.zeros(20), at)) for at in (plain, plain + 2**30)
    )
    assert far.n_fallback_ == 0
    np.testing.assert_array_equal(far.bandwidth_, near.bandwidth_)


@pytest.mark.parametrize("rule", RULES)
def test_constant_incorrect_scores(rule, caplog, capfd):
    plain = normal_matrix(2, 9)
    correct = [*plain.scores[:, 0], 0.2, -5.0]
    incorrect = [*plain.scores[:, 1:], *np.full((2, 8), 0.1)]
    method = KDE(bandwidth=rule).fit(matrix_of(correct, incorrect))
    np.testing.assert_array_equal(method.favorability_[2:], [1, 0])
    np.testing.assert_array_equal(method.bandwidth_[2:], 0)
    assert method.n_constant_ == 2
    np.testing.assert_array_equal(
        method.favorability_[:2], KDE(bandwidth=rule).fit(plain).favorability_
    )
    assert "2 of 4 points have constant incorrect scores" in caplog.text
    assert method.predict(10**12)[0] == pytest.approx(0.25)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("rule", "scores"),
    [
        ("SJ", np.append(1.0, np.full(50, 2.0))),
        # Every score is tied, so the likelihood grows without bound as the bandwidth shrinks.
        ("mlcv", np.repeat([0.0, 1.0, 3.0], 2)),
    ],
)
def test_a_rule_that_fails_gives_way_to_nrd0(rule, scores, caplog, capfd):
    matrix = matrix_of([2.0, 0.0], [scores, np.arange(len(scores))])
    method = KDE(bandwidth=rule).fit(matrix)
    assert method.n_fallback_ == 1
    nrd0 = KDE(bandwidth="nrd0").fit(matrix)
    assert method.bandwidth_[0] == nrd0.bandwidth_[0]
    assert method.bandwidth_[1] != nrd0.bandwidth_[1]
    assert f"{rule} bandwidth failed for 1 of 2 points" in caplog.text
    assert capfd.readouterr() == ("", "")


def test_an_error_of_r_is_one_sentence(tmp_path, caplog, capfd):
    file = tmp_path / "stops.R"
    file.write_text('function(x, n, rule) stop("no way past ", n)')
    with pytest.raises(FitError, match=r"^R stopped with an error: .*no way past 7$"):
        call_r(file, np.zeros((7, 2)), "bcv")
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from accuracy_curves import EXTRAPOLATORS, ScoreMatrix
assert not [module for module in sys.modules if module.startswith("rpy2")]
def fit(points, k, rule):
    scores = np.random.default_rng(0).normal(size=(points, k))
    try:
        method = EXTRAPOLATORS["kde"](bandwidth=rule)
        method.fit(ScoreMatrix(scores, np.zeros(points, int)))
        print("fitted", flush=True)
    except BaseException as error:
        print(type(error).__name__, error, flush=True)
fit(3, 10, "bcv")
"""


def started(program, folder, **environment):
    everything = {**os.environ, "PYTHONPATH": str(ROOT / "workflow"), **environment}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", program],
        env={name: value for name, value in everything.items() if value is not None},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_starts_quietly_and_reads_no_profile_or_workspace(tmp_path):
    (tmp_path / ".RData").write_text("not a workspace")
    (tmp_path / ".Rprofile").write_text('cat("hello\\n"); options(warn = 2); quit("no")')
    assert started(PROGRAM, tmp_path).communicate() == ("fitted\n", "")


def test_missing_r_says_how_to_install_it(tmp_path):
    again = PROGRAM + 'fit(3, 10, "ucv")'
    output, errors = started(again, tmp_path, PATH=str(tmp_path), R_HOME=None).communicate()
    assert errors == ""
    first, second = output.splitlines()
    assert first == second
    assert first.startswith("MissingDependencyError kde needs R, which is not here: install R")
    for way in ("apt install r-base-core", "brew install r", "conda install -c conda-forge r-base"):
        assert way in first


def test_an_rpy2_that_cannot_load_says_why(tmp_path):
    output, errors = started(PROGRAM, tmp_path, R_HOME=str(tmp_path)).communicate()
    assert errors == ""
    assert len(output.splitlines()) == 1
    assert output.startswith("MissingDependencyError kde needs R, but rpy2 cannot load it (")
    assert str(Path(tmp_path, "lib")) in output
    assert "check R_HOME" in output


def test_ctrl_c_ends_a_fit_and_leaves_r_usable(tmp_path):
    # Ten thousand points of a millisecond or more each.
    program = PROGRAM + 'fit(10_000, 500, "SJ")\nfit(3, 10, "bcv")\n'
    process = started(program, tmp_path)
    assert process.stdout.readline() == "fitted\n"
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    try:
        assert process.communicate(timeout=60) == ("KeyboardInterrupt \nfitted\n", "")
    finally:
        process.kill()


def test_children_of_a_process_with_r_find_their_own_libraries():
    before = os.environ.get("LD_LIBRARY_PATH")
    KDE().fit(simulated(20, 2))
    assert os.environ.get("LD_LIBRARY_PATH") == before
    subprocess.run([sys.executable, "-c", "import ssl"], check=True)


@pytest.mark.parametrize(("how", "function"), [("square_root", np.sqrt), ("log", np.log)])
@pytest.mark.parametrize("higher", [True, False])
def test_transformed_scores_are_those_of_a_transformed_matrix(how, function, higher):
    rng = np.random.default_rng(5)
    scores = rng.gamma(3.0, size=(60, 20))
    labels = np.arange(60) % 20
    given_so = ScoreMatrix(function(scores), labels, higher)
    first = KDE(bandwidth="nrd0").fit(given_so)
    asked = KDE(bandwidth="nrd0", transformation=how)
    second = asked.fit(ScoreMatrix(scores, labels, higher))
    np.testing.assert_array_equal(second.favorability_, first.favorability_)
    plain = KDE(bandwidth="nrd0").fit(ScoreMatrix(scores, labels, higher))
    assert np.abs(plain.favorability_ - second.favorability_).max() > 0.01


def test_scores_without_a_root_or_a_logarithm():
    scores = np.random.default_rng(6).gamma(3.0, size=(20, 20))
    for lowest, how in ((-0.5, "square_root"), (-0.5, "log"), (0.0, "log")):
        scores[3, 4] = lowest
        method = KDE(bandwidth="nrd0", transformation=how)
        with pytest.raises(FitError, match=rf"{how.replace('_', ' ')} of the score {lowest:g}"):
            method.fit(ScoreMatrix(scores, np.arange(20), False))
    zero = KDE(bandwidth="nrd0", transformation="square_root")
    zero.fit(ScoreMatrix(scores, np.arange(20), False))
