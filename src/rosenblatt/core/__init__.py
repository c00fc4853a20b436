"""The engine: C++ that knows arrays only. One header an idea; the binding is in `bindings.cpp`."""

from rosenblatt.core._core import OnlineRun, Outcome, Rows, Snapshot, epoch_order, instruction_set

__all__ = ["OnlineRun", "Outcome", "Rows", "Snapshot", "epoch_order", "instruction_set"]
