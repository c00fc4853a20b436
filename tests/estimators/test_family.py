"""Pocket, averaged, voted, batch, margins and passive-aggressive steps against the textbook and the theory."""

import pickle
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    perceptron_loss,
    textbook,
    zero_one_loss,
)
from tests.estimators.test_oracle import choices, labelled, limits
from tests.storages import STORAGES

FAMILY = [Perceptron, PocketPerceptron, AveragedPerceptron, VotedPerceptron, BatchPerceptron]


def fit(estimator, X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, **more)


def flat(coef, intercept, fit_intercept):
    return np.concatenate([intercept, coef[0]]) if fit_intercept else coef[0]


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices, limit=limits, ratchet=st.booleans())
def test_the_pocket_is_the_textbooks(storage, data, choice, limit, ratchet):
    X, y = data
    run = textbook.run(textbook.pocket(X, y, ratchet=ratchet, **choice, **limit))
    estimator = fit(PocketPerceptron(ratchet=ratchet, **choice, **limit), STORAGES[storage](X), y)
    offset = choice["fit_intercept"]
    assert estimator.status_ == run.status
    np.testing.assert_array_equal(flat(estimator.last_coef_, estimator.last_intercept_, offset), run.w)
    np.testing.assert_array_equal(flat(estimator.coef_, estimator.intercept_, offset), run.ended.w_pocket)
    assert estimator.pocket_run_ == run.ended.run_pocket
    assert estimator.pocket_error_ == run.ended.errors_pocket
    assert estimator.n_scored_ == run.ended.scored
    assert (estimator.n_mistakes_, estimator.n_samples_seen_) == (run.n_mistakes, run.n_samples_seen)


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices, limit=limits)
def test_the_average_is_the_textbooks(storage, data, choice, limit):
    X, y = data
    run = textbook.run(textbook.averaged(X, y, **choice, **limit))
    estimator = fit(AveragedPerceptron(**choice, **limit), STORAGES[storage](X), y)
    offset = choice["fit_intercept"]
    np.testing.assert_array_equal(flat(estimator.coef_, estimator.intercept_, offset), run.ended.average)
    np.testing.assert_array_equal(flat(estimator.last_coef_, estimator.last_intercept_, offset), run.w)
    assert estimator.status_ == run.status


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(max_examples=8), choice=choices, limit=limits)
def test_the_vote_is_the_textbooks(storage, data, choice, limit):
    X, y = data
    choice = {**choice, "tie": "negative" if choice["tie"] == "positive" else choice["tie"]}
    run = textbook.run(textbook.voted(X, y, **choice, **limit))
    estimator = fit(VotedPerceptron(**choice, **limit), STORAGES[storage](X), y)
    counts = [count for _, count in run.ended.vectors]
    if not counts:
        return
    assert estimator.survival_[0].tolist() == counts
    space = np.column_stack([np.ones(len(X)), X]) if choice["fit_intercept"] else X
    votes = [textbook.vote(run.ended.vectors, x) / sum(counts) for x in space]
    np.testing.assert_allclose(estimator.decision_function(STORAGES[storage](X)), votes, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices, max_iter=st.integers(1, 10), max_error=st.sampled_from([0.0, 0.2]))
def test_the_batch_is_the_textbooks(storage, data, choice, max_iter, max_error):
    X, y = data
    choice = {name: value for name, value in choice.items() if name != "order"}
    run = textbook.run(textbook.batch(X, y, max_iter=max_iter, max_error=max_error, **choice))
    estimator = BatchPerceptron(max_iter=max_iter, max_error=max_error, **choice)
    fit(estimator, STORAGES[storage](X), y)
    np.testing.assert_array_equal(flat(estimator.coef_, estimator.intercept_, choice["fit_intercept"]), run.w)
    assert (estimator.status_, estimator.n_iter_, estimator.cycle_) == (run.status, run.n_iter, run.cycle)
    assert estimator.history_["loss"].tolist() == [step.loss for step in run.steps]
    assert estimator.history_["mistakes"].tolist() == [len(step.M) for step in run.steps]


