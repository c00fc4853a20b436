"""Clusters of real processes, and ways to hurt them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from distributed import Client, LocalCluster


@contextmanager
def local_cluster(workers: int) -> Iterator[Client]:
    """Worker processes of one thread each, whose nannies start them again when they die."""
    options: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 60}
    with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


def pids(client: Client) -> list[int]:
    return [int(pid) for pid in client.run(os.getpid).values()]


class Killer(threading.Thread):
    """Kills one of several workers (SIGKILL) at random moments, so many seconds apart at most, until told to stop."""

    def __init__(self, client: Client, apart: float, seed: int) -> None:
        super().__init__(daemon=True)
        self._client, self._apart = client, apart
        self._random = np.random.default_rng(seed)
        self._stop_now = threading.Event()
        self.killed = 0

    def run(self) -> None:
        while not self._stop_now.wait(self._random.uniform(0, self._apart)):
            with suppress(Exception):  # workers come and go while they are asked
                alive = sorted(pids(self._client))  # those that answer
                if len(alive) > 1:  # one worker must be left to continue if no other returns
                    os.kill(int(self._random.choice(alive)), signal.SIGKILL)
                    self.killed += 1

    def stop(self) -> int:
        """How many it has killed."""
        self._stop_now.set()
        self.join()
        return self.killed


@contextmanager
def processes(workers: int, directory: Any) -> Iterator[tuple[str, subprocess.Popen[bytes], list[Any]]]:
    """A scheduler and workers as processes of their own: the address, the scheduler, and the workers."""
    place = directory / "scheduler.json"
    python = [sys.executable, "-m"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*python, "distributed.cli.dask_scheduler", "--scheduler-file", str(place), "--port", "0", "--no-dashboard"],
        **quiet,
    )
    started = [start_worker(place) for _ in range(workers)]
    try:
        while not place.exists():
            time.sleep(0.05)
        yield str(place), scheduler, started
    finally:
        for process in [*started, scheduler]:
            process.kill()
            process.wait()


def start_worker(place: Any) -> Any:
    command = ["distributed.cli.dask_worker", "--scheduler-file", str(place), "--nthreads", "1", "--no-dashboard"]
    return subprocess.Popen(
        [sys.executable, "-m", *command, "--no-nanny", "--death-timeout", "60"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def slow_examples(i: int, seconds: float = 0.0, n: int = 400, d: int = 20) -> Any:
    """A block of noisy examples, the same for every worker, after some time."""
    from rosenblatt.distributed.shards.blocks import Block

    time.sleep(seconds)
    random = np.random.default_rng(i)
    X = random.normal(size=(n, d))
    y = (X @ np.arange(1.0, d + 1) + 20 * random.normal(size=n) > 0).astype(int)
    return Block(f"shard {i}", X, y)
