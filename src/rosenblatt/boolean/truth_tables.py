"""Truth tables as arrays, and the order of their rows.

A table of n variables has 2ⁿ rows. The first variable is the most significant bit of the row number, as in a printed
truth table: rows 0, 1, 2, 3 of (a, b) are (0, 0), (0, 1), (1, 0), (1, 1). In text, bits and hexadecimal digits start
with row 0 on the left: AND is 0001, or 1. Reshaped to (2, …, 2), a table has one axis per variable, in order.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.bool_]

#: A table of 16 variables has 65,536 rows.
MAX_VARIABLES = 16


def n_variables(table: Table) -> int:
    return int(table.size).bit_length() - 1


def cube(table: Table) -> Table:
    """The same table with one axis per variable."""
    return table.reshape((2,) * n_variables(table))


def inputs(n: int) -> NDArray[np.int8]:
    """All 2ⁿ rows in order.

    >>> inputs(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    rows = np.arange(1 << n)[:, None] >> np.arange(n - 1, -1, -1)
    return (rows & 1).astype(np.int8)


def row_bits(row: int, n: int) -> tuple[int, ...]:
    """The values of the variables in one row."""
    return tuple(row >> (n - 1 - i) & 1 for i in range(n))


def row_number(bits: Sequence[int]) -> int:
    """The number of the row with these values."""
    return sum(int(bit) << (len(bits) - 1 - i) for i, bit in enumerate(bits))


def row_numbers(rows: NDArray[np.int8]) -> NDArray[np.int64]:
    """The number of each row of values."""
    return np.asarray(rows.astype(np.int64) @ (1 << np.arange(rows.shape[1] - 1, -1, -1)))


def at(ndim: int, values: dict[int, int]) -> tuple[slice | int, ...]:
    """The index of the subcube where these axes have these values."""
    return tuple(values.get(axis, slice(None)) for axis in range(ndim))


def linear_sums(weights: Sequence[int], start: int = 0) -> NDArray[np.int64] | NDArray[np.object_]:
    """Returns start + w·x for every row, exactly: as int64 if that cannot overflow, else as Python integers."""
    fits = abs(start) + sum(abs(w) for w in weights) < 1 << 62
    sums = np.array([start], dtype=np.int64 if fits else object)
    for w in weights:
        sums = np.stack([sums, sums + w], axis=1).ravel()
    return sums


def pack(table: Table) -> int:
    """The table as an integer whose bit r is row r."""
    return int.from_bytes(np.packbits(table, bitorder="little").tobytes(), "little")


def unpack(bits: int, n: int) -> Table:
    """The inverse of `pack`."""
    size = 1 << n
    raw = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(raw, bitorder="little", count=size).astype(np.bool_)
