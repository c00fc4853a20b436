"""What only a cluster can do to a fit."""


class ClusterLostError(RuntimeError):
    """The scheduler is gone, or nothing moved within the time limit. The last checkpoint holds."""


class DataLostError(RuntimeError):
    """Data that only workers held is gone with them."""
