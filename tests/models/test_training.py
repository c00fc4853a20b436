"""From examples to a model: which algorithm is chosen, and what is said of the examples."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, Perceptron, separability
from rosenblatt.data import Dataset, Features, load, read
from rosenblatt.data.labels import Labels
from rosenblatt.models import Plan, train


def loaded(X, codes):
    classes = np.arange(codes.max() + 1)
    features = Features("array", X.shape[1])
    return Dataset("an array", X, Labels(classes, codes.astype(np.int32)), features, "", str)


@st.composite
def integer_problems(draw):
    k = draw(st.integers(2, 3))
    n = draw(st.integers(k, 12))
    X = np.array(draw(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=n, max_size=n)), float)
    return X, np.arange(n) % k


@given(integer_problems(), st.integers(0, 3))
def test_the_chosen_model_equals_that_of_its_class_and_keeps_a_separation(problem, seed):
    X, codes = problem
    trained = train(loaded(X, codes), Plan(parameters={"random_state": seed}, scale=False))
    record = trained.record
    kind = {"Perceptron": Perceptron, "AveragedPerceptron": AveragedPerceptron}[record.estimator]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same = kind(**record.parameters).fit(X, codes)
    np.testing.assert_array_equal(record.fitted["coef_"], same.coef_)
    np.testing.assert_array_equal(record.fitted["intercept_"], same.intercept_)
    if record.fitted["status_"] == "separated":
        assert trained.on_training.n_errors == 0


@given(integer_problems())
def test_the_verdict_is_that_of_separability_and_its_bound_holds(problem):
    X, codes = problem
    codes = (codes == 1).astype(int)
    trained = train(loaded(X, codes), Plan(scale=False))
    truth = separability(X, codes)
    verdict = trained.verdict
    assert (verdict.separable, verdict.inseparable) == (int(bool(truth.separable)), int(not truth.separable))
    assert verdict.bound == truth.mistake_bound
    if verdict.bound is not None:
        assert trained.record.fitted["n_mistakes_"] <= verdict.bound


@pytest.mark.slow
def test_large_data_gets_few_epochs_and_small_data_many():
    rng = np.random.default_rng(0)
    small, large = rng.standard_normal((100, 5)), rng.standard_normal((60_000, 500))
    for X, epochs in ((small, 1000), (large, 10)):
        y = rng.integers(0, 2, len(X))
        trained = train(loaded(X, y), Plan(assess=False, search=False))
        assert trained.record.parameters["max_iter"] == epochs
        assert trained.record.estimator == "AveragedPerceptron"
        assert "steadier" in trained.why


@pytest.mark.parametrize(
    ("parameters", "estimator"),
    [
        ({"class_weight": "balanced"}, "AveragedPerceptron"),
        ({"early_stopping": True}, "Perceptron"),
        ({"ratchet": True, "max_iter": 5}, "PocketPerceptron"),
        ({"alpha": 0.1}, "compat.Perceptron"),
    ],
)
def test_a_parameter_that_only_one_algorithm_has_chooses_it(parameters, estimator):
    trained = train(read("@iris"), Plan(parameters=parameters))
    assert trained.record.estimator == estimator
    assert trained.why


def test_the_run_that_separated_bounds_its_mistakes_on_large_data_too():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30_000, 40))
    y = (X[:, 0] > 0).astype(int)
    X[:, 0] += 2 * np.sign(X[:, 0])
    trained = train(loaded(X, y), Plan(scale=False, search=False))
    assert trained.record.fitted["status_"] == "separated"
    assert not trained.verdict.is_exact
    assert trained.record.fitted["n_mistakes_"] <= trained.verdict.bound


def test_the_verdict_on_many_pairs_of_classes_stops_at_the_limit_for_all(monkeypatch):
    digits = read("@digits")
    plan = Plan("Perceptron", {"multi_class": "ovo", "max_iter": 2})
    decided = []
    for limit in (1.0, 2e7, 1e12):
        monkeypatch.setattr("rosenblatt.models.training.evaluation.verdict._BUDGET_OF_ALL", limit)
        verdict = train(digits, plan).verdict
        assert verdict.problems == 45
        decided.append(45 - verdict.to_dict()["undecided"])
    assert decided[0] == 0 < decided[1] < decided[2] == 45


def test_the_search_gives_the_scores_for_the_calibration(monkeypatch):
    monkeypatch.setattr("rosenblatt.models.training.evaluation.calibrating._by_folds", None)  # a refit would call it
    trained = train(read("@iris"), Plan(held_out=0.2))
    assert trained.record.calibration.held_out == "5 folds of the training examples"
    assert trained.record.calibration.n_examples == 120
    assert trained.held_out.log_loss < 0.35


def test_a_source_of_another_type_is_refused_with_one_that_works():
    with pytest.raises(TypeError, match=r"type BuiltinDataset; .*data\.read\('@iris'\)"):
        train(load("iris"), Plan())
