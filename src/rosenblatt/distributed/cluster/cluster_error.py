"""Errors of a cluster, and retries after them."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class ClusterLostError(ConnectionError):
    """The scheduler is not reachable, or no task finished within the time limit. The last checkpoint is valid.

    Examples
    --------
    >>> from rosenblatt.distributed import ClusterLostError, connect
    >>> try:  # doctest: +SKIP
    ...     with connect("tcp://nobody:8786"):
    ...         pass
    ... except ClusterLostError as error:
    ...     print(error)
    """


class DataLostError(ClusterLostError):
    """Data that existed only in the memory of workers was lost with them.

    Examples
    --------
    >>> from rosenblatt.distributed import DataLostError
    >>> try:  # doctest: +SKIP
    ...     model.fit(X, y)
    ... except DataLostError:
    ...     model.set_params(resume=True).fit(load_again(), y)
    """


class KilledError(ClusterLostError):
    """Several workers died in a row while they ran the same task."""


def with_retries(work: Callable[[], Result], retries: int, again: Callable[[], object] = lambda: None) -> Result:
    """Returns `work()`. After a `KilledError` it calls `again` and retries, at most `retries` times."""
    for _ in range(retries):
        try:
            return work()
        except KilledError:
            again()
    return work()
