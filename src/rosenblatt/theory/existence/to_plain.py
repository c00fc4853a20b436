"""An answer in plain types, for JSON."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.exact.linear_algebra import primitive
from rosenblatt.theory.examples.two_class_problem import as_text, plain
from rosenblatt.theory.existence.recession.contrasts import SHOWN_LEVELS, Contrasts
from rosenblatt.theory.existence.recession.solve import Direction

if TYPE_CHECKING:
    from rosenblatt.theory.existence.model.specification import Specification
    from rosenblatt.theory.existence.result import Existence


def certificate(answer: "Existence") -> dict[str, Any]:
    """The answer with its proof. `multipliers` has [observation, outcome, other outcome, multiplier] for each row.

    A row compares the outcome of an observation with another one: success (1) with failure (0), positive (1) with zero
    (0), two classes by their positions in `classes`. `keeps_sign` has, for a coefficient that goes to ±∞, multipliers
    whose sum of rows is nonzero at that coefficient alone; `opposite`, for one whose sign is not determined, a
    direction with the other sign. `diverging_levels` has the number of levels of fixed effects without a finite
    estimate, and the first of them; `level_proofs` has the same two kinds of proofs for each of these.
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
        "reference_levels": {e: [plain(level) for level in held] for e, held in answer.reference_levels.items()},
        "diverging_levels": {"count": 0, "first": []},
        "level_proofs": [],
        "multipliers": [],
        "keeps_sign": {},
        "opposite": {},
    }
    if answer.solution is None:
        return document
    if answer.direction is not None:
        document |= _texts(answer.direction, answer.effect_directions) | _diverging(answer)
    document["multipliers"] = _listed(specification, answer.solution.multipliers)
    if answer.found is not None:
        names, contrasts = specification.system.names, answer.level_limits.contrasts
        document["keeps_sign"] = {names[j]: _listed(specification, m[:-1]) for j, m in answer.found.farkas.items()}
        document["opposite"] = {
            names[j]: _texts(*named_direction(specification, v, contrasts)) for j, v in answer.found.opposite.items()
        }
    return document


def named_direction(
    specification: "Specification", direction: Direction, contrasts: Contrasts
) -> tuple[dict[str, int], dict[str, dict[Any, int]]]:
    """A direction for the columns as the caller gave them: of the coefficients by name, and of the levels by effect."""
    names, scales = specification.system.names, specification.system.scales
    w = [a * scale for a, scale in zip(direction.w[: len(names)], scales, strict=False)]
    w = primitive([*w, *(int(a) for a in contrasts.values(direction))])
    return dict(zip(names, w, strict=False)), contrasts.by_effect(w[len(names) :])


def _diverging(answer: "Existence") -> dict[str, Any]:
    """The number of levels without a finite estimate, and the first of them with their proofs."""
    levels, statuses = answer.level_limits, answer.diverging_levels
    effects, names = levels.contrasts.effects, levels.contrasts.levels
    infinite = np.flatnonzero(levels.infinite).tolist()
    first, proofs = [], []
    for k in infinite[:SHOWN_LEVELS]:
        status = statuses[effects[k]][names[k]]
        first.append([effects[k], plain(names[k]), status])
        proof: dict[str, Any] = {}
        if levels.needs_proof[k] and status != "undecided":
            found = levels.proof(k, Budget())
            if isinstance(found, Direction):
                proof["opposite"] = _texts(*named_direction(answer.specification, found, levels.contrasts))
            else:
                proof["keeps_sign"] = _listed(answer.specification, found[:-1])
        proofs.append(proof)
    return {"diverging_levels": {"count": len(infinite), "first": first}, "level_proofs": proofs}


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
