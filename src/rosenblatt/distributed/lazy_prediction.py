"""Lazy predictions on Dask collections, with one task per block."""

from typing import Any

import numpy as np

from rosenblatt.distributed.cluster.engine import is_dask_collection


def apply_lazily(X: Any, local: Any, method: str) -> Any:
    """Applies `local.method` to each block of X, or to X itself if it is not a Dask collection."""
    if not is_dask_collection(X):
        return getattr(local, method)(X)
    labels = method == "predict"
    dtype = local.classes_.dtype if labels else np.dtype(float)
    wide = not labels and len(local.classes_) > 2
    if hasattr(X, "map_blocks") and hasattr(X, "rechunk"):
        X = X.rechunk({1: -1})
        shape: dict[str, Any] = {"chunks": (X.chunks[0], (len(local.classes_),))} if wide else {"drop_axis": 1}
        meta = np.empty((0, 0) if wide else 0, dtype)
        return X.map_blocks(_block, local, method, dtype=dtype, meta=meta, **shape)
    if wide:
        columns = [str(label) for label in local.classes_.tolist()]
        empty = type(X._meta)(np.empty((0, len(columns))), index=X._meta.index[:0], columns=columns)
    else:
        empty = type(X._meta.iloc[:, 0])(np.empty(0, dtype), index=X._meta.index[:0], name=method)
    return X.map_partitions(_partition, local, method, empty, meta=empty)


def _block(X: Any, local: Any, method: str) -> Any:
    if not X.shape[0]:
        return np.empty((0, len(local.classes_)) if X.ndim == 2 and method != "predict" else 0)
    return getattr(local, method)(X)


def _partition(X: Any, local: Any, method: str, empty: Any) -> Any:
    if not len(X):
        return empty
    found = getattr(local, method)(X)
    if found.ndim == 2:
        return type(empty)(found, index=X.index, columns=empty.columns)
    return type(empty)(found, index=X.index, name=method)
