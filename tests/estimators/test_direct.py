"""The direct fit, which does without the class, finds what the class finds."""

import inspect
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, Perceptron, conventions
from rosenblatt.core import Rows
from rosenblatt.estimators import direct

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
        "multi_class": st.sampled_from(["ova", "ovo", "joint"]),
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
    run = direct.fit(parameters, X, rows, classes, codes, chosen, average=kind is AveragedPerceptron)
    found = direct.attributes(classes, run, kind.__name__)
    weights = np.zeros(len(X))
    weights[chosen] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator = kind(**parameters).fit(X, classes[codes], sample_weight=weights)
    for name, value in found.items():
        np.testing.assert_array_equal(value, getattr(estimator, name), err_msg=name)
    scores = rows.scores(found["coef_"], found["intercept_"])
    predicted = direct.predicted_codes(parameters, scores, len(classes))
    np.testing.assert_array_equal(classes[predicted], estimator.predict(X))


def test_the_defaults_are_those_of_the_class():
    signature = inspect.signature(Perceptron).parameters
    assert {name: signature[name].default for name in direct.DEFAULTS} == direct.DEFAULTS
    signature = inspect.signature(AveragedPerceptron).parameters
    assert {name: signature[name].default for name in direct.AVERAGED_DEFAULTS} == direct.AVERAGED_DEFAULTS


@pytest.mark.parametrize("name", ["L0", "L1", "L1_offset", "L2", "L3", "L4"])
def test_every_convention_is_understood(name):
    assert direct.understands(getattr(conventions, name))
    assert not direct.understands({"class_weight": "balanced"})


def test_neither_scikit_learn_nor_scipy_is_imported():
    code = (
        "import sys, rosenblatt.models.training; print([m for m in ('sklearn', 'scipy', 'pandas') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
