"""How many threads kernel values are computed by. The values do not depend on it."""

import os


def usable_threads() -> int:
    """As many as this process may run at once; the environment variable OMP_NUM_THREADS can lower it.

    That variable is the one that OpenMP and BLAS libraries read, and that joblib sets for its worker processes.
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(available, int(wanted)) if wanted.isdecimal() and int(wanted) > 0 else available
