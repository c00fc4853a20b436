"""Data in: files of every usual format, and the built-in sets by name."""

from rosenblatt.data.builtin import Dataset, descriptions, load, names
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.loaded import Loaded, Wishes
from rosenblatt.data.read import read
from rosenblatt.data.sparse import Sparse

__all__ = ["DataError", "Dataset", "Features", "Loaded", "Sparse", "Wishes", "descriptions", "load", "names", "read"]
