"""The part of a direction that belongs to the levels of fixed effects, relative to reference levels.

Adding a number to all levels of one effect and subtracting it from those of another changes no prediction. So every
effect but the first has a reference level, which is held at 0: the level with the most observations that are not
separated. Where two effects fall into parts that no observation connects, each part has a reference of its own. In an
ordinal model the thresholds take up such shifts as well, and the first level of every effect is its reference.
"""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.existence.recession.level_paths import connected_parts

if TYPE_CHECKING:
    from rosenblatt.theory.existence.model.specification import Specification
    from rosenblatt.theory.existence.recession.solve import Solution

SHOWN_LEVELS = 12  # levels listed by `explain` and `to_dict`

Limit = Literal["+inf", "-inf"]


def reference_positions(specification: "Specification", solution: "Solution") -> list[NDArray[np.int64]]:
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


def relative_network_levels(specification: "Specification", solution: "Solution", levels: NDArray[Any]) -> list[int]:
    """The potentials φ of a network as coefficients of the levels: of the first effect, then of the second."""
    values = levels.astype(object)
    first = len(specification.effects[0].levels)
    if len(specification.effects) == 1:
        origin = values[first]
        return [a - origin for a in values[:first]]
    first_parts, second_parts = _parts(specification)
    shift = np.zeros(max(first_parts.max(), second_parts.max()) + 1, dtype=object)
    references = reference_positions(specification, solution)[1]
    shift[second_parts[references]] = values[first + references]
    return [*(values[:first] - shift[first_parts]), *(shift[second_parts] - values[first:])]


def relative_column_levels(
    specification: "Specification", solution: "Solution", values: list[list[int]]
) -> list[list[int]]:
    """The coefficients of the levels of each effect, for effects that are sparse columns."""
    if specification.family == "ordinal":
        return values
    shifts = [
        0 if not len(r) else part[r[0]]
        for part, r in zip(values, reference_positions(specification, solution), strict=True)
    ]
    shifts[0] = -sum(shifts[1:])
    return [[a - shift for a in part] for part, shift in zip(values, shifts, strict=True)]


def limits(effect_directions: dict[str, dict[Any, int]]) -> dict[str, dict[Any, Limit]]:
    """The levels at which a direction is not 0, and the infinity to which each of them goes."""
    return {
        effect: {level: "+inf" if a > 0 else "-inf" for level, a in parts.items() if a}
        for effect, parts in effect_directions.items()
    }


def _unseparated_counts(specification: "Specification", solution: "Solution") -> list[NDArray[np.int64]]:
    """For each effect, the number of rows of each level that are not separated."""
    owner = specification.system.owner[~solution.positive]
    return [np.bincount(effect.codes[owner], minlength=len(effect.levels)) for effect in specification.effects]


def _parts(specification: "Specification") -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The connected part of each level of the first effect and of the second."""
    network = specification.system.network
    assert network is not None
    parts = connected_parts(network.tail, network.head, network.nodes)
    first = len(specification.effects[0].levels)
    return parts[:first], parts[first:]