@pytest.mark.parametrize("storage", STORAGES)
@given(data=labelled(), choice=choices, limit=limits, margin=st.sampled_from([0.0, 1.0, 5.0]))
def test_a_margin_updates_correct_examples_within_the_margin(storage, data, choice, limit, margin):
    X, y = data
    run = textbook.run(textbook.online(X, y, margin=margin, **choice, **limit))
    estimator = fit(Perceptron(margin=margin, record=True, **choice, **limit), STORAGES[storage](X), y)
    np.testing.assert_array_equal(flat(estimator.coef_, estimator.intercept_, choice["fit_intercept"]), run.w)
    assert (estimator.status_, estimator.n_mistakes_) == (run.status, run.n_mistakes)
    if estimator.status_ == "separated" and margin:
        assert np.all(y * estimator.decision_function(STORAGES[storage](X)) > margin)
    if margin:
        for ours, theirs in zip(estimator.trace_, run.steps, strict=True):
            assert (ours.k, ours.i, ours.mistake) == (theirs.k, theirs.i, theirs.mistake)


@pytest.mark.parametrize("storage", STORAGES)
@given(
    data=labelled(max_features=4),
    step=st.sampled_from(["pa", "pa1", "pa2"]),
    C=st.sampled_from([0.1, 1.0]),
    fit_intercept=st.booleans(),
)
def test_passive_aggressive_steps_are_the_textbooks(storage, data, step, C, fit_intercept):
    X, y = data
    shared = {"step": step, "C": C, "fit_intercept": fit_intercept, "order": "cyclic", "max_iter": 2}
    run = textbook.run(textbook.online(X, y, **shared))
    estimator = fit(Perceptron(record=True, **shared), STORAGES[storage](X), y)
    w = flat(estimator.coef_, estimator.intercept_, fit_intercept)
    np.testing.assert_allclose(w, run.w, rtol=1e-7, atol=1e-7)
    trace = estimator.trace_
    np.testing.assert_allclose(trace.weights_at(len(trace)), w, rtol=1e-12, atol=1e-12)
    if step == "pa" and run.steps[0].mistake and run.steps[0].x @ run.steps[0].x > 0:
        first = run.steps[0]
        assert first.y * first.score_after == pytest.approx(1.0)  # aggressive: the margin is met at once


@given(data=labelled(), choice=choices, limit=limits, seed=st.integers(0, 99), ratchet=st.booleans())
def test_weighted_runs_averages_and_votes_are_the_textbooks(data, choice, limit, seed, ratchet):
    X, y = data
    sample_weight = np.random.default_rng(seed).integers(0, 4, len(y)).astype(float)
    sample_weight[:2] = 1
    shared = {"sample_weight": sample_weight, **choice, **limit}
    pocket = textbook.run(textbook.pocket(X, y, ratchet=ratchet, **shared)).ended
    average = textbook.run(textbook.averaged(X, y, **shared)).ended
    vote = textbook.run(textbook.voted(X, y, **shared)).ended
    mine = fit(PocketPerceptron(ratchet=ratchet, **choice, **limit), X, y, sample_weight=sample_weight)
    assert (mine.pocket_run_, mine.pocket_error_) == (pocket.run_pocket, pocket.errors_pocket)
    np.testing.assert_array_equal(flat(mine.coef_, mine.intercept_, choice["fit_intercept"]), pocket.w_pocket)
    mine = fit(AveragedPerceptron(**choice, **limit), X, y, sample_weight=sample_weight)
    np.testing.assert_array_equal(flat(mine.coef_, mine.intercept_, choice["fit_intercept"]), average.average)
    mine = fit(VotedPerceptron(**choice, **limit), X, y, sample_weight=sample_weight)
    if vote.vectors:
        assert mine.survival_[0].tolist() == [count for _, count in vote.vectors]


@pytest.mark.parametrize("step", ["pa", "pa1", "pa2"])
def test_a_joint_passive_aggressive_step_just_reaches_the_margin(step):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 4)), rng.integers(0, 3, 30)
    y[0] = 1
    estimator = fit(Perceptron(step=step, C=0.01, multi_class="joint", order="cyclic", max_updates=1), X, y)
    scores = estimator.decision_function(X[:1])[0]
    squared = 2 * (X[0] @ X[0] + 1)  # both planes change, offsets included
    far = {"pa": 1 / squared, "pa1": min(0.01, 1 / squared), "pa2": 1 / (squared + 1 / 0.02)}[step]
    assert scores[1] - scores[0] == pytest.approx(far * squared)  # from zero, the first of the others is the rival


