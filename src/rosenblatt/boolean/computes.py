"""That a circuit computes a function: checked on every row before the circuit is given."""

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from rosenblatt.boolean.network import Network
from rosenblatt.boolean.tables import Table
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
    """The circuit, after its table has been compared with this one; raises `InternalError` where they differ."""
    verified(_Computes(circuit, table), "A circuit of a Boolean function", {"table": table})
    return circuit
