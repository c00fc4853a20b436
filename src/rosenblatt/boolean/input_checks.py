"""Checks of rows of 0 and 1 and of names of variables. Errors name the row and column."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def check_variables(variables: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Returns one name per variable: x1, x2, … unless given."""
    if variables is None:
        return tuple(f"x{i + 1}" for i in range(n))
    names = (variables,) if isinstance(variables, str) else tuple(map(str, variables))
    if len(names) != n:
        raise ValueError(f"there are {n} variables but {len(names)} names ({', '.join(names)}); give one name each.")
    if len(set(names)) < n:
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"the name {twice!r} is given twice; every variable needs its own name.")
    return names


def check_rows(X: Any, variables: Sequence[str]) -> tuple[NDArray[np.int8], bool]:
    """Returns the rows as integers, and whether a single row was given. X may be numbers, booleans or a data frame."""
    table = np.asarray(X)
    n = len(variables)
    single = table.ndim == 1
    if single:
        table = table[None, :]
    if table.ndim != 2 or table.shape[1] != n:
        raise ValueError(
            f"X has shape {np.shape(X)}; rows of {n} values are needed ({', '.join(variables) or 'no variables'})."
        )
    right = (table == 0) | (table == 1)
    if not right.all():
        row, column = np.argwhere(~right)[0]
        raise ValueError(
            f"X has {table[row, column]} in row {row}, column {column} ({variables[column]}); an input must be 0 or 1. "
            "Threshold or encode the column first."
        )
    return (table == 1).astype(np.int8), single
