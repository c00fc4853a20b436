"""The answer: whether finite estimates exist, which coefficients and observations are affected, and the proof."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget
from rosenblatt.theory.existence.model.specification import Specification
from rosenblatt.theory.existence.recession.check_solution import coefficients_hold, decomposition_holds
from rosenblatt.theory.existence.recession.coefficients import Coefficients, Status, used_coordinates
from rosenblatt.theory.existence.recession.contrasts import contrasts_of, reference_positions
from rosenblatt.theory.existence.recession.level_limits import LevelLimits, LevelStatus
from rosenblatt.theory.existence.recession.solve import Solution
from rosenblatt.theory.existence.to_plain import certificate, named_direction
from rosenblatt.theory.existence.wording import explain

_LEVELS_BUDGET = 2e9  # touched values for the signs of levels that need a proof each: about two seconds

Kind = Literal["overlap", "quasi-complete", "complete", "undecided"]


@dataclass(frozen=True, eq=False, repr=False)
class Existence:
    """Whether finite maximum likelihood estimates exist, and its proof. Returned by `theory.existence`.

    Examples
    --------
    >>> from rosenblatt import theory
    >>> result = theory.existence([[1], [2], [2], [3]], [0, 0, 1, 1], family="binomial")
    >>> result.exists, result.kind, result.separated
    (False, 'quasi-complete', array([0, 3]))
    >>> result.coefficients
    {'intercept': '-inf', 'x0': '+inf'}
    >>> result.direction, result.verify()
    ({'intercept': -2, 'x0': 1}, True)
    """

    specification: Specification
    solution: Solution | None  # None: undecided
    found: Coefficients | None
    budget: float

    @property
    def family(self) -> str:
        return self.specification.family

    @property
    def n_observations(self) -> int:
        """The number of observations in use: those with a positive weight."""
        return len(self.specification.kept)

    @property
    def exists(self) -> bool | None:
        """Whether finite estimates exist; None when undecided. Aliased coefficients do not count against it."""
        return None if self.solution is None else not self.solution.positive.any()

    @property
    def kind(self) -> Kind:
        """Overlap (estimates exist), quasi-complete or complete separation, or undecided."""
        if self.solution is None:
            return "undecided"
        if self.exists:
            return "overlap"
        return "complete" if len(self.separated) == self.n_observations else "quasi-complete"

    @cached_property
    def separated(self) -> NDArray[np.int64]:
        """The observations whose fitted probability of what was observed tends to 1: all that can be dropped."""
        return self._observations(everything=True)

    @cached_property
    def partly_separated(self) -> NDArray[np.int64]:
        """The observations that rule out some outcomes in the limit, but not all others (multinomial, ordinal)."""
        return np.setdiff1d(self._observations(everything=False), self.separated)

    @cached_property
    def coefficients(self) -> dict[str, Status]:
        """The status of each coefficient by name: "finite", "+inf", "-inf", "undefined" or "undecided".

        A coefficient is undefined if it is aliased, or if it diverges in both directions. It is undecided if it is
        not finite and the budget ran out before its sign was found.
        """
        statuses: list[Status] = [] if self.found is None else self.found.statuses
        return dict(zip(self.specification.system.names, statuses, strict=False))

    @cached_property
    def aliased(self) -> list[str]:
        """The coefficients that the design itself leaves undetermined (rank deficiency), by name."""
        names = self.specification.system.names
        used = used_coordinates([] if self.found is None else self.found.aliased)
        return [name for j, name in enumerate(names) if j in used]

    @cached_property
    def n_identified(self) -> int:
        """How many independent linear combinations of the coefficients have finite and unique estimates."""
        count = len(self.specification.system.names)
        basis = [] if self.found is None else self.found.null
        table = [v.w[:count] for v in basis]
        return count - (int(fmpz_mat(table).rank()) if table and count else 0)

    @cached_property
    def direction(self) -> dict[str, int] | None:
        """The direction of recession in exact integers, by coefficient; None where estimates exist."""
        if self.solution is None or self.exists:
            return None
        return named_direction(self.specification, self.solution.direction, self.level_limits.contrasts)[0]

    @cached_property
    def effect_directions(self) -> dict[str, dict[Any, int]]:
        """The part of the direction that belongs to the levels of the fixed effects, by effect and level.

        It is relative to the `reference_levels`, at which it is 0.
        """
        if self.solution is None or self.exists:
            return {}
        return named_direction(self.specification, self.solution.direction, self.level_limits.contrasts)[1]

    @cached_property
    def diverging_levels(self) -> dict[str, dict[Any, LevelStatus]]:
        """The levels of fixed effects without a finite estimate relative to `reference_levels`, by effect and level.

        A level is "+inf" or "-inf" if it has that sign in every direction of recession. It is "undefined" if it is
        aliased or directions with both signs exist, and "undecided" if finding out would take more than a few seconds.
        """
        if self.solution is None or self.exists:
            return {}
        contrasts = self.level_limits.contrasts
        found: dict[str, dict[Any, LevelStatus]] = {effect: {} for effect in contrasts.effects}
        for k, status in self.level_limits.statuses(Budget(_LEVELS_BUDGET)).items():
            found[contrasts.effects[k]][contrasts.levels[k]] = status
        return found

    @cached_property
    def level_limits(self) -> LevelLimits:
        """The limits of the levels of fixed effects, with their proofs; not for an undecided answer."""
        assert self.solution is not None
        assert self.found is not None
        contrasts = contrasts_of(self.specification, self.solution)
        return LevelLimits(self.specification.system, self.solution, self.found, contrasts)

    @cached_property
    def reference_levels(self) -> dict[str, list[Any]]:
        """By effect, the levels that are held at 0 because only differences between effects are identified."""
        if self.solution is None:
            return {}
        positions = reference_positions(self.specification, self.solution)
        return {
            effect.name: [effect.levels[k] for k in chosen]
            for effect, chosen in zip(self.specification.effects, positions, strict=True)
        }

    def verify(self) -> bool:
        """Checks the proof in integers against the data as they are now. Undecided: False."""
        if self.solution is None or self.found is None:
            return False
        system = replace(self.specification).system  # built anew: nothing that the search computed is used
        return decomposition_holds(system, self.solution) and coefficients_hold(system, self.solution, self.found)

    def explain(self) -> str:
        """Explains in words the result, its meaning for each coefficient, and what to do."""
        return explain(self)

    def to_dict(self) -> dict[str, Any]:
        """The answer and its certificate in plain types, ready for JSON; integers as text. See `verify_existence`."""
        return certificate(self)

    def _observations(self, *, everything: bool) -> NDArray[np.int64]:
        """The observations with all rows positive, or with at least one."""
        if self.solution is None:
            return np.empty(0, dtype=np.int64)
        owner, positive = self.specification.system.owner, self.solution.positive
        hit = np.bincount(owner[positive], minlength=self.n_observations)
        needed = np.bincount(owner, minlength=self.n_observations) if everything else 1
        return self.specification.kept[np.flatnonzero((hit >= needed) & (hit > 0))]

    def __repr__(self) -> str:
        return f"<Existence: {self.family}, exists={self.exists} ({self.kind}); explain() says why>"
