"""Pickles of every released version load, predict the same, and warn if another version wrote them."""

import copy
import json
import pickle
import warnings

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import InconsistentVersionWarning

import rosenblatt
from rosenblatt.estimators.base import versioned_pickle
from tests.estimators.pickled import FIXTURES, description, estimators

STORED = sorted([*FIXTURES.glob("*/*.pkl"), *FIXTURES.glob("*/*.joblib")])


def load(path):
    return pickle.loads(path.read_bytes()) if path.suffix == ".pkl" else joblib.load(path)


@pytest.mark.parametrize("path", STORED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_pickle_of_every_version_loads_and_predicts_the_same(path):
    written_now = path.parent.name == rosenblatt.__version__
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = load(path)
    assert [type(warning.message) for warning in caught] == (
        [] if written_now else [versioned_pickle.InconsistentVersionWarning]
    )
    expected = json.loads(path.with_suffix(".json").read_text())
    X = np.array(expected.pop("X"))
    assert json.loads(json.dumps(description(model, X))) == expected


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_there_is_a_pickle_of_every_estimator():
    assert {path.stem for path in STORED} == set(estimators())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ["perceptron", "voted", "kernel", "compat_sgd", "compat_pa_regressor", "circuit"])
def test_another_version_is_named_when_its_pickle_is_loaded(name, monkeypatch):
    model, X = estimators()[name]
    with monkeypatch.context() as older:
        older.setattr(versioned_pickle, "__version__", "0.0.7")
        stored = pickle.dumps(model)
    with pytest.warns(
        InconsistentVersionWarning, match=r"was written by rosenblatt 0\.0\.7 and is loaded by"
    ) as caught:
        loaded = pickle.loads(stored)
    assert caught[0].filename == __file__
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert not any("version" in attribute for attribute in vars(loaded))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_copies_and_clones_carry_no_version():
    model, _ = estimators()["perceptron"]
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert set(vars(other)) == set(vars(model))
    assert clone(model).get_params() == model.get_params()


def test_a_pickle_without_a_version_is_of_an_unknown_one():
    model = rosenblatt.Perceptron()
    with pytest.warns(InconsistentVersionWarning, match="an unknown version of rosenblatt"):
        model.__setstate__({"tie": "mistake"})


def test_a_model_loaded_as_a_memory_map_predicts():
    """joblib maps arrays of a file read-only, so that processes share them."""
    path = STORED[0].parent / "perceptron.joblib"
    model = joblib.load(path, mmap_mode="r")
    expected = json.loads(path.with_suffix(".json").read_text())
    assert model.predict(np.array(expected["X"])).tolist() == expected["predictions"]
    assert not model.coef_.flags.writeable
