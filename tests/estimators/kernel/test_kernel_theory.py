"""What theory says of kernels: separability in feature space, and the bound on mistakes."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from rosenblatt import KernelPerceptron, separability
from tests.estimators.kernel.dual_runs import MEMORIES, XOR, alpha, fit, spirals
from tests.estimators.test_oracle import labelled

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_xor_separates_with_a_polynomial_of_degree_2_and_spirals_with_rbf():
    for order in ("cyclic", "shuffle", "misclassified"):
        xor = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, order=order).fit(*XOR)
        assert xor.status_ == "separated"
        assert xor.predict(XOR[0]).tolist() == XOR[1].tolist()
        X, y = spirals()
        spiral = KernelPerceptron(kernel="rbf", gamma=1.0, order=order).fit(X, y)
        assert spiral.status_ == "separated"
        assert spiral.score(X, y) == 1


@pytest.mark.parametrize("memory", MEMORIES)
@given(data=labelled(max_features=3), degree=st.integers(1, 3), fit_intercept=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=50)
def test_the_bound_on_mistakes_holds_in_feature_space(memory, data, degree, fit_intercept, seed):
    X, y = data
    estimator = KernelPerceptron(
        kernel="poly", degree=degree, gamma=1, coef0=1, fit_intercept=fit_intercept, cache_size=memory, max_iter=50
    )
    fit(estimator.set_params(random_state=seed), X, y)
    if estimator.status_ != "separated":
        return
    K = (1 + X @ X.T) ** degree + fit_intercept
    coef = alpha(estimator, len(y))[0]
    least = (y * (K @ coef)).min()
    # M ≤ R²/γ² with γ = least/‖w‖, in integers: a wider margin would only bound it more tightly.
    assert estimator.n_mistakes_ * least**2 <= K.diagonal().max() * (coef @ K @ coef)


@given(data=labelled(max_examples=8, max_features=2, largest=2), degree=st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_separability_in_a_kernels_feature_space_agrees_with_the_run(data, degree):
    X, y = data
    estimator = KernelPerceptron(kernel="poly", degree=degree, gamma=1, coef0=1, order="cyclic", max_iter=3000)
    found = estimator.separability(X, y)
    assert found.verify()
    status = fit(estimator, X, y).status_
    assert (status == "separated") == found.separable or status == "max_iter"
    assert status != "max_iter" or found.separable  # a thin margin, never a run that should have cycled


def test_xor_is_proved_inseparable_without_a_kernel_and_separable_with_one():
    X, y = XOR
    linear = KernelPerceptron(kernel="linear").separability(X, y)
    squared = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1).separability(X, y)
    assert (linear.separable, squared.separable) == (False, True)
    assert linear.verify()
    assert squared.verify()
    assert separability(X @ X.T, y).separable is False  # the same question, put by hand


def test_a_run_without_limit_that_would_stall_checks_separability():
    X = np.array([[0.1], [0.2], [0.30000000000000004], [0.1], [0.25]])
    y = [0, 1, 0, 1, 0]
    stuck = fit(KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=None), X, y)  # one point, two labels
    assert stuck.status_ == "inseparable"  # in floats a return of the state would be no proof
    assert stuck.certificate_.verify()
