"""Many classes: each binary problem walks its own path, whatever shares the pass with it."""

import warnings

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from sklearn.datasets import load_digits, load_wine
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.preprocessing import StandardScaler

from rosenblatt import AveragedPerceptron, BatchPerceptron, Perceptron, PocketPerceptron, textbook
from rosenblatt.learning.examples import sorted_classes
from tests.storages import STORAGES


def fit(estimator, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y)


def some_classes(n_classes, seed=0, n=60, d=21):
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, (n, d)).astype(float), rng.integers(0, n_classes, n)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "misclassified"])
@pytest.mark.parametrize("n_classes", [3, 5, 9])
def test_one_vs_all_equals_its_binary_problems(storage, order, n_classes):
    X, y = some_classes(n_classes)
    X = STORAGES[storage](X)
    parameters = {"order": order, "max_iter": 6, "max_updates": 70}
    many = fit(Perceptron(**parameters), X, y)
    assert many.coef_.shape == (n_classes, 21)
    for c in range(n_classes):
        alone = fit(Perceptron(**parameters), X, y == c)
        np.testing.assert_array_equal(many.coef_[c], alone.coef_[0])
        assert many.intercept_[c] == alone.intercept_[0]
        assert many.statuses_[c] == alone.status_
    assert many.n_mistakes_ == sum(fit(Perceptron(**parameters), X, y == c).n_mistakes_ for c in range(n_classes))


def test_one_vs_all_equals_its_binary_problems_for_floats():
    rng = np.random.default_rng(0)
    X = np.round(rng.standard_normal((150, 40)), 1)  # tenths: many scores are zero but for rounding
    y = rng.integers(0, 6, 150)
    many = fit(Perceptron(max_iter=30), X, y)
    for c in range(6):
        np.testing.assert_array_equal(many.coef_[c], fit(Perceptron(max_iter=30), X, y == c).coef_[0])


@pytest.mark.parametrize("storage", STORAGES)
def test_one_vs_one_equals_its_binary_problems(storage):
    X, y = some_classes(4)
    stored = STORAGES[storage](X)
    many = fit(Perceptron(multi_class="ovo", max_iter=5), stored, y)
    assert many.coef_.shape == (6, 21)
    pair = 0
    for a in range(4):
        for b in range(a + 1, 4):
            chosen = np.isin(y, [a, b])
            alone = fit(Perceptron(max_iter=5), STORAGES[storage](X[chosen]), y[chosen])
            np.testing.assert_array_equal(many.coef_[pair], alone.coef_[0])
            pair += 1


def test_one_vs_one_predicts_by_majority_and_breaks_ties_by_summed_scores():
    X, y = some_classes(4)
    many = fit(Perceptron(multi_class="ovo", max_iter=5), X, y)
    scores = X @ many.coef_.T + many.intercept_
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    for row, predicted in zip(scores, many.predict(X), strict=True):
        votes, sums = np.zeros(4), np.zeros(4)
        for (a, b), score in zip(pairs, row, strict=True):
            votes[b if score > 0 else a] += 1
            sums[b] += score
            sums[a] -= score
        best = np.flatnonzero(votes == votes.max())
        assert predicted == best[np.argmax(sums[best])]


@pytest.mark.parametrize("multi_class", ["ova", "joint"])
def test_regions_are_convex(multi_class):
    X, y = some_classes(5, d=2)
    many = fit(Perceptron(multi_class=multi_class, max_iter=20), X, y)
    rng = np.random.default_rng(1)
    points = rng.uniform(-5, 5, (2000, 2))
    a, b = points[:1000], points[1000:]
    same = many.predict(a) == many.predict(b)
    assert same.any()
    assert np.all(many.predict((a + b) / 2)[same] == many.predict(a)[same])


@pytest.mark.slow
def test_wine_separates_and_digits_all_but_8_and_9():
    wine = load_wine()
    scaled = StandardScaler().fit_transform(wine.data)
    assert fit(Perceptron(), scaled, wine.target).statuses_ == ["separated"] * 3
    digits = load_digits()
    statuses = fit(Perceptron(max_iter=25_000), digits.data, digits.target).statuses_
    assert statuses[:8] == ["separated"] * 8
    assert "separated" not in statuses[8:]


joint_limits = st.fixed_dictionaries(
    {"max_iter": st.integers(1, 8)},
    optional={"max_steps": st.integers(1, 60), "max_updates": st.integers(1, 20), "patience": st.integers(1, 20)},
)


