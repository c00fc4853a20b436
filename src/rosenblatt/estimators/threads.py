"""How many threads `n_jobs` means, as everywhere in scikit-learn."""

from typing import Any

from joblib import effective_n_jobs

from rosenblatt.core import Rows

#: Values from which on it is worth asking how many threads there may be.
_MANY = 1_000_000


def threads_for(rows: Rows, n_jobs: Any) -> int:
    """As many as `n_jobs` allows, where there is enough to do; the scores are the same."""
    if rows.n_examples * rows.n_features < _MANY:
        return 1
    return int(effective_n_jobs(n_jobs))
