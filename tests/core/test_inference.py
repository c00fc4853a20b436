"""Labels computed directly from rows equal those of the full scores, for every method."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.core import Rows, label_scores, pair_votes


def labels(rows, weights, offsets, classes, *, pairs=False, positive=False, threads=1):
    out = np.empty(rows.n_examples, classes.dtype)
    finite = rows.label_into(
        weights, offsets, pairs, positive, classes.view(np.uint8), len(classes), out.view(np.uint8), threads
    )
    return out, finite


@st.composite
def nearly_tied(draw):
    """Rows and planes of any size, some planes nearly or quite the same as others."""
    numbers = np.random.default_rng(draw(st.integers(0, 999)))
    n, k = draw(st.sampled_from([64, 100, 300])), draw(st.sampled_from([3, 10, 16, 17, 40]))
    d = draw(st.sampled_from([1, 5, 16, 31, 54]))
    wide = draw(st.booleans())
    X = numbers.normal(size=(n, d)) * 10.0 ** draw(st.sampled_from([-300, -44, -20, 0, 0, 0, 3, 18, 30, 150]))
    X = X if wide else np.clip(X, -1e37, 1e37).astype(np.float32)
    weights = numbers.normal(size=(k, d)) * 10.0 ** draw(st.sampled_from([-200, -44, -10, 0, 0, 0, 5, 17, 30]))
    for c in range(1, k):
        if numbers.random() < 0.5:
            weights[c] = weights[c - 1] * (1 + numbers.choice([0, 1e-16, 1e-12, -1e-9, 1e-7, -1e-5, 1e-3], size=d))
    if draw(st.booleans()):
        X, weights = np.rint(X), np.rint(weights)
    offsets = numbers.normal(size=k) * draw(st.sampled_from([0.0, 1.0, 1e-30, 1e8]))
    return X, weights, offsets


@settings(max_examples=200, deadline=None)
@given(nearly_tied())
def test_the_largest_is_that_of_the_scores_in_full(problem):
    X, weights, offsets = problem
    rows, classes = Rows.dense(X), np.arange(len(offsets)) * 7
    with np.errstate(all="ignore"):
        scores = rows.scores(weights, offsets)
    found, finite = labels(rows, weights, offsets, classes)
    assert finite == bool(np.isfinite(scores).all())
    if finite:
        np.testing.assert_array_equal(found, classes[scores.argmax(axis=1)])


@pytest.mark.parametrize("d", [2, 16, 40])
def test_scores_that_overflow_in_single_precision_are_undecided_there(d):
    X = np.zeros((64, d), np.float32)
    X[:, 0], X[:, -1] = 1e30, 5e29
    weights = np.zeros((3, d))
    weights[1:, 0], weights[1:, -1] = 1e17, -1e17  # infinity less infinity there, 5e46 in full
    found, finite = labels(Rows.dense(X), weights, np.zeros(3), np.arange(3))
    assert finite
    assert set(found) == {1}


def test_rows_without_features_are_labelled_by_the_offsets():
    found, finite = labels(Rows.dense(np.zeros((64, 0))), np.zeros((3, 0)), np.array([0.0, 2.0, 1.0]), np.arange(3))
    assert finite
    assert set(found) == {1}


@settings(max_examples=60, deadline=None)
@given(nearly_tied(), st.sampled_from([np.nan, np.inf, -np.inf]), st.data())
def test_a_value_that_is_not_finite_is_always_reported(problem, strange, data):
    X, weights, offsets = problem
    X = X.copy()
    X[data.draw(st.integers(0, len(X) - 1)), data.draw(st.integers(0, X.shape[1] - 1))] = strange
    if data.draw(st.booleans()):
        weights = np.zeros_like(weights)
    for rows in (Rows.dense(X), Rows.dense(X[:1] * X.dtype.type(np.nan)), csr(X)):
        assert not labels(rows, weights, offsets, np.arange(len(offsets)))[1]
        assert not labels(rows, weights[:1], offsets[:1], np.arange(2))[1]
        assert not rows.score_into(weights, offsets, np.empty((rows.n_examples, len(offsets))))


def csr(X, **options):
    matrix = sp.csr_matrix(X)
    return Rows.csr(matrix.data, matrix.indices, matrix.indptr, X.shape[1], **options)


@pytest.mark.parametrize("n", [1, 3, 4, 5, 1000, 40_000])
@pytest.mark.parametrize("k", [1, 2, 10])
@pytest.mark.parametrize("d", [1, 15, 16, 17, 33, 64])
def test_scores_are_the_same_bits_by_any_number_of_rows_and_threads(n, k, d):
    numbers = np.random.default_rng(0)
    X, weights, offsets = numbers.normal(size=(n, d)), numbers.normal(size=(k, d)), numbers.normal(size=k)
    X[numbers.random((n, d)) < 0.3] = 0
    some = slice(0, 50)
    for rows, one_by_one in (
        (Rows.dense(X), [Rows.dense(x[None]) for x in X[some]]),
        (csr(X, lazily=True), [csr(x[None]) for x in X[some]]),
    ):
        expected = np.vstack([row.scores(weights, offsets) for row in one_by_one])
        for threads in (1, 2, 3):
            out = np.empty((n, k))
            assert rows.score_into(weights, offsets, out, threads)
            np.testing.assert_array_equal(out[some], expected)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int32, np.int64, float, "U3", "S5", "datetime64[D]"])
def test_labels_of_any_width_are_copied_whole(dtype):
    classes = np.array([0, 1]).astype(dtype) if dtype != "U3" else np.array(["no", "yes"])
    X = np.array([[1.0], [-1.0], [0.0]])
    found, _ = labels(Rows.dense(X), np.ones((1, 1)), np.zeros(1), classes)
    assert found.tolist() == classes[[1, 0, 0]].tolist()
    found, _ = labels(Rows.dense(X), np.ones((1, 1)), np.zeros(1), classes, positive=True)
    assert found.tolist() == classes[[1, 0, 1]].tolist()


@given(st.integers(0, 99), st.integers(3, 6), st.booleans())
def test_votes_are_counted_pair_by_pair(seed, k, positive):
    numbers = np.random.default_rng(seed)
    scores = numbers.integers(-2, 3, (20, k * (k - 1) // 2)).astype(float)
    votes = np.empty((20, k))
    pair_votes(scores, k, positive, votes)
    for row, counted in zip(scores, votes, strict=True):
        expected, sums, pair = np.zeros(k), np.zeros(k), iter(row)
        for a in range(k):
            for b in range(a + 1, k):
                score = next(pair)
                expected[b if score > 0 or (positive and score == 0) else a] += 1
                sums[b] += score
                sums[a] -= score
        np.testing.assert_array_equal(counted, expected + sums / (2 * (abs(sums) + 1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_labels_of_known_scores_are_the_first_of_the_largest(dtype):
    scores = np.array([[1, 3, 3], [2, 1, 2], [-1, -2, 0]], dtype=dtype)
    out = np.empty(3, "U2")
    label_scores(scores, np.array(["a", "bb", "c"]).view(np.uint8), 3, out.view(np.uint8))
    assert out.tolist() == ["bb", "a", "c"]


def test_labels_that_do_not_fit_are_refused():
    rows, one = Rows.dense(np.zeros((2, 2))), np.zeros(1)
    for weights, offsets, classes, out in (
        (np.zeros((2, 2)), np.zeros(2), np.arange(2), np.empty(2, int)),
        (np.zeros((1, 2)), one, np.arange(1), np.empty(2, int)),
        (np.zeros((1, 2)), one, np.arange(2), np.empty(3, int)),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            rows.label_into(weights, offsets, False, False, classes.view(np.uint8), len(classes), out.view(np.uint8))
    with pytest.raises(ValueError, match="room for one score"):
        rows.score_into(np.zeros((1, 2)), one, np.empty((3, 1)))
    with pytest.raises(ValueError, match="do not fit"):
        label_scores(np.zeros((2, 3)), np.arange(2).view(np.uint8), 2, np.empty(2, int).view(np.uint8))
    with pytest.raises(ValueError, match="one score per pair"):
        pair_votes(np.zeros((2, 2)), 3, False, np.empty((2, 3)))
