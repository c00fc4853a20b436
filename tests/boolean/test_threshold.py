import dataclasses
import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from rosenblatt.boolean import BooleanFunction, Summability, ThresholdUnit
from rosenblatt.boolean.proofs.minimality import AtLeast, AtMost, Branch, Closed
from rosenblatt.boolean.proofs.summability import two_sum
from tests.boolean.brute import functions, least_sums, threshold_tables

# Weights whose linear program has a fractional solution, so that cases must be told apart.
FRACTIONAL = ThresholdUnit([377, 357, 262, 231, 191, 160, 121, 89, 82, 37], -956.25).function()


@pytest.mark.parametrize("n", range(4))
def test_every_function_of_up_to_three_variables_is_decided_as_trying_all_small_weights_does(n):
    known = least_sums(n, 2)
    for table in product((False, True), repeat=2**n):
        f = BooleanFunction(table)
        assert f.is_threshold == (table in known)
        if f.is_threshold:
            unit = f.perceptron()
            assert unit.function() == f
            assert unit.size == known[table]
        else:
            assert f.refutation.verify()


@given(functions(4, 4))
def test_functions_of_four_variables_are_decided_as_trying_all_small_weights_does(f):
    assert f.is_threshold == (tuple(f.table.tolist()) in least_sums(4, 3))
    assert f.is_threshold != (f.refutation is not None and f.refutation.verify())


@settings(max_examples=40)
@given(st.sampled_from(sorted(least_sums(4, 3).items())))
def test_the_smallest_weights_of_four_variables_are_those_that_trying_finds(known):
    table, least = known
    f = BooleanFunction(table)
    assert f.perceptron().size == least
    assert f.perceptron().function() == f


@settings(max_examples=60)
@given(threshold_tables(1, 8, 20))
def test_the_smallest_unit_computes_the_function_with_proved_integer_weights(f):
    unit = f.perceptron()
    assert unit.function() == f
    assert all(isinstance(w, int) for w in unit.weights)
    assert {name for name, w in zip(f.variables, unit.weights, strict=True) if w} == set(f.essential_variables)
    assert (Fraction(unit.offset) * 2).denominator == 1
    if f.essential_variables:
        assert f.minimality.size == unit.size
        assert f.minimality.verify()


@settings(max_examples=60)
@given(threshold_tables(1, 6), st.randoms())
def test_negation_and_permutation_commute_with_the_smallest_unit(f, random):
    assert (~f).is_threshold
    assert (~f).perceptron() == ~f.perceptron()
    order = list(f.variables)
    random.shuffle(order)
    moved = f.reordered(order).perceptron()
    weights = dict(zip(f.variables, f.perceptron().weights, strict=True))
    assert moved.weights == tuple(weights[name] for name in order)


@given(functions(2, 5), st.randoms())
def test_negation_and_permutation_keep_the_verdict(f, random):
    order = list(f.variables)
    random.shuffle(order)
    assert f.is_threshold == (~f).is_threshold == f.reordered(order).is_threshold


def _least_sum_by_milp(f):
    """Σ|w| by an integer program on the whole table: w = p − q, and a threshold."""
    X = f.inputs().astype(float)
    signs = np.where(f.table, 1.0, -1.0)[:, None]
    A = signs * np.column_stack([X, -X, -np.ones(len(X))])
    below = np.where(f.table, 0.0, 1.0)
    n = f.n_variables
    cost, whole, bounds = [1] * (2 * n) + [0], [1] * (2 * n) + [0], Bounds([0] * (2 * n) + [-np.inf], np.inf)
    found = milp(cost, constraints=LinearConstraint(A, lb=below), integrality=whole, bounds=bounds)
    return round(found.fun)


@settings(max_examples=15)
@given(threshold_tables(5, 8, 20))
def test_an_integer_program_on_the_whole_table_finds_nothing_smaller(f):
    assert f.perceptron().size == _least_sum_by_milp(f)


def test_the_search_branches_where_the_linear_program_is_fractional():
    proof = FRACTIONAL.minimality
    assert isinstance(proof.tree, Branch)
    assert proof.verify()
    assert proof.size == FRACTIONAL.perceptron().size == _least_sum_by_milp(FRACTIONAL)


def _leaves(tree):
    return [tree] if isinstance(tree, Closed) else [*_leaves(tree.below), *_leaves(tree.above)]


