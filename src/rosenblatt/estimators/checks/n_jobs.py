"""The number of threads that `n_jobs` means, as in scikit-learn."""

from joblib import effective_n_jobs

from rosenblatt.core import Rows

#: If X has fewer values than this, scoring uses one thread, and joblib is not asked for the number of processors.
_MIN_VALUES = 1_000_000


def threads_for(rows: Rows, n_jobs: int | None) -> int:
    """The number of threads for scoring these rows. The scores do not depend on it."""
    if rows.n_examples * rows.n_features < _MIN_VALUES:
        return 1
    return int(effective_n_jobs(n_jobs))
