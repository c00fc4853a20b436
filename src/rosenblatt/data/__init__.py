"""Data in: files of every usual format, in memory or as a stream, and the built-in sets by name."""

from typing import TYPE_CHECKING, Any

from rosenblatt.data.builtin import Dataset, descriptions, load, names
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.loaded import Loaded, Wishes
from rosenblatt.data.read import read
from rosenblatt.data.sparse import Sparse

if TYPE_CHECKING:
    from rosenblatt.data.scanning import Scan, scan

__all__ = [
    "DataError",
    "Dataset",
    "Features",
    "Loaded",
    "Scan",
    "Sparse",
    "Wishes",
    "descriptions",
    "load",
    "names",
    "read",
    "scan",
]


def __getattr__(name: str) -> Any:
    if name in ("Scan", "scan"):  # who reads a file whole does not pay for streams
        from rosenblatt.data import scanning

        return getattr(scanning, name)
    raise AttributeError(f"module 'rosenblatt.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
