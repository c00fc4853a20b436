"""Makes truth tables from bits, hexadecimal digits, minterms, a Python function or data, and checks the input."""

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.boolean.input_checks import check_rows, check_variables
from rosenblatt.boolean.truth_tables import MAX_VARIABLES, Table, inputs, row_bits, row_numbers

Source = tuple[tuple[str, ...], Table]


def check_count(n: int) -> None:
    """Raises an error if there are more variables than a truth table may have."""
    if n > MAX_VARIABLES:
        raise ValueError(
            f"{n} variables are too many: the limit is {MAX_VARIABLES}, whose truth table has "
            f"{1 << MAX_VARIABLES:,} rows. Fix some of them (restrict) or split the function."
        )


def from_table(table: Any, variables: Sequence[str] | None) -> Source:
    """From the values of the rows, in order."""
    if isinstance(table, str):
        wrong = re.search(r"[^01]", table)
        if wrong:
            raise ValueError(
                f"the truth table has {wrong.group()!r} at position {wrong.start()}; it may contain 0 and 1 only."
            )
        table = [int(value) for value in table]
    values = np.asarray(table)
    if values.ndim != 1:
        raise ValueError(f"a truth table must be one-dimensional; this one has shape {values.shape}.")
    if values.size == 0:
        raise ValueError("the truth table is empty; a function of n variables has 2ⁿ rows, at least one.")
    if values.size & (values.size - 1):
        n = values.size.bit_length() - 1
        raise ValueError(
            f"the truth table has {values.size} rows, which is not a power of two; {n} variables need {1 << n}, "
            f"{n + 1} need {2 << n}."
        )
    check_count(values.size.bit_length() - 1)
    right = (values == 0) | (values == 1)
    if not np.all(right):
        row = int(np.argmax(~right))
        raise ValueError(f"the truth table has {values[row]} in row {row}; it may contain 0 and 1 only.")
    return check_variables(variables, values.size.bit_length() - 1), values == 1


def from_hex(digits: str, variables: int | Sequence[str] | None) -> Source:
    """From hexadecimal digits; row 0 is the highest bit of the first digit."""
    text = digits.lower().removeprefix("0x")
    wrong = re.search(r"[^0-9a-f]", text)
    if wrong:
        place = wrong.start() + len(digits) - len(text)
        raise ValueError(f"{digits!r} has {wrong.group()!r} at position {place}, which is not a hexadecimal digit.")
    if not text:
        raise ValueError("there are no digits; a function of n variables needs 2ⁿ/4 digits, at least one.")
    if variables is None:
        return from_table(f"{int(text, 16):0{4 * len(text)}b}", None)
    names = names_of(variables)
    size = 1 << len(names)
    if len(text) != max(1, size // 4):
        raise ValueError(f"{digits!r} has {len(text)} digits; {len(names)} variables need {max(1, size // 4)}.")
    bits = f"{int(text, 16):0{size}b}"
    if len(bits) > size:
        raise ValueError(f"{digits!r} has a value beyond the {size} rows of {len(names)} variables.")
    return from_table(bits, names)


def names_of(variables: int | Sequence[str]) -> tuple[str, ...]:
    """Returns the names, or default names for a given number of variables."""
    n = variables if isinstance(variables, int) else len(variables)
    if n < 0:
        raise ValueError(f"the number of variables is {n}; it must be 0 to {MAX_VARIABLES}.")
    check_count(n)
    return check_variables(None if isinstance(variables, int) else variables, n)


def from_minterms(minterms: Iterable[int], variables: int | Sequence[str]) -> Source:
    """From the numbers of the true rows."""
    names = names_of(variables)
    table = np.zeros(1 << len(names), dtype=np.bool_)
    for row in minterms:
        if not 0 <= row < table.size:
            raise ValueError(f"there is no row {row}; {len(names)} variables have the rows 0 to {table.size - 1}.")
        table[row] = True
    return names, table


def from_callable(f: Callable[..., Any], variables: int | Sequence[str] | None) -> Source:
    """From a Python function, which is called once per row."""
    if variables is None:
        parameters = inspect.signature(f).parameters.values()
        fixed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        if any(parameter.kind not in fixed for parameter in parameters):
            raise ValueError(
                "the function takes a variable number of arguments; give the variables or their number: "
                "variables=['a', 'b', …]."
            )
        variables = [parameter.name for parameter in parameters]
    names = names_of(variables)
    values = [bool(f(*row)) for row in inputs(len(names)).tolist()]
    return names, np.array(values, dtype=np.bool_)


def from_data(X: ArrayLike, y: ArrayLike, variables: Sequence[str] | None, missing: int | None) -> Source:
    """From rows in any order and their values."""
    columns = getattr(X, "columns", None) if variables is None else variables
    shape = np.shape(X)
    if len(shape) != 2 or not shape[0]:
        raise ValueError(f"X has shape {shape}; a table of at least one row is needed.")
    check_count(shape[1])
    names = check_variables(None if columns is None else list(columns), shape[1])
    rows, _ = check_rows(X, names)
    values = np.asarray(y)
    if values.shape != (len(rows),):
        raise ValueError(f"y has shape {values.shape}; X has {len(rows)} rows, so y must have {len(rows)} values.")
    if not np.all((values == 0) | (values == 1)):
        place = int(np.argmax((values != 0) & (values != 1)))
        raise ValueError(f"y[{place}] is {values[place]}; the value of a Boolean function is 0 or 1.")
    table = np.full(1 << len(names), -1, dtype=np.int8)
    for place, row in enumerate(row_numbers(rows)):
        if table[row] not in (-1, values[place]):
            raise ValueError(
                f"row {place} of X gives {row_bits(int(row), len(names))} the value {values[place]}; an earlier row "
                "gives another."
            )
        table[row] = values[place]
    absent = np.flatnonzero(table < 0)
    if len(absent) and missing not in (0, 1):
        raise ValueError(
            f"{len(absent)} of the {table.size} rows are missing, the first is {row_bits(int(absent[0]), len(names))}. "
            "Give them a value: missing=0 or missing=1."
        )
    return names, np.where(table < 0, missing or 0, table).astype(np.bool_)
