"""`learn_one` and `predict_one`: the same weights as a batch of the same order, features and classes growing."""

import pickle
from copy import deepcopy

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import rosenblatt
from rosenblatt import AveragedPerceptron, Perceptron

NAMES = [f"n{j}" for j in range(6)]
KINDS = st.sampled_from([Perceptron, AveragedPerceptron])


def as_csr(examples, names):
    """The examples in the order of their entries, as a dictionary gives them."""
    indices = [names.index(name) for x in examples for name in x]
    starts = np.cumsum([0, *map(len, examples)])
    return sp.csr_matrix(
        ([float(v) for x in examples for v in x.values()], indices, starts), (len(examples), len(names))
    )


examples_of = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(NAMES), st.floats(-10, 10), max_size=6),
        st.integers(0, 3),
    ),
    min_size=2,
    max_size=40,
)


@given(
    examples_of,
    KINDS,
    st.fixed_dictionaries(
        {},
        optional={
            "tie": st.sampled_from(["mistake", "positive", "negative"]),
            "eta0": st.sampled_from([0.25, 1.0]),
            "fit_intercept": st.booleans(),
        },
    ),
    st.sampled_from([["d", "a", "c", "b"], [3, 1, 2, 0], [-1, 1, -1, 1], [True, False, True, False]]),
    st.booleans(),
)
def test_the_weights_are_those_of_one_epoch_of_a_batch(drawn, kind, parameters, labels, declared):
    xs, ys = [x for x, _ in drawn], [labels[code] for _, code in drawn]
    if len(set(ys)) < 2:
        return
    one = kind(**parameters)
    for x, y in zip(xs, ys, strict=True):
        one.learn_one(x, y, classes=sorted(set(ys)) if declared else None)
    names = list(dict.fromkeys(name for x in xs for name in x))
    X = as_csr(xs, names or ["none"])
    batch = kind(order="cyclic", **parameters).partial_fit(X, ys, classes=sorted(set(ys)))
    assert one.classes_.tolist() == batch.classes_.tolist()
    if names:
        np.testing.assert_array_equal(one.coef_, batch.coef_)
        assert one.feature_names_in_.tolist() == names
    np.testing.assert_array_equal(one.intercept_, batch.intercept_)
    assert one.n_mistakes_ == batch.n_mistakes_
    assert one.n_samples_seen_ == batch.n_samples_seen_ == len(xs)
    assert [one.predict_one(x) for x in xs] == batch.predict(X).tolist()


@given(st.lists(st.tuples(st.lists(st.integers(-5, 5), min_size=3, max_size=3), st.integers(0, 2)), min_size=3), KINDS)
def test_rows_learn_as_a_dense_batch_does(drawn, kind):
    X, y = np.array([x for x, _ in drawn], float), np.array([y for _, y in drawn])
    if len(set(y.tolist())) < 2:
        return
    one = kind()
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        one.learn_one(x, label)
    batch = kind(order="cyclic").partial_fit(X, y, classes=np.unique(y))
    np.testing.assert_array_equal(one.coef_, batch.coef_)
    np.testing.assert_array_equal(one.predict(X), batch.predict(X))
    assert [one.predict_one(x) for x in X.tolist()] == batch.predict(X).tolist()
    assert one.predict_one(X[0]) == batch.predict(X[:1])[0]


def test_texts_are_categories_and_unknown_names_are_ignored():
    model = Perceptron().learn_one({"colour": "red", "size": 2}, "a").learn_one({"colour": "blue", "size": 1}, "b")
    assert model.feature_names_in_.tolist() == ["colour=red", "size", "colour=blue"]
    assert model.predict_one({"colour": "red", "size": 2}) == "a"
    assert model.predict_one({"colour": "red", "size": 2, "weight": 1e9}) == "a"
    assert model.n_features_in_ == 3


def test_passive_aggressive_steps_and_margins_are_those_of_a_batch():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-3, 4, (50, 4)) + 0.5, rng.integers(0, 3, 50)
    for parameters in ({"step": "pa"}, {"step": "pa1"}, {"step": "pa2", "C": 0.1}, {"margin": 2.0}):
        one = AveragedPerceptron(**parameters)
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            one.learn_one(x, label)
        batch = AveragedPerceptron(order="cyclic", **parameters).partial_fit(sp.csr_matrix(X), y, classes=[0, 1, 2])
        np.testing.assert_array_equal(one.coef_, batch.coef_)


