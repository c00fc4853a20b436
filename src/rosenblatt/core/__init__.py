"""The engine: C++ that knows arrays only. One header an idea; the binding is in `bindings.cpp`."""

from rosenblatt.core._core import CompatRun, OnlineRun, Outcome, Rows, epoch_order, instruction_set

__all__ = ["CompatRun", "OnlineRun", "Outcome", "Rows", "epoch_order", "instruction_set"]
