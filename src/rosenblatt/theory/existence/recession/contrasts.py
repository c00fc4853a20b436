"""The coefficients of the levels of fixed effects, relative to reference levels.

Adding a number to all levels of one effect and subtracting it from those of another changes no prediction. So every
effect but the first has a reference level, which is held at 0: the level with the most observations that are not
separated. Where two effects fall into parts that no observation connects, each part has a reference of its own. In an
ordinal model the thresholds take up such shifts as well, and the first level of every effect is its reference.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.existence.model.exact_columns import Integers, widened
from rosenblatt.theory.existence.recession.level_paths import connected_parts

if TYPE_CHECKING:
    from rosenblatt.theory.existence.model.specification import Specification
    from rosenblatt.theory.existence.recession.solve import Direction, Solution

Indices = NDArray[np.int64]

SHOWN_LEVELS = 12  # levels listed by `explain` and `to_dict`


@dataclass(frozen=True)
class Contrasts:
    """The coefficient of each level relative to its reference, as a function of a direction.

    On a network it is φ[plus] − φ[minus], else the sum of factor · column over `columns`. The levels of a multinomial
    model are listed for each class but the first, with the effect named `class:effect`.
    """

    effects: list[str]
    levels: list[Any]
    columns: list[dict[int, int]]
    plus: Indices
    minus: Indices
    references: Indices  # the nodes of the references on a network

    def __len__(self) -> int:
        return len(self.levels)

    def values(self, direction: "Direction") -> Integers:
        """The coefficients in a direction, exactly."""
        if direction.levels is not None:
            potentials = widened(direction.levels, 2)
            differences: Integers = potentials[self.plus] - potentials[self.minus]
            return differences
        sums = [sum(factor * direction.w[j] for j, factor in row.items()) for row in self.columns]
        return np.array([*sums, None], dtype=object)[:-1]

    def by_effect(self, values: list[Any]) -> dict[str, dict[Any, Any]]:
        """One value per level, by effect and level."""
        found: dict[str, dict[Any, Any]] = {effect: {} for effect in dict.fromkeys(self.effects)}
        for effect, level, value in zip(self.effects, self.levels, values, strict=True):
            found[effect][level] = value
        return found


def contrasts_of(specification: "Specification", solution: "Solution") -> Contrasts:
    """The contrasts of all levels, in the order of the effects."""
    return (_on_network if specification.on_network else _on_columns)(specification, solution)


def reference_positions(specification: "Specification", solution: "Solution") -> list[Indices]:
    """For each effect, the positions of its reference levels. The first effect of a model has none, except ordinal."""
    if specification.family == "ordinal":
        return [np.zeros(1, dtype=np.int64) for _ in specification.effects]
    found = [np.empty(0, dtype=np.int64) for _ in specification.effects]
    for k, counts in enumerate(_unseparated_counts(specification, solution)):
        if k:
            parts = _parts(specification)[1] if specification.on_network else np.zeros(len(counts), dtype=np.int64)
            order = np.lexsort([np.arange(len(counts)), -counts, parts])
            found[k] = np.sort(order[np.unique(parts[order], return_index=True)[1]])
    return found


def _on_network(specification: "Specification", solution: "Solution") -> Contrasts:
    """The levels of the first effect have the potentials φ, those of the second −φ, or a single node is the origin."""
    effects = specification.effects
    first = len(effects[0].levels)
    own = np.arange(first)
    if len(effects) == 1:
        held = np.array([first])
        plus, minus = own, np.full(first, first)
    else:
        first_parts, second_parts = _parts(specification)
        references = reference_positions(specification, solution)[1]
        reference = np.zeros(len(references), dtype=np.int64)
        held = first + references
        reference[second_parts[references]] = held
        plus = np.concatenate([own, reference[second_parts]])
        minus = np.concatenate([reference[first_parts], first + np.arange(len(second_parts))])
    names = [(effect.name, level) for effect in effects for level in effect.levels]
    return Contrasts([e for e, _ in names], [level for _, level in names], [{} for _ in names], plus, minus, held)


def _on_columns(specification: "Specification", solution: "Solution") -> Contrasts:
    """The columns of the levels follow those of the coefficients."""
    effects, ordinal = specification.effects, specification.family == "ordinal"
    classes = specification.outcomes.classes
    blocks = [f"{label}:" for label in classes[1:]] if specification.family == "multinomial" else [""]
    references = reference_positions(specification, solution)
    begin = len(specification.system.names)
    names: list[tuple[str, Any]] = []
    columns: list[dict[int, int]] = []
    for block in blocks:
        starts = begin + np.cumsum([0, *(len(effect.levels) - ordinal for effect in effects)])
        held = [int(start + r[0]) for start, r in zip(starts, references, strict=False) if len(r) and not ordinal]
        for k, effect in enumerate(effects):
            names += [(block + effect.name, level) for level in effect.levels]
            for position in range(len(effect.levels)):
                if ordinal:  # the reference level has no column
                    columns.append({int(starts[k]) + position - 1: 1} if position else {})
                    continue
                row = {int(starts[k]) + position: 1}
                for j, factor in [(j, 1) for j in held] if k == 0 else [(held[k - 1], -1)]:
                    row[j] = row.get(j, 0) + factor
                columns.append(row)
        begin = int(starts[-1])
    none = np.zeros(len(names), dtype=np.int64)
    return Contrasts([e for e, _ in names], [level for _, level in names], columns, none, none, none[:0])


def _unseparated_counts(specification: "Specification", solution: "Solution") -> list[NDArray[np.int64]]:
    """For each effect, the number of rows of each level that are not separated."""
    owner = specification.system.owner[~solution.positive]
    return [np.bincount(effect.codes[owner], minlength=len(effect.levels)) for effect in specification.effects]


def _parts(specification: "Specification") -> tuple[Indices, Indices]:
    """The connected part of each level of the first effect and of the second."""
    network = specification.system.network
    assert network is not None
    parts = connected_parts(network.tail, network.head, network.nodes)
    first = len(specification.effects[0].levels)
    return parts[:first], parts[first:]
