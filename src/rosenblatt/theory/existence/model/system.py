"""Existence as a homogeneous system of linear inequalities, for each family.

A direction w of the coefficients is a *direction of recession* if the likelihood never falls along it: z·w ≥ 0 for rows
z that the family derives from the observations, and z·w = 0 for some of them. Finite estimates exist exactly if every
such w has z·w = 0 throughout.

binomial          ±x, by the outcome; x·w = 0 where both occur (Albert and Anderson 1984)
multinomial       x·(w_c − w_k) for the outcome c and each other k; w of the first class is 0
ordinal           θ_c − x·w and x·w − θ_{c−1}, for thresholds θ (cumulative links, η = θ − x·w)
Poisson           −x where y = 0; x·w = 0 where y > 0 (Correia, Guimarães and Zylkin 2019)
log-binomial      as Poisson: the mean must stay below 1, so that x·w ≤ 0 everywhere (Schwendinger, Grün, Hornik 2021)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.existence.model.design import Design
from rosenblatt.theory.existence.model.effects import Effect
from rosenblatt.theory.existence.model.outcomes import Family, Outcomes

Indices = NDArray[np.int64]

_ARC_COST = 500.0  # cost of the levels of one observation


@dataclass(frozen=True)
class Network:
    """The part of the rows that fixed effects add: φ[tail] − φ[head], with one φ per level (a node)."""

    tail: Indices
    head: Indices
    nodes: int


@dataclass(frozen=True)
class System:
    """Rows z·w ≥ 0, or = 0, over the coefficients and, if there are fixed effects, over their levels."""

    rows: IntegerRows
    equality: NDArray[np.bool_]
    owner: Indices  # the observation of each row
    versus: Indices  # shape (rows, 2): the observed outcome and the outcome it is compared with
    names: list[str]  # names of the coefficients, the first columns; the other columns are levels of expanded effects
    scales: list[int]
    network: Network | None = None

    @property
    def pass_cost(self) -> float:
        """The cost of building these rows or of multiplying them all once, in touched values (see `Budget`)."""
        return self.rows.pass_cost + (0.0 if self.network is None else _ARC_COST * len(self.rows))

    def with_row(self, row: dict[int, int], arc: tuple[int, int] = (0, 0)) -> "System":
        """The system and one more inequality at the end: on the columns, and on φ[tail] − φ[head] of an arc."""
        rows = self.rows
        columns = np.array(sorted(row), dtype=np.int64)
        extra = np.array([row[j] for j in columns.tolist()], dtype=rows.values.dtype)
        longer = IntegerRows(
            np.append(rows.starts, rows.starts[-1] + len(columns)),
            np.concatenate([rows.columns, columns]),
            np.concatenate([rows.values, extra]),
            rows.width,
        )
        network = self.network
        if network is not None:
            network = Network(np.append(network.tail, arc[0]), np.append(network.head, arc[1]), network.nodes)
        return replace(
            self,
            rows=longer,
            equality=np.append(self.equality, False),
            owner=np.append(self.owner, -1),
            versus=np.vstack([self.versus, [[-1, -1]]]),
            network=network,
        )


def system_of(
    design: Design, outcomes: Outcomes, family: Family, reported: int, effects: Sequence[Effect] = ()
) -> System:
    """The rows of a family over all columns of the design, of which the first `reported` are coefficients.

    One or two `effects` become the network; only families with one linear predictor have it.
    """
    if family == "multinomial":
        return _multinomial(design, outcomes, reported)
    if family == "ordinal":
        return _ordinal(design, outcomes, reported)
    first, second = outcomes.present.T  # failure or zero, success or positive
    if family == "binomial":
        up, equality = second, first & second
    else:
        up, equality = np.zeros_like(second), second
    return System(
        signed(design.rows, np.where(up, 1, -1)),
        equality,
        np.arange(len(up)),
        np.column_stack([up, ~up]).astype(np.int64),
        design.names[:reported],
        design.scales,
        _network(effects, up) if effects else None,
    )


def _network(effects: Sequence[Effect], up: NDArray[np.bool_]) -> Network:
    """The levels of the first effect, then those of the second with opposite sign, or a single node, the origin."""
    first = effects[0].codes
    count = len(effects[0].levels)
    second, others = (effects[1].codes, len(effects[1].levels)) if len(effects) > 1 else (np.zeros_like(first), 1)
    return Network(np.where(up, first, second + count), np.where(up, second + count, first), count + others)


def signed(rows: IntegerRows, signs: NDArray[Any]) -> IntegerRows:
    """Each row times its sign."""
    return replace(rows, values=rows.values * signs[rows.owners])


def _multinomial(design: Design, outcomes: Outcomes, reported: int) -> System:
    width, others = design.rows.width, len(outcomes.classes) - 1
    observation, outcome = np.nonzero(outcomes.present)
    parts, owners, versus = [], [], []
    for k in range(others + 1):
        chosen = outcome != k
        i, c = observation[chosen], outcome[chosen]
        parts.append(_two_blocks(design.rows.take(i), c - 1, np.full(len(i), k - 1), others))
        owners.append(i)
        versus.append(np.column_stack([c, np.full(len(c), k)]))
    names = [f"{label}:{name}" for label in outcomes.classes[1:] for name in design.names[:reported]]
    order = np.array([b * width + j for b in range(others) for j in range(reported)], dtype=np.int64)
    rest = np.array([b * width + j for b in range(others) for j in range(reported, width)], dtype=np.int64)
    rows = _reordered(_stacked(parts), np.concatenate([order, rest]))
    scales = [design.scales[j % width] for j in [*order.tolist(), *rest.tolist()]]
    free = np.zeros(len(rows), dtype=bool)
    return System(rows, free, np.concatenate(owners), np.concatenate(versus), names, scales)


def _two_blocks(rows: IntegerRows, plus: Indices, minus: Indices, blocks: int) -> IntegerRows:
    """Each row x as x in the block `plus` and −x in the block `minus`; block −1 is the reference and has no columns."""
    lengths = np.diff(rows.starts)
    total = lengths * ((plus >= 0).astype(np.int64) + (minus >= 0))
    starts = np.concatenate([[0], np.cumsum(total)]).astype(np.int64)
    columns, values = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1], dtype=rows.values.dtype)
    within = np.arange(len(rows.values)) - np.repeat(rows.starts[:-1], lengths)
    for block, sign, shift in ((plus, 1, np.zeros_like(lengths)), (minus, -1, np.where(plus >= 0, lengths, 0))):
        used = np.repeat(block >= 0, lengths)
        place = (np.repeat(starts[:-1] + shift, lengths) + within)[used]
        columns[place] = (rows.columns + np.repeat(block * rows.width, lengths))[used]
        values[place] = sign * rows.values[used]
    return IntegerRows(starts, columns, values, blocks * rows.width)


def _ordinal(design: Design, outcomes: Outcomes, reported: int) -> System:
    thresholds = len(outcomes.classes) - 1
    observation, outcome = np.nonzero(outcomes.present)
    parts, owners, versus = [], [], []
    for sign, last, shift in ((1, thresholds, 0), (-1, 0, -1)):  # θ_c − x·w, then x·w − θ_{c−1}
        chosen = outcome != last
        i, c = observation[chosen], outcome[chosen]
        x = signed(design.rows.take(i), np.full(len(i), -sign))
        parts.append(_with_threshold(x, c + shift, sign, thresholds))
        owners.append(i)
        versus.append(np.column_stack([c, c + sign]))
    labels = outcomes.classes
    names = [f"{a}|{b}" for a, b in pairwise(labels)]
    rows = _stacked(parts)
    return System(
        rows,
        np.zeros(len(rows), dtype=bool),
        np.concatenate(owners),
        np.concatenate(versus),
        names + design.names[:reported],
        [1] * thresholds + design.scales,
    )


def _with_threshold(rows: IntegerRows, threshold: Indices, sign: int, count: int) -> IntegerRows:
    """Puts `count` threshold columns before each row, with `sign` in the column of its own threshold."""
    starts = rows.starts + np.arange(len(rows) + 1)
    columns, values = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1], dtype=rows.values.dtype)
    heads = starts[:-1]
    body = np.ones(starts[-1], dtype=bool)
    body[heads] = False
    columns[heads], values[heads] = threshold, sign
    columns[body], values[body] = rows.columns + count, rows.values
    return IntegerRows(starts, columns, values, rows.width + count)


def _stacked(parts: list[IntegerRows]) -> IntegerRows:
    shifts = np.cumsum([0, *(len(part.values) for part in parts[:-1])])
    starts = [part.starts[1:] + shift for part, shift in zip(parts, shifts, strict=True)]
    return IntegerRows(
        np.concatenate([np.zeros(1, dtype=np.int64), *starts]),
        np.concatenate([part.columns for part in parts]),
        np.concatenate([part.values for part in parts]),
        parts[0].width,
    )


def _reordered(rows: IntegerRows, order: Indices) -> IntegerRows:
    """The same rows with column order[k] as column k."""
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return replace(rows, columns=place[rows.columns])
