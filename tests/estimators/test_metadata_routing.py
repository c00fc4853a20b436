"""scikit-learn's metadata routing passes `sample_weight` and `classes` through pipelines and searches."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import AveragedPerceptron, Perceptron, compat
from tests.family import FAMILY

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
WEIGHTED = [
    *(estimator(max_iter=4) for estimator in FAMILY),
    compat.Perceptron(max_iter=5, tol=None),
    compat.SGDClassifier(max_iter=5, tol=None, random_state=0),
]


@pytest.fixture(autouse=True)
def routing():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 4))
    y = (X @ rng.standard_normal(4) + rng.standard_normal(90) > 0).astype(int)
    return X, y, rng.integers(1, 9, 90).astype(float)


def name_of(estimator):
    return f"{type(estimator).__module__.split('.')[1]}.{type(estimator).__name__}"


@pytest.mark.parametrize("estimator", WEIGHTED, ids=name_of)
def test_a_pipeline_passes_the_weights_of_examples(estimator, drawn):
    X, y, weight = drawn
    scaled = StandardScaler().set_fit_request(sample_weight=False)
    routed = make_pipeline(scaled, clone(estimator).set_fit_request(sample_weight=True)).fit(X, y, sample_weight=weight)
    Z = StandardScaler().fit_transform(X)
    direct, unweighted = clone(estimator).fit(Z, y, sample_weight=weight), clone(estimator).fit(Z, y)
    assert np.array_equal(routed.decision_function(X), direct.decision_function(Z))
    assert not np.array_equal(direct.decision_function(Z), unweighted.decision_function(Z))


@pytest.mark.parametrize("estimator", WEIGHTED, ids=name_of)
def test_weights_without_a_request_are_refused(estimator, drawn):
    X, y, weight = drawn
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        make_pipeline(clone(estimator)).fit(X, y, sample_weight=weight)


def test_searches_and_cross_validation_cut_the_weights_as_the_examples(drawn):
    X, y, weight = drawn
    folds = StratifiedKFold(3)
    model = Perceptron(max_iter=5).set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    expected = [
        Perceptron(max_iter=5)
        .fit(X[train], y[train], sample_weight=weight[train])
        .score(X[test], y[test], sample_weight=weight[test])
        for train, test in folds.split(X, y)
    ]
    found = cross_validate(model, X, y, cv=folds, params={"sample_weight": weight})["test_score"]
    assert found.tolist() == expected
    search = GridSearchCV(model, {"eta0": [1.0]}, cv=folds).fit(X, y, sample_weight=weight)
    assert search.cv_results_["mean_test_score"].tolist() == [np.mean(expected)]


@pytest.mark.parametrize("estimator", [Perceptron(), AveragedPerceptron(), compat.SGDClassifier()], ids=name_of)
def test_partial_fit_can_request_classes_and_weights(estimator):
    requests = clone(estimator).set_partial_fit_request(classes=True, sample_weight=True).get_metadata_routing()
    assert requests.partial_fit.requests == {"classes": True, "sample_weight": True}
