"""An answer in plain types, for JSON."""

from typing import TYPE_CHECKING, Any

from rosenblatt.theory.exact.linear_algebra import primitive
from rosenblatt.theory.examples.two_class_problem import as_text, plain
from rosenblatt.theory.existence.levels import SHOWN_LEVELS, relative_column_levels, relative_network_levels

if TYPE_CHECKING:
    from rosenblatt.theory.existence.model.specification import Specification
    from rosenblatt.theory.existence.recession.solve import Direction, Solution
    from rosenblatt.theory.existence.result import Existence


def certificate(answer: "Existence") -> dict[str, Any]:
    """The answer with its proof. `multipliers` has [observation, outcome, other outcome, multiplier] for each row.

    A row compares the outcome of an observation with another one: success (1) with failure (0), positive (1) with zero
    (0), two classes by their positions in `classes`. `keeps_sign` has, for a coefficient that goes to ±∞, multipliers
    whose sum of rows is nonzero at that coefficient alone; `opposite`, for one whose sign is not determined, a
    direction with the other sign. `diverging_levels` has the number of levels of fixed effects at which the direction
    is not 0, and the first of them.
    """
    specification = answer.specification
    document: dict[str, Any] = {
        "family": specification.family,
        "exists": answer.exists,
        "kind": answer.kind,
        "fit_intercept": specification.fit_intercept,
        "n_observations": specification.n,
        "classes": [plain(label) for label in specification.outcomes.classes],
        "effects": [effect.name for effect in specification.effects],
        "separated": answer.separated.tolist(),
        "partly_separated": answer.partly_separated.tolist(),
        "coefficients": answer.coefficients,
        "aliased": answer.aliased,
        "direction": None,
        "effect_directions": {},
        "diverging_levels": _first_levels(answer),
        "multipliers": [],
        "keeps_sign": {},
        "opposite": {},
    }
    if answer.solution is None:
        return document
    if answer.direction is not None:
        document |= _texts(answer.direction, answer.effect_directions)
    document["multipliers"] = _listed(specification, answer.solution.multipliers)
    if answer.found is not None:
        names = specification.system.names
        document["keeps_sign"] = {names[j]: _listed(specification, m[:-1]) for j, m in answer.found.farkas.items()}
        document["opposite"] = {
            names[j]: _texts(*named_direction(specification, answer.solution, v))
            for j, v in answer.found.opposite.items()
        }
    return document


def named_direction(
    specification: "Specification", solution: "Solution", direction: "Direction"
) -> tuple[dict[str, int], dict[str, dict[Any, int]]]:
    """A direction for the columns as the caller gave them: of the coefficients by name, and of the levels by effect.

    The levels of a multinomial model are listed for each class but the first, as `class:effect`.
    """
    system = specification.system
    count, width = len(system.names), len(direction.w)
    w = [a * scale for a, scale in zip(direction.w, system.scales, strict=True)]
    if direction.levels is not None:
        w += relative_network_levels(specification, solution, direction.levels)
        count = width
    w = primitive(w)
    blocks = (
        [f"{label}:" for label in specification.outcomes.classes[1:]] if specification.family == "multinomial" else [""]
    )
    rest = iter(w[count:])
    levels: dict[str, dict[Any, int]] = {}
    dropped = [0] if specification.family == "ordinal" else []  # the reference level has no column
    for block in blocks:
        parts = [dropped + [next(rest) for _ in effect.levels[len(dropped) :]] for effect in specification.effects]
        if parts and not specification.on_network:
            parts = relative_column_levels(specification, solution, parts)
        for effect, values in zip(specification.effects, parts, strict=True):
            levels[block + effect.name] = dict(zip(effect.levels, values, strict=True))
    return dict(zip(system.names, w, strict=False)), levels


def _first_levels(answer: "Existence") -> dict[str, Any]:
    every = [
        (effect, plain(level), to) for effect, to_of in answer.diverging_levels.items() for level, to in to_of.items()
    ]
    return {"count": len(every), "first": [list(one) for one in every[:SHOWN_LEVELS]]}


def _texts(coefficients: dict[str, int], levels: dict[str, dict[Any, int]]) -> dict[str, Any]:
    return {
        "direction": {name: as_text(a) for name, a in coefficients.items()},
        "effect_directions": {
            name: [[plain(level), as_text(a)] for level, a in parts.items()] for name, parts in levels.items()
        },
    }


def _listed(specification: "Specification", multipliers: Any) -> list[list[Any]]:
    used = multipliers != 0
    owners = specification.kept[specification.system.owner[used]].tolist()
    versus = specification.system.versus[used].tolist()
    return [[i, c, k, as_text(int(m))] for i, (c, k), m in zip(owners, versus, multipliers[used].tolist(), strict=True)]
