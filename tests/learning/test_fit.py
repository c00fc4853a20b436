"""The engine's fit, without scikit-learn, finds what the estimators find."""

import inspect
import subprocess
import sys
import warnings
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt
from rosenblatt import AveragedPerceptron, Perceptron, conventions
from rosenblatt.core import Rows
from rosenblatt.estimators.base.parameter_attributes import ParameterAttributes
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import FAMILY, fit
from rosenblatt.learning.parameters import ALGORITHMS, Parameters, defaults_of, names_of
from rosenblatt.learning.scores.prediction import predicted_codes

parameter_sets = st.fixed_dictionaries(
    {"max_iter": st.integers(1, 6)},
    optional={
        "fit_intercept": st.booleans(),
        "eta0": st.sampled_from([0.5, 1.0, 2.0]),
        "tie": st.sampled_from(conventions.TIES),
        "error_tie": st.sampled_from([None, *conventions.TIES]),
        "order": st.sampled_from(["shuffle", "cyclic", "misclassified"]),
        "init": st.sampled_from(["zeros", "random"]),
        "max_updates": st.integers(1, 20),
        "max_error": st.sampled_from([0.0, 0.3]),
        "patience": st.integers(1, 9),
        "init_scale": st.sampled_from([0.1, 2.0]),
        "multi_class": st.sampled_from(["ova", "ovo", "joint"]),
        "rivals": st.sampled_from(["best", "all"]),
        "random_state": st.integers(0, 5),
    },
)


@st.composite
def problems(draw):
    n_classes = draw(st.integers(2, 4))
    n = draw(st.integers(n_classes, 14))
    X = np.array(draw(st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=n, max_size=n)), float)
    codes = np.arange(n, dtype=np.int32) % n_classes
    keep = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    chosen = np.array([i for i in range(n) if i < n_classes or keep[i]], dtype=np.uint32)
    return X, codes, chosen


@given(problems(), parameter_sets, st.sampled_from([Perceptron, AveragedPerceptron]))
def test_fit_and_predict_are_those_of_the_class(problem, parameters, kind):
    X, codes, chosen = problem
    classes = np.array(["a", "b", "c", "d"])[: codes.max() + 1]
    rows = Rows.dense(X)
    examples = Examples(X, rows, classes, codes, None, chosen)
    fitted = fit(Parameters.of(kind.__name__, parameters), examples)
    found = fitted.attributes()
    weights = np.zeros(len(X))
    weights[chosen] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = kind(**parameters).fit(X, classes[codes], sample_weight=weights)
    for name, value in found.items():
        np.testing.assert_array_equal(value, getattr(estimator, name), err_msg=name)
    scores = rows.scores(found["coef_"], found["intercept_"])
    rule = fitted.parameters
    predicted = predicted_codes(scores, len(classes), tie=rule["tie"], multi_class=rule["multi_class"])
    np.testing.assert_array_equal(classes[predicted], estimator.predict(X))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_signature_of_every_estimator_is_that_of_the_table(algorithm):
    signature = inspect.signature(getattr(rosenblatt, algorithm)).parameters
    assert {name: parameter.default for name, parameter in signature.items()} == defaults_of(algorithm)
    declared = get_type_hints(ParameterAttributes)
    assert {name: parameter.annotation for name, parameter in signature.items()} == {
        name: declared[name] for name in signature
    }
    changed = {name: object() for name in signature}
    kept = getattr(rosenblatt, algorithm)(**changed).__dict__
    assert kept.keys() == changed.keys()
    assert all(kept[name] is value for name, value in changed.items())


@pytest.mark.parametrize("name", ["L0", "L1", "L1_offset", "L2", "L3", "L4"])
def test_every_convention_has_parameters_of_the_perceptron(name):
    assert getattr(conventions, name).keys() <= set(names_of("Perceptron"))


def test_neither_scikit_learn_nor_scipy_is_imported():
    code = (
        "import sys, rosenblatt.models.training.trainer; "
        "print([m for m in ('sklearn', 'scipy', 'pandas') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("algorithm", ["Perceptron", "AveragedPerceptron"])
def test_a_snapshot_has_the_weights_of_a_shorter_run(algorithm, multi_class):
    random = np.random.default_rng(3)
    X = random.normal(size=(90, 4))
    codes = (np.arange(90) % 3).astype(np.int32)
    X[codes == 0] += 6.0  # one class is separated early
    examples = Examples(X, Rows.dense(X), np.arange(3), codes, None, None)
    which = FAMILY[algorithm].published
    given = {"multi_class": multi_class, "max_iter": 20}
    long = fit(Parameters.of(algorithm, given), examples, snapshots=(2, 7, 20), n_threads=2)
    for epochs in (2, 7, 20):
        short = fit(Parameters.of(algorithm, given | {"max_iter": epochs}), examples)
        for found, expected in zip(long.at(epochs).weights(which), short.weights(which), strict=True):
            np.testing.assert_array_equal(found, expected)
