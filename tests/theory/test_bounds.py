"""L3's proof as numbers: no run ever breaks them."""

from math import inf

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rosenblatt import conventions, separability, textbook
from rosenblatt.theory import margin_upper_bound, max_margin, mistake_bound, proof_walls, radius, repeat_bound
from tests.theory.cases import AND, integer_sets

runs = st.fixed_dictionaries(
    {
        "fit_intercept": st.booleans(),
        "eta0": st.sampled_from([0.5, 1.0, 2.0]),
        "tie": st.sampled_from(conventions.TIES),
        "order": st.sampled_from(["cyclic", "shuffle", "misclassified"]),
        "init": st.sampled_from(["zeros", "random"]),
    }
)


def run_of(X, y, choice):
    return textbook.run(textbook.online(X, y, **choice))


@given(integer_sets(), runs)
def test_no_run_makes_more_mistakes_than_the_bound(case, choice):
    X, y = case
    if not separability(X, y, fit_intercept=choice["fit_intercept"]).separable:
        return
    run = run_of(X, y, choice)
    space = {"fit_intercept": choice["fit_intercept"], "eta0": choice["eta0"]}
    assert run.n_mistakes <= mistake_bound(X, y, start=run.steps[0].w_before, **space)


@given(integer_sets(), runs)
def test_both_walls_stand_along_every_run_and_the_live_bound_never_lies(case, choice):
    X, y = case
    if not separability(X, y, fit_intercept=choice["fit_intercept"]).separable:
        return
    run = run_of(X, y, choice)
    offset = choice["fit_intercept"]
    best = max_margin(X, y, fit_intercept=offset, augmented=True)
    separator = np.append(best.hyperplane.w0, best.hyperplane.w) if offset else best.hyperplane.w
    known = {"gamma": best.gamma, "radius": radius(X, fit_intercept=offset), "eta0": choice["eta0"]}
    walls = list(proof_walls(run.steps, separator, **known))
    assert len(walls) == run.n_mistakes + 1
    assert all(wall.holds for wall in walls)
    states = np.array([run.steps[0].w_before] + [step.w_after for step in run.steps if step.mistake])
    assert [wall.projection for wall in proof_walls(states, separator, **known)] == [w.projection for w in walls]
    for mistakes, w in enumerate(states):
        bound = margin_upper_bound(w, mistakes, eta0=choice["eta0"], start=states[0])
        assert best.gamma <= bound * (1 + 1e-12)


def test_a_separator_of_another_set_breaks_a_wall():
    steps = list(textbook.online(*AND_SIGNED, max_iter=3))
    walls = list(proof_walls(steps, [0, -1, 0], gamma=0.5, radius=2.0))
    assert not all(wall.holds for wall in walls)
    assert walls[0].holds


AND_SIGNED = AND[0], [-1, -1, -1, 1]


def test_and_stays_below_its_bound():
    assert mistake_bound(*AND) == 51
    assert run_of(*AND_SIGNED, {}).n_mistakes == 18


def test_only_the_augmented_margin_bounds_mistakes():
    X, y = [[8.0], [16.0]], [-1, 1]
    run = run_of(X, y, {})
    assert run.n_mistakes == 197
    assert mistake_bound(X, y) >= 197
    assert (radius(X) / max_margin(X, y).gamma) ** 2 < 197


@given(
    st.lists(st.integers(-5, 5), min_size=2, max_size=2),
    st.lists(st.integers(-9, 9), min_size=2, max_size=2),
    st.sampled_from([-1, 1]),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from(conventions.TIES),
)
def test_one_example_is_wrong_exactly_so_often_in_a_row(x, w, y, eta0, tie):
    bound = repeat_bound(x, y, w, eta0=eta0, tie=tie)
    if bound == inf:
        assert x == [0, 0]
        return
    limits = {"start": w, "eta0": eta0, "tie": tie, "fit_intercept": False}
    assert textbook.run(textbook.online([x], [y], **limits)).n_mistakes == bound


def test_the_lectures_undershoot():
    assert repeat_bound([1.0], +1, [-3.0]) == 4
    assert repeat_bound([1.0], +1, [-3.0], tie="positive") == 3
    assert repeat_bound([1.0], +1, [-3.0], eta0=2.0) == 2
    assert repeat_bound([1.0, 2.0], +1, [5.0, 0.0]) == 0


def test_radius_lives_in_the_space_of_the_run():
    assert radius([[3, 4]], fit_intercept=False) == 5
    assert radius([[3, 4]]) == 26**0.5
    assert radius(np.array([[3e200, 4e200], [1e-200, 0]]), fit_intercept=False) == pytest.approx(5e200, rel=1e-15)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: repeat_bound([1.0], 0, [1.0]), "label"),
        (lambda: repeat_bound([1.0], 1, [1.0, 2.0]), "dimensions"),
        (lambda: repeat_bound([np.nan], 1, [1.0]), "finite"),
        (lambda: repeat_bound([1.0], 1, [1.0], eta0=0), "positive"),
        (lambda: margin_upper_bound([1.0], -1), "counted"),
        (lambda: mistake_bound(*AND, eta0=-1), "positive"),
        (lambda: mistake_bound(*AND, start=[1, 2]), "3 dimensions"),
        (lambda: list(proof_walls(np.zeros((1, 2)), [0, 0], gamma=1, radius=1)), "zero vector"),
        (lambda: list(proof_walls(np.zeros((1, 2)), [1], gamma=1, radius=1)), "agree"),
    ],
)
def test_what_makes_no_sense_is_refused(ask, words):
    with pytest.raises(ValueError, match=words):
        ask()


def test_before_the_first_mistake_the_margin_is_unbounded():
    assert margin_upper_bound([0.0, 0.0], 0) == inf
