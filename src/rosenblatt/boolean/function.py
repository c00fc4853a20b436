"""A Boolean function, stored as its truth table: algebra, properties, threshold units and networks for it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.boolean import constructors, lesson
from rosenblatt.boolean.expression import parse
from rosenblatt.boolean.input_checks import check_rows, check_variables
from rosenblatt.boolean.network import Network
from rosenblatt.boolean.proofs.minimality import MinimalityProof
from rosenblatt.boolean.proofs.summability import Summability
from rosenblatt.boolean.synthesis.two_layer import network_of
from rosenblatt.boolean.threshold.recognition import Smallest, Weights, decide, smallest, unit_with
from rosenblatt.boolean.threshold.regular_form import chow_parameters, directions
from rosenblatt.boolean.truth_tables import Table, at, cube, inputs, n_variables, row_number, row_numbers
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.conventions.ties import Tie
from rosenblatt.textbook import Run


class BooleanFunction:
    """A function of up to 16 variables that are 0 or 1.

    Parameters
    ----------
    source : str, sequence of 0 and 1, or callable
        An expression (see `rosenblatt.boolean.expression`), a truth table in the order of rows that
        `rosenblatt.boolean.truth_tables` defines, or a Python function with one argument per variable. See also
        `from_table`, `from_hex`, `from_minterms`, `from_callable` and `from_data`.
    variables : sequence of str, or int, default=None
        The names of the variables, in order. None: for an expression the order of first appearance, for a callable the
        names of its arguments, otherwise x1, x2, …. A number gives those names to the arguments of a callable.

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
        self,
        source: str | Sequence[int] | NDArray[Any] | Callable[..., Any],
        variables: int | Sequence[str] | None = None,
    ) -> None:
        if callable(source):
            names, table = constructors.from_callable(source, variables)
        elif isinstance(variables, int):
            raise ValueError(f"variables is {variables}; only a callable takes a number. Name them: ['a', 'b', …].")
        elif isinstance(source, str):
            names, table = parse(source, None if variables is None else check_variables(variables, len(variables)))
        else:
            names, table = constructors.from_table(source, variables)
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
        """Makes a function from its truth table, row 0 first: `"0001"`, `[0, 0, 0, 1]` or an array."""
        return cls._of(*constructors.from_table(table, variables))

    @classmethod
    def from_hex(cls, digits: str, variables: int | Sequence[str] | None = None) -> "BooleanFunction":
        """Makes a function from hexadecimal digits: the first digit holds rows 0 to 3.

        XOR of two variables is "6", the majority of three is "17". A single digit means two variables, unless
        `variables` gives 0 or 1.
        """
        return cls._of(*constructors.from_hex(digits, variables))

    @classmethod
    def from_minterms(cls, minterms: Iterable[int], variables: int | Sequence[str]) -> "BooleanFunction":
        """Makes a function from the row numbers where it is 1, and the variables or their number."""
        return cls._of(*constructors.from_minterms(minterms, variables))

    @classmethod
    def from_callable(cls, f: Callable[..., Any], variables: int | Sequence[str] | None = None) -> "BooleanFunction":
        """Makes a function from a Python function, which is called with 0 and 1; `bool` converts what it returns."""
        return cls._of(*constructors.from_callable(f, variables))

    @classmethod
    def from_data(
        cls, X: ArrayLike, y: ArrayLike, variables: Sequence[str] | None = None, *, missing: int | None = None
    ) -> "BooleanFunction":
        """Makes a function from rows of 0 and 1 and their values, in any order; rows may repeat.

        `missing` is the value of rows that do not occur. Without it, missing rows are an error.
        """
        return cls._of(*constructors.from_data(X, y, variables, missing))

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
        """The numbers of the rows where the function is 1."""
        return [int(row) for row in np.flatnonzero(self.table)]

    def __call__(self, *values: int, **named: int) -> int:
        """The value of the function: `f(1, 0)` or `f(a=1, b=0)`."""
        if named:
            unknown = [name for name in named if name not in self.variables]
            if values or unknown or len(named) != self.n_variables:
                raise TypeError(f"name every variable or none: {', '.join(self.variables)}.")
            values = tuple(named[name] for name in self.variables)
        rows, _ = check_rows([values], self.variables)
        return int(self.table[row_number(rows[0].tolist())])

    def evaluate(self, X: ArrayLike) -> NDArray[np.int8]:
        """The value of the function for one row of zeros and ones, or for each row."""
        rows, single = check_rows(X, self.variables)
        values = self.table[row_numbers(rows)].astype(np.int8)
        return cast(NDArray[np.int8], values[0] if single else values)

    def inputs(self) -> NDArray[np.int8]:
        """All rows of variables, in order. Together with `table` they form a dataset (X, y)."""
        return inputs(self.n_variables)

    # --- algebra

    def __eq__(self, other: object) -> bool:
        """Whether both have the same variables, in any order, and the same value in every row."""
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
        """The function of the remaining variables when some are fixed: `f.restrict(a=1)`."""
        held = {**(values or {}), **named}
        for name, value in held.items():
            if name not in self.variables:
                raise ValueError(f"there is no variable {name!r}; there are: {', '.join(self.variables) or 'none'}.")
            if value not in (0, 1):
                raise ValueError(f"{name} is set to {value!r}; a variable must be 0 or 1.")
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
        """The same truth table with other names for the variables."""
        return self._of(variables, self.table)

    def extended(self, variables: Sequence[str]) -> "BooleanFunction":
        """The same function with additional variables that it does not depend on."""
        missing = [name for name in self.variables if name not in variables]
        if missing:
            raise ValueError(f"the variables {', '.join(missing)} would be lost; restrict them first or list them.")
        new = [name for name in variables if name not in self.variables]
        constructors.check_count(len(variables))
        return self._of([*new, *self.variables], np.tile(self.table, 1 << len(new))).reordered(variables)

    def reduced(self) -> "BooleanFunction":
        """The same function with its essential variables only."""
        return self.restrict({name: 0 for name in self.variables if name not in self.essential_variables})

    # --- properties

    @cached_property
    def directions(self) -> dict[str, int | None]:
        """For each variable: 1 if the function increases in it, −1 if it decreases, 0 if inessential, else None."""
        return dict(zip(self.variables, directions(self.table), strict=True))

    @property
    def essential_variables(self) -> tuple[str, ...]:
        """The variables that the function depends on."""
        return tuple(name for name, direction in self.directions.items() if direction != 0)

    @property
    def is_monotone(self) -> bool:
        """Whether the function increases (weakly) in every variable."""
        return all(direction in (0, 1) for direction in self.directions.values())

    @property
    def is_unate(self) -> bool:
        """Whether the function increases or decreases (weakly) in each variable. Every threshold function is unate."""
        return None not in self.directions.values()

    @cached_property
    def chow_parameters(self) -> tuple[int, ...]:
        """The number of true rows, and for each variable the number of true rows where it is 1.

        They identify a threshold function among all functions of n variables (Chow 1961).
        """
        return chow_parameters(self.table)

    # --- units and networks

    @cached_property
    def _decision(self) -> Weights | Summability:
        return decide(self.table, self.variables)

    @property
    def is_threshold(self) -> bool:
        """Whether a single threshold unit computes the function. The proof is `perceptron()` or `refutation`."""
        return isinstance(self._decision, Weights)

    @property
    def refutation(self) -> Summability | None:
        """The proof that no threshold unit computes the function, or None if one does."""
        return self._decision if isinstance(self._decision, Summability) else None

    @cached_property
    def _smallest(self) -> Smallest:
        if isinstance(self._decision, Summability):
            raise ValueError(f"{self._decision} Use network(): two layers compute every function.")
        return smallest(self.table, self._decision)

    def perceptron(self, tie: Tie | None = None) -> ThresholdUnit:
        """The unit with the smallest integer weights: minimum Σ|w|, not counting the offset.

        Parameters
        ----------
        tie : {"mistake", "positive", "negative"}, default=None
            For None and "mistake" the offset is the middle of its range, a half-integer, so that no row is a tie. For
            the other tie rules it is the integer of the range that is nearest to 0.

        Notes
        -----
        The minimum is proved for up to 8 essential variables; for more, `minimality` tells whether it is. Other
        weights may have the same sum.
        """
        return unit_with(self._smallest.weights, self.table, self.variables, tie)

    @property
    def minimality(self) -> MinimalityProof | None:
        """The proof that `perceptron()` has the smallest weights; None if not proved, or if all weights are 0."""
        return self._smallest.proof

    def network(self) -> Network:
        """A two-layer network that computes the function.

        A constant needs no hidden unit, a threshold function one. For up to 4 essential variables the number of hidden
        units is minimal, by exhaustive search. For more variables it comes from heuristics, and `Network.fewest` tells
        whether it is proved minimal.
        """
        return network_of(self.table, self.variables)

    def train(self, convention: Mapping[str, Any] | None = None, **parameters: Any) -> "lesson.Lesson":
        """Trains a `Perceptron` on the truth table under a convention and compares it with the smallest unit.

        >>> from rosenblatt import conventions
        >>> BooleanFunction("a and b").train(conventions.L3).n_mistakes
        10
        """
        return lesson.train(self, convention, parameters)

    def trace(self, convention: Mapping[str, Any] | None = None, **parameters: Any) -> Run:
        """Runs the textbook algorithm on the truth table (labels −1 and +1), step by step.

        Unless a limit is given, it stops after 1,000 epochs or about a million steps (15 epochs of 16 variables).
        """
        return lesson.trace(self, convention, parameters)

    # --- storage

    def to_dict(self) -> dict[str, Any]:
        """Converts to plain types for JSON."""
        return {"kind": "Boolean function", "variables": list(self.variables), "hex": self.hex}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "BooleanFunction":
        """The inverse of `to_dict`."""
        if stored.get("kind") != "Boolean function":
            raise ValueError(f"this is stored as {stored.get('kind')!r}, not as a 'Boolean function'.")
        return cls.from_hex(stored["hex"], stored["variables"])

    def __repr__(self) -> str:
        names = ", ".join(self.variables) or "no variables"
        shown = self.bits if self.n_variables <= 5 else f"0x{self.hex[:32]}{'…' if len(self.hex) > 32 else ''}"
        return f"<BooleanFunction of {names}: {shown}>"
