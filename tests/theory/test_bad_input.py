"""Bad, odd and extreme input: a clear error or a right answer."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from rosenblatt import separability
from rosenblatt.theory import cycles, max_margin, mistake_bound


def test_equal_examples_with_different_labels_are_the_witness():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 5))
    y = X[:, 0] > 0
    X[150] = X[20]
    y[150] = not y[20]
    for form in (X, X.astype(np.float32), sp.csr_matrix(X)):
        result = separability(form, y)
        assert result.separable is False
        assert result.witness.indices.tolist() == [20, 150]
        assert result.witness.multipliers == [1, 1]
        assert result.verify()
        assert "equal and have different labels" in result.explain()


def test_constant_columns_are_no_obstacle():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(100, 7.1), rng.normal(size=100), np.zeros(100)])
    assert separability(X, X[:, 1] > 0).kind == "separable"
    noise = separability(X, rng.random(100) > 0.5)
    assert noise.kind == "inseparable"
    assert len(noise.verdict.null) == 2
    assert noise.verify()


def test_only_constant_columns_are_inseparable():
    result = separability(np.ones((4, 2)), [0, 1, 0, 1])
    assert result.kind == "inseparable"
    assert result.verify()


def test_more_features_than_examples_are_separable():
    X = np.random.default_rng(0).normal(size=(10, 3000))
    result = separability(X, np.arange(10) % 2)
    assert result.kind == "separable"
    assert result.verify()


def test_many_features_that_do_not_separate_are_proved_so():
    rng = np.random.default_rng(0)
    X = rng.integers(1, 9, (64, 1500)) * (rng.random((64, 1500)) < 0.02)
    means = X.reshape(2, 32, -1).mean(axis=1)  # exact: sums of integers over a power of two
    X = sp.csr_matrix(np.vstack([X, means]))
    result = separability(X, [0] * 32 + [1] * 32 + [1, 0])
    assert result.separable is False
    assert result.verify()


def test_a_mean_that_was_rounded_need_not_lie_in_the_hull():
    rows = np.random.default_rng(0).normal(size=(31, 200))
    result = separability(np.vstack([rows, rows.mean(axis=0)]), [0] * 31 + [1])
    assert result.kind == "separable"
    assert result.verify()


def test_values_from_1e_300_to_1e300_in_one_set():
    magnitudes = 10.0 ** np.linspace(-300, 300, 41)
    X = np.column_stack([magnitudes, -magnitudes])
    y = np.arange(41) > 20
    assert separability(X, y).kind == "separable"
    assert separability(X, y).verify()
    y[5] = True
    result = separability(X, y)
    assert result.separable is False
    assert result.verify()


def test_subnormal_differences_count():
    X = np.array([[0.0], [5e-324], [1.0]])
    assert separability(X, [0, 1, 1]).kind == "separable"
    assert separability(X, [1, 0, 1]).kind == "inseparable"
    assert separability(X, [0, 1, 1]).verify()


@pytest.mark.parametrize("labels", [[1.0, -1.0, 1.0], [True, False, True], ["b", "a", "b"], [5, 3, 5]])
def test_any_two_labels_will_do_and_the_later_class_is_positive(labels):
    result = separability([[1.0], [0.0], [2.0]], labels)
    assert result.positive == max(labels)
    assert result.hyperplane.side([[2.0]]) == 1
    assert result.verify()
    assert result.to_dict()["positive"] == max(labels)


def test_frames_are_taken():
    frame = {"a": [0.0, 1.0, 2.0], "b": [1, 1, 0]}
    for make in (pd.DataFrame, pl.DataFrame):
        result = separability(make(frame), pd.Series(["x", "y", "y"]))
        assert result.kind == "separable"
        assert result.verify()


def test_inputs_are_never_changed():
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = X[:, 0] > 0
    before = X.copy(), y.copy()
    X.setflags(write=False)
    separability(X, y).explain()
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])
    matrix = sp.csr_matrix(([1.0, 2.0, 3.0], [1, 0, 0], [0, 2, 3]), shape=(2, 2))
    separability(matrix, [0, 1])
    assert matrix.indices.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [2.0]], ["spam", "spam"], r"1 class \('spam'\)"),
        ([[1.0]], [1], "1 class"),
        ([[1.0], [np.nan]], [0, 1], "row 1, column 0"),
        ([[1.0], [np.inf]], [0, 1], "row 1, column 0"),
        (sp.csr_matrix([[1.0, 0.0], [0.0, np.nan]]), [0, 1], "row 1, column 1"),
        ([1.0, 2.0], [0, 1], "reshape"),
        (np.empty((0, 2)), [], "at least one row"),
        (np.empty((2, 0)), [0, 1], "one column"),
        ([[1.0], [2.0]], [0, 1, 1], "2 labels"),
        ([[1.0], [2.0]], [0.5, 1.5], "continuous"),
        ([[1.0], [2.0]], [0.0, np.nan], "row 1"),
        ([[1.0], [2.0]], [None, "a"], "row 0"),
        (np.array([[1.0], [2.0], [3.0]]), np.array([1, "a", 2], dtype=object), "mixes numbers and text"),
        (np.array([[1j], [2j]]), [0, 1], "complex"),
        (np.array([["a"], ["b"]]), [0, 1], "the text .* in row 0, column 0"),
        ([[1, "a"], [2, "b"]], [0, 1], "the text 'a' in row 0, column 1"),
        ([[1, 2.5], [2, "1/2"]], [0, 1], "the text '1/2' in row 1, column 1"),
        ([["1"], ["2"]], [0, 1], "the text '1' in row 0, column 0"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_place(X, y, words):
    with pytest.raises(ValueError, match=words):
        separability(X, y)


def test_a_budget_must_be_positive():
    with pytest.raises(ValueError, match="positive number"):
        separability([[0], [1]], [0, 1], budget=0)


def test_a_budget_beyond_the_largest_float_is_no_limit():
    assert separability([[0], [1]], [0, 1], budget=10**400).kind == "separable"
    with pytest.raises(ValueError, match="budget is -inf; it must be a positive number"):
        separability([[0], [1]], [0, 1], budget=-(10**400))


def test_there_is_no_margin_and_no_bound_without_separation():
    XOR = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.raises(ValueError, match="not separable"):
        max_margin(*XOR)
    with pytest.raises(ValueError, match="4 examples that prove it"):
        mistake_bound(*XOR)
    with pytest.raises(ValueError, match="3 classes"):
        max_margin([[0], [1], [2]], [0, 1, 2])
    with pytest.raises(ValueError, match="3 classes"):
        cycles([[0], [1], [2]], [0, 1, 2])


@pytest.mark.parametrize(
    ("X", "y", "fit_intercept", "kind"),
    [
        ([[-1e-300], [-1e-300], [0.0]], [0, 1, 0], True, "weak"),
        ([[1e-320], [1e-320], [0.0]], [0, 1, 1], True, "weak"),
        ([[-1.0, 2.0], [0.0, 0.0], [1e300, 1e-320], [1e-300, 1.0]], [0, 1, 0, 1], False, "inseparable"),
        ([[1e-300, 1e300], [0.0, 0.0], [1e-300, 1e300]], [0, 1, 1], True, "weak"),
    ],
)
def test_a_row_of_zeros_among_values_of_any_spread_is_decided(X, y, fit_intercept, kind):
    result = separability(np.array(X), y, fit_intercept=fit_intercept)
    assert (result.kind, result.verify()) == (kind, True)


def test_integers_beside_floats_are_not_rounded():
    rows = [[2**53, 0.5], [2**53 + 1, 0.5]]
    frame = pd.DataFrame({"count": [2**53, 2**53 + 1], "share": [0.5, 0.5]})
    for X in (rows, frame, pl.from_pandas(frame), [[2**63, -1], [2**63 + 1, -1]]):
        result = separability(X, [0, 1])
        assert result.kind == "separable"
        assert result.verify()


def test_two_columns_of_a_frame_may_have_the_same_name():
    result = separability(pd.DataFrame([[0, 0.5], [1, 0.5], [2, 0.5]], columns=["a", "a"]), [0, 1, 1])
    assert result.kind == "separable"


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (pd.DataFrame({"group": pd.Categorical(list("ab"))}), "the text 'a' in row 0, column 0; .* pandas.get_dummies"),
        (np.array([["a"], ["b"]]), "the text 'a' in row 0, column 0; .* pandas.get_dummies"),
        (pl.LazyFrame({"a": [1, 2]}), r"X is a LazyFrame, .* X.collect\(\)"),
        (pd.Series([1, 2]), r"X is a series; .* X.to_frame\(\)"),
        (np.ma.array([[1.0], [2.0]], mask=[[0], [1]]), "X is masked in row 1. Drop the row or fill the gap"),
        (np.array([[1.0], [2.0]], dtype=np.longdouble), r"exact proofs need float64.* X.astype\(float\)"),
    ],
    ids=["category", "text", "lazy", "series", "masked", "longdouble"],
)
def test_tables_that_are_not_numbers_are_refused_with_a_remedy(X, sentence):
    with pytest.raises(ValueError, match=sentence):
        separability(X, [0, 1])


def test_a_missing_label_of_pandas_is_named():
    with pytest.raises(ValueError, match="y has no label in row 1"):
        separability([[1], [2]], pd.array(["a", None], dtype="string"))


def test_few_equal_pairs_in_many_columns_take_little_work():
    half = np.random.default_rng(0).normal(size=(10, 2000))
    result = separability(np.vstack([half, half]), np.arange(20) // 10)
    assert result.kind == "inseparable"
    assert result.verdict.work < 1e9
    alone = np.vstack([half, half[:9], half[9:] + 1])
    weak = separability(alone, np.arange(20) // 10)
    assert weak.kind == "weak"
    assert weak.verify()
