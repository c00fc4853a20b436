"""The number of threads to use, and work on several of them. Results do not depend on the number."""

import os
from collections.abc import Callable, Sequence
from threading import Event
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def usable_threads() -> int:
    """The number of processors this process may use, or OMP_NUM_THREADS if that is smaller.

    OpenMP and BLAS libraries read this environment variable, and joblib sets it for its worker processes.
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(available, int(wanted)) if wanted.isdecimal() and int(wanted) > 0 else available


def threads_of(n_jobs: int | None) -> int:
    """The number of threads that `n_jobs` specifies: None means one; -1 means all, -2 all but one.

    >>> threads_of(None), threads_of(3)
    (1, 3)
    """
    if not n_jobs:
        return 1
    return max(1, n_jobs if n_jobs > 0 else usable_threads() + 1 + n_jobs)


def map_threads(
    function: Callable[[T], R], items: Sequence[T], n_threads: int, stopped: Event | None = None
) -> list[R]:
    """The results of all items, in their order. An error sets `stopped`, so that other threads can end early.

    >>> map_threads(str, [1, 2, 3], n_threads=2)
    ['1', '2', '3']
    """
    if n_threads == 1 or len(items) <= 1:
        return [function(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(n_threads) as pool:
        try:
            return list(pool.map(function, items))
        except BaseException:
            if stopped is not None:
                stopped.set()
            raise
