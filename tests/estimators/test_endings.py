"""Every fit ends in exactly one way, and says which."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import AveragedPerceptron, KernelPerceptron, Perceptron, PocketPerceptron, VotedPerceptron, conventions
from rosenblatt.learning.stall_check import SlowFitWarning
from rosenblatt.learning.status import worst

AND = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([0, 0, 0, 1])
XOR = AND[0], np.array([0, 1, 1, 0])


def quiet(estimator, X, y, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(X, y, **more)


def noisy(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, 3)).astype(float)
    return X, (X.sum(axis=1) + rng.integers(-6, 7, n) > 0).astype(int)


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"max_iter": 3}, "max_iter"),
        ({"max_steps": 317}, "max_steps"),
        ({"max_updates": 11}, "max_updates"),
        ({"max_error": 0.4}, "error_reached"),
        ({"patience": 5}, "unchanged"),
    ],
)
def test_each_limit_is_named(parameters, status):
    X, y = noisy()
    estimator = quiet(Perceptron(order="cyclic", **parameters), X, y)
    assert estimator.status_ == status
    assert estimator.statuses_ == [status]
    if "max_steps" in parameters:
        assert (estimator.n_samples_seen_, estimator.n_iter_) == (317, 2)
    if "max_updates" in parameters:
        assert estimator.n_mistakes_ == 11


def test_separated_takes_precedence_over_limits():
    limits = {"max_iter": 1, "max_steps": 4, "patience": 4, "max_error": 1.0}
    limited = Perceptron(order="cyclic", **limits).fit(*AND, coef_init=[2, 2], intercept_init=[-3])
    assert (limited.status_, limited.n_mistakes_) == ("separated", 0)


def test_iris_versicolor_cycles_with_period_125():
    iris = load_iris()
    estimator = quiet(Perceptron(order="cyclic", max_iter=1_000_000), np.round(iris.data * 10), iris.target == 1)
    assert (estimator.status_, estimator.cycle_, estimator.cycles_) == ("cycled", 125, [125])
    assert 175_598 + 125 <= estimator.n_iter_ <= 2 * (175_598 + 125)
    assert len(estimator.history_) <= 10_000
    assert estimator.history_["epoch"][-1] == estimator.n_iter_


@pytest.mark.parametrize("order", ["shuffle", "misclassified"])
def test_a_weight_vector_that_returns_in_a_random_order_proves_inseparability(order):
    estimator = quiet(Perceptron(order=order, max_iter=100_000), *XOR)
    assert (estimator.status_, estimator.cycle_) == ("cycled", None)


def test_a_rounded_weight_vector_that_returns_in_a_random_order_proves_nothing():
    # Separable by w = (0, 1). But from (0, -1) the second weight absorbs every 1e-20 and the first goes to and fro.
    X, y, start = np.array([[1.0, 1e-20], [1.0, -1e-20]]), [1, 0], [0.0, -1.0]
    cyclic = quiet(Perceptron(order="cyclic", fit_intercept=False, max_iter=500), X, y, coef_init=start)
    shuffled = quiet(Perceptron(order="shuffle", fit_intercept=False, max_iter=500), X, y, coef_init=start)
    assert cyclic.status_ == "cycled"
    assert shuffled.status_ != "cycled"


def test_two_hundred_sets_without_margin_all_separate():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((100, 5))
        y = X @ rng.standard_normal(5) > 0
        estimator = Perceptron().fit(X, y)
        assert estimator.status_ == "separated"
        assert estimator.score(X, y) == 1.0


def test_separated_means_that_every_prediction_is_right():
    rng = np.random.default_rng(3)
    for storage in (np.float64, np.float32):
        X = rng.standard_normal((300, 37)).astype(storage)
        y = np.where(X @ rng.standard_normal(37) > 0, "yes", "no")
        estimator = Perceptron().fit(X, y)
        assert estimator.status_ == "separated"
        assert estimator.score(X, y) == 1.0


@pytest.mark.slow
def test_a_fit_without_limits_on_noise_stalls():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40_000, 30))  # too many values for the question to be asked
    y = X @ rng.standard_normal(30) + 4 * rng.standard_normal(40_000) > 0
    estimator = quiet(Perceptron(), X, y)
    assert estimator.status_ == "stalled"
    assert estimator.n_samples_seen_ * (30 + 32) > 2e8
    best = estimator.history_["mistakes"].argmin()
    assert estimator.n_iter_ - estimator.history_["epoch"][best] >= max(10, estimator.n_iter_ // 2)


def test_a_small_fit_that_would_stall_ends_inseparable_with_the_proof():
    iris = load_iris()
    estimator = quiet(Perceptron(), iris.data[50:], iris.target[50:])
    assert estimator.status_ == "inseparable"
    assert estimator.certificate_.kind == "inseparable"
    assert estimator.certificate_.verify()
    many = quiet(Perceptron(), iris.data, iris.target)
    assert many.statuses_ == ["separated", "inseparable", "inseparable"]
    assert many.certificates_[0] is None
    assert all(proof.verify() for proof in many.certificates_[1:])


def test_a_small_fit_that_would_stall_goes_on_if_there_is_a_separator():
    iris = load_iris()
    X, y = iris.data[:100, :2], iris.target[:100]
    estimator = quiet(Perceptron(**conventions.L2), np.round(10 * X), y)
    assert estimator.status_ == "separated"
    assert estimator.certificate_.separable
    assert estimator.score(np.round(10 * X), y) == 1.0


def test_unscaled_columns_end_a_fit_early_and_the_warning_gives_the_margin():
    wine = load_wine()
    given = r"A separator exists .* margin of 0\.0\d+ .* longest example, 1\.68e\+03; give max_iter .*StandardScaler"
    with pytest.warns(SlowFitWarning), pytest.warns(ConvergenceWarning, match=given):
        estimator = Perceptron().fit(wine.data, wine.target == 1)
    assert estimator.status_ == "stalled"
    assert estimator.certificate_.separable
    assert estimator.n_samples_seen_ * (13 + 32) < 1e9  # touched values: a second or two; the larger budget is 1e10
    best = estimator.history_["epoch"][estimator.history_["mistakes"].argmin()]
    assert estimator.n_iter_ - best >= estimator.n_iter_ // 2


def test_only_a_fit_without_max_iter_can_stall():
    X, y = noisy(50)
    y = y.copy()
    y[:10] = 1 - y[:10]
    estimator = quiet(Perceptron(max_iter=200_000, order="shuffle"), X + np.pi, y)
    assert estimator.status_ in ("max_iter", "cycled")


@pytest.mark.parametrize("parameters", [{"max_iter": 1}, {"max_steps": 5}, {"max_updates": 2}, {}])
def test_a_fit_that_did_not_converge_warns_once_with_counts_and_a_remedy(parameters):
    X, y = (XOR[0] * [1, 5000], XOR[1]) if not parameters else noisy()
    with pytest.warns(ConvergenceWarning) as caught:
        estimator = Perceptron(order="cyclic", **parameters).fit(X, y)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert estimator.status_ in message
    assert f"{estimator.n_mistakes_} mistakes" in message
    assert "PocketPerceptron" in message
    assert ("StandardScaler" in message) == (not parameters)


def test_a_converged_fit_does_not_warn():
    X, y = noisy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Perceptron().fit(*AND)
        Perceptron(max_error=0.5).fit(X, y)
        Perceptron(patience=2).fit(X, y)


@pytest.mark.parametrize("cls", [PocketPerceptron, AveragedPerceptron, VotedPerceptron])
def test_estimators_for_noisy_data_do_not_warn(cls):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimator = cls(max_iter=3).fit(*noisy())
    assert estimator.status_ == "max_iter"


def test_the_worst_of_many_endings_is_a_proof_then_a_limit():
    assert worst(["separated", "error_reached"]) == "error_reached"
    assert worst(["max_iter", "stalled", "separated"]) == "max_iter"
    assert worst(["max_iter", "inseparable"]) == "inseparable"
    assert worst(["inseparable", "cycled"]) == "cycled"


def test_the_report_says_how_it_ended():
    text = Perceptron(**conventions.L3).fit(*AND).report()
    assert "separated: a whole pass without a mistake" in text
    assert "mistakes   10" in text
    assert "period 1" in quiet(Perceptron(order="cyclic"), *XOR).report()


def test_thinned_history_keeps_the_last_epoch_and_even_spacing():
    X, y = XOR
    X = X + 0.1  # inexact: a random order proves nothing, so the run goes on to its limit
    estimator = quiet(Perceptron(order="shuffle", max_iter=25_001), X, y)
    assert estimator.status_ == "max_iter"
    epochs = estimator.history_["epoch"]
    assert len(epochs) <= 10_000
    assert epochs[-1] == 25_001
    assert set(np.diff(epochs[:-1])) == {4}


def unscaled_table(separable):
    """Examples whose columns differ by six orders of magnitude, on which a run would last for millions of epochs."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 8))
    y = X @ rng.normal(size=8) > 0
    if not separable:
        y[:10] = ~y[:10]
    return X * np.logspace(-3, 3, 8) + 1.0, y.astype(int)


