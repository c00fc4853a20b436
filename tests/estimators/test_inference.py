"""Arrays that need no check take a shorter way to the same scores, labels, weights and errors."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron, VotedPerceptron, compat
from rosenblatt.estimators.checks.fast_validation import needs_no_check
from rosenblatt.estimators.checks.validation import ACCEPTS
from rosenblatt.learning.examples import rows_of
from rosenblatt.learning.scores.prediction import pair_votes, scored

ALL = [Perceptron, AveragedPerceptron, PocketPerceptron, BatchPerceptron, VotedPerceptron, compat.Perceptron]
LEARN_ON = [Perceptron, AveragedPerceptron, compat.Perceptron]


class OrdinaryArray(np.ndarray):
    """Not exactly an array, so the ordinary way."""


class OrdinaryMatrix(sp.csr_matrix):
    """Not exactly a CSR matrix, so the ordinary way."""


def on_the_ordinary_way(X):
    if sp.issparse(X):
        ordinary = OrdinaryMatrix(X.shape, dtype=X.dtype)
        ordinary.data, ordinary.indices, ordinary.indptr = X.data, X.indices, X.indptr
        return ordinary
    return X.view(OrdinaryArray) if isinstance(X, np.ndarray) else X


def outcome(act):
    """What came of it: a result or an error's text, and the warnings."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            result = act()
        except Exception as error:  # whatever it is, the other way must raise it too
            result = (type(error), str(error))
    return result, [str(warning.message) for warning in heard]


def assert_same(a, b):
    (a, heard_a), (b, heard_b) = a, b
    assert heard_a == heard_b
    if isinstance(a, np.ndarray):
        assert type(b) is np.ndarray
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    else:
        assert a == b


def same_state(a, b):
    assert vars(a).keys() == vars(b).keys()
    for name, value in vars(a).items():
        other = vars(b)[name]
        assert type(value) is type(other), name
        if isinstance(value, np.ndarray):
            assert value.dtype == other.dtype, name
        np.testing.assert_equal(value, other, err_msg=name)


LABELS = {
    "numbers": [3, 5, 8, 9],
    "text": ["a", "bb", "ccc", "dddd"],
    "floats": [-1.0, 0.0, 1.0, 2.0],
    "flags": [False, True],
}


@st.composite
def models(draw, kinds):
    kind = draw(st.sampled_from(kinds))
    labels = LABELS[draw(st.sampled_from(sorted(LABELS)))]
    classes = np.array(labels[: draw(st.integers(2, len(labels)))])
    n_features = draw(st.sampled_from([1, 3, 15, 16, 17, 40]))
    parameters = {"max_iter": 3}
    if kind is not compat.Perceptron:
        parameters["tie"] = draw(st.sampled_from(["mistake", "positive", "negative"]))
        if kind is not VotedPerceptron:
            parameters["multi_class"] = draw(st.sampled_from(["ova", "ovo", "joint"]))
    numbers = np.random.default_rng(draw(st.integers(0, 99)))
    X = numbers.integers(-3, 4, (12, n_features)).astype(draw(st.sampled_from([np.float64, np.float32])))
    model = kind(**parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, classes[np.arange(12) % len(classes)])
    return model


