"""Bad input to the kernel perceptron gets a clear error: cause, number, remedy."""

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import KernelPerceptron

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
y = np.array([0, 1, 1])


def test_a_precomputed_matrix_must_be_square():
    with pytest.raises(ValueError, match=r"must be square.*shape \(3, 2\)"):
        KernelPerceptron(kernel="precomputed").fit(X, y)


def test_a_precomputed_matrix_must_be_symmetric_and_dense():
    K = X @ X.T
    K[0, 2] += 1
    with pytest.raises(ValueError, match=r"symmetric; X\[0, 2\] is 3.0 and X\[2, 0\] is 2.0"):
        KernelPerceptron(kernel="precomputed").fit(K, y)
    with pytest.raises(ValueError, match="dense"):
        KernelPerceptron(kernel="precomputed").fit(sp.csr_matrix(X @ X.T), y)


def test_prediction_needs_kernel_values_with_all_training_examples():
    estimator = KernelPerceptron(kernel="precomputed").fit(X @ X.T, y)
    with pytest.raises(ValueError, match="X has 2 features, but KernelPerceptron is expecting 3 features"):
        estimator.predict(X)


@pytest.mark.parametrize("memory", [200, 1e-5])
@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda A, B: A @ B.T[:, :1], r"array of shape \(\d, 1\) for \d and \d examples; it must be"),
        (lambda A, B: np.ones(len(A)), r"array of shape \(\d,\)"),
        (lambda A, B: np.full((len(A), len(B)), np.nan), r"gave nan instead of a finite number.*Check the function"),
        (lambda A, B: np.full((len(A), len(B)), np.inf), "gave inf"),
    ],
)
def test_a_callable_with_a_wrong_result_is_refused_as_a_kernel(kernel, message, memory):
    estimator = KernelPerceptron(kernel=kernel, cache_size=memory)
    with pytest.raises(ValueError, match=message):
        estimator.fit(np.vstack([X, X]), [0, 1, 1, 0, 0, 1])
    assert not hasattr(estimator, "classes_")


@pytest.mark.parametrize("memory", [200, 1e-5])
def test_a_kernel_that_overflows_is_an_error_with_a_remedy(memory):
    estimator = KernelPerceptron(kernel="poly", degree=9, gamma=1, cache_size=memory)
    with pytest.raises(ValueError, match=r"'poly' gave inf.*StandardScaler.*lower gamma or degree"):
        estimator.fit(1e30 * X, y)


def test_scores_that_overflow_are_an_error_with_a_remedy():
    K = np.array([[1e308, -1e308], [-1e308, 1e308]]).repeat(2, axis=0).repeat(2, axis=1)
    with pytest.raises(ValueError, match=r"scores left the range.*epoch \d"):
        KernelPerceptron(kernel="precomputed", order="cyclic", eta0=10.0).fit(K, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kernel", "cosine"),
        ("gamma", 0.0),
        ("gamma", "small"),
        ("degree", 0),
        ("degree", 1.5),
        ("coef0", np.inf),
        ("vote", "first"),
        ("cache_size", 0),
        ("budget", 0),
        ("budget", 2.5),
        ("budget_policy", "oldest"),
        ("init", "random"),
        ("max_iter", 0),
    ],
)
def test_a_parameter_out_of_range_is_named_with_its_value(name, value):
    with pytest.raises(ValueError, match=f"KernelPerceptron: {name} must be .*; got {value!r}"):
        KernelPerceptron(**{name: value}).fit(X, y)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_nan_and_infinity_are_refused_with_their_place(form, value):
    bad = X.copy()
    bad[2, 1] = value
    with pytest.raises(ValueError, match="row 2, column 1"):
        KernelPerceptron().fit(form(bad), y)
    with pytest.raises(ValueError, match="row 2, column 1"):
        KernelPerceptron().fit(X, y).predict(form(bad))


def test_inputs_are_never_changed():
    csr = sp.csr_matrix((np.ones(4), [1, 0, 0, 1], [0, 2, 3, 4]), shape=(3, 2))  # unsorted
    before = csr.indices.copy()
    for form in (X.copy(), csr):
        if not sp.issparse(form):
            form.setflags(write=False)
        for kernel in ("rbf", "laplacian", "poly"):
            KernelPerceptron(kernel=kernel).fit(form, y).predict(form)
    np.testing.assert_array_equal(csr.indices, before)
    K = X @ X.T
    K.setflags(write=False)
    KernelPerceptron(kernel="precomputed").fit(K, y).predict(K)
