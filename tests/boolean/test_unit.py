import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.boolean import BooleanFunction, ThresholdUnit, m_of_d
from rosenblatt.conventions import TIES
from tests.boolean.brute import functions, rows, threshold_tables

NUMBERS = st.integers(-6, 6) | st.fractions(-3, 3, max_denominator=6) | st.sampled_from([0.1, -0.3, 1e-300, 2.5])
UNITS = st.builds(
    lambda weights, offset, tie: ThresholdUnit(weights, offset, tie=tie),
    st.lists(NUMBERS, max_size=4),
    NUMBERS,
    st.sampled_from(TIES),
)


@given(UNITS)
def test_a_unit_is_the_sign_of_its_exact_score(unit):
    for row, value in zip(rows(unit.n_variables), unit.table(), strict=True):
        score = sum((Fraction(w) * x for w, x in zip(unit.weights, row, strict=True)), Fraction(unit.offset))
        expected = score > 0 or (score == 0 and unit.tie == "positive")
        assert unit(*row) == value == expected
        assert unit.score(row) == float(score)


def test_a_score_that_rounds_to_zero_is_not_a_tie():
    assert ThresholdUnit([0.1, 0.2], -0.3)(1, 1) == (Fraction(0.1) + Fraction(0.2) > Fraction(0.3))
    huge = ThresholdUnit([2**80, 1], -(2**80))
    assert (huge(1, 0), huge(1, 1)) == (0, 1)


@given(UNITS)
def test_negation_flips_every_row_and_is_its_own_inverse(unit):
    np.testing.assert_array_equal((~unit).table(), ~unit.table())
    np.testing.assert_array_equal((~~unit).table(), unit.table())


@given(UNITS)
def test_a_unit_is_unchanged_by_a_round_trip_through_json(unit):
    assert ThresholdUnit.from_dict(json.loads(json.dumps(unit.to_dict()))) == unit
    assert unit.in_integers().to_dict()["weights"] == list(unit.integers[1:])
    np.testing.assert_array_equal(unit.in_integers().table(), unit.table())


@given(UNITS, st.sampled_from(TIES), st.data())
def test_an_offset_is_right_exactly_when_it_lies_in_the_range(unit, tie, data):
    interval = unit.offset_range(tie)
    ends = [end for end in (interval.low, interval.high) if end is not None]
    near = st.sampled_from([end + shift for end in ends for shift in (0, Fraction(1, 1000), Fraction(-1, 1000))])
    offset = data.draw(near | st.fractions(-20, 20))
    moved = ThresholdUnit(unit.weights, offset, tie=tie)
    scores = [
        sum((Fraction(w) * x for w, x in zip(unit.weights, row, strict=True)), offset) for row in rows(unit.n_variables)
    ]
    right = bool(np.array_equal(moved.table(), unit.table())) and not (tie == "mistake" and 0 in scores)
    assert (offset in interval) == right


def test_the_offset_of_and_is_l3s_interval():
    both = BooleanFunction("a and b").perceptron()
    assert both.weights == (1, 1)
    assert {tie: str(both.offset_range(tie)) for tie in TIES} == {
        "mistake": "(-2, -1)",
        "positive": "[-2, -1)",
        "negative": "(-2, -1]",
    }
    assert str(ThresholdUnit([0], 3).offset_range("negative")) == "(0, ∞)"
    assert str(ThresholdUnit([0], -3).offset_range("negative")) == "(-∞, 0]"


@pytest.mark.parametrize("d", range(1, 9))
def test_m_of_d_is_two_and_one_minus_two_m_under_every_tie_rule(d):
    for m in range(1, d + 1):
        unit = m_of_d(m, d)
        assert (set(unit.weights), unit.offset) == ({2}, 1 - 2 * m)
        for tie in TIES:
            assert unit.offset in unit.offset_range(tie)
            table = ThresholdUnit(unit.weights, unit.offset, tie=tie).table()
            assert table.tolist() == [sum(row) >= m for row in rows(d)]
        assert unit == unit.function().perceptron().in_integers()


@pytest.mark.parametrize(("m", "d"), [(0, 3), (4, 3), (1, 0)])
def test_m_out_of_range_raises_an_error(m, d):
    with pytest.raises(ValueError, match="m must be 1 to d"):
        m_of_d(m, d)


@given(threshold_tables(1, 5), st.sampled_from(TIES))
def test_a_unit_for_a_tie_rule_computes_the_function_under_that_rule(f, tie):
    unit = f.perceptron(tie)
    assert unit.tie == tie
    assert unit.offset in unit.offset_range(tie)
    assert unit.function() == f
    assert tie == "mistake" or isinstance(unit.offset, int)


@given(functions(0, 3))
def test_the_estimator_predicts_the_output_of_the_circuit(f):
    for circuit in [f.network(), *([f.perceptron()] if f.is_threshold else [])]:
        if f.n_variables:
            estimator = circuit.to_estimator()
            np.testing.assert_array_equal(estimator.predict(f.inputs()), f.table.astype(int))
            fires = estimator.decision_function(f.inputs()) > 0
            np.testing.assert_array_equal(fires, f.table)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ThresholdUnit([1, float("nan")], 0), r"weights\[1\] is nan"),
        (lambda: ThresholdUnit([1], float("inf")), "offset is inf"),
        (lambda: ThresholdUnit([1], 0, tie="up"), "tie is 'up'"),
        (lambda: ThresholdUnit([1], 0).offset_range("up"), "tie is 'up'"),
        (lambda: ThresholdUnit([1], 0, ["a", "b"]), "1 variables but 2 names"),
        (lambda: ThresholdUnit([1] * 17, 0).table(), "17 inputs"),
        (lambda: ThresholdUnit([1], 0).evaluate([[3]]), "3 in row 0"),
        (lambda: ThresholdUnit.from_dict({"kind": "network"}), "stored as 'network'"),
    ],
)
def test_bad_units_are_refused_with_the_cause(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_units_print_as_inequalities():
    assert str(ThresholdUnit([-1, 2, 0], Fraction(1, 2), ["a", "b", "c"])) == "-a + 2·b + 1/2 > 0"
    assert str(ThresholdUnit([0], 0, tie="positive")) == "0 ≥ 0"
