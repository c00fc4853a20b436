"""Data in: files of every usual format, in memory or as a stream, and the built-in sets by name."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.data.builtin import Dataset, descriptions, load, names
    from rosenblatt.data.errors import DataError
    from rosenblatt.data.features import Features
    from rosenblatt.data.loaded import Loaded
    from rosenblatt.data.reading import read
    from rosenblatt.data.scanning import Scan, scan
    from rosenblatt.data.sparse import Sparse
    from rosenblatt.data.wishes import Wishes

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

# Imported when first used: a file can be read while what is to be done with it is still being imported.
_HOME = {
    "DataError": "errors",
    "Dataset": "builtin",
    "Features": "features",
    "Loaded": "loaded",
    "Scan": "scanning",
    "Sparse": "sparse",
    "Wishes": "wishes",
    "descriptions": "builtin",
    "load": "builtin",
    "names": "builtin",
    "read": "reading",
    "scan": "scanning",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        return getattr(import_module(f"rosenblatt.data.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rosenblatt.data' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
