import json
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.boolean import BooleanFunction, Network, ThresholdUnit
from rosenblatt.boolean.synthesis.implicant_cover import cover
from rosenblatt.boolean.synthesis.sequential_learning import sequential_units
from tests.boolean.brute import functions, least_sums


@pytest.mark.slow
@settings(max_examples=60)
@given(functions(0, 4), st.randoms())
def test_up_to_four_variables_a_network_has_provably_fewest_units_and_is_right(f, random):
    network = f.network()
    assert network.function() == f
    assert network.fewest
    np.testing.assert_array_equal(network.evaluate(f.inputs()), f.table.astype(int))
    assert (~f).network() == ~network
    order = list(f.variables)
    random.shuffle(order)
    assert f.reordered(order).network().n_hidden == network.n_hidden


def test_the_fewest_units_of_three_variables_are_those_that_trying_every_network_finds():
    units = [np.array(table) for table in least_sums(3, 2)]
    fewest = {(False,) * 8: 0, (True,) * 8: 0}
    for table in least_sums(3, 2):
        fewest.setdefault(table, 1)
    for a, b in combinations_with_replacement(units, 2):
        for combined in (a & b, a | b):
            fewest.setdefault(tuple(combined.tolist()), 2)
    assert len(fewest) < 256
    for table in product((False, True), repeat=8):
        network = BooleanFunction(table).network()
        assert network.n_hidden == fewest.get(table, 3)
        assert network.fewest


def _reachable_with_four_variables():
    """For every function of four variables, as an integer, the fewest hidden units: all gates of all units."""
    units = np.array(
        [sum(value << row for row, value in enumerate(table)) for table in least_sums(4, 3)], dtype=np.uint16
    )
    fewest = np.full(1 << 16, 4)

    def outer(combine, left, right):
        return np.unique(np.concatenate([combine(left, h) for h in right]))

    ands, ors = outer(np.bitwise_and, units, units), outer(np.bitwise_or, units, units)
    for gates in ((ands, units), (ors, units)):
        for combine in (np.bitwise_and, np.bitwise_or):  # AND, OR and the two mixed gates; majority is tried below
            fewest[outer(combine, *gates)] = 3
    fewest[ands], fewest[ors], fewest[units] = 2, 2, 1
    fewest[[0, 0xFFFF]] = 0
    return fewest


@pytest.mark.slow
def test_the_fewest_units_of_four_variables_are_those_that_trying_every_network_finds():
    fewest = _reachable_with_four_variables()
    assert np.bincount(fewest).tolist() == [2, 1880, 39732, 23920, 2]
    parity = BooleanFunction("a xor b xor c xor d")
    assert fewest[sum(1 << row for row in parity.minterms)] == 4  # without majority; with it, the package says so
    rng = np.random.default_rng(0)
    for number in rng.integers(1 << 16, size=25).tolist():
        f = BooleanFunction([number >> row & 1 for row in range(16)])
        assert f.network().n_hidden == fewest[number]


@pytest.mark.slow
@settings(max_examples=25)
@given(functions(5, 7))
def test_beyond_four_variables_a_network_is_right(f):
    network = f.network()
    assert network.function() == f
    assert network.n_hidden <= len(f.minterms) or network.n_hidden <= len(f.table) - len(f.minterms)


@settings(max_examples=10)
@given(functions(5, 6), st.randoms())
def test_negation_and_permutation_commute_with_what_a_network_computes(f, random):
    order = list(f.variables)
    random.shuffle(order)
    assert f.reordered(order).network().function() == f
    assert (~f).network().function() == ~f
    assert (~f).network().hidden == f.network().hidden


@pytest.mark.parametrize("n", range(2, 10))
def test_parity_of_n_variables_needs_n_units(n):
    parity = BooleanFunction(" xor ".join(f"x{i}" for i in range(n)))
    network = parity.network()
    assert network.n_hidden == n
    assert network.function() == parity
    assert network.fewest == (n <= 4)


@pytest.mark.slow
def test_parity_of_sixteen_variables_needs_sixteen_units():
    parity = BooleanFunction(" xor ".join(f"x{i}" for i in range(16)))
    assert parity.network().n_hidden == 16


def test_xor_is_an_and_of_or_and_nand():
    network = BooleanFunction("a xor b").network()
    assert str(network) == "h1 = a + b - 1/2 > 0\nh2 = -a - b + 3/2 > 0\nout = h1 + h2 - 3/2 > 0"
    np.testing.assert_array_equal(network.activations([[0, 0], [0, 1], [1, 1]]), [[0, 1], [1, 1], [1, 0]])


@settings(max_examples=40)
@given(functions(1, 6))
def test_a_cover_is_true_only_where_the_function_is_and_everywhere_it_is(f):
    tables = [unit.table() for unit in cover(f.table)]
    together = np.any(tables, axis=0) if tables else np.zeros_like(f.table)
    np.testing.assert_array_equal(together, f.table)


@settings(max_examples=40)
@given(functions(2, 6))
def test_the_output_unit_has_the_value_of_the_first_sequential_unit_that_fires(f):
    sequence = sequential_units(f.table)
    decided = np.zeros(len(f.table), dtype=int)
    for unit, weight in zip(sequence.units, sequence.output, strict=True):
        decided = np.where((decided == 0) & unit.table(), np.sign(weight), decided)
    for value in (True, False):
        signs = set(decided[f.table == value].tolist()) - {0}
        assert signs <= {1 if value else -1}
    assert len(set(f.table[decided == 0].tolist())) == 1
    scores = sum((w * u.table().astype(int) for w, u in zip(sequence.output, sequence.units, strict=True)), 0 * decided)
    if f.table.any() and not f.table.all():
        assert scores[f.table].min() > scores[~f.table].max()


@given(functions(0, 3))
def test_a_network_is_unchanged_by_a_round_trip_through_json(f):
    network = f.network()
    loaded = Network.from_dict(json.loads(json.dumps(network.to_dict())))
    assert loaded == network
    assert not loaded.fewest  # a file proves nothing


def test_inessential_variables_are_kept_with_weight_zero():
    f = BooleanFunction("a xor c", ["a", "b", "c", "d", "e", "g"])
    network = f.network()
    assert network.variables == f.variables
    assert network.n_hidden == 2
    assert all(unit.weights[1] == 0 == unit.weights[3] for unit in network.hidden)
    assert network.function() == f


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Network([], ThresholdUnit([1], 0), ["a"]), "1 inputs, but there are 0 hidden units"),
        (lambda: Network([ThresholdUnit([1], 0)], ThresholdUnit([1], 0), ["a"]), "hidden unit x1 reads"),
        (lambda: Network.from_dict({"kind": "threshold unit"}), "stored as 'threshold unit'"),
        (lambda: BooleanFunction("a xor b").network().evaluate([[0, 5]]), "5 in row 0"),
    ],
)
def test_bad_networks_are_refused_with_the_cause(make, says):
    with pytest.raises(ValueError, match=says):
        make()
