"""What a user relies on: labels, weights, starts, parts, callbacks, threads of control."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, core, data, textbook
from tests.estimators.test_oracle import fit, labelled, weights

AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([0, 0, 0, 1])


@given(data=labelled(), names=st.sampled_from([(0, 1), (False, True), ("no", "yes"), (-1.0, 1.0), (3, 7)]))
def test_any_two_labels_give_the_same_run_and_the_later_is_positive(data, names):
    X, y = data
    plain = fit(X, y, max_iter=5)
    named = fit(X, np.array(names)[(y > 0).astype(int)], max_iter=5)
    np.testing.assert_array_equal(plain.coef_, named.coef_)
    assert named.classes_.tolist() == list(names)
    assert named.predict(X).tolist() == [names[int(label > 0)] for label in plain.predict(X)]


@given(
    seed=st.integers(0, 10_000),
    gamma=st.sampled_from([0.05, 0.1, 0.3]),
    fit_intercept=st.booleans(),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    order=st.sampled_from(["cyclic", "shuffle", "misclassified"]),
    far=st.sampled_from([0.0, 1.0, 10.0]),
    eta0=st.sampled_from([0.5, 1.0, 2.0]),
)
def test_mistakes_stay_within_the_bound(seed, gamma, fit_intercept, tie, order, far, eta0):
    rng = np.random.default_rng(seed)
    d = 4
    separator = rng.standard_normal(d + fit_intercept)
    separator /= np.linalg.norm(separator)
    X = rng.standard_normal((60, d))
    space = np.column_stack([np.ones(60), X]) if fit_intercept else X
    margins = space @ separator
    keep = abs(margins) >= gamma
    X, space, y = X[keep], space[keep], np.sign(margins[keep])
    if len(set(y)) < 2:
        return
    start = far * rng.standard_normal(d + fit_intercept)
    estimator = fit(X, y, start=start, eta0=eta0, fit_intercept=fit_intercept, tie=tie, order=order)
    radius = np.linalg.norm(space, axis=1).max()
    margin = (y * (space @ separator)).min()
    bound = (radius / margin) ** 2 + 2 * np.linalg.norm(start) / (eta0 * margin)
    assert estimator.status_ == "separated"
    assert estimator.n_mistakes_ <= bound


def test_lecture_4s_numbers_through_the_estimator():
    lecture = data.load("lecture4")
    estimator = Perceptron(tie="negative", order="cyclic")
    estimator.fit(lecture.X, lecture.y, coef_init=[0, 1], intercept_init=[-5])
    assert estimator.status_ == "separated"
    assert estimator.n_mistakes_ == 7
    assert [*estimator.intercept_, *estimator.coef_[0]] == [-6, 7, -2]


@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_a_tie_is_predicted_as_the_rule_says(tie):
    estimator = Perceptron(tie=tie, fit_intercept=False, max_updates=10).fit([[1.0], [-1.0]], [1, 0])
    assert estimator.predict([[0.0]]).tolist() == [int(tie == "positive")]


@given(data=labelled())
def test_an_example_of_weight_zero_is_ignored(data):
    X, y = data
    noise = np.vstack([X[:2], X + 1])
    junk = np.concatenate([y[:2], -y])
    sample_weight = np.concatenate([np.ones(2), np.zeros(len(y))])
    whole = fit(noise, junk, sample_weight=sample_weight, max_iter=6)
    only = fit(X[:2], y[:2], max_iter=6)
    np.testing.assert_array_equal(weights(whole), weights(only))
    assert whole.n_samples_seen_ == only.n_samples_seen_
    assert whole.n_mistakes_ == only.n_mistakes_


def test_class_weights_multiply_the_step():
    X, y = AND
    weighted = Perceptron(order="cyclic", class_weight={0: 1, 1: 3}, max_iter=1)
    by_sample = Perceptron(order="cyclic", max_iter=1)
    a = fit_quietly(weighted, X, y)
    b = fit_quietly(by_sample, X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    np.testing.assert_array_equal(a.coef_, b.coef_)
    balanced = fit_quietly(Perceptron(order="cyclic", class_weight="balanced", max_iter=1), X, y)
    assert balanced.coef_[0].tolist() != a.coef_[0].tolist()


def fit_quietly(estimator, X, y, **more):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, **more)


def test_warm_start_continues_from_the_last_weights():
    rng = np.random.default_rng(0)
    X = rng.integers(-5, 6, (50, 3)).astype(float)
    y = (rng.random(50) < 0.5).astype(int)
    twice = Perceptron(order="cyclic", max_iter=2, warm_start=True)
    fit_quietly(fit_quietly(twice, X, y), X, y)
    once = fit_quietly(Perceptron(order="cyclic", max_iter=4), X, y)
    np.testing.assert_array_equal(twice.coef_, once.coef_)
    with pytest.raises(ValueError, match="warm_start: the last fit had weights of shape"):
        twice.fit(X[:, :2], y)


def test_partial_fits_in_order_equal_one_epoch_over_all():
    rng = np.random.default_rng(1)
    X = rng.integers(-5, 6, (90, 4)).astype(float)
    y = (rng.random(90) < 0.5).astype(int)
    parts = Perceptron(order="cyclic")
    for part in np.array_split(np.arange(90), 7):
        parts.partial_fit(X[part], y[part], classes=[0, 1])
        assert parts.status_ == "partial"
    whole = fit_quietly(Perceptron(order="cyclic", max_iter=1), X, y)
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    assert parts.n_mistakes_ == whole.n_mistakes_
    assert parts.n_samples_seen_ == 90
    assert parts.n_iter_ == 7
    assert "partial" in parts.report()


def test_a_later_part_may_lack_a_class():
    estimator = Perceptron().partial_fit([[1.0]], ["b"], classes=["a", "b"])
    estimator.partial_fit([[-1.0]], ["a"])
    assert estimator.predict([[2.0], [-2.0]]).tolist() == ["b", "a"]


def test_the_callback_sees_every_epoch_and_the_weights():
    seen = []

    def callback(progress):
        coef, intercept = progress.weights()
        seen.append((progress.epoch, progress.mistakes, coef.copy(), intercept.copy()))

    estimator = Perceptron(order="cyclic", callback=callback).fit(*AND)
    assert [epoch for epoch, *_ in seen] == list(range(1, estimator.n_iter_ + 1))
    assert [mistakes for _, mistakes, *_ in seen] == estimator.history_["mistakes"].tolist()
    np.testing.assert_array_equal(seen[-1][2], estimator.coef_)
    run = textbook.run(textbook.online(AND[0], np.where(AND[1], 1, -1)))
    for epoch, _, coef, intercept in seen:
        last = [step for step in run.steps if step.epoch == epoch - 1][-1]
        assert [*intercept, *coef[0]] == last.w_after.tolist()


def test_seeds_and_random_states():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((100, 5))
    y = rng.random(100) < 0.5
    fits = [fit_quietly(Perceptron(max_iter=3, random_state=state), X, y).coef_ for state in (0, 0, 1)]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert not np.array_equal(fits[0], fits[2])
    states = [np.random.RandomState(5), np.random.RandomState(5)]
    a, b = (fit_quietly(Perceptron(max_iter=3, random_state=state), X, y).coef_ for state in states)
    np.testing.assert_array_equal(a, b)


def test_works_with_the_tools_of_scikit_learn():
    iris = data.load("iris")
    pipeline = make_pipeline(StandardScaler(), Perceptron(max_iter=50))
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert cross_val_score(pipeline, iris.X, iris.y).mean() > 0.8
        search = GridSearchCV(pipeline, {"perceptron__eta0": [0.5, 1.0]}).fit(iris.X, iris.y)
    assert search.best_score_ > 0.8
    fitted = Perceptron().fit(*AND)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.decision_function(AND[0]), fitted.decision_function(AND[0]))
    assert clone(fitted).get_params() == fitted.get_params()


def test_feature_names_are_kept_and_named_in_the_weights():
    import pandas

    frame = pandas.DataFrame(AND[0], columns=["left", "right"])
    estimator = Perceptron(order="cyclic").fit(frame, AND[1])
    assert estimator.feature_names_in_.tolist() == ["left", "right"]
    assert {name for name, _ in estimator.top_weights()} == {"left", "right"}
    assert "left" in estimator.report()


def test_supported_arrays_are_read_without_a_copy():
    import tracemalloc

    X = np.random.default_rng(0).standard_normal((20_000, 50))
    y = X[:, 0] > 0
    for view in (X, X[:, :40], X[::2], X.astype(np.float32)):
        labels = y[::2] if len(view) < len(y) else y
        tracemalloc.start()
        fit_quietly(Perceptron(max_iter=1, order="cyclic"), view, labels)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < view.nbytes / 2


def test_memory_maps_work(tmp_path):
    path = tmp_path / "X.npy"
    np.save(path, AND[0])
    mapped = np.load(path, mmap_mode="r")
    assert Perceptron(order="cyclic").fit(mapped, AND[1]).n_mistakes_ == 18


def test_ctrl_c_returns_within_a_second():
    script = textwrap.dedent("""
        import numpy as np
        from rosenblatt import Perceptron
        rng = np.random.default_rng(0)
        X = rng.standard_normal((200_000, 20)); y = rng.random(200_000) < 0.5
        print("go", flush=True)
        Perceptron(max_iter=10**9).fit(X, y)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"go\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=5)  # a second for the run, the rest for a busy machine
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in errors


@pytest.mark.slow
@pytest.mark.parametrize("level", ["baseline", "v3", "v4", "vnni"])
def test_every_instruction_set_makes_the_same_updates(level):
    script = textwrap.dedent("""
        import warnings; warnings.simplefilter("ignore")
        import hashlib, numpy as np, scipy.sparse as sp
        from rosenblatt import Perceptron, core
        digest = hashlib.sha256()
        for d in (3, 16, 37, 200):
            rng = np.random.default_rng(d)
            X = rng.standard_normal((401, d)); y = rng.integers(0, 12, 401)
            for form in (X, X.astype(np.float32), np.sign(X), sp.csr_matrix(X * (abs(X) > 1))):
                for labels in (y, y % 3, y > 5):
                    fitted = Perceptron(max_iter=20).fit(form, labels)
                    for found in (fitted.coef_, fitted.decision_function(form), fitted.predict(form)):
                        digest.update(found.tobytes())
        print(digest.hexdigest())
    """)

    def run(environment):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    flags = {**os.environ, "ROSENBLATT_ACCELERATOR": "flags"}
    assert run({**flags, "ROSENBLATT_ISA": level}) == run(flags) == run(dict(os.environ))
    assert core.instruction_set() in ("baseline", "v3", "v4", "vnni")
