"""Reading data: files of the common formats, in memory or as a stream, and the built-in datasets by name."""

from typing import TYPE_CHECKING

from rosenblatt.lazy_names import lazy_names

if TYPE_CHECKING:
    from rosenblatt.data.dataset import Dataset
    from rosenblatt.data.errors import DataError
    from rosenblatt.data.features import Features
    from rosenblatt.data.formats.builtin import BuiltinDataset, descriptions, load, names
    from rosenblatt.data.read_options import ReadOptions
    from rosenblatt.data.reader import read
    from rosenblatt.data.scanner import Scan, scan
    from rosenblatt.data.sparse import Sparse

__all__ = [
    "BuiltinDataset",
    "DataError",
    "Dataset",
    "Features",
    "ReadOptions",
    "Scan",
    "Sparse",
    "descriptions",
    "load",
    "names",
    "read",
    "scan",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "dataset": "Dataset",
        "errors": "DataError",
        "features": "Features",
        "formats.builtin": "BuiltinDataset descriptions load names",
        "read_options": "ReadOptions",
        "reader": "read",
        "scanner": "Scan scan",
        "sparse": "Sparse",
    },
)