def test_a_small_inseparable_table_is_proved_so_although_its_errors_still_improve():
    X, y = unscaled_table(separable=False)
    estimator = quiet(Perceptron(), X, y)
    assert estimator.status_ == "inseparable"
    assert estimator.certificate_.verify()
    epoch = len(X) * (X.shape[1] + 32)
    assert 2e8 < estimator.n_iter_ * epoch <= 2e8 + epoch  # in touched values: about half a second
    best = estimator.history_["epoch"][estimator.history_["error_rate"].argmin()]
    assert best > estimator.n_iter_ / 2  # so it had not stalled


def test_scaling_is_not_advised_for_a_scaled_column_with_one_rare_value():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 3)), rng.integers(0, 2, size=3000)
    X[:, 2] = 0
    X[1, 2] = 1
    X = (X - X.mean(axis=0)) / X.std(axis=0)  # the rare column is -0.02 everywhere but in one row
    X[3, 1] = 60
    with pytest.warns(ConvergenceWarning) as caught:
        Perceptron(max_iter=2).fit(X, y)
    assert "scale the columns" not in str(caught[0].message)


def test_scaling_is_advised_for_a_kernel_on_unscaled_columns():
    X, y = unscaled_table(separable=False)
    with pytest.warns(ConvergenceWarning, match="scale the columns, whose ranges differ by orders of magnitude"):
        KernelPerceptron(max_iter=5).fit(X, y)


def test_a_long_fit_of_unscaled_columns_warns_before_it_ends():
    X, y = unscaled_table(separable=True)
    estimator = Perceptron()
    with warnings.catch_warnings():
        warnings.simplefilter("error", SlowFitWarning)  # ends the fit at the warning
        with pytest.raises(SlowFitWarning, match=r"A separator exists.* 33,334 epochs.*StandardScaler"):
            estimator.fit(X, y)
    assert not hasattr(estimator, "coef_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Perceptron().fit((X - X.mean(axis=0)) / X.std(axis=0), y).status_ == "separated"
