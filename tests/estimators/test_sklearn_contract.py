"""scikit-learn's own checks, dense and sparse."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import Perceptron

ORDER = "repeats or drops rows, and the path of an online algorithm depends on the order of its examples"
ORDER_DEPENDENT = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}


@parametrize_with_checks([Perceptron()], expected_failed_checks=lambda _: ORDER_DEPENDENT, xfail_strict=True)
def test_scikit_learns_checks(estimator, check):
    check(estimator)
