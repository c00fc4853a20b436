"""What only a cluster can do to a fit."""

from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class ClusterLostError(ConnectionError):
    """The scheduler is gone, or nothing moved within the time limit. The last checkpoint holds.

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
    """Data that only workers held is gone with them.

    Examples
    --------
    >>> from rosenblatt.distributed import DataLostError
    >>> try:  # doctest: +SKIP
    ...     model.fit(X, y)
    ... except DataLostError:
    ...     model.set_params(resume=True).fit(load_again(), y)
    """


class KilledError(ClusterLostError):
    """A task was on several workers that died, one after the other."""


def survived(work: Callable[[], Result], retries: int, again: Callable[[], object] = lambda: None) -> Result:
    """What `work` returns. Where Dask gave up a task that met dying workers in a row, `again` prepares another try."""
    for _ in range(retries):
        try:
            return work()
        except KilledError:
            again()
    return work()
