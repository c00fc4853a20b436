"""Data sets: the built-in examples by name."""

from rosenblatt.data.builtin import Dataset, load, names

__all__ = ["Dataset", "load", "names"]
