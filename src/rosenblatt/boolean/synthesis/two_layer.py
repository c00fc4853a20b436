"""Synthesis of a two-layer network of threshold units for any Boolean function.

Up to four essential variables, an exhaustive search finds the minimum number of hidden units. For more variables two
heuristics are tried and the smaller result is kept.
"""

from fractions import Fraction

import numpy as np

from rosenblatt.boolean.input_checks import check_variables
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.proofs.circuit_check import checked
from rosenblatt.boolean.synthesis.fewest_units import EXHAUSTED_UNITS, EXHAUSTED_VARIABLES, fewest
from rosenblatt.boolean.synthesis.implicant_cover import cover
from rosenblatt.boolean.synthesis.output_unit import Patterns
from rosenblatt.boolean.synthesis.sequential_learning import sequential_units
from rosenblatt.boolean.threshold.recognition import PROVED_UP_TO, Weights, decide, smallest, unit_with
from rosenblatt.boolean.threshold.regular_form import directions
from rosenblatt.boolean.truth_tables import Table, at, cube, n_variables
from rosenblatt.boolean.unit import Number, ThresholdUnit
from rosenblatt.meter import counted

#: Pruning tries to remove each hidden unit in turn; networks with more hidden units than this are not pruned.
_PRUNE_UP_TO = 24


def network_of(table: Table, variables: tuple[str, ...]) -> Network:
    """Builds a network for the truth table and checks it on every row.

    If the first row is true, the network of the negated function is built and its output negated.
    """
    if table[0]:
        return ~network_of(~table, variables)
    essential = [axis for axis, sign in enumerate(directions(table)) if sign != 0]
    idle = {axis: 0 for axis in range(len(variables)) if axis not in essential}
    reduced = np.asarray(cube(table)[at(len(variables), idle)]).ravel()
    hidden, output, proved = _layers(reduced)
    order = sorted(
        range(len(hidden)), key=lambda j: ([-w for w in hidden[j][0]], -hidden[j][1])
    )  # units with positive weights first
    units = []
    for weights, offset in (hidden[j] for j in order):
        w = [0] * len(variables)
        for axis, weight in zip(essential, weights, strict=True):
            w[axis] = weight
        units.append(ThresholdUnit(w, offset, variables))
    names = [f"h{j + 1}" for j in range(len(units))]
    gate = ThresholdUnit([output.weights[j] for j in order], output.offset, names)
    return checked(Network(units, gate, variables, proved), table)


def _layers(table: Table) -> tuple[list[tuple[tuple[int, ...], Number]], ThresholdUnit, bool]:
    """Returns the hidden units, the output unit, and whether the number of hidden units is proved minimal."""
    n = n_variables(table)
    if not table.any():
        return [], ThresholdUnit([], -0.5), True
    names = check_variables(None, n)
    answer = decide(table, names)
    if isinstance(answer, Weights):
        unit = unit_with(smallest(table, answer).weights, table, names, None)
        return [_numbers(unit)], ThresholdUnit([1], -0.5), True
    if n <= EXHAUSTED_VARIABLES:
        found = fewest(table)
        if found is not None:
            hidden = [_numbers(unit_with(weights, h, names, None)) for h, weights in found.hidden]
            return hidden, _output([h for h, _ in found.hidden], table, found.gate), True
    floor = EXHAUSTED_UNITS + 1 if n <= EXHAUSTED_VARIABLES else 2
    units, gate = _few(table)
    return [_numbers(unit) for unit in units], gate, len(units) <= floor


def _few(table: Table) -> tuple[list[ThresholdUnit], ThresholdUnit]:
    """Builds a network by sequential learning and by a cover of ANDs, keeps the smaller one and prunes it."""
    sequence = sequential_units(table)
    units = [] if sequence is None else sequence.units
    if sequence is None or len(units) > 2 * n_variables(table):  # otherwise a cover of ANDs is unlikely to be smaller
        covering = min((cover(table), cover(~table)), key=len)
        if sequence is None or len(covering) < len(units):
            units, sequence = covering, None
    tables = [unit.table() for unit in counted(units, "network, truth tables", "hidden units")]
    weights = [1 if table[h].all() else -1 for h in tables] if sequence is None else sequence.output
    patterns = Patterns.of(tables, table)
    if patterns is not None:
        kept, weights = _pruned(patterns, weights)
        units, tables = [units[j] for j in kept], [tables[j] for j in kept]
    if n_variables(table) <= PROVED_UP_TO:
        units = [_smallest(unit, h) for unit, h in zip(units, tables, strict=True)]
    return units, _output(tables, table, weights)


def _pruned(patterns: Patterns, weights: list[int]) -> tuple[list[int], list[int]]:
    """Removes hidden units that the output unit does not need. Returns the indices kept and the output weights."""
    kept = list(range(len(weights)))
    weights = patterns.weights() or weights
    place = 0
    while place < len(kept) <= _PRUNE_UP_TO:
        fewer = patterns.without(place)
        found = fewer.weights()
        if found is None:
            place += 1
        else:
            patterns, weights = fewer, found
            del kept[place]
    return kept, weights


def _smallest(unit: ThresholdUnit, table: Table) -> ThresholdUnit:
    """Returns a unit for the same function with the smallest integer weights."""
    answer = decide(table, unit.variables)
    assert isinstance(answer, Weights)
    return unit_with(smallest(table, answer).weights, table, unit.variables, None)


def _output(hidden: list[Table], table: Table, weights: list[int]) -> ThresholdUnit:
    """Returns the output unit with these weights; its offset is the middle of the interval that computes the table."""
    dtype = np.int64 if sum(map(abs, weights)) < 1 << 62 else object
    scores = np.zeros(len(table), dtype=dtype)
    for w, h in zip(weights, hidden, strict=True):
        scores += w * h.astype(dtype)
    low, high = int(max(scores[~table])), int(min(scores[table]))
    assert low < high
    return ThresholdUnit(weights, Fraction(-low - high, 2))


def _numbers(unit: ThresholdUnit) -> tuple[tuple[int, ...], Number]:
    return tuple(int(w) for w in unit.weights), unit.offset