@pytest.mark.parametrize("storage", STORAGES)
@given(
    n_classes=st.integers(3, 6),
    seed=st.integers(0, 1000),
    order=st.sampled_from(["cyclic", "shuffle", "misclassified"]),
    init=st.sampled_from(["zeros", "random"]),
    init_scale=st.sampled_from([0.5, 4.0]),
    rivals=st.sampled_from(["best", "all"]),
    fit_intercept=st.booleans(),
    limit=joint_limits,
)
def test_the_joint_rule_is_the_textbooks(
    storage, n_classes, seed, order, init, init_scale, rivals, fit_intercept, limit
):
    X, y = some_classes(n_classes, seed=seed, n=15, d=4)
    y[:n_classes] = np.arange(n_classes)
    start = {"init": init, "init_scale": init_scale, "random_state": seed}
    shared = {"order": order, "rivals": rivals, "fit_intercept": fit_intercept, **start, **limit}
    run = textbook.run(textbook.joint(X, y, **shared))
    many = fit(Perceptron(multi_class="joint", record=True, **shared), STORAGES[storage](X), y)
    W = np.column_stack([many.intercept_, many.coef_]) if fit_intercept else many.coef_
    np.testing.assert_array_equal(W, run.w)
    assert (many.status_, many.n_iter_, many.n_mistakes_) == (run.status, run.n_iter, run.n_mistakes)
    assert (many.n_samples_seen_, many.cycle_) == (run.n_samples_seen, run.cycle)
    for ours, theirs in zip(many.trace_, run.steps, strict=True):
        assert (ours.k, ours.i, ours.y, ours.score, ours.mistake) == (
            theirs.k,
            theirs.i,
            theirs.y,
            theirs.score,
            theirs.mistake,
        )
        np.testing.assert_array_equal(ours.w_after, theirs.w_after)


def test_every_rival_above_the_true_class_is_punished():
    X, y = [[1.0], [2.0], [1.0]], [0, 1, 2]
    parameters = {"multi_class": "joint", "order": "cyclic", "max_steps": 3, "fit_intercept": False}
    best, every = (fit(Perceptron(rivals=rivals, **parameters), X, y) for rivals in ("best", "all"))
    # Best: (1, -1, 0), then (-1, 1, 0), then class 1 is the only rival of class 2: (-1, 0, 1).
    assert best.coef_.ravel().tolist() == [-1, 0, 1]
    # All: (2, -1, -1) as both tie with class 0; then (0, 3, -3) as both tie with or exceed class 1; then (-1, 2, -1).
    assert every.coef_.ravel().tolist() == [-1, 2, -1]
    assert (best.n_mistakes_, every.n_mistakes_) == (3, 3)  # a mistake is an example, whatever the number of its rivals


def test_rivals_and_passive_aggressive_steps_exclude_each_other():
    X, y = some_classes(3)
    said = "Perceptron: rivals='all' has constant steps only; got step='pa1', which is computed for one rival"
    with pytest.raises(ValueError, match=said):
        Perceptron(multi_class="joint", rivals="all", step="pa1").fit(X, y)
    with pytest.raises(ValueError, match="rivals must be one of 'best', 'all'; got 'none'"):
        Perceptron(rivals="none").fit(X, y)


@pytest.mark.parametrize("kind", [PocketPerceptron, AveragedPerceptron, BatchPerceptron])
def test_every_algorithm_has_the_choice_of_rivals(kind):
    X, y = some_classes(5, n=40, d=3)
    runs = [fit(kind(multi_class="joint", rivals=rivals, max_iter=6), X, y) for rivals in ("best", "all")]
    assert (runs[0].coef_ != runs[1].coef_).any()
    for run in runs:
        np.testing.assert_allclose(run.coef_.sum(axis=0), 0, atol=1e-9)  # each update leaves the sum as it was


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("order", ["shuffle", "misclassified"])
@pytest.mark.usefixtures("threads_for_little")
def test_threads_never_change_the_result(multi_class, order):
    X, y = some_classes(7, n=120)
    fits = [
        fit(Perceptron(multi_class=multi_class, order=order, max_iter=9, n_jobs=jobs, record=True), X, y)
        for jobs in (None, 2, 5)
    ]
    for other in fits[1:]:
        np.testing.assert_array_equal(fits[0].coef_, other.coef_)
        assert fits[0].statuses_ == other.statuses_
        assert fits[0].n_samples_seen_ == other.n_samples_seen_
        assert fits[0].history_.tolist() == other.history_.tolist()
        traces = [[fit.trace_] if multi_class == "joint" else fit.trace_ for fit in (fits[0], other)]
        for one, same in zip(*traces, strict=True):
            np.testing.assert_array_equal(one.updates, same.updates)


