"""Compares two fits that must have taken the same path."""

from typing import Any

import numpy as np


def assert_same_path(one: Any, other: Any) -> None:
    """Bit for bit: weights, endings, counts, history."""
    assert one.coef_.tobytes() == other.coef_.tobytes()
    assert one.intercept_.tobytes() == other.intercept_.tobytes()
    assert one.statuses_ == other.statuses_
    assert (one.n_iter_, one.n_mistakes_, one.n_samples_seen_) == (
        other.n_iter_,
        other.n_mistakes_,
        other.n_samples_seen_,
    )
    np.testing.assert_array_equal(one.history_, other.history_)
