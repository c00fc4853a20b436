"""Checks that a circuit computes a given function, on every row of the truth table, before it is returned."""

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rosenblatt.boolean.network import Network
from rosenblatt.boolean.truth_tables import Table
from rosenblatt.boolean.unit import ThresholdUnit
from rosenblatt.internal_error import verified

Circuit = TypeVar("Circuit", ThresholdUnit, Network)


@dataclass(frozen=True, eq=False)
class _Computes:
    circuit: ThresholdUnit | Network
    table: Table

    def verify(self) -> bool:
        return bool(np.array_equal(self.circuit.table(), self.table))

    def to_dict(self) -> dict[str, Any]:
        return self.circuit.to_dict()


def checked(circuit: Circuit, table: Table) -> Circuit:
    """Returns the circuit if its truth table equals `table`; otherwise raises `InternalError`."""
    verified(_Computes(circuit, table), "A circuit of a Boolean function", {"table": table})
    return circuit
