"""Runs the tasks of a fit in this process, without a cluster."""

from collections.abc import Callable, Sequence
from typing import Any


class InProcess:
    """The interface of `engine.Cluster` for a fit on data in this process: a future is its result.

    A round trip to a worker takes tens of milliseconds, an epoch over a small set less than one.
    """

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    def results(self, futures: Sequence[Any], _doing: str, _behind: Sequence[Any] = ()) -> list[Any]:
        return list(futures)
