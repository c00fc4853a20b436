"""Whether a matrix is one of `scipy.sparse`, without importing it: the import takes longer than most decisions."""

import sys
from typing import Any


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix or array of scipy. Before `scipy.sparse` is imported, there are none.

    >>> is_sparse([[0.0, 1.0]])
    False
    """
    issparse = getattr(sys.modules.get("scipy.sparse"), "issparse", None)
    return issparse is not None and bool(issparse(X))
