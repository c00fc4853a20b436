"""The engine: C++ that knows arrays only. One header an idea; the binding is in `bindings.cpp`."""

from rosenblatt.core._core import (
    OnlineRun,
    Outcome,
    Rows,
    Snapshot,
    SvmlightError,
    __version__,
    epoch_order,
    instruction_set,
    plain_table,
    svmlight,
    xxh64,
)

__all__ = [
    "OnlineRun",
    "Outcome",
    "Rows",
    "Snapshot",
    "SvmlightError",
    "__version__",
    "epoch_order",
    "instruction_set",
    "plain_table",
    "svmlight",
    "xxh64",
]
