"""All use of Dask: the only module that imports it.

Tasks are pure functions of their arguments, and the arguments can always be recomputed (`submit(load, i)`, never
`scatter`), so the death of a worker costs only time.
"""

import logging
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any

try:
    import dask.array as da
    from dask.base import is_dask_collection
    from dask.delayed import delayed
    from dask.system import CPU_COUNT

    import distributed
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"rosenblatt.distributed needs Dask ({error.name} is missing): pip install 'rosenblatt[dask]'"
    ) from error

from rosenblatt.distributed.cluster.cluster_error import ClusterLostError, DataLostError, KilledError

__all__ = ["Cluster", "connect", "da", "delayed", "is_dask_collection"]

#: Seconds between two checks for progress.
_POLL_SECONDS = 0.5

#: Dask's errors for a task that can never have a result.
_CANCELLED = (distributed.client.FutureCancelledError, distributed.CancelledError)


class Cluster:
    """A Dask client with a time limit and specific errors."""

    def __init__(self, client: Any, timeout: float | None) -> None:
        self.client = client if client is not None else _running_client()
        if getattr(self.client, "asynchronous", False):
            raise ValueError("The client is asynchronous, and fit would block its loop. Pass an ordinary Client.")
        self._timeout = timeout

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        """Submits a task. Its arguments may be futures of other tasks."""
        with _large_tasks(), _delayed_interrupt():
            return self.client.submit(function, *args, pure=False)

    def compute(self, delayed: Sequence[Any]) -> list[Any]:
        """The future of each delayed value. Dask can recompute it from the graph of the value."""
        with _large_tasks(), _delayed_interrupt():
            return list(self.client.compute(list(delayed)))

    def results(self, futures: Sequence[Any], doing: str, behind: Sequence[Any] = ()) -> list[Any]:
        """The results of the tasks in the given order. `behind` are their dependencies, which count as progress."""
        watched = [*behind, *futures]
        something_ended = threading.Event()
        for future in futures:
            future.add_done_callback(lambda _: something_ended.set())
        finished, since = -1, time.monotonic()
        while True:
            states = [future.status for future in watched]
            if all(future.status in ("finished", "error", "cancelled") for future in futures):
                break
            if states.count("finished") != finished:
                finished, since = states.count("finished"), time.monotonic()
            elif self._timeout is not None and time.monotonic() - since > self._timeout:
                raise ClusterLostError(self._timeout_message(doing, len(watched) - finished))
            if self.client.status in ("closed", "closing"):
                raise ClusterLostError(self._connection_lost_message(doing))
            something_ended.wait(_POLL_SECONDS if self._timeout is None else min(_POLL_SECONDS, self._timeout / 4))
            something_ended.clear()
        try:
            limit = None if self._timeout is None else max(self._timeout, 1.0)
            return [self._result_of(future, doing, limit) for future in futures]
        except TimeoutError as error:
            raise ClusterLostError(self._timeout_message(doing, 1)) from error

    def _result_of(self, future: Any, doing: str, limit: float | None) -> Any:
        try:
            return future.result(timeout=limit)
        except _CANCELLED as error:
            if self.client.status != "running" or "scheduler" in str(error):
                raise ClusterLostError(self._connection_lost_message(doing)) from error
            raise DataLostError(
                f"Data was lost permanently while {doing}: {error}. It had been put into workers' memory (scatter, or "
                "persist from such data) and cannot be made again. Give fit data that workers can load: paths, or Dask "
                "collections read from files."
            ) from error
        except distributed.KilledWorker as error:
            raise KilledError(
                f"{error} A shard may be too large for a worker's memory: cut the data into smaller pieces; or raise "
                "retries if workers come and go."
            ) from error
        except OSError as error:
            if isinstance(error, TimeoutError) or error.filename is not None:
                raise
            raise ClusterLostError(f"{self._connection_lost_message(doing)} ({error})") from error

    def _timeout_message(self, doing: str, unfinished: int) -> str:
        try:
            workers = len(self.client.scheduler_info()["workers"])
            there = f"The scheduler counts {workers} workers" if workers else "No worker is connected"
        except Exception:  # a broken connection can raise anything; the timeout message is more useful
            there = "The scheduler does not answer"
        return (
            f"Nothing was finished for {self._timeout:g} s while {doing} ({unfinished} tasks left). {there}. Start "
            "workers, or raise timeout if a shard takes longer than that."
        )

    def _connection_lost_message(self, doing: str) -> str:
        return f"The connection to the scheduler was lost while {doing}. Start it again and connect a new client"


@contextmanager
def connect(address: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """A client of the cluster at this address, or of `workers` local processes, which end with the context.

    Examples
    --------
    >>> from rosenblatt.distributed import connect
    >>> with connect(workers=2) as client:  # doctest: +SKIP
    ...     print(len(client.scheduler_info()["workers"]))
    2
    """
    if address is not None:
        try:
            client = distributed.Client(address, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterLostError(f"No scheduler answers at {address} ({error}). Is it running?") from error
        with client:
            yield client
        return
    with _local_processes(workers or CPU_COUNT) as client:
        yield client


@contextmanager
def _local_processes(workers: int) -> Iterator[Any]:
    memory = distributed.system.MEMORY_LIMIT // workers
    options: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    handler = signal.getsignal(signal.SIGINT)
    try:
        with (
            distributed.LocalCluster(n_workers=0, memory_limit=memory, **options) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            try:
                resource_tracker.ensure_running()  # in Python 3.11, starting it unblocks SIGINT in the calling thread
                cluster.sync(_block_interrupts)
                cluster.scale(workers)
                client.wait_for_workers(workers)
                yield client
            except KeyboardInterrupt:
                signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C would leave workers behind
                raise
    finally:
        if signal.getsignal(signal.SIGINT) is not handler:
            signal.signal(signal.SIGINT, handler)


async def _block_interrupts() -> None:
    """Blocks SIGINT in the thread of Dask's event loop, and so in the worker processes that it starts.

    A terminal sends Ctrl-C to all processes of a command. This process ends its workers itself.
    """
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _running_client() -> Any:
    try:
        return distributed.get_client()
    except ValueError as error:
        raise ValueError(
            "There is no Dask client. Create one first, distributed.Client(ADDRESS) or "
            "distributed.Client(n_workers=2), or pass it: fit(X, y, client=client)."
        ) from error


@contextmanager
def _large_tasks() -> Iterator[None]:
    """Suppresses Dask's warning about large tasks. Weights are sent in tasks so that a retried task has them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        yield


@contextmanager
def _delayed_interrupt() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block.

    Dask prints an AttributeError when it deletes a future whose constructor was interrupted.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pending: list[Any] = []
    signal.signal(signal.SIGINT, lambda _, frame: pending.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pending:
            handler(signal.SIGINT, pending[-1])
