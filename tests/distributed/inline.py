"""The tasks of a cluster run here and now, so that properties can be tried on hundreds of small sets."""

import warnings
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rosenblatt.distributed
from rosenblatt.distributed import shard_source
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.shards.blocks import Block


def without_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets `rosenblatt train --workers` run its tasks in this process."""
    monkeypatch.setattr(rosenblatt.distributed, "connect", lambda _address, _workers: nullcontext())
    monkeypatch.setattr(shard_source, "Cluster", lambda _client, _timeout: InProcess())


def cut(X: Any, y: Any, shards: int, weights: Any = None) -> list[Block]:
    """Consecutive rows, as even as may be."""
    edges = np.linspace(0, X.shape[0], shards + 1).astype(int)
    pieces = [slice(a, b) for a, b in pairwise(edges)]
    return [
        Block(f"shard {i}", X[piece], y[piece], None if weights is None else weights[piece])
        for i, piece in enumerate(pieces)
    ]


def fit(estimator: Any, X: Any, y: Any, shards: int, weights: Any = None, **start: Any) -> Any:
    blocks = cut(X, y, shards, weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator._fit_blocks(InProcess(), lambda: blocks, start.get("coef_init"), start.get("intercept_init"))
    return estimator
