"""The number of threads to use. Results do not depend on it."""

import os


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
