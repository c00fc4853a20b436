"""The calibration minimises the log loss on held-out scores, with smoothed targets."""

import numpy as np
import pytest
from scipy.optimize import minimize

from rosenblatt.learning.scores import calibration
from rosenblatt.learning.scores.calibration import Calibration, class_scores, fit_calibration, log_losses, softmax


def loss_of(theta, z, codes):
    """The smoothed log loss, written without the functions under test."""
    n, k = z.shape
    logits = theta[0] * z + np.concatenate([[0.0], theta[1:]])
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    total = 0.0
    for row, code in enumerate(codes):
        count = np.sum(codes == code) if k == 2 else n
        for c in range(k):
            total -= logs[row, c] * ((count + 1) / (count + 2) if c == code else 1 / (count + 2) / (k - 1))
    return total / n


@pytest.mark.parametrize("k", [2, 3, 5])
def test_slope_and_offsets_minimise_the_smoothed_log_loss(k):
    rng = np.random.default_rng(k)
    codes = np.concatenate([np.arange(k), rng.integers(0, k, 80)])
    z = rng.standard_normal((len(codes), k)) * 2
    z[np.arange(len(codes)), codes] += 1.5
    if k == 2:
        z = class_scores(z[:, 1:], 2, pairs=False)
    found = fit_calibration(z, codes)
    best = minimize(loss_of, np.zeros(k), args=(z, codes), method="BFGS")
    np.testing.assert_allclose([found.slope, *found.offsets[1:]], best.x, atol=1e-4)
    assert found.offsets[0] == 0
    assert found.n_examples == len(codes)


def test_scores_that_say_the_opposite_give_the_shares_of_the_classes():
    codes = np.repeat([0, 1], [30, 10])
    scores = class_scores(np.where(codes, -1.0, 1.0)[:, None], 2, pairs=False)
    found = fit_calibration(scores, codes)
    assert found.slope == 0
    np.testing.assert_allclose(found.probabilities(np.array([[5.0]]))[0], [0.75, 0.25], atol=0.03)


def test_perfectly_separated_scores_do_not_give_certainty():
    codes = np.repeat([0, 1], 20)
    found = fit_calibration(class_scores(np.where(codes, 1.0, -1.0)[:, None], 2, pairs=False), codes)
    assert found.probabilities(np.array([[1.0]]))[0, 1] == pytest.approx(21 / 22, abs=1e-6)


def test_scores_of_three_classes_that_are_never_wrong_are_trusted_by_the_number_of_all_examples():
    codes = np.repeat([0, 1, 2], 20)
    found = fit_calibration(np.eye(3)[codes], codes)
    assert found.probabilities(np.eye(3))[0, 0] == pytest.approx(61 / 62, abs=1e-6)


def test_many_classes_get_a_slope_only():
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(120), 3)
    z = rng.standard_normal((len(codes), 120))
    z[np.arange(len(codes)), codes] += 4
    found = fit_calibration(z, codes)
    assert found.slope > 0
    assert set(found.offsets) == {0.0}
    assert log_losses(found.probabilities(z), codes).mean() < np.log(120)


def test_the_score_of_a_class_among_pairs_is_its_closest_win_or_worst_loss():
    scores = np.array([[1.0, 2.0, 4.0]])  # b against a, c against a, c against b
    np.testing.assert_array_equal(class_scores(scores, 3, pairs=True), [[-2.0, -4.0, 2.0]])
    expected = softmax(np.array([[-2.0, -4.0, 2.0]]))
    np.testing.assert_array_equal(Calibration(1.0, (0.0, 0.0, 0.0)).probabilities(scores, pairs=True), expected)


def test_a_pair_of_large_weights_does_not_outvote_the_others():
    scores = np.array([[-4.0, -6.0, -34.0]])  # a wins both of its pairs; b beats c by far
    assert class_scores(scores, 3, pairs=True).argmax() == 0


def test_extreme_scores_give_finite_probabilities():
    found = Calibration(1.0, (0.0, 0.0)).probabilities(np.array([[1e308], [-1e308]]))
    np.testing.assert_array_equal(found, [[0, 1], [1, 0]])


def test_many_examples_give_the_calibration_of_all_within_its_error():
    rng = np.random.default_rng(3)
    scores = rng.standard_normal(300_000)
    codes = (rng.random(300_000) < 1 / (1 + np.exp(1 - 2 * scores))).astype(np.int64)
    found = fit_calibration(class_scores(scores[:, None], 2, pairs=False), codes)
    assert found.slope == pytest.approx(2, abs=0.1)
    assert found.offsets[1] == pytest.approx(-1, abs=0.1)
    assert found.n_examples < 300_000


def test_blocks_of_rows_give_the_calibration_of_all_rows_at_once(monkeypatch):
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 6, 1003)
    z = rng.standard_normal((len(codes), 6))
    z[np.arange(len(codes)), codes] += 1.0
    whole = fit_calibration(z, codes)
    monkeypatch.setattr(calibration, "_PRODUCT", 2500)  # 100 rows of five offsets: ten blocks and a rest of three rows
    parts = fit_calibration(z, codes)
    np.testing.assert_allclose([parts.slope, *parts.offsets], [whole.slope, *whole.offsets], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(calibration._gram(z[:, :5]), z[:, :5].T @ z[:, :5])
