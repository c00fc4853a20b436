"""The engine: C++ that knows arrays only. One header an idea; the bindings are in `bind_*.cpp`."""

from rosenblatt.core._core import (
    CycleSearch,
    MinNorm,
    OnlineRun,
    Outcome,
    Rows,
    Snapshot,
    epoch_order,
    instruction_set,
)

__all__ = ["CycleSearch", "MinNorm", "OnlineRun", "Outcome", "Rows", "Snapshot", "epoch_order", "instruction_set"]
