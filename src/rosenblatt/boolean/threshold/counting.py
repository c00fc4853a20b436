"""Counts and enumerates the threshold functions of n variables."""

from collections.abc import Iterator

from rosenblatt.boolean.function import BooleanFunction
from rosenblatt.boolean.threshold.families import families
from rosenblatt.meter import Meter


def count_threshold_functions(n: int) -> int:
    """Counts the threshold functions among the 2^(2ⁿ) functions of n variables, by enumeration.

    Takes seconds for n up to 6 and minutes for n = 7. Larger n have too many families to enumerate.

    >>> [count_threshold_functions(n) for n in range(5)]
    [2, 4, 14, 104, 1882]
    """
    count = 0
    with Meter("count_threshold_functions", unit="families") as meter:
        for done, family in enumerate(families(_check(n)), 1):
            count += family.size
            meter.update(done)
    return count


def threshold_functions(n: int) -> Iterator[BooleanFunction]:
    """Yields each threshold function of n variables (x1, x2, …) once, family by family.

    Examples
    --------
    >>> len(list(threshold_functions(2)))
    14
    """
    return (BooleanFunction.from_table(table) for family in families(_check(n)) for table in family.tables())


def _check(n: int) -> int:
    if not 0 <= n <= 7:
        raise ValueError(f"n is {n}; it must be 0 to 7 (8 variables have over ten million families).")
    return n
