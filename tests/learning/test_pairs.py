"""One-vs-one with many classes gives the same results as the runs of single pairs, bit for bit."""

import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rosenblatt import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    load,
    save,
)
from rosenblatt.learning.pairs import pair_fit, pair_weights
from rosenblatt.learning.pairs.pair_weights import PairWeights

ESTIMATORS = [Perceptron, PocketPerceptron, AveragedPerceptron, BatchPerceptron, VotedPerceptron]
COUNTS = ["status_", "statuses_", "cycles_", "n_iter_", "n_mistakes_", "n_samples_seen_"]


@pytest.fixture
def always_pairs(monkeypatch):
    """Makes every one-vs-one fit use the runs for many classes, and store its weights as updates."""
    monkeypatch.setattr(pair_fit, "MANY_PAIRS", 1)
    monkeypatch.setattr(pair_fit, "SMALL_WEIGHTS", 0)


def table(storage, seed, classes=7, n=70, features=19):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features)).round(2 if seed % 2 else 12)
    X[rng.random(X.shape) < 0.6] = 0
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    X[:, 0] += y
    form = {"dense64": lambda X: X, "dense32": np.float32, "csr": csr_matrix}[storage]
    return form(X), y


def fitted(estimator, X, y, **how):
    weights = how.pop("sample_weight", None)
    return estimator(**{"max_iter": 20} | how, multi_class="ovo").fit(X, y, sample_weight=weights)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("storage", ["dense64", "dense32", "csr"])
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_many_classes_have_the_weights_of_single_pairs_bit_for_bit(estimator, storage, monkeypatch):
    for seed, how in enumerate(
        [
            {},
            {"order": "cyclic"},
            {"init": "random", "init_scale": 2.0},
            {"eta0": 0.3, "fit_intercept": False},
            {"max_updates": 5},
        ]
    ):
        if estimator is BatchPerceptron:
            how = {name: value for name, value in how.items() if name not in ("order", "max_updates")}
        X, y = table(storage, seed)
        rng = np.random.default_rng(seed)
        weights = rng.random(len(y)) + 0.1 if seed % 2 else None
        before = fitted(estimator, X, y, sample_weight=weights, **how)
        with monkeypatch.context() as patch:
            patch.setattr(pair_fit, "MANY_PAIRS", 1)
            patch.setattr(pair_fit, "SMALL_WEIGHTS", 0)
            after = fitted(estimator, X, y, sample_weight=weights, **how)
        assert isinstance(vars(after)["coef_"], PairWeights)
        for name in COUNTS:
            assert getattr(after, name) == getattr(before, name), name
        np.testing.assert_array_equal(after.history_, before.history_)
        for name in ("coef_", "intercept_", "last_coef_", "last_intercept_"):
            if hasattr(before, name):
                assert getattr(after, name).tobytes() == getattr(before, name).tobytes(), name
        np.testing.assert_array_equal(after.predict(X), before.predict(X))
        # BLAS sums weighted votes in an order of its own.
        rounding = 1e-14 if estimator is VotedPerceptron and weights is not None else 0
        np.testing.assert_allclose(after.decision_function(X), before.decision_function(X), rtol=rounding, atol=0)
        if estimator is VotedPerceptron:
            for name in ("updates_", "scales_", "survival_"):
                for mine, theirs in zip(getattr(after, name), getattr(before, name), strict=True):
                    np.testing.assert_array_equal(mine, theirs)
            for mine, theirs in zip(after.trace_, before.trace_, strict=True):
                assert [step.mistake for step in mine[:30]] == [step.mistake for step in theirs[:30]]


@pytest.mark.usefixtures("always_pairs")
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_stored_updates_survive_a_model_file_and_a_pickle(estimator, tmp_path):
    for storage in ("dense64", "csr"):
        X, y = table(storage, 3)
        model = fitted(estimator, X, y)
        save(model, tmp_path / "model.json")
        for other in (load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
            assert isinstance(vars(other)["coef_"], PairWeights)
            assert other.coef_.tobytes() == model.coef_.tobytes()
            np.testing.assert_array_equal(other.predict(X), model.predict(X))


@pytest.mark.usefixtures("always_pairs")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_class_with_the_most_votes_is_found_without_scoring_all_pairs():
    for seed in range(60):  # random weights: votes are close, and classes tie
        rng = np.random.default_rng(seed)
        y = np.repeat(np.arange(9), 2)
        X = rng.integers(-2, 3, (18, 3)).astype(float)
        model = fitted(Perceptron, X, y, max_iter=2)
        new = rng.integers(-3, 4, (50, 3)).astype(float) * (1e18 if seed % 7 == 0 else 1)
        votes = model.decision_function(new)
        np.testing.assert_array_equal(model.predict(new), model.classes_[votes.argmax(axis=1)])


@pytest.mark.usefixtures("always_pairs")
def test_weights_that_do_not_fit_into_memory_are_refused_with_their_size(monkeypatch):
    X, y = table("dense64", 1)
    model = fitted(AveragedPerceptron, X, y)
    monkeypatch.setattr(pair_weights, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"21 rows of 19 weights, 0\.0 GB"):
        _ = model.coef_
    assert len(model.predict(X)) == len(y)


@pytest.mark.usefixtures("always_pairs")
def test_two_threads_give_the_same_pairs():
    X, y = table("csr", 5, classes=12, n=9000, features=300)
    one, two = (VotedPerceptron(n_jobs=jobs, max_iter=3).fit(X, y) for jobs in (1, 2))
    assert one.coef_.tobytes() == two.coef_.tobytes()
    np.testing.assert_array_equal(one.history_, two.history_)
    assert one.statuses_ == two.statuses_


def test_many_pairs_take_memory_for_the_mistakes_only(monkeypatch):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(150), 2)
    X = csr_matrix((np.ones(900), (np.repeat(np.arange(300), 3), rng.integers(0, 100_000, 900))), shape=(300, 100_000))
    model = Perceptron(multi_class="ovo").fit(X, y)
    stored = vars(model)["coef_"]
    assert stored.nbytes > 8e9
    assert stored.index.nbytes + stored.value.nbytes < 2e6
    assert (model.predict(X) == y).mean() == 1
    monkeypatch.setattr(pair_weights, "available_memory", lambda: 10**9)
    with pytest.raises(MemoryError, match=r"11,175 rows of 100,000 weights, 8\.9 GB, and 1\.0 GB of memory"):
        _ = model.coef_
