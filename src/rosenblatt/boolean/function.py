"""A Boolean function by its truth table, and what a perceptron can do with it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.boolean import lesson, sources
from rosenblatt.boolean.build import network_of
from rosenblatt.boolean.decide import Smallest, Weights, decide, smallest, unit_with
from rosenblatt.boolean.expression import parse
from rosenblatt.boolean.minimality import MinimalityProof
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.regular import chow_parameters, directions
from rosenblatt.boolean.rows import check_rows, check_variables
from rosenblatt.boolean.summability import Summability
from rosenblatt.boolean.tables import Table, at, cube, inputs, n_variables, row_number
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook import Run


class BooleanFunction:
    """A function of up to 16 variables that are 0 or 1.

    Parameters
    ----------
    source : str, sequence of 0 and 1, or callable
        An expression (see `rosenblatt.boolean.expression`), a truth table in the order of rows that
        `rosenblatt.boolean.tables` defines, or a function of as many arguments. See also `from_table`, `from_hex`,
        `from_minterms`, `from_callable` and `from_data`.
    variables : sequence of str, default=None
        Names, in order. Of an expression: as they first appear, unless given. Else x1, x2, …, or a callable's own.

    Examples
    --------
    >>> f = BooleanFunction("a and (b or not c)")
    >>> f.variables, f.bits, f.is_threshold
    (('a', 'b', 'c'), '00001011', True)
    >>> print(f.perceptron())
    2·a + b - c - 3/2 > 0
    >>> print(BooleanFunction("a xor b").network())
    h1 = a + b - 1/2 > 0
    h2 = -a - b + 3/2 > 0
    out = h1 + h2 - 3/2 > 0
    """

    def __init__(
        self, source: str | Sequence[int] | NDArray[Any] | Callable[..., Any], variables: Sequence[str] | None = None
    ) -> None:
        if isinstance(source, str):
            names, table = parse(source, None if variables is None else check_variables(variables, len(variables)))
        elif callable(source):
            names, table = sources.from_callable(source, variables)
        else:
            names, table = sources.from_table(source, variables)
        self._set(names, table)

    def _set(self, names: Sequence[str] | None, table: Table) -> None:
        self.variables = check_variables(names, n_variables(table))
        self.table: Table = np.array(table, dtype=np.bool_)
        self.table.setflags(write=False)

    @classmethod
    def _of(cls, names: Sequence[str] | None, table: Table) -> "BooleanFunction":
        made = cls.__new__(cls)
        made._set(names, table)
        return made

    @classmethod
    def from_table(cls, table: Any, variables: Sequence[str] | None = None) -> "BooleanFunction":
        """From a truth table, row 0 first: `"0001"`, `[0, 0, 0, 1]` or an array."""
        return cls._of(*sources.from_table(table, variables))

    @classmethod
    def from_hex(cls, digits: str, variables: int | Sequence[str] | None = None) -> "BooleanFunction":
        """From hexadecimal digits, rows 0 to 3 in the first: XOR of two is "6", majority of three "17".

        One digit is a function of two variables unless `variables` says 0 or 1.
        """
        return cls._of(*sources.from_hex(digits, variables))

    @classmethod
    def from_minterms(cls, minterms: Iterable[int], variables: int | Sequence[str]) -> "BooleanFunction":
        """From the numbers of the rows in which it is 1, and the variables or their number."""
        return cls._of(*sources.from_minterms(minterms, variables))

    @classmethod
    def from_callable(cls, f: Callable[..., Any], variables: Sequence[str] | None = None) -> "BooleanFunction":
        """From a function of as many arguments, called with 0 and 1; what it returns counts as bool() takes it."""
        return cls._of(*sources.from_callable(f, variables))

    @classmethod
    def from_data(
        cls, X: ArrayLike, y: ArrayLike, variables: Sequence[str] | None = None, *, missing: int | None = None
    ) -> "BooleanFunction":
        """From rows of zeros and ones with their value, in any order, repeated or not.

        `missing` is the value of rows that do not occur; without it they are an error.
        """
        return cls._of(*sources.from_data(X, y, variables, missing))

    @property
    def n_variables(self) -> int:
        return len(self.variables)

    @property
    def bits(self) -> str:
        """The truth table as text, row 0 first."""
        return "".join("1" if value else "0" for value in self.table)

    @property
    def hex(self) -> str:
        """The truth table in hexadecimal digits, as `from_hex` reads it."""
        return f"{int(self.bits, 2):0{max(1, self.table.size // 4)}x}"

    @property
    def minterms(self) -> list[int]:
        """The rows in which it is 1."""
        return [int(row) for row in np.flatnonzero(self.table)]

    def __call__(self, *values: int, **named: int) -> int:
        """Its value: `f(1, 0)` or `f(a=1, b=0)`."""
        if named:
            unknown = [name for name in named if name not in self.variables]
            if values or unknown or len(named) != self.n_variables:
                raise TypeError(f"name every variable or none: {', '.join(self.variables)}.")
            values = tuple(named[name] for name in self.variables)
        rows, _ = check_rows([values], self.variables)
        return int(self.table[row_number(rows[0].tolist())])

    def evaluate(self, X: ArrayLike) -> NDArray[np.int8]:
        """Its value for one row, or for each."""
        rows, single = check_rows(X, self.variables)
        number = rows.astype(np.int64) @ (1 << np.arange(self.n_variables - 1, -1, -1, dtype=np.int64))
        values = self.table[number].astype(np.int8)
        return cast(NDArray[np.int8], values[0] if single else values)

    def inputs(self) -> NDArray[np.int8]:
        """All rows, in order: with `table` a data set of which the function is the target."""
        return inputs(self.n_variables)

    # --- algebra

    def __eq__(self, other: object) -> bool:
        """The same variables, in any order, and the same value for all of their values."""
        if not isinstance(other, BooleanFunction):
            return NotImplemented
        if set(self.variables) != set(other.variables):
            return False
        return bool(np.array_equal(self.table, other.reordered(self.variables).table))

    def __hash__(self) -> int:
        canonical = self.reordered(sorted(self.variables))
        return hash((canonical.variables, canonical.table.tobytes()))

    def __invert__(self) -> "BooleanFunction":
        return self._of(self.variables, ~self.table)

    def __and__(self, other: "BooleanFunction") -> "BooleanFunction":
        return self._combined(other, np.logical_and)

    def __or__(self, other: "BooleanFunction") -> "BooleanFunction":
        return self._combined(other, np.logical_or)

    def __xor__(self, other: "BooleanFunction") -> "BooleanFunction":
        return self._combined(other, np.logical_xor)

    def _combined(self, other: "BooleanFunction", combine: Any) -> "BooleanFunction":
        if not isinstance(other, BooleanFunction):
            return NotImplemented
        names = tuple(dict.fromkeys(self.variables + other.variables))
        return self._of(names, combine(self.extended(names).table, other.extended(names).table))

    def restrict(self, values: Mapping[str, int] | None = None, **named: int) -> "BooleanFunction":
        """The function of the remaining variables when some are held: `f.restrict(a=1)`."""
        held = {**(values or {}), **named}
        for name, value in held.items():
            if name not in self.variables:
                raise ValueError(f"there is no variable {name!r}; there are: {', '.join(self.variables) or 'none'}.")
            if value not in (0, 1):
                raise ValueError(f"{name} is held at {value!r}; a variable is 0 or 1.")
        index = at(self.n_variables, {self.variables.index(name): int(value) for name, value in held.items()})
        rest = [name for name in self.variables if name not in held]
        return self._of(rest, np.asarray(cube(self.table)[index]).ravel())

    def reordered(self, variables: Sequence[str]) -> "BooleanFunction":
        """The same function with its variables in another order."""
        if sorted(variables) != sorted(self.variables):
            raise ValueError(f"{list(variables)} is not an order of the variables {', '.join(self.variables)}.")
        axes = [self.variables.index(name) for name in variables]
        return self._of(tuple(variables), np.transpose(cube(self.table), axes).ravel())

    def renamed(self, variables: Sequence[str]) -> "BooleanFunction":
        """The same table under other names."""
        return self._of(variables, self.table)

    def extended(self, variables: Sequence[str]) -> "BooleanFunction":
        """The same function as one of more variables, of which it does not depend on the new ones."""
        missing = [name for name in self.variables if name not in variables]
        if missing:
            raise ValueError(f"the variables {', '.join(missing)} would be lost; restrict them or name them.")
        new = [name for name in variables if name not in self.variables]
        sources.check_count(len(variables))
        return self._of([*new, *self.variables], np.tile(self.table, 1 << len(new))).reordered(variables)

    def reduced(self) -> "BooleanFunction":
        """The function of its essential variables only."""
        return self.restrict({name: 0 for name in self.variables if name not in self.essential_variables})

    # --- properties

    @cached_property
    def directions(self) -> dict[str, int | None]:
        """For each variable: 1 if raising it can only switch the function on, −1 only off, 0 neither, None both."""
        return dict(zip(self.variables, directions(self.table), strict=True))

    @property
    def essential_variables(self) -> tuple[str, ...]:
        """The variables on which it depends."""
        return tuple(name for name, direction in self.directions.items() if direction != 0)

    @property
    def is_monotone(self) -> bool:
        """Whether raising a variable never switches it off."""
        return all(direction in (0, 1) for direction in self.directions.values())

    @property
    def is_unate(self) -> bool:
        """Whether each variable works in one direction only. Every threshold function is unate, not the other way."""
        return None not in self.directions.values()

    @cached_property
    def chow_parameters(self) -> tuple[int, ...]:
        """The number of true rows, then for each variable the number of true rows in which it is 1.

        No other function has those of a threshold function (Chow 1961).
        """
        return chow_parameters(self.table)

    # --- units and networks

    @cached_property
    def _decision(self) -> Weights | Summability:
        return decide(self.table, self.variables)

    @property
    def is_threshold(self) -> bool:
        """Whether a single unit computes it. The proof is `perceptron()` or `refutation`."""
        return isinstance(self._decision, Weights)

    @property
    def refutation(self) -> Summability | None:
        """The proof that no unit computes it, or None."""
        return self._decision if isinstance(self._decision, Summability) else None

    @cached_property
    def _smallest(self) -> Smallest:
        if isinstance(self._decision, Summability):
            raise ValueError(f"{self._decision} A network does: network().")
        return smallest(self.table, self._decision)

    def perceptron(self, tie: Tie | None = None) -> ThresholdUnit:
        """The unit with the smallest integer weights: Σ|w| is least, the offset is not counted.

        Parameters
        ----------
        tie : {"mistake", "positive", "negative"}, default=None
            Without it, or for "mistake", the offset is the middle of its range, a half-integer, which is right under
            every tie rule. For the others it is the integer in the range.

        Notes
        -----
        Proved smallest for up to 8 essential variables, and beyond where `minimality` says so. Other weights may have
        the same sum.
        """
        return unit_with(self._smallest.weights, self.table, self.variables, tie)

    @property
    def minimality(self) -> MinimalityProof | None:
        """The proof that `perceptron()` has the smallest weights; None where that is not proved (or is plain: 0)."""
        return self._smallest.proof

    def network(self) -> Network:
        """A two-layer network that computes it: no hidden unit for a constant, one for a threshold function.

        The fewest hidden units for up to 4 essential variables, proved by exhaustion; beyond, few by a heuristic, and
        `Network.fewest` says whether they are proved to be the fewest.
        """
        return network_of(self.table, self.variables)

    def train(self, convention: Mapping[str, Any] | None = None, **parameters: Any) -> "lesson.Lesson":
        """Trains a `Perceptron` on the truth table, under any convention, and compares it with the smallest unit.

        >>> from rosenblatt import conventions
        >>> BooleanFunction("a and b").train(conventions.L3).n_mistakes
        10
        """
        return lesson.train(self, convention, parameters)

    def trace(self, convention: Mapping[str, Any] | None = None, **parameters: Any) -> Run:
        """The textbook's run on the truth table, step by step (labels −1 and +1); at most 1,000 epochs unless said."""
        return lesson.trace(self, convention, parameters)

    # --- in and out

    def to_dict(self) -> dict[str, Any]:
        """Plain types, ready for JSON."""
        return {"kind": "Boolean function", "variables": list(self.variables), "hex": self.hex}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "BooleanFunction":
        """The way back from `to_dict`."""
        if stored.get("kind") != "Boolean function":
            raise ValueError(f"this is stored as {stored.get('kind')!r}, not as a 'Boolean function'.")
        return cls.from_hex(stored["hex"], stored["variables"])

    def __repr__(self) -> str:
        names = ", ".join(self.variables) or "no variables"
        shown = self.bits if self.n_variables <= 5 else f"0x{self.hex[:32]}{'…' if len(self.hex) > 32 else ''}"
        return f"<BooleanFunction of {names}: {shown}>"
