"""scikit-learn's own checks, dense and sparse."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import (
    AveragedPerceptron,
    BatchPerceptron,
    KernelPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)

ORDER = "repeats or drops rows, and the path of an online algorithm depends on the order of its examples"
ORDER_DEPENDENT = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}


def expected_failures(estimator):
    return {} if isinstance(estimator, BatchPerceptron) else ORDER_DEPENDENT


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        Perceptron(),
        PocketPerceptron(),
        AveragedPerceptron(),
        VotedPerceptron(),
        BatchPerceptron(),
        KernelPerceptron(),
        KernelPerceptron(kernel="precomputed"),
        KernelPerceptron(budget=20, max_iter=10),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