def noisy(n=300, seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5))
    scores = X @ rng.standard_normal((5, n_classes)) + rng.standard_normal((n, n_classes))
    return X, scores.argmax(axis=1)


@settings(max_examples=20)
@given(seed=st.integers(0, 200))
def test_with_the_ratchet_the_pockets_error_never_rises_and_ends_no_worse_than_the_last_weights(seed):
    X, y = noisy(80, seed)
    in_pocket = []
    for steps in range(40, 1600, 120):
        estimator = fit(PocketPerceptron(ratchet=True, max_steps=steps, random_state=seed), X, y)
        assert estimator.pocket_error_ == zero_one_loss(y, estimator.predict(X))
        last = (X @ estimator.last_coef_[0] + estimator.last_intercept_[0] > 0).astype(int)
        assert estimator.pocket_error_ <= zero_one_loss(y, last)
        assert estimator.n_scored_ <= estimator.n_samples_seen_ + 3 * len(y)
        if not np.array_equal(estimator.coef_, estimator.last_coef_):
            in_pocket.append(estimator.pocket_error_)  # what the run itself had put there by then
    assert in_pocket == sorted(in_pocket, reverse=True)


def test_the_ratchet_comes_near_the_known_optimum():
    iris = load_iris()
    chosen = iris.target > 0
    pocket = fit(PocketPerceptron(ratchet=True, max_iter=3000), iris.data[chosen], iris.target[chosen])
    assert pocket.pocket_error_ <= 3  # the optimum is 1
    digits = load_digits()
    nine = fit(PocketPerceptron(ratchet=True, max_iter=300), digits.data, digits.target == 9)
    assert nine.pocket_error_ <= 12  # the optimum is 1


def test_a_run_that_separates_puts_its_weights_into_the_pocket():
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), [0, 0, 0, 1]
    estimator = PocketPerceptron(order="cyclic", tie="positive").fit(X, y)
    assert estimator.status_ == "separated"
    np.testing.assert_array_equal(estimator.coef_, estimator.last_coef_)
    assert estimator.pocket_error_ == 0


@pytest.mark.parametrize("multi_class", ["ova", "ovo", "joint"])
@pytest.mark.parametrize("storage", ["dense64", "csr32_i32"])
@pytest.mark.parametrize("cls", [PocketPerceptron, AveragedPerceptron, BatchPerceptron])
@pytest.mark.usefixtures("threads_for_little")
def test_many_classes_are_their_binary_problems(cls, storage, multi_class):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-4, 5, (60, 7)).astype(float), rng.integers(0, 4, 60)
    parameters = {"max_iter": 5} | ({"ratchet": True} if cls is PocketPerceptron else {})
    many = fit(cls(multi_class=multi_class, n_jobs=2, **parameters), STORAGES[storage](X), y)
    one_by_one = fit(cls(multi_class=multi_class, **parameters), STORAGES[storage](X), y)
    np.testing.assert_array_equal(many.coef_, one_by_one.coef_)
    if multi_class == "ova":
        for c in range(4):
            alone = fit(cls(**parameters), STORAGES[storage](X), y == c)
            np.testing.assert_array_equal(many.coef_[c], alone.coef_[0])
    if multi_class == "ovo":
        chosen = np.isin(y, [1, 3])
        alone = fit(cls(**parameters), STORAGES[storage](X[chosen]), y[chosen])
        np.testing.assert_array_equal(many.coef_[4], alone.coef_[0])


def test_voted_classes_are_their_binary_problems():
    X, y = noisy(n_classes=4)
    many = fit(VotedPerceptron(max_iter=3, multi_class="ova"), X, y)
    shares = many.decision_function(X)
    for c in range(4):
        alone = fit(VotedPerceptron(max_iter=3), X, y == c)
        np.testing.assert_allclose(shares[:, c], alone.decision_function(X))
    assert fit(VotedPerceptron(max_iter=3, multi_class="ovo"), X, y).score(X, y) > 0.5


def test_partial_fits_average_as_one_fit_does():
    X, y = noisy(120)
    X = np.round(4 * X)
    parts = AveragedPerceptron(order="cyclic")
    for part in np.array_split(np.arange(120), 5):
        parts.partial_fit(X[part], y[part], classes=[0, 1])
    whole = fit(AveragedPerceptron(order="cyclic", max_iter=1), X, y)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-12)
    np.testing.assert_array_equal(parts.last_coef_, whole.last_coef_)