@st.composite
def examples(draw, n_features):
    """Mostly right, sometimes wrong in one way."""
    n = draw(st.sampled_from([0, 1, 1, 1, 2, 7, 40]))
    width = draw(st.sampled_from([n_features] * 5 + [n_features + 1, 0]))
    dtype = draw(st.sampled_from([np.float64, np.float32] * 3 + [np.int64, object, ">f8", np.float16, complex]))
    numbers = np.random.default_rng(draw(st.integers(0, 99)))
    X = numbers.normal(size=(n, width)).round(draw(st.sampled_from([0, 3]))).astype(dtype)
    if X.size and X.dtype.kind == "f":
        strange = draw(st.sampled_from([None] * 4 + [np.nan, np.inf, -np.inf, 1e300]))
        if strange is not None and not (strange == 1e300 and X.dtype.itemsize < 8):
            X[draw(st.integers(0, n - 1)), draw(st.integers(0, width - 1))] = strange
    form = draw(st.sampled_from(["plain", "plain", "csr", "csr array", "fortran", "every second", "flat", "cube"]))
    if form == "csr" and X.dtype.kind == "f" and X.dtype.itemsize > 2:
        return sp.csr_matrix(X.astype(X.dtype.newbyteorder("=")))
    if form == "csr array" and X.dtype.kind == "f" and X.dtype.itemsize > 2:
        return sp.csr_array(X.astype(X.dtype.newbyteorder("=")))
    if form == "fortran":
        return np.asfortranarray(X)
    if form == "every second":
        return np.repeat(X, 2, axis=0)[::2]
    if form == "flat":
        return X.ravel()
    return X[None] if form == "cube" else X


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_fast_and_ordinary_validation_predict_the_same_or_raise_the_same_error(data):
    model = data.draw(models(ALL))
    X = data.draw(examples(model.n_features_in_))
    for act in (model.predict, model.decision_function):
        assert_same(outcome(lambda act=act: act(X)), outcome(lambda act=act: act(on_the_ordinary_way(X))))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_fast_and_ordinary_validation_learn_the_same_or_raise_the_same_error(data):
    model = data.draw(models(LEARN_ON))
    X = data.draw(examples(model.n_features_in_))
    n = data.draw(st.sampled_from([X.shape[0]] * 4 + [X.shape[0] + 1]))
    strangers = {"U": ["zz"], "f": [0.5, 7.0, np.nan, np.inf], "b": [True], "i": [-1, 100]}[model.classes_.dtype.kind]
    pool = model.classes_.tolist() * 4 + (strangers if data.draw(st.booleans()) else [])
    y = np.array(data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n)), dtype=model.classes_.dtype)
    if data.draw(st.sampled_from([False] * 4 + [True])):
        y = y[:, None]
    classes = data.draw(st.sampled_from([None, None, model.classes_.copy(), model.classes_[::-1], model.classes_[:-1]]))
    weight = data.draw(st.sampled_from([None, None, np.linspace(0, 2, n), -np.ones(n)]))
    one, other = copy.deepcopy(model), copy.deepcopy(model)
    for _ in range(2):
        assert_same(
            outcome(lambda: one.partial_fit(X, y, classes, sample_weight=weight) and None),
            outcome(
                lambda: (
                    other.partial_fit(on_the_ordinary_way(X), y.view(OrdinaryArray), classes, sample_weight=weight)
                    and None
                )
            ),
        )
        same_state(one, other)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_input_that_skips_the_checks_would_be_returned_unchanged_by_them(data):
    model = data.draw(models(ALL))
    X = data.draw(examples(model.n_features_in_))
    if needs_no_check(X, model):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert validate_data(model, X, reset=False, **ACCEPTS) is X


@settings(max_examples=100, deadline=None)
@given(models([Perceptron, PocketPerceptron, BatchPerceptron, compat.Perceptron]), st.sampled_from([1, 3, 4, 50, 3000]))
def test_labels_are_those_of_the_scores(model, n):
    numbers = np.random.default_rng(n)
    X = numbers.integers(-2, 3, (n, model.n_features_in_)).astype(float)
    scores, finite = scored(rows_of(X), model.coef_, model.intercept_)
    assert finite
    if len(model.classes_) == 2:
        tie = getattr(model, "tie", "mistake")
        codes = (scores[:, 0] >= 0 if tie == "positive" else scores[:, 0] > 0).astype(int)
    elif getattr(model, "multi_class", None) == "ovo":
        codes = pair_votes(scores, len(model.classes_), model.tie).argmax(axis=1)
    else:
        codes = scores.argmax(axis=1)
    for storage in (X, X.astype(np.float32), sp.csr_matrix(X), sp.csr_array(X.astype(np.float32))):
        np.testing.assert_array_equal(model.predict(storage), model.classes_[codes])


def test_labels_that_are_objects_are_the_classes_own():
    classes = np.array(["no", "yes", "maybe"], dtype=object)
    X = np.eye(3)
    model = Perceptron().fit(X, classes)
    assert model.predict(X).dtype == object
    assert model.predict(X).tolist() == classes.tolist()


