"""What compat.Perceptron does beyond the weights: endings, contracts, bad input."""

import inspect
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import Perceptron as Theirs
from sklearn.utils.estimator_checks import check_estimator

import rosenblatt
from rosenblatt.compat import Perceptron
from rosenblatt.conventions import ENDINGS
from rosenblatt.core import CompatPlan, CompatRun, Rows
from tests.compat.peers import assert_same_model, quietly

XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
AND = XOR[0], np.array([0, 0, 0, 1])


def test_the_signature_is_scikit_learns():
    for name in ("__init__", "fit", "partial_fit"):
        ours = inspect.signature(getattr(Perceptron, name)).parameters
        theirs = inspect.signature(getattr(Theirs, name)).parameters
        assert [(p.name, p.default, p.kind) for p in ours.values()] == [
            (p.name, p.default, p.kind) for p in theirs.values()
        ]


def test_every_public_method_of_scikit_learns_is_there():
    public = {name for name, value in inspect.getmembers(Theirs, callable) if not name.startswith("_")}
    assert public - set(dir(Perceptron)) <= {"predict_proba", "predict_log_proba"}  # neither is usable there


def test_it_is_reached_through_the_package():
    assert rosenblatt.compat.Perceptron is Perceptron


def test_scikit_learns_checks_pass_where_its_own_perceptron_passes_them():
    def failures(estimator):
        results, _ = quietly(lambda: check_estimator(estimator, on_fail=None))
        assert len(results) > 50
        return {result["check_name"] for result in results if result["status"] == "failed"}

    assert failures(Perceptron()) <= failures(Theirs())


@pytest.mark.parametrize(
    "parameters",
    [
        {"tol": None, "max_iter": 1000},
        {"tol": 0.0, "max_iter": 70},
        {"n_iter_no_change": 40},
        {"n_iter_no_change": 40, "max_iter": 50},
        {"tol": 1.0, "n_iter_no_change": 30},
    ],
)
def test_a_pass_without_a_mistake_ends_separated_after_as_many_epochs_as_scikit_learn_runs(parameters):
    ours, theirs = (quietly(lambda C=C: C(**parameters).fit(*AND))[0] for C in (Perceptron, Theirs))
    assert ours.status_ == "separated"
    assert ours.score(*AND) == 1
    assert_same_model(ours, theirs, exact=True)


def test_scikit_learn_stops_short_of_a_separator_and_the_status_says_so():
    ours = Perceptron().fit(*AND)
    assert ours.status_ == "stalled"
    assert_same_model(ours, Theirs().fit(*AND), exact=True)


@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.booleans()), min_size=4, max_size=12),
    st.sampled_from([None, 0.0, 1e-3]),
    st.booleans(),
)
def test_whole_numbers_give_scikit_learns_weights_bit_for_bit_and_separated_is_the_truth(rows, tol, shuffle):
    X = np.array([row[:2] for row in rows], dtype=float)
    y = np.array([row[2] for row in rows])
    y[:2] = [True, False]
    parameters = {"tol": tol, "max_iter": 40, "shuffle": shuffle}
    ours, theirs = (quietly(lambda C=C: C(**parameters).fit(X, y))[0] for C in (Perceptron, Theirs))
    assert_same_model(ours, theirs, exact=True)
    agreement = np.where(y, 1, -1) * ours.decision_function(X)
    if ours.status_ == "separated":
        assert np.all(agreement > 0)
    elif np.all(agreement > 0):
        assert ours.n_mistakes_ > 0  # the last pass got there, and none has confirmed it


def test_the_other_endings_have_their_names():
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        assert Perceptron(max_iter=3).fit(*XOR).status_ == "max_iter"
    assert Perceptron().fit(*XOR).status_ == "stalled"
    X, y = load_iris(return_X_y=True)
    stopped = Perceptron(early_stopping=True).fit(X, y)
    assert set(stopped.statuses_) <= {"early_stopped", "separated"}
    assert stopped.status_ == "early_stopped"
    assert set(stopped.statuses_) <= set(ENDINGS)
    assert Perceptron().partial_fit(*XOR, classes=[0, 1]).status_ == "partial"


