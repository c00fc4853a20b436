"""Estimators for data that exceeds one machine: on Dask, over shards, by iterative parameter mixing."""

from rosenblatt.distributed.cluster.cluster_error import ClusterLostError, DataLostError
from rosenblatt.distributed.cluster.engine import connect
from rosenblatt.distributed.estimators import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from rosenblatt.distributed.shard_source import ShardSource

__all__ = [
    "ClusterLostError",
    "DaskAveragedPerceptron",
    "DaskPerceptron",
    "DaskPocketPerceptron",
    "DataLostError",
    "ShardSource",
    "connect",
]
