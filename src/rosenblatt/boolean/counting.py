"""How many threshold functions there are, and each of them."""

from collections.abc import Iterator

from rosenblatt.boolean.families import families
from rosenblatt.boolean.function import BooleanFunction


def count_threshold_functions(n: int) -> int:
    """How many of the 2^(2ⁿ) functions of n variables a single unit computes, counted anew at each call.

    Seconds for n up to 6, minutes for 7; beyond, there are too many families to go through.

    >>> [count_threshold_functions(n) for n in range(5)]
    [2, 4, 14, 104, 1882]
    """
    return sum(family.size for family in families(_check(n)))


def threshold_functions(n: int) -> Iterator[BooleanFunction]:
    """Each threshold function of n variables (x1, x2, …) once, family by family.

    Examples
    --------
    >>> len(list(threshold_functions(2)))
    14
    """
    return (BooleanFunction.from_table(table) for family in families(_check(n)) for table in family.tables())


def _check(n: int) -> int:
    if not 0 <= n <= 7:
        raise ValueError(f"n is {n}; 0 to 7 variables are possible (8 have over ten million families).")
    return n
