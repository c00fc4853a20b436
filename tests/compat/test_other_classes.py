"""What SGDClassifier and the passive-aggressive classes do beyond the weights: contracts, endings, bad input."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
import sklearn.linear_model
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator

from rosenblatt import compat
from rosenblatt.compat import PassiveAggressiveClassifier, PassiveAggressiveRegressor, SGDClassifier
from tests.compat.peers import HAS_PA_RATES, quietly

CLASSES = [SGDClassifier, PassiveAggressiveClassifier, PassiveAggressiveRegressor]
IRIS = load_iris(return_X_y=True)
PA_RATES = pytest.mark.skipif(not HAS_PA_RATES, reason="this scikit-learn does not document pa1 and pa2")


@pytest.mark.parametrize("Class", CLASSES)
def test_the_signature_is_scikit_learns(Class):
    theirs = getattr(sklearn.linear_model, Class.__name__)
    for name in ("__init__", "fit", "partial_fit"):
        # scikit-learn replaces the constructor of a deprecated class.
        original = inspect.unwrap(getattr(theirs, name))
        assert [(p.name, p.default, p.kind) for p in inspect.signature(getattr(Class, name)).parameters.values()] == [
            (p.name, p.default, p.kind) for p in inspect.signature(original).parameters.values()
        ]


@pytest.mark.parametrize("Class", CLASSES)
def test_scikit_learns_checks_pass_where_its_own_class_passes_them(Class):
    def failures(estimator):
        results, _ = quietly(lambda: check_estimator(estimator, on_fail=None))
        assert len(results) > 40
        return {result["check_name"] for result in results if result["status"] == "failed"}

    theirs, _ = quietly(getattr(sklearn.linear_model, Class.__name__))
    assert failures(Class()) <= failures(theirs)


@pytest.mark.parametrize("Class", CLASSES)
def test_a_fitted_model_survives_pickle_and_its_parameters_survive_clone(Class):
    fitted, _ = quietly(lambda: Class(random_state=0, average=True).fit(*IRIS))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(IRIS[0]), fitted.predict(IRIS[0]))
    assert clone(fitted).get_params() == fitted.get_params()


def test_a_loss_that_is_not_covered_is_refused_by_name():
    for call in (SGDClassifier.fit, lambda m, X, y: m.partial_fit(X, y, classes=[0, 1, 2])):
        with pytest.raises(ValueError, match=r"'log_loss' is not covered .* hinge, perceptron, squared_hinge"):
            call(SGDClassifier(loss="log_loss"), *IRIS)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0, "learning_rate": "optimal"}, "alpha must be > 0"),
        pytest.param(
            {"loss": "perceptron", "learning_rate": "pa1", "eta0": 1.0}, "only works with loss 'hinge'", marks=PA_RATES
        ),
        ({"penalty": "elasticnet", "l1_ratio": None}, "l1_ratio must be set"),
        ({"learning_rate": "constant", "eta0": 0.0}, "eta0.* must be "),
        ({"learning_rate": "slow"}, "'learning_rate' parameter"),
    ],
)
def test_settings_that_scikit_learn_refuses_are_refused_in_its_words(parameters, message):
    for Class in (SGDClassifier, sklearn.linear_model.SGDClassifier):
        with pytest.raises(ValueError, match=message):
            Class(**parameters).fit(*IRIS)


def test_a_grid_search_over_c_takes_effect():
    grid = {"C": [1e-6, 1.0]}
    search, _ = quietly(lambda: GridSearchCV(PassiveAggressiveClassifier(random_state=0), grid).fit(*IRIS))
    few, many = search.cv_results_["mean_test_score"]
    assert few != many


def test_endings_are_reported():
    X, y = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 2, 3])
    within = PassiveAggressiveRegressor(epsilon=4.0, tol=None).fit(X, y)  # the zero weights are close enough
    assert (within.status_, within.n_mistakes_) == ("unchanged", 0)
    assert PassiveAggressiveRegressor(epsilon=0.0, random_state=0).fit(X, y).status_ == "stalled"
    assert PassiveAggressiveRegressor().partial_fit(X, y).status_ == "partial"
    apart = SGDClassifier(penalty=None, learning_rate="constant", eta0=1.0, tol=None, random_state=0).fit(X, y > 1.5)
    assert apart.status_ == "separated"
    assert np.abs(apart.decision_function(X)).min() > 1
    limited, given = quietly(lambda: SGDClassifier(max_iter=1).fit(*IRIS))
    assert limited.status_ == "max_iter"
    assert "increasing max_iter" in given[0][1]


def test_constructing_a_passive_aggressive_class_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compat.PassiveAggressiveClassifier()
        compat.PassiveAggressiveRegressor()


def test_inputs_are_not_changed():
    X, y = IRIS
    start = np.zeros((3, 4)), np.zeros(3)
    given = [array.copy() for array in (X, y, *start)]
    quietly(lambda: SGDClassifier(random_state=0).fit(X, y, coef_init=start[0], intercept_init=start[1]))
    for array, before in zip((X, y, *start), given, strict=True):
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("name", ["Perceptron", "SGDClassifier", "PassiveAggressiveClassifier"])
def test_a_column_of_labels_warns_once_as_in_scikit_learn(name):
    X, y = IRIS
    counts = []
    for Class in (getattr(compat, name), getattr(sklearn.linear_model, name)):
        _, given = quietly(lambda C=Class: C(random_state=0).fit(X, y.reshape(-1, 1)))
        counts.append([category for category, _ in given].count(DataConversionWarning))
    assert counts == [1, 1]


@pytest.mark.parametrize("Class", CLASSES)
def test_an_averaged_fit_continues_after_sparsify_as_in_scikit_learn(Class):
    X, y = IRIS
    first = {} if Class is PassiveAggressiveRegressor else {"classes": [0, 1, 2]}
    coefs = []
    for each in (Class, getattr(sklearn.linear_model, Class.__name__)):
        model, _ = quietly(lambda C=each: C(random_state=0, average=True).partial_fit(X, y, **first))
        coefs.append(model.sparsify().partial_fit(X, y).coef_)
    np.testing.assert_array_equal(*coefs)