def test_one_class_predicts_itself_until_there_are_more():
    model = Perceptron().learn_one({"a": 1}, "only")
    assert model.predict_one({"b": 1}) == "only"
    assert model.classes_.tolist() == ["only"]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ({"a": float("nan")}, 1, "the value of 'a' is nan"),
        ({"a": None}, 1, "the value of 'a' is None"),
        ({1: 1.0}, 1, "a feature is named 1; names are text"),
        ([1.0], 1, "dictionaries so far"),
        ({"a": 1.0}, "text", "all text or all numbers"),
        ({"a": 1.0}, None, "the label is None"),
        ({"a": 1.0}, float("nan"), "the label is nan"),
        ({"a": "b", "a=b": 1}, 1, "also the name of a feature"),
    ],
)
def test_an_invalid_example_raises_an_error_and_leaves_the_model_unchanged(x, y, message):
    model = Perceptron().learn_one({"z": 1}, 0).learn_one({"y": 1}, 1)
    before = model.coef_.copy(), model.feature_names_in_.tolist()
    with pytest.raises((ValueError, TypeError), match=message):
        model.learn_one(x, y)
    np.testing.assert_array_equal(model.coef_, before[0])
    assert model.feature_names_in_.tolist() == before[1]


@pytest.mark.parametrize(
    "parameters",
    [
        {"multi_class": "joint"},
        {"multi_class": "ovo"},
        {"class_weight": "balanced"},
        {"early_stopping": True},
        {"init": "random"},
    ],
)
def test_parameters_that_need_all_examples_are_refused(parameters):
    with pytest.raises(ValueError, match="learn_one"):
        Perceptron(**parameters).learn_one({"a": 1}, 0)


def test_an_example_is_a_dictionary_or_a_row():
    with pytest.raises(TypeError, match="a dictionary of features or a row"):
        Perceptron().learn_one(7, 1)


def test_a_label_that_was_not_declared_is_refused():
    model = Perceptron().learn_one({"a": 1}, "x", classes=["x", "y"])
    with pytest.raises(ValueError, match="'z' was not declared"):
        model.learn_one({"a": 1}, "z")


@given(examples_of, KINDS)
def test_learn_one_continues_from_a_fit_a_partial_fit_a_file_and_a_pickle(drawn, kind):
    rows = [([float(x.get(name, 0)) for name in NAMES], code % 2) for x, code in drawn]
    first, rest = [([1.0] * 6, 0), ([-1.0] * 6, 1)], rows
    straight = kind()
    for x, y in [*first, *rest]:
        straight.learn_one(x, y)
    fitted = kind(order="cyclic").partial_fit(*map(list, zip(*first, strict=True)), classes=[0, 1])
    onward = [fitted, pickle.loads(pickle.dumps(fitted)), deepcopy(kind().learn_one(*first[0]).learn_one(*first[1]))]
    for model in onward:
        for x, y in rest:
            model.learn_one(x, y)
        np.testing.assert_allclose(model.coef_, straight.coef_, rtol=1e-9, atol=1e-9)
        assert model.n_samples_seen_ == straight.n_samples_seen_
        assert model.n_mistakes_ == straight.n_mistakes_


def test_a_model_of_single_examples_can_be_saved_and_fitted_again(tmp_path):
    model = AveragedPerceptron()
    for k in range(30):
        model.learn_one({"a": k, "b": -k, f"c{k % 3}": 1}, k % 2)
    rosenblatt.save(model, tmp_path / "m.json")
    loaded = rosenblatt.load(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.coef_, model.coef_)
    assert loaded.predict_one({"a": 3, "b": -3}) == model.predict_one({"a": 3, "b": -3})
    assert "single" not in model.report()
    X, y = np.eye(4), [0, 1, 0, 1]
    model.fit(X, y)
    assert model.coef_.shape == (1, 4)
    np.testing.assert_array_equal(model.coef_, AveragedPerceptron().fit(X, y).coef_)


def test_partial_fit_continues_from_single_examples():
    one, parts = Perceptron(order="cyclic"), Perceptron(order="cyclic")
    X, y = np.arange(12.0).reshape(4, 3) - 5, [0, 1, 0, 1]
    for x, label in zip(X.tolist(), y, strict=True):
        one.learn_one(x, label)
    parts.partial_fit(X, y, classes=[0, 1])
    np.testing.assert_array_equal(one.partial_fit(X, y).coef_, parts.partial_fit(X, y).coef_)
