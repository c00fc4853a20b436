"""Two-layer networks of threshold units, which can compute every Boolean function (L4)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rosenblatt.boolean.input_checks import check_rows
from rosenblatt.boolean.truth_tables import Table
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.meter import counted
from rosenblatt.visible import visible

if TYPE_CHECKING:
    from rosenblatt.boolean.function import BooleanFunction

#: A notebook displays the drawing of networks with up to this many hidden units.
_SHOWN_UP_TO = 40


@dataclass(frozen=True)
class Network:
    """A layer of hidden units that read the variables, and an output unit that reads the hidden units.

    The output unit's variables are the names of the hidden units. `fewest` is True if it is proved that no two-layer
    network with fewer hidden units computes the same function; False means that this is not proved.

    Examples
    --------
    >>> from rosenblatt.boolean import BooleanFunction
    >>> network = BooleanFunction("a xor b").network()
    >>> network.n_hidden, network.fewest, [network(0, 1), network(1, 1)]
    (2, True, [1, 0])
    """

    hidden: tuple[ThresholdUnit, ...]
    output: ThresholdUnit
    variables: tuple[str, ...]
    fewest: bool = field(default=False, compare=False)

    def __init__(
        self, hidden: Sequence[ThresholdUnit], output: ThresholdUnit, variables: Sequence[str], fewest: bool = False
    ) -> None:
        object.__setattr__(self, "hidden", tuple(hidden))
        object.__setattr__(self, "output", output)
        object.__setattr__(self, "variables", tuple(variables))
        object.__setattr__(self, "fewest", fewest)
        if output.n_variables != len(self.hidden):
            raise ValueError(
                f"the output unit has {output.n_variables} inputs, but there are {len(self.hidden)} hidden units; "
                "the numbers must be equal."
            )
        for name, unit in zip(output.variables, self.hidden, strict=True):
            if unit.variables != self.variables:
                raise ValueError(
                    f"hidden unit {name} reads {unit.variables}; the network's variables are {self.variables}."
                )

    @property
    def n_variables(self) -> int:
        return len(self.variables)

    @property
    def n_hidden(self) -> int:
        return len(self.hidden)

    @property
    def size(self) -> Any:
        """Σ|w| over all units, without the offsets."""
        return sum((unit.size for unit in self.hidden), start=self.output.size)

    def activations(self, X: ArrayLike) -> NDArray[np.int8]:
        """The outputs of the hidden units, one column each."""
        rows, single = check_rows(X, self.variables)
        out = np.zeros((len(rows), self.n_hidden), dtype=np.int8)
        for j, unit in enumerate(self.hidden):
            out[:, j] = unit.evaluate(rows)
        return out[0] if single else out

    def score(self, X: ArrayLike) -> NDArray[np.float64]:
        """The score of the output unit, for one row or for each row."""
        return self.output.score(self.activations(X))

    def evaluate(self, X: ArrayLike) -> NDArray[np.int8]:
        """The output, 0 or 1, for one row of zeros and ones or for each row."""
        rows, single = check_rows(X, self.variables)
        out = self._output([unit.evaluate(rows) for unit in self.hidden], len(rows)).astype(np.int8)
        return cast(NDArray[np.int8], out[0] if single else out)

    def __call__(self, *values: int) -> int:
        return int(self.evaluate(np.array(values, dtype=object)))

    def table(self) -> Table:
        """The truth table; see `rosenblatt.boolean.truth_tables` for the order of rows."""
        tables = [unit.table() for unit in counted(self.hidden, "network, truth table", "hidden units")]
        return self._output(tables, 1 << self.n_variables)

    def _output(self, columns: Sequence[NDArray[Any]], length: int) -> Table:
        w0, *w = self.output.integers
        dtype = np.int64 if sum(map(abs, self.output.integers)) < 1 << 62 else object
        scores = np.full(length, w0, dtype=dtype)
        for weight, column in zip(w, columns, strict=True):
            scores += weight * column.astype(dtype)
        return self.output.fires(scores)

    def function(self) -> "BooleanFunction":
        """The function that the network computes."""
        from rosenblatt.boolean.function import BooleanFunction  # avoids a circular import

        return BooleanFunction.from_table(self.table(), self.variables)

    def __invert__(self) -> "Network":
        """The network of the negated function: the same hidden units with the output unit negated."""
        return Network(self.hidden, ~self.output, self.variables, self.fewest)

    def to_estimator(self) -> Any:
        """A fitted scikit-learn classifier on 0/1 features that has the outputs of this network."""
        # Imports scikit-learn, which is slow.
        from rosenblatt.boolean.circuit_classifier import CircuitClassifier

        return CircuitClassifier.fitted(self)

    def to_svg(self, title: str | None = None) -> str:
        """Draws the network as SVG text."""
        from rosenblatt.boolean.drawing.svg import to_svg

        return to_svg(self, title)

    def _repr_svg_(self) -> str | None:
        return self.to_svg() if self.n_hidden <= _SHOWN_UP_TO else None

    def draw(self, ax: Any = None, title: str | None = None) -> Any:
        """Draws the network with matplotlib on the given axes, or on new ones, and returns the axes."""
        from rosenblatt.boolean.drawing.network_figure import draw

        return draw(self, ax, title)

    def to_dict(self) -> dict[str, Any]:
        """Converts to plain types for JSON."""
        return {
            "kind": "network",
            "variables": list(self.variables),
            "hidden": [unit.to_dict() for unit in self.hidden],
            "output": self.output.to_dict(),
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "Network":
        """The inverse of `to_dict`. `fewest` is not stored, because a file is not a proof."""
        if stored.get("kind") != "network":
            raise ValueError(f"this is stored as {stored.get('kind')!r}, not as a 'network'.")
        hidden = [ThresholdUnit.from_dict(unit) for unit in stored["hidden"]]
        return cls(hidden, ThresholdUnit.from_dict(stored["output"]), stored["variables"])

    def __str__(self) -> str:
        lines = [f"{visible(name)} = {unit}" for name, unit in zip(self.output.variables, self.hidden, strict=True)]
        return "\n".join([*lines, f"out = {self.output}"])

    def __repr__(self) -> str:
        return f"<Network of {', '.join(self.variables) or 'no variables'}: {self.n_hidden} hidden units>"
