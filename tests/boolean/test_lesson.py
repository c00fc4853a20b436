import numpy as np
import pytest

from rosenblatt import conventions
from rosenblatt.boolean import BooleanFunction, ThresholdUnit

CONVENTIONS = [getattr(conventions, name) for name in ("L0", "L1", "L1_offset", "L2", "L3", "L4")]


@pytest.mark.parametrize(
    ("text", "tie", "mistakes", "epochs"),
    [
        ("a and b", "mistake", 18, 9),
        ("a or b", "mistake", 9, 6),
        ("a and b", "positive", 11, 6),
        ("a or b", "positive", 5, 4),
        ("a and b", "negative", 10, 6),
        ("a or b", "negative", 4, 4),
    ],
)
def test_the_known_runs_of_and_and_or(text, tie, mistakes, epochs):
    lesson = BooleanFunction(text).train(tie=tie)
    assert (lesson.status, lesson.n_mistakes, lesson.n_iter) == ("separated", mistakes, epochs)
    assert lesson.is_right
    assert lesson.learned.size >= lesson.smallest.size


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda c: c.name)
@pytest.mark.parametrize("text", ["a and b", "a or b", "not a", "a xor b", "majority(a, b, c)"])
def test_estimator_and_textbook_make_the_same_updates_under_every_convention(text, convention):
    f = BooleanFunction(text)
    lesson, trace = f.train(convention, max_iter=200), f.trace(convention, max_iter=200)
    assert (lesson.status, lesson.n_mistakes, lesson.n_iter) == (trace.status, trace.n_mistakes, trace.n_iter)
    w = np.concatenate([lesson.estimator.intercept_, lesson.estimator.coef_[0]])
    np.testing.assert_array_equal(w if lesson.estimator.fit_intercept else w[1:], trace.w)
    if lesson.status == "separated":
        assert lesson.is_right
        assert lesson.learned == ThresholdUnit(w[1:], w[0], f.variables, convention["tie"])


def test_xor_cycles_and_explain_gives_the_refutation():
    lesson = BooleanFunction("a xor b").train(conventions.L3)
    assert (lesson.status, lesson.cycle, lesson.smallest) == ("cycled", 1, None)
    assert not lesson.is_right
    assert "No unit of (a, b) computes it" in lesson.explain()
    assert BooleanFunction("a xor b").trace(conventions.L3).status == "cycled"


def test_a_lesson_compares_what_was_learned_with_the_smallest_unit():
    text = BooleanFunction("a and b").train(conventions.L3).explain()
    assert "under L3 ended 'separated' after 10 mistakes in 6 epochs" in text
    assert "Smallest: a + b - 1 > 0; its offset may be anywhere in (-2, -1]." in text
    assert "the learned weights add up to 3, the smallest to 2" in text


def test_explain_mentions_that_the_run_had_no_offset():
    lesson = BooleanFunction("not a").train(conventions.L1)
    assert lesson.smallest is not None
    if not lesson.is_right:
        assert "fit_intercept=False" in lesson.explain()
    assert "fit_intercept=False" in BooleanFunction("a and b").train(conventions.L1).explain()


def test_training_on_a_constant_function_raises_an_error():
    with pytest.raises(ValueError, match="constant 1"):
        BooleanFunction("a or not a").train()


def test_a_trace_that_does_not_converge_stops_at_the_limit():
    trace = BooleanFunction("a xor b").trace(conventions.L4, order="shuffle")
    assert trace.status in ("cycled", "max_iter")
    assert trace.n_iter <= 1000