@pytest.mark.usefixtures("threads_for_little")
def test_an_error_in_a_thread_reaches_the_caller():
    X, y = some_classes(5)
    X[3, 2] = np.inf
    with pytest.raises(ValueError, match="row 3, column 2"):
        Perceptron(n_jobs=2).fit(X, y)


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
def test_partial_fits_of_many_classes_in_order_equal_one_epoch_over_all(multi_class):
    X, y = some_classes(4, n=80)
    parts = Perceptron(order="cyclic", multi_class=multi_class)
    for part in np.array_split(np.arange(80), 9):
        parts.partial_fit(X[part], y[part], classes=[0, 1, 2, 3])
    whole = fit(Perceptron(order="cyclic", multi_class=multi_class, max_iter=1), X, y)
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    assert parts.n_mistakes_ == whole.n_mistakes_


def test_a_batch_without_a_pair_of_classes_leaves_its_weights_unchanged():
    X, y = some_classes(4, n=80)
    estimator = Perceptron(multi_class="ovo").partial_fit(X, y, classes=[0, 1, 2, 3])
    before = estimator.coef_.copy()
    only = y == 0
    estimator.partial_fit(X[only], y[only])
    np.testing.assert_array_equal(estimator.coef_[3:], before[3:])  # pairs without class 0
    assert estimator.coef_.shape == (6, 21)


@pytest.mark.parametrize(
    "labels",
    [
        ["ash", "beech", "cedar"],
        [10, 20, 30],
        pd.Categorical(["ash", "beech", "cedar"]),
        pd.Series(["ash", "beech", "cedar"], dtype="category"),
    ],
    ids=["strings", "integers", "categorical", "category series"],
)
def test_labels_of_every_kind(labels):
    X, y = some_classes(3)
    values = labels.take(y) if isinstance(labels, pd.Series | pd.Categorical) else np.array(labels)[y]
    many = fit(Perceptron(max_iter=5), X, values)
    plain = fit(Perceptron(max_iter=5), X, y)
    np.testing.assert_array_equal(many.coef_, plain.coef_)
    assert many.predict(X).tolist() == np.array(list(labels))[plain.predict(X)].tolist()


def test_a_thousand_classes_of_one_example_each():
    X = np.random.default_rng(0).standard_normal((1000, 20))
    many = fit(Perceptron(max_iter=2), X, np.arange(1000))
    assert many.coef_.shape == (1000, 20)
    with pytest.raises(ValueError, match="class 0 has only 1"):
        Perceptron(early_stopping=True).fit(X, np.arange(1000))


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
def test_to_scikit_learn_and_back(multi_class):
    X, y = some_classes(4, n=100)
    many = fit(Perceptron(multi_class=multi_class, max_iter=5), X, np.array(["a", "b", "c", "d"])[y])
    model = many.to_sklearn()
    assert model.predict(X).tolist() == many.predict(X).tolist()
    if multi_class != "ovo":
        back = Perceptron.from_sklearn(model)
        assert back.predict(X).tolist() == many.predict(X).tolist()
        assert back.status_ == "imported"
        assert "copied from another model" in back.report()


def test_from_scikit_learn_takes_any_linear_classifier():
    X, y = some_classes(2)
    for model in (
        LogisticRegression(),
        SGDClassifier(loss="hinge"),
        SklearnPerceptron(penalty="l1").fit(X, y).sparsify(),
    ):
        fitted = model.fit(X, y)
        assert Perceptron.from_sklearn(fitted).predict(X).tolist() == fitted.predict(X).tolist()
    with pytest.raises(ValueError, match="has no coef_"):
        Perceptron.from_sklearn(LogisticRegression())


@given(
    st.sampled_from([np.int8, np.uint8, np.int32, np.int64, np.uint64]),
    st.lists(st.integers(0, 120), min_size=1, max_size=40),
    st.integers(-5, 5),
    st.booleans(),
)
def test_labels_are_found_as_numpy_finds_them(dtype, labels, shift, far):
    y = np.array(labels)
    y = (y + shift if np.dtype(dtype).kind == "i" else y).astype(dtype)
    if far:
        y = np.append(y, np.array([np.iinfo(dtype).max], dtype))
    found = sorted_classes(y)
    np.testing.assert_array_equal(found, np.unique(y))
    assert found.dtype == y.dtype
