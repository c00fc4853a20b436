"""The model and data as given by the caller, checked, and the system of inequalities that they give."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.decomposition.integer_rows import IntegerRows
from rosenblatt.theory.examples.check_features import unrounded
from rosenblatt.theory.examples.classes import is_missing
from rosenblatt.theory.existence.model.design import Design, design_of, side_by_side
from rosenblatt.theory.existence.model.effects import Effect, effects_of
from rosenblatt.theory.existence.model.outcomes import Family, Outcomes, outcomes_of
from rosenblatt.theory.existence.model.system import System, system_of

_NETWORK = 2  # maximum number of effects that a graph of levels can represent


@dataclass(frozen=True, eq=False)
class Specification:
    """A model and its data."""

    X: Any
    y: Any
    family: Family
    fit_intercept: bool = True
    weights: Any = None
    offset: Any = None
    fixed_effects: Any = None
    outcome_names: tuple[str, ...] | None = None  # names for the classes of y, if the caller gives them

    @cached_property
    def outcomes(self) -> Outcomes:
        """The outcomes of all observations."""
        found = outcomes_of(self.y, self.family)
        return found if self.outcome_names is None else Outcomes(found.present, list(self.outcome_names))

    @property
    def n(self) -> int:
        return len(self.outcomes.present)

    @cached_property
    def kept(self) -> NDArray[np.int64]:
        """The observations in use: those with a positive weight and at least one outcome."""
        in_use = self.outcomes.present.any(axis=1)
        if self.weights is not None:
            weights = _one_each(self.weights, self.n, "weights")
            if np.any(weights < 0):
                row = int(np.argmax(weights < 0))
                raise ValueError(f"weights[{row}] is {weights[row]}; weights must not be negative. Zero drops a row.")
            in_use &= weights > 0
        if self.offset is not None:
            _one_each(self.offset, self.n, "offset")
        if not in_use.any():
            raise ValueError(
                "No observation is in use: all weights are zero, or all counts. Give at least one a positive weight."
            )
        return np.flatnonzero(in_use)

    @cached_property
    def effects(self) -> list[Effect]:
        """The fixed effects, in the order given."""
        return effects_of(self.fixed_effects, self.n, self.kept)

    @property
    def on_network(self) -> bool:
        """Whether the levels of the effects are the nodes of a graph; else they are sparse columns."""
        return 0 < len(self.effects) <= _NETWORK and self.family not in ("multinomial", "ordinal")

    @cached_property
    def system(self) -> System:
        kept, ordinal = self.kept, self.family == "ordinal"
        if ordinal and not self.fit_intercept:
            raise ValueError(
                "fit_intercept=False: the thresholds of an ordinal model are its intercepts and cannot be left out."
            )
        intercept = self.fit_intercept and not self.effects and not ordinal
        full = not self.fit_intercept and not self.effects
        design = design_of(self.X, self.n, kept, fit_intercept=intercept, full_dummies=full)
        if not design.names and not self.effects and not ordinal:
            raise ValueError("The model has no coefficients: X has no columns and there is no intercept.")
        reported = len(design.names)
        if self.effects and not self.on_network:
            design = _with_dummies(design, self.effects, len(kept), full=not ordinal)
        present = Outcomes(self.outcomes.present[kept], self.outcomes.classes)
        return system_of(design, present, self.family, reported, self.effects if self.on_network else ())


def _one_each(values: Any, n: int, what: str) -> NDArray[np.float64]:
    given = unrounded(values, what)
    try:
        if given.dtype.kind == "O":  # no positive number may become 0
            given = np.array([_sign(value) for value in given.reshape(-1)]).reshape(given.shape)
        numbers = given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what} must be numbers, one an observation.") from error
    if numbers.shape != (n,):
        raise ValueError(f"{what} has shape {numbers.shape}; y has {n} observations, so it must have shape ({n},).")
    finite = np.isfinite(numbers)
    if not finite.all():
        row = int(np.argmin(finite))
        raise ValueError(f"{what}[{row}] is {numbers[row]}; it must be finite. Drop the row or correct it.")
    return numbers


def _sign(value: Any) -> float:
    """A number with the same sign, or NaN for a missing value; only signs and gaps matter."""
    if is_missing(value) or isinstance(value, float):
        return float("nan") if is_missing(value) else value
    return float((value > 0) - (value < 0))


def _with_dummies(design: Design, effects: list[Effect], n: int, *, full: bool) -> Design:
    """The design followed by sparse columns for the levels of all effects."""
    columns = [column for effect in effects for column in effect.dummies(full=full)]
    levels = side_by_side(columns, n)
    return Design(design.names, _joined(design, levels), design.scales + [1] * len(columns))


def _joined(design: Design, right: IntegerRows) -> IntegerRows:
    """Two sets of sparse rows side by side."""
    left = design.rows
    owners = np.concatenate([left.owners, right.owners])
    order = np.argsort(owners, kind="stable")
    columns = np.concatenate([left.columns, right.columns + left.width])[order]
    values = np.concatenate([left.values, right.values])[order]
    return IntegerRows(left.starts + right.starts, columns, values, left.width + right.width)
