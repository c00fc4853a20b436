"""scikit-learn's own checks, dense and sparse."""

from functools import partial

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import BatchPerceptron, KernelPerceptron, Perceptron
from tests.family import FAMILY

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

ORDER = "repeats or drops rows, and the path of an online algorithm depends on the order of its examples"
ORDER_DEPENDENT = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}


def expected_failures(estimator):
    return {} if isinstance(estimator, BatchPerceptron) else ORDER_DEPENDENT


checks = partial(parametrize_with_checks, expected_failed_checks=expected_failures, xfail_strict=True)


@checks([Perceptron()])
def test_scikit_learns_checks_of_the_perceptron(estimator, check):
    check(estimator)


@pytest.mark.slow
@checks(
    [
        *(estimator() for estimator in FAMILY if estimator is not Perceptron),
        KernelPerceptron(kernel="precomputed"),
        KernelPerceptron(budget=20, max_iter=10),
    ]
)
def test_scikit_learns_checks_of_the_family(estimator, check):
    check(estimator)
