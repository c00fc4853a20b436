"""Every class of compat ends with scikit-learn's weights, after the same call."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import Perceptron as Theirs

from rosenblatt import compat
from rosenblatt.compat import Perceptron as Ours
from tests.compat.peers import SAME_ROUNDING, assert_same_model, quietly, random_call_of

NAMES = ["Perceptron", "SGDClassifier", "PassiveAggressiveClassifier", "PassiveAggressiveRegressor"]


def classes_named(name):
    theirs = getattr(sklearn.linear_model, name, None)
    if theirs is None:
        pytest.skip(f"scikit-learn {sklearn.__version__} has no {name} any more")
    return getattr(compat, name), theirs


def warnings_of(given):
    """Their kinds; scikit-learn also announces that it will remove the passive-aggressive classes."""
    return [category for category, message in given if "will be removed in 1.10" not in message]


FAST = 30  # seeds in the fast tier
SEEDS = 2_000 if os.environ.get("ROSENBLATT_EXHAUSTIVE") else 150


@pytest.mark.parametrize("seed", [*range(FAST), *(pytest.param(k, marks=pytest.mark.slow) for k in range(FAST, SEEDS))])
@pytest.mark.parametrize("name", NAMES)
def test_a_random_configuration_gives_the_same_model_as_scikit_learn(name, seed):
    call = random_call_of(name, seed)
    models, warned = [], []
    for Class in classes_named(name):
        model, given = quietly(lambda C=Class: C(**call.parameters).fit(call.X, call.y, **call.copies()))
        models.append(model)
        warned.append(warnings_of(given))
    assert_same_model(*models, exact=call.exact)
    assert warned[0] == warned[1]
    np.testing.assert_array_equal(models[0].predict(call.X), models[1].predict(call.X))

    for model in models:  # and on from there: a second fit (warm_start), then parts
        quietly(lambda m=model: m.fit(call.X, call.y))
    assert_same_model(*models, exact=call.exact)
    half = call.X.shape[0] // 2
    for model in models:
        if not call.parameters["early_stopping"]:
            if "class_weight" in call.parameters:
                model.set_params(class_weight=None)
            model.partial_fit(call.X[:half], call.y[:half]).partial_fit(call.X[half:], call.y[half:])
    assert_same_model(*models, exact=call.exact)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("penalty", [None, "l2", "l1", "elasticnet"])
@pytest.mark.parametrize("container", [np.asarray, sp.csr_matrix])
def test_real_data_give_the_same_model(load, penalty, container):
    X, y = load(return_X_y=True)
    X = container(X)
    parameters = {"penalty": penalty, "max_iter": 60}
    models = [quietly(lambda C=Class: C(**parameters).fit(X, y))[0] for Class in (Ours, Theirs)]
    assert_same_model(*models)


def sums_that_depend_on_their_order():
    """Scores of exactly zero if summed in order, and not if summed in lanes: another order, another path."""
    rng = np.random.default_rng(5)
    X = rng.choice([1e17, -1e17, 1.0, 2.0, -3.0, 0.0], (120, 40))
    return X, np.arange(120) % 2


@pytest.mark.skipif(not SAME_ROUNDING, reason="scikit-learn fuses multiplications and additions on this machine")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("container", [np.asarray, sp.csr_matrix])
def test_a_score_within_rounding_of_zero_is_decided_as_scikit_learn_decides_it(dtype, container):
    X, y = sums_that_depend_on_their_order()
    X = container(X.astype(dtype))
    models = [quietly(lambda C=Class: C(max_iter=30, tol=None).fit(X, y))[0] for Class in (Ours, Theirs)]
    assert_same_model(*models)


@pytest.mark.parametrize("random_state", [lambda: 3, lambda: np.random.RandomState(3), lambda: None])
@pytest.mark.parametrize("early_stopping", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_kind_of_random_state_is_drawn_from_as_scikit_learn_does(random_state, early_stopping, n_classes):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < n_classes], y[y < n_classes]
    models, next_draws = [], []
    for Class in (Ours, Theirs):
        np.random.seed(7)  # noqa: NPY002  # random_state=None means the global generator
        state = random_state()
        model = Class(random_state=state, early_stopping=early_stopping, max_iter=9, tol=None)
        models.append(quietly(lambda m=model: m.fit(X, y).fit(X, y))[0])
        next_draws.append((state if hasattr(state, "randint") else np.random).randint(2**31))
    assert_same_model(*models)
    assert next_draws[0] == next_draws[1]


@pytest.mark.slow
def test_the_updates_do_not_depend_on_the_instruction_set():
    code = (
        "import hashlib, warnings; warnings.simplefilter('ignore')\n"
        "from rosenblatt.compat import Perceptron; from sklearn.datasets import load_digits\n"
        "X, y = load_digits(return_X_y=True)\n"
        "m = [Perceptron(max_iter=7, penalty=p).fit(X / 7, y) for p in (None, 'elasticnet')]\n"
        "print(hashlib.sha256(b''.join(p.coef_.tobytes() for p in m)).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"ROSENBLATT_ISA": isa},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for isa in ("baseline", "v3", "v4", "vnni")
    }
    assert len(found) == 1
