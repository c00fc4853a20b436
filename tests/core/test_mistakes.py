"""A mistake that is not recorded is counted in registers (core/passes/online_pass.hpp); the path is the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron, Perceptron
from tests.core.paths import assert_same_path
from tests.storages import STORAGES

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("kind", [Perceptron, AveragedPerceptron])
@pytest.mark.parametrize("storage", ["dense64", "dense32", "csr64_i32"])
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    d=st.sampled_from([1, 2, 7, 8, 15, 16, 17, 20, 31, 32, 33, 54, 60, 100]),
    order=st.sampled_from(["cyclic", "shuffle"]),
    tie=st.sampled_from(["mistake", "positive", "negative"]),
    fit_intercept=st.booleans(),
    margin=st.sampled_from([0.0, 0.5]),
    eta0=st.sampled_from([1.0, 0.1, 1e-300]),
    limit=st.sampled_from([{}, {"max_updates": 1}, {"max_updates": 40}, {"max_steps": 333}, {"patience": 50}]),
)
def test_recorded_and_unrecorded_mistakes_make_the_same_path(
    kind, storage, seed, d, order, tie, fit_intercept, margin, eta0, limit
):
    rng = np.random.default_rng(seed)
    X = STORAGES[storage](np.round(rng.standard_normal((120, d)), 1))
    y = rng.integers(0, 2, 120)
    parameters = {"order": order, "tie": tie, "fit_intercept": fit_intercept, "margin": margin, "eta0": eta0, **limit}
    unrecorded, recorded = (
        kind(**parameters, max_iter=6, random_state=seed % 5, record=record).fit(X, y) for record in (False, True)
    )
    assert_same_path(unrecorded, recorded)
    if kind is AveragedPerceptron:
        assert unrecorded.last_coef_.tobytes() == recorded.last_coef_.tobytes()
        assert unrecorded.last_intercept_.tobytes() == recorded.last_intercept_.tobytes()
