"""The contract of the core: sums in a fixed order, and checks of all arrays."""

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt.core import PLAN_FIELDS, OnlineRun, Plan, Rows


def lanes(x, w):
    """The documented sum: sixteen lanes, the last incomplete block aligned to the right, folded in halves."""
    products = np.asarray(x, dtype=np.float64) * w
    n = len(products)
    if n >= 16:
        sums = np.zeros(16)
        for begin in range(0, n - n % 16, 16):
            sums += products[begin : begin + 16]
        if n % 16:
            sums[16 - n % 16 :] += products[n - n % 16 :]
    else:
        sums = np.concatenate([products, np.zeros(16 - n)])
    while len(sums) > 1:
        sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
    return sums[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("features", [1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 100, 784])
@pytest.mark.parametrize("problems", [1, 2, 3, 4, 5, 9])
def test_a_dense_score_is_the_documented_sum_to_the_last_bit(dtype, features, problems):
    rng = np.random.default_rng(features)
    X = rng.standard_normal((3, features)).astype(dtype)
    weights, offsets = rng.standard_normal((problems, features)), rng.standard_normal(problems)
    scores = Rows.dense(X).scores(weights, offsets)
    for i in range(3):
        for c in range(problems):
            assert scores[i, c] == lanes(X[i], weights[c]) + offsets[c]


@pytest.mark.parametrize("problems", [1, 2, 8, 9])
def test_a_sparse_score_sums_four_lanes_of_entries(problems):
    rng = np.random.default_rng(0)
    dense = rng.standard_normal((20, 50)) * (rng.random((20, 50)) < 0.3)
    matrix = sp.csr_matrix(dense)
    weights, offsets = rng.standard_normal((problems, 50)), rng.standard_normal(problems)
    scores = Rows.csr(matrix.data, matrix.indices, matrix.indptr, 50).scores(weights, offsets)
    for i in range(20):
        row = matrix[i]
        for c in range(problems):
            products = row.data * weights[c][row.indices]
            a, b, d, e = (np.add.accumulate([0.0, *products[lane::4]])[-1] for lane in range(4))
            assert scores[i, c] == ((a + d) + (b + e)) + offsets[c]


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="two-dimensional"):
        Rows.dense(np.zeros(3))
    with pytest.raises(ValueError, match="side by side"):
        Rows.dense(np.zeros((4, 6))[:, ::2])
    with pytest.raises(ValueError, match="float32 or float64"):
        Rows.dense(np.zeros((2, 2), dtype=int))
    with pytest.raises(ValueError, match="one type"):
        Rows.csr(np.ones(1), np.zeros(1, np.int32), np.array([0, 1], np.int64), 1)
    with pytest.raises(ValueError, match="do not fit"):
        Rows.dense(np.zeros((2, 2))).scores(np.zeros((1, 3)), np.zeros(1))


def run(**changes):
    arguments = {
        "rows": Rows.dense(np.eye(2)),
        "labels": np.array([0, 1], np.int32),
        "positives": [1],
        "start": np.zeros((1, 2)),
        "start_offsets": np.zeros(1),
    }
    fields = {"max_iter": 5} | {name: changes.pop(name) for name in list(changes) if name in PLAN_FIELDS}
    return OnlineRun(plan=Plan(**fields), **{**arguments, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": np.array([0], np.int32)},
        {"steps": np.ones(3)},
        {"chosen": np.array([2], np.uint32)},
        {"chosen": np.array([], np.uint32)},
        {"start": np.zeros((2, 2))},
        {"start": np.zeros((1, 3))},
        {"start_offsets": np.zeros(2)},
        {"tie": "draw"},
        {"order": "sorted"},
        {"order": "misclassified", "positives": [0, 1], "start": np.zeros((2, 2)), "start_offsets": np.zeros(2)},
    ],
)
def test_a_run_that_does_not_fit_its_rows_is_refused(changes):
    with pytest.raises(ValueError):
        run(**changes)


def test_slices_of_any_size_make_the_same_updates():
    rng = np.random.default_rng(0)
    X, labels = rng.integers(-5, 6, (300, 4)).astype(float), rng.integers(0, 2, 300).astype(np.int32)
    changes = {"rows": Rows.dense(X), "labels": labels, "start": np.zeros((1, 4)), "order": "shuffle"}
    whole = run(**changes)
    assert whole.advance(2**60, False) == "done"
    sliced = run(**changes)
    while sliced.advance(1, True) != "done":
        pass
    np.testing.assert_array_equal(whole.outcome(0).last.w, sliced.outcome(0).last.w)
    assert whole.history().tolist() == sliced.history().tolist()


def test_a_question_is_asked_before_a_stall_and_answered():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, 1))
    labels = (rng.random(2000) < 0.5).astype(np.int32)
    arguments = {"rows": Rows.dense(X), "labels": labels, "start": np.zeros((1, 1)), "max_iter": None}
    arguments |= {"may_stall": True, "ask_before_stall": True, "order": "shuffle"}
    first = run(**arguments)
    while (pause := first.advance(2**60, False)) == "slice":
        pass
    assert pause == "question"
    assert first.question() == 0
    first.answer(False, "inseparable")
    assert first.advance(1, False) == "done"
    assert first.outcome(0).ending == "inseparable"
    assert first.history()[-1, 0] == first.epochs
    second = run(**arguments)
    second.advance(2**60, False)
    second.answer(True, "stalled")
    assert second.advance(10**8, False) == "slice"
    assert second.outcome(0).ending == "running"
    second.end_all("early_stopped")
    assert second.outcome(0).ending == "early_stopped"


@pytest.mark.parametrize("accelerator", ["none", "branchless"])
@pytest.mark.parametrize("d", [2, 16])
def test_a_run_that_goes_on_beyond_its_limit_of_updates_ends_at_the_next(monkeypatch, d, accelerator):
    monkeypatch.setenv("ROSENBLATT_ACCELERATOR", accelerator)
    labels = np.array([0, 1] * 20, np.int32)
    beyond = run(rows=Rows.dense(np.ones((40, d))), labels=labels, max_updates=5, start=np.full((1, d), -0.5))
    beyond.go_on_from(presented=40, clock=40.0, mistakes=[10], last_changes=[40])
    assert beyond.advance(2**60, False) == "done"
    assert (beyond.outcome(0).ending, beyond.outcome(0).mistakes) == ("max_updates", 11)