def test_the_average_and_the_vote_beat_the_last_weights_on_digits():
    digits = load_digits()
    scores = {cls: [] for cls in (Perceptron, AveragedPerceptron, VotedPerceptron)}
    for seed in range(5):
        train = train_test_split(digits.data, digits.target, random_state=seed)
        for cls, found in scores.items():
            estimator = cls(max_iter=5, random_state=seed, multi_class="ovo")
            fit(estimator, train[0], train[2])
            found.append(estimator.score(train[1], train[3]))
    means = {cls: np.mean(found) for cls, found in scores.items()}
    assert means[AveragedPerceptron] > means[Perceptron]
    assert means[VotedPerceptron] > means[Perceptron]


def test_the_batch_does_not_depend_on_the_order_of_the_examples():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-9, 10, (50, 4)).astype(float), rng.integers(0, 3, 50)
    order = rng.permutation(50)
    a, b = (fit(BatchPerceptron(max_iter=20), X[rows], y[rows]) for rows in (np.arange(50), order))
    np.testing.assert_array_equal(a.coef_, b.coef_)


@pytest.mark.parametrize("cls", FAMILY)
def test_each_works_with_the_tools_of_scikit_learn(cls):
    import pandas
    import polars

    X, y = noisy(150, n_classes=3)
    frame = pandas.DataFrame(X, columns=list("abcde"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pipeline = make_pipeline(StandardScaler(), cls(max_iter=5)).set_output(transform="pandas")
        assert cross_val_score(pipeline, frame, y, n_jobs=1).mean() > 0.5
        search = GridSearchCV(cls(max_iter=5), {"eta0": [0.5, 2.0]}, cv=3).fit(frame, y)
        assert CalibratedClassifierCV(cls(max_iter=5), cv=3).fit(X, y).predict_proba(X).shape == (150, 3)
        fitted = clone(cls(max_iter=5)).fit(polars.DataFrame(X, schema=list("abcde")), y)
    assert search.best_estimator_.feature_names_in_.tolist() == list("abcde")
    assert fitted.feature_names_in_.tolist() == list("abcde")
    assert fitted.report().startswith(cls.__name__)
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.decision_function(frame), fitted.decision_function(frame))


def test_losses_are_the_lectures():
    scores = np.array([0.5, -2.0, 3.0, 0.0])
    assert perceptron_loss([-1, 1, 1, 1], scores) == 2.5
    assert perceptron_loss(["a", "b", "b", "b"], scores) == 2.5
    assert perceptron_loss([0, 2], [[1.0, 3.0, 0.0], [0.0, 0.0, 1.0]], classes=[0, 1, 2]) == 2.0
    assert zero_one_loss([1, -1, 1], [1, 1, 1]) == 1
    assert zero_one_loss([1, -1, 1], [1, 1, 1], normalize=True) == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="must be equal"):
        zero_one_loss([1], [1, 1])
    with pytest.raises(ValueError, match="one score per class"):
        perceptron_loss([0, 1, 2], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="name them all"):
        perceptron_loss([0, 1], [[1.0, 2.0, 3.0]] * 2)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (PocketPerceptron(ratchet="yes"), "ratchet must be"),
        (Perceptron(margin=-1.0), "margin must be"),
        (Perceptron(step="huge"), "step must be one of"),
        (Perceptron(step="pa1", C=0), "C must be"),
        (VotedPerceptron(multi_class="joint"), "multi_class must be one of 'ova', 'ovo'"),
    ],
)
def test_parameters_out_of_range_are_named(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit([[0.0], [1.0]], [0, 1])


def test_patience_ends_a_pocket_that_was_given_an_equal_vector_again():
    # The first example is right by a tie, and the mistake on the second puts (0), after a run of one, in place of (0).
    X, y = [[1.0], [1.0]], [1, -1]
    parameters = {"tie": "positive", "order": "cyclic", "fit_intercept": False, "patience": 2, "max_iter": 9}
    run = textbook.run(textbook.pocket(X, y, **parameters))
    estimator = fit(PocketPerceptron(**parameters), X, y)
    assert run.status == estimator.status_ == "unchanged"
    assert run.n_samples_seen == estimator.n_samples_seen_ == 2
    assert run.ended.w_pocket == estimator.coef_[0] == [0.0]