def test_a_fit_with_a_penalty_never_ends_separated():
    fitted = Perceptron(penalty="l1", alpha=1e-9, tol=None, max_iter=60)
    assert quietly(lambda: fitted.fit(*AND))[0].status_ == "max_iter"


def test_mistakes_accumulate_over_partial_fit():
    model = Perceptron(shuffle=False, tol=None, max_iter=1).fit(*XOR)
    assert model.n_mistakes_ == 4  # ties are mistakes: (0,0), then each point undoes the last
    assert model.partial_fit(*XOR).n_mistakes_ == 8
    assert model.fit(*XOR).n_mistakes_ == 4


@pytest.mark.parametrize("container", [np.asarray, sp.csr_matrix])
def test_inputs_are_never_changed(container):
    X, y = load_iris(return_X_y=True)
    data = container(X)
    arrays = {
        "coef_init": np.ones((3, 4)),
        "intercept_init": np.ones(3),
        "sample_weight": np.linspace(0, 1, len(y)),
    }
    before = {name: value.copy() for name, value in arrays.items()}
    quietly(lambda: Perceptron(penalty="elasticnet", max_iter=5).fit(data, y, **arrays))
    for name, value in arrays.items():
        np.testing.assert_array_equal(value, before[name])
    np.testing.assert_array_equal(data.toarray() if sp.issparse(data) else data, X)
    held = Perceptron().fit(*AND)
    old = held.coef_.copy()
    kept = held.coef_
    held.partial_fit(*XOR)
    np.testing.assert_array_equal(kept, old)


def test_read_only_strided_and_fortran_arrays_give_the_same_weights():
    X, y = load_digits(return_X_y=True)
    expected = quietly(lambda: Perceptron(max_iter=3).fit(X, y))[0].coef_
    wide = np.zeros((len(X), 100))
    wide[:, :64] = X
    frozen = X.copy()
    frozen.setflags(write=False)
    for same in (wide[:, :64], np.asfortranarray(X), frozen, X.tolist()):
        np.testing.assert_array_equal(quietly(lambda s=same: Perceptron(max_iter=3).fit(s, y))[0].coef_, expected)


@pytest.mark.parametrize(
    "parameters", [{}, {"shuffle": False}, {"early_stopping": True, "shuffle": False}, {"penalty": "l2"}]
)
def test_threads_never_change_the_result(parameters):
    X, y = load_digits(return_X_y=True)
    one, many = (quietly(lambda j=j: Perceptron(max_iter=8, n_jobs=j, **parameters).fit(X, y))[0] for j in (1, 3))
    assert_same_model(one, many, exact=True)
    assert one.statuses_ == many.statuses_
    assert one.n_mistakes_ == many.n_mistakes_


def test_sparse_matrices_may_have_64_bit_indices():
    X, y = load_digits(return_X_y=True)
    narrow, wide = sp.csr_matrix(X), sp.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    fits = [quietly(lambda s=data: Perceptron(max_iter=5).fit(s, y))[0] for data in (narrow, wide)]
    assert_same_model(*fits, exact=True)


def test_repeated_entries_of_a_sparse_row_are_each_used_as_scikit_learn_uses_them():
    rng = np.random.default_rng(0)
    indices = rng.integers(0, 6, 400).astype(np.int32)
    X = sp.csr_matrix((np.round(rng.standard_normal(400), 1), indices, np.arange(0, 401, 8)), shape=(50, 6))
    y = np.arange(50) % 2
    ours, theirs = (
        quietly(lambda C=C: C(max_iter=20, penalty="elasticnet").fit(X, y))[0] for C in (Perceptron, Theirs)
    )
    assert_same_model(ours, theirs)


def test_sparsify_and_densify_are_scikit_learns():
    X, y = load_iris(return_X_y=True)
    model = quietly(lambda: Perceptron(penalty="l1", max_iter=10).fit(X, y))[0]
    expected = model.predict(X)
    assert sp.issparse(model.sparsify().coef_)
    np.testing.assert_array_equal(model.predict(X), expected)
    with pytest.raises(ValueError, match="densify"):
        model.partial_fit(X, y)
    model.densify().partial_fit(X, y)


