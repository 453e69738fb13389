import numpy as np
import pytest
from scipy.special import logit
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_predict
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import accuracy_curves as ac
from conftest import simulated


def digits(n=300):
    x, y = load_digits(return_X_y=True)
    return x[:n], y[:n]


@pytest.mark.parametrize(
    ("estimator", "method"),
    [(RidgeClassifier(), "decision_function"), (GaussianNB(), "predict_log_proba")],
)
def test_scores_are_those_of_scikit_learns_cross_validation(estimator, method):
    x, y = digits()
    names = np.array([f"digit {each}" for each in range(10)])[y]
    sample = ac.score_classifier(estimator, x, names, cv=4)
    expected = cross_val_predict(estimator, x, y, cv=StratifiedKFold(4), method=method)
    np.testing.assert_allclose(sample.scores, expected)
    assert sample.classes[sample.labels].tolist() == names.tolist()
    (accuracy,) = ac.average_accuracy(sample, 10)
    predicted = cross_val_predict(estimator, x, y, cv=StratifiedKFold(4))
    # Each digit weighs the same.
    assert accuracy == pytest.approx(np.mean([np.mean(predicted[y == c] == c) for c in range(10)]))


def test_folds_keep_groups_whole():
    rng = np.random.default_rng(0)
    labels, groups = np.repeat(np.arange(4), 30), np.tile(np.arange(6), 20)
    # A point is known by its group: others of the group give it away.
    x = np.eye(24)[4 * groups + labels] + 0.01 * rng.normal(size=(120, 24))
    tree = ExtraTreesClassifier(random_state=0)
    near = ac.score_classifier(tree, x, labels, cv=5)
    apart = ac.score_classifier(tree, x, labels, cv=5, groups=groups)
    assert ac.average_accuracy(near, 4)[0] > 0.95 > 0.6 > ac.average_accuracy(apart, 4)[0]


@pytest.mark.parametrize(
    ("estimator", "kind"),
    [
        (LogisticRegression(), "jointly"),
        (make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()), "jointly"),
        (GridSearchCV(RidgeClassifier(), {"alpha": [1, 10]}, cv=2), "separately"),
        (OneVsRestClassifier(LogisticRegression()), "separately"),
        (ExtraTreesClassifier(20, random_state=0), "separately"),
        (LinearSVC(), "separately"),
    ],
)
def test_it_is_known_how_classifiers_learn(estimator, kind):
    x, y = digits(200)
    sample = ac.score_classifier(estimator, x, y, cv=2)
    assert (sample.design.trained, sample.design.trained_classes) == (kind, 10)


@pytest.mark.parametrize(
    ("estimator", "said"),
    [
        (SVC(decision_function_shape="ovo"), "compares pairs of classes"),
        (OneVsOneClassifier(LinearSVC()), "compares pairs of classes"),
        (KNeighborsClassifier(), "score_embeddings takes the distances"),
        (VotingClassifier([("one", GaussianNB())]), "say trained='jointly'"),
        (StandardScaler(), "takes a classifier of scikit-learn"),
        (SVC(), "say trained='jointly'"),
    ],
)
def test_classifiers_that_cannot_be_scored(estimator, said):
    with pytest.raises(ac.InputError, match=said):
        ac.score_classifier(estimator, *digits(100))


class Contrary(GaussianNB):
    def predict(self, x):
        return self.classes_[super().predict_proba(x).argmin(axis=1)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"y": np.arange(100) % 2}, "there are 2 classes in y"),
        ({"y": np.append(np.arange(99) % 3, 7), "cv": KFold(3)}, "no point of the class 7"),
        ({"estimator": Contrary()}, "another class than that of its best score"),
        ({"estimator": LinearRegression()}, "has no score for each of the 10 classes"),
        ({"trained": "apart"}, "trained"),
    ],
)
def test_points_and_labels_that_cannot_be_scored(change, said):
    x, y = digits(100)
    given = {"estimator": GaussianNB(), "X": x, "y": y, "cv": 3, "trained": "jointly", **change}
    with pytest.raises(ac.InputError, match=said):
        ac.score_classifier(**given)


def test_predictions_account_for_the_training_on_more_classes():
    plain = simulated(40, 4, variance=0.3)
    k = np.array([10, 40, 80, 320])
    doublings = np.array([0, 0, 1, 3])
    fits = {
        how: ac.ClassIntervals(
            plain.redesigned(trained=how, trained_classes=40 if how else 0), splits=4
        )
        for how in (None, "jointly", "separately")
    }
    before = fits[None].accuracy(k)
    np.testing.assert_allclose(fits["jointly"].accuracy(k), before, rtol=1e-12)
    lost = logit(before) - logit(fits["separately"].accuracy(k))
    np.testing.assert_allclose(lost, 0.15 * doublings, atol=1e-9)
    # Halves of the classes are columns of the same training.
    errors = (fits[how].variation.misfit_error for how in ("separately", None))
    assert next(errors) == pytest.approx(next(errors))
    variance = {how: each.variation.variance(k) for how, each in fits.items()}
    more = variance["jointly"] - variance[None]
    np.testing.assert_allclose(more, np.square(0.1 * doublings), atol=1e-9)
    difference = fits["jointly"].variation.variance_of_difference(fits["separately"].variation, k)
    assert (difference >= 2 * np.square(0.1 * doublings) - 1e-12).all()


def test_a_classifier_in_the_place_of_a_sample():
    with pytest.raises(ac.InputError, match=r"score_classifier\(estimator, X, y\) makes one"):
        ac.predict(GaussianNB(), [100])
