"""The engine: C++ that knows arrays only. One header an idea; the bindings are in `bind_*.cpp`."""

from rosenblatt.core._core import (
    CompatRun,
    CycleSearch,
    MinNorm,
    OneByOne,
    OnlineRun,
    Outcome,
    Rows,
    Snapshot,
    SvmlightError,
    Xxh64,
    __version__,
    epoch_order,
    instruction_set,
    plain_table,
    svmlight,
    xxh64,
)

__all__ = [
    "CompatRun",
    "CycleSearch",
    "MinNorm",
    "OneByOne",
    "OnlineRun",
    "Outcome",
    "Rows",
    "Snapshot",
    "SvmlightError",
    "Xxh64",
    "__version__",
    "epoch_order",
    "instruction_set",
    "plain_table",
    "svmlight",
    "xxh64",
]