def test_copies_and_pickles_work():
    model = Perceptron(alpha=0.5).fit(*AND)
    assert clone(model).alpha == 0.5
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(AND[0]), AND[1])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.fit([[1.0, np.nan], [2, 3]], [0, 1]), "NaN"),
        (lambda m: m.fit([[1.0, np.inf], [2, 3]], [0, 1]), "infinity"),
        (lambda m: m.fit(*[AND[0], [1, 1, 1, 1]]), "greater than one; got 1 class"),
        (lambda m: m.fit(*AND, coef_init=np.ones(3)), r"coef_init does not match dataset.*\(3,\).*\(1, 2\)"),
        (lambda m: m.fit(*AND, intercept_init=np.ones(3)), "intercept_init does not match dataset"),
        (lambda m: m.fit(*AND, sample_weight=np.ones(3)), "sample_weight.shape"),
        (
            lambda m: m.set_params(early_stopping=True).partial_fit(*AND, classes=[0, 1]),
            "early_stopping should be False",
        ),
        (lambda m: m.set_params(class_weight="balanced").partial_fit(*AND, classes=[0, 1]), "balanced"),
        (lambda m: m.partial_fit(*AND), "classes must be passed on the first call"),
        (lambda m: m.partial_fit(*AND, classes=[0, 2]), r"should include all valid labels.*\[1\]"),
        (lambda m: m.set_params(penalty="l3").fit(*AND), "penalty"),
        (lambda m: m.set_params(alpha=-1.0).fit(*AND), "alpha"),
        (lambda m: m.fit(np.array([[1e300], [-1e300]]) * 1e8, [0, 1], sample_weight=[1e9, 1e9]), "under-/overflow"),
    ],
)
def test_bad_input_gets_a_clear_error_and_the_estimator_stays_unfitted(call, words):
    model = Perceptron()
    with pytest.raises(ValueError, match=words):
        call(model)
    assert not [name for name in vars(model) if name.endswith("_")]


def test_a_fit_that_fails_leaves_the_previous_fit_unchanged():
    model = Perceptron().fit(*AND)
    before = dict(vars(model))
    for bad in ([[np.nan, 0]] * 4, [[1e308, 1e308]] * 4):
        with pytest.raises(ValueError, match=r"NaN|overflow"):
            model.fit(bad, AND[1], sample_weight=[1e9] * 4)
        assert vars(model) == before


def test_an_unfitted_estimator_does_not_predict():
    with pytest.raises(NotFittedError):
        Perceptron().predict([[0, 0]])


def test_verbose_prints_each_epoch(capsys):
    Perceptron(verbose=1).fit(*XOR)
    assert len(capsys.readouterr().out.splitlines()) == 6


def test_slices_never_change_the_updates():
    X, y = load_digits(return_X_y=True)
    found = []
    plan = CompatPlan(loss="hinge", rate="constant", penalty="elasticnet")
    plan.alpha, plan.l1_ratio, plan.needs_objective = 1e-4, 0.2, True
    plan.max_iter, plan.tol, plan.examples_of_objective, plan.n_iter_no_change = 4, 1e-3, float(len(y)), 5
    for work in (1, 10**9):
        run = CompatRun(
            rows=Rows.dense(X), largest=16.0, labels=y.astype(np.int32), targets=None, sample_weight=None,
            held_back=None, positives=np.arange(3, dtype=np.int32), class_weights=np.ones((3, 2)),
            start=np.zeros((3, 64)), start_offsets=np.zeros(3), start_norms=np.zeros((3, 2)), averages=None,
            average_offsets=np.zeros(3), t=1.0, seed=5, plan=plan,
        )  # fmt: skip
        pauses = 0
        while run.advance(work, False) != "done":
            pauses += 1
        found.append(np.stack([run.w(c) for c in range(3)]))
        assert (pauses > 3) == (work == 1)
    np.testing.assert_array_equal(*found)
