"""The same estimators where one machine is not enough: on Dask, over shards, by iterative parameter mixing."""

from rosenblatt.distributed.engine import connect
from rosenblatt.distributed.errors import ClusterLostError, DataLostError
from rosenblatt.distributed.estimators import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron

__all__ = [
    "ClusterLostError",
    "DaskAveragedPerceptron",
    "DaskPerceptron",
    "DaskPocketPerceptron",
    "DataLostError",
    "connect",
]