def test_a_tampered_proof_of_minimality_fails_verification():
    proof = FRACTIONAL.minimality
    changed = dataclasses.replace
    assert not changed(proof, size=proof.size + 1).verify()
    assert not changed(proof, table=~proof.table & FRACTIONAL.table).verify()
    assert not changed(proof, order=proof.order[1:]).verify()
    tree = proof.tree
    assert not changed(proof, tree=tree.below).verify()  # the other case is not covered
    assert not changed(proof, tree=changed(tree, value=tree.value + 1)).verify()
    leaf = tree.below
    for reason, times in leaf.multipliers.items():
        without = {other: t for other, t in leaf.multipliers.items() if other != reason}
        for multipliers in (without, {**leaf.multipliers, reason: -times}, {**leaf.multipliers, reason: 0}):
            altered = changed(tree, below=Closed(leaf.scale, multipliers))
            assert not changed(proof, tree=altered).verify()
    assert not changed(proof, tree=changed(tree, below=Closed(leaf.scale // 2, leaf.multipliers))).verify()
    invented = {**leaf.multipliers, AtLeast(0, 10**6): 10**9, AtMost(0, 0): 1}
    assert not changed(proof, tree=changed(tree, below=Closed(leaf.scale, invented))).verify()


def test_a_proof_of_minimality_is_plain_data():
    stored = json.loads(json.dumps(FRACTIONAL.minimality.to_dict()))
    assert set(stored["tree"]) == {"variable", "value", "below", "above"}
    assert len(_leaves(FRACTIONAL.minimality.tree)) == FRACTIONAL.minimality.n_cases == 2


def test_xor_is_refuted_by_its_four_rows():
    refutation = BooleanFunction("a xor b").refutation
    assert (dict(refutation.true), dict(refutation.false)) == ({2: 1, 1: 1}, {0: 1, 3: 1})
    assert "the true rows 10 + 01 and the false rows 00 + 11 have the same sum, (1, 1)" in str(refutation)
    with pytest.raises(ValueError, match=r"have the same sum.*network\(\)"):
        BooleanFunction("a xor b").perceptron()


@given(functions(2, 5))
def test_a_tampered_refutation_fails_verification(f):
    refutation = f.refutation
    if refutation is None:
        return
    assert refutation.verify()
    assert json.loads(json.dumps(refutation.to_dict()))["variables"] == list(f.variables)
    row = next(iter(refutation.true))
    more = {**refutation.true, row: refutation.true[row] + 1}
    for altered in (
        dataclasses.replace(refutation, true=more),
        dataclasses.replace(refutation, true=refutation.false, false=refutation.true),
        dataclasses.replace(refutation, table=~f.table),
        dataclasses.replace(refutation, true={}, false={}),
        dataclasses.replace(refutation, true={**refutation.true, 2**f.n_variables: 1}),
    ):
        assert not altered.verify()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a and b or c and d", "a unate function in which neither of a and c is the stronger"),
        ("(a xor b) and c", "not unate"),
        ("a and b or c and d or a and c and e", "neither is the stronger"),
    ],
)
def test_simple_functions_are_refuted_by_two_true_and_two_false_rows(text, why):
    refutation = BooleanFunction(text).refutation
    assert refutation.verify(), why
    assert sum(refutation.true.values()) == sum(refutation.false.values()) == 2


@settings(max_examples=30)
@given(threshold_tables(6, 6, 6), st.data())
def test_a_threshold_function_with_one_row_changed_is_decided_with_a_proof(f, data):
    table = f.table.copy()
    table[data.draw(st.integers(0, len(table) - 1))] ^= True
    changed = BooleanFunction(table)
    if changed.is_threshold:
        assert changed.perceptron().function() == changed
    else:
        assert changed.refutation.verify()


@given(functions(2, 4))
def test_two_sum_finds_a_pair_exactly_when_there_is_one(f):
    rows = f.inputs()
    true, false = rows[f.table], rows[~f.table]

    def sums(side):
        return {tuple((a + b).tolist()) for a in side for b in side}

    found = two_sum(f.table)
    assert (found is not None) == bool(sums(true) & sums(false))
    if found is not None:
        witness = Summability(*({row: side.count(row) for row in side} for side in found), f.variables, f.table)
        assert witness.verify()


# Positive, every two variables ordered, and yet no threshold function: 1,173 functions of six variables are regular,
# 1,113 of them are threshold functions.
REGULAR = BooleanFunction.from_hex("000101170117ffff")


def test_a_regular_function_that_is_no_threshold_function_is_refuted():
    assert REGULAR.is_monotone
    assert REGULAR.refutation.verify()


def test_separability_gives_the_proof_where_no_pair_of_rows_does():
    f = REGULAR
    for name in ("p", "q", "r", "s", "t"):
        f = f & BooleanFunction(name)
    assert len(f.essential_variables) == 11
    assert not f.is_threshold
    assert f.refutation.verify()


@settings(max_examples=25)
@given(threshold_tables(2, 6))
def test_without_the_linear_programs_guess_separability_decides_and_the_weights_are_as_small(f):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rosenblatt.boolean.threshold.smallest_weights.Search.guess", lambda self: None)
        plain = BooleanFunction(f.table)
        assert plain.is_threshold
        assert plain.perceptron().size == f.perceptron().size


@pytest.mark.parametrize("n", [12, 16])
def test_functions_of_many_variables_are_recognised_or_refuted(n):
    rng = np.random.default_rng(n)
    f = ThresholdUnit(rng.integers(-30, 31, n).tolist(), 10.5).function()
    assert f.perceptron().function() == f
    table = f.table.copy()
    table[rng.integers(len(table))] ^= True
    assert BooleanFunction(table).refutation.verify()


@pytest.mark.parametrize("value", [0, 1])
def test_constants_are_units_without_weights(value):
    f = BooleanFunction([value] * 8)
    assert f.perceptron().weights == (0, 0, 0)
    assert f.perceptron().function() == f
    assert f.minimality is None