@pytest.mark.parametrize("kind", ALL)
def test_threads_change_nothing(kind):
    numbers = np.random.default_rng(0)
    X, y = numbers.normal(size=(60, 30)), np.arange(60) % 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(max_iter=2).fit(X, y)
    many = numbers.normal(size=(100_000, 30)) if kind is not VotedPerceptron else numbers.normal(size=(2000, 30))
    expected = model.predict(many), model.decision_function(many)
    model.set_params(n_jobs=2)
    np.testing.assert_array_equal(model.predict(many), expected[0])
    np.testing.assert_array_equal(model.decision_function(many), expected[1])
    many[-1, -1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.predict(many)


@pytest.fixture(params=[Perceptron, AveragedPerceptron, PocketPerceptron, compat.Perceptron])
def fitted(request):
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [1.0, 2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return request.param(max_iter=20).fit(X, [1, 0, 0, 1])


def test_assigned_weights_take_effect_immediately(fitted):
    x = np.array([[0.0, 1.0]])
    assert fitted.predict(x).tolist() == [1]
    fitted.coef_ = -fitted.coef_
    fitted.intercept_ = -fitted.intercept_
    assert fitted.predict(x).tolist() == [0]
    fitted.coef_ *= -1
    fitted.intercept_ *= -1
    assert fitted.predict(x).tolist() == [1]
    fitted.classes_ = np.array(["no", "yes"])
    assert fitted.predict(x).tolist() == ["yes"]


def test_a_changed_tie_rule_takes_effect_immediately():
    model = Perceptron(max_iter=20).fit([[0.0, 1.0], [1.0, 0.0]], [1, 0])
    model.coef_, model.intercept_ = np.array([[1.0, -1.0]]), np.zeros(1)
    x = np.ones((1, 2))
    assert model.predict(x).tolist() == [0]
    assert model.set_params(tie="positive").predict(x).tolist() == [1]


def test_copies_predict_and_learn_as_the_original(fitted):
    x = np.array([[3.0, -1.0]])
    for double in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted)), copy.copy(fitted)):
        np.testing.assert_array_equal(double.decision_function(x), fitted.decision_function(x))
        if hasattr(fitted, "partial_fit"):
            before = fitted.coef_.copy()
            double.partial_fit(x, np.array([1]))
            np.testing.assert_array_equal(fitted.coef_, before)
    with pytest.raises(NotFittedError):
        clone(fitted).predict(x)


@pytest.mark.parametrize("kind", [Perceptron, AveragedPerceptron])
def test_partial_fit_refuses_parameters_that_became_invalid(kind):
    x, y = np.array([[3.0, -1.0]]), np.array([1])
    fitted = kind().partial_fit(x, y, classes=np.array([0, 1])).partial_fit(x, y)
    for wrong in ({"eta0": -1.0}, {"fit_intercept": 1}, {"max_error": True}, {"tie": "draw"}, {"eta0": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            clone(fitted).set_params(**wrong).partial_fit(x, y, classes=np.array([0, 1]))
        right = fitted.get_params()
        with pytest.raises(ValueError, match=next(iter(wrong))):
            fitted.set_params(**wrong).partial_fit(x, y)
        fitted.set_params(**right).partial_fit(x, y)


def test_an_array_for_a_model_of_a_data_frame_warns_as_in_scikit_learn():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    for kind in (Perceptron, compat.Perceptron):
        model = kind().fit(frame, [0, 1])
        with pytest.warns(UserWarning, match="valid feature names"):
            model.predict(frame.to_numpy())


def test_examples_learned_one_by_one_take_effect_immediately():
    model = Perceptron().fit(np.array([[0.0, 1.0], [1.0, 0.0]]), [1, 0])
    x = np.array([[0.0, 1.0]])
    assert model.predict(x).tolist() == [1]
    for _ in range(20):
        model.learn_one([0.0, 1.0], 0)
    assert model.predict(x).tolist() == [0]


@pytest.mark.parametrize("kind", [Perceptron, PocketPerceptron, AveragedPerceptron])
@pytest.mark.parametrize("index", [-1, 5, 2**31 - 1])
@pytest.mark.parametrize("n", [1, 3000])
def test_a_column_index_out_of_range_is_refused_before_it_is_used(kind, index, n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(max_iter=2).fit(np.eye(5), [0, 1, 0, 1, 1])
    X = sp.csr_matrix(np.tile(np.arange(1.0, 6.0), (n, 1)))
    X.indices[-2] = index
    for act in (model.predict, model.decision_function):
        with pytest.raises(ValueError, match=f"out of range at position {5 * n - 2}"):
            act(X)
