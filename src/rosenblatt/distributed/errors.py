"""What only a cluster can do to a fit."""


class ClusterLostError(ConnectionError):
    """The scheduler is gone, or nothing moved within the time limit. The last checkpoint holds."""


class DataLostError(ClusterLostError):
    """Data that only workers held is gone with them."""
