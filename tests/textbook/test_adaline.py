"""Adaline comes close to the least-squares weights, and moves on examples that are right."""

import numpy as np

from rosenblatt import textbook


def test_every_step_is_the_gradient_of_the_squared_error():
    X, y = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 3.0]]), [1, -1, 1]
    for step in textbook.adaline(X, y, eta0=0.05, max_iter=4):

        def loss(w, step=step):
            return 0.5 * (step.y - w @ step.x) ** 2

        gradient = [
            (loss(step.w_before + 1e-6 * unit) - loss(step.w_before - 1e-6 * unit)) / 2e-6 for unit in np.eye(3)
        ]
        np.testing.assert_allclose(step.w_after, step.w_before - 0.05 * np.array(gradient), atol=1e-7)


def test_small_steps_come_close_to_least_squares_and_a_fit_that_is_exact_stays():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 2))
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=30) > 0, 1, -1)
    run = textbook.run(textbook.adaline(X, y, eta0=1e-3, max_iter=800))
    best = np.linalg.lstsq(np.column_stack([np.ones(30), X]), y)[0]
    np.testing.assert_allclose(run.w, best, atol=0.02)
    exact = textbook.run(textbook.adaline([[1.0], [-1.0]], [1, -1], start=[0.0, 1.0]))
    assert (exact.status, exact.n_iter, exact.n_mistakes) == ("unchanged", 1, 0)
