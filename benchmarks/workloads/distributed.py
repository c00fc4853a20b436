"""Two workers compared with one, on work that takes at least 20 s serially; the serial core is the baseline.

Texts as sparse rows, a typical use of a cluster. An epoch must take much longer than the 30 ms that a cluster adds to
it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.data import text_like
from benchmarks.records import Result
from benchmarks.run import Run, peak_mb_of_this_process
from distributed import Client, LocalCluster
from rosenblatt import Perceptron
from rosenblatt.distributed import DaskPerceptron
from rosenblatt.distributed.cluster.engine import Cluster
from rosenblatt.distributed.run.mixing import added
from rosenblatt.distributed.shards.blocks import Block
from rosenblatt.distributed.shards.shard import Planes

SHARDS, ROWS, FEATURES, ENTRIES = 2, 1_000_000, 47_000, 70


def shard(i: int, rows: int = ROWS) -> Block:
    """Text-like rows, reproducible on any worker, labelled by one hyperplane with noise."""
    X, _ = text_like(rows, min(FEATURES, rows // 20), ENTRIES, seed=i + 1)
    scores = X @ np.random.default_rng(0).standard_normal(X.shape[1])
    noise = np.random.default_rng(i + 1).standard_normal(rows)
    return Block(f"shard {i}", X, (scores - np.median(scores) + noise > 0).astype(int))


@dataclass(frozen=True)
class Took:
    """Wall-clock and processor time in seconds; on a busy machine only processor time can be compared."""

    epochs: float
    whole: float
    busiest: float  # processor time of the busiest worker, in the epochs
    here: float  # processor time of client and scheduler, in the epochs
    memory: list[float]  # peak of each worker, MB


def serial(X: Any, y: Any, epochs: int) -> tuple[float, float]:
    """Wall-clock and processor time in seconds."""
    begin, busy = time.perf_counter(), time.process_time()
    Perceptron(max_iter=epochs).fit(X, y)
    return time.perf_counter() - begin, time.process_time() - busy


def distributed(workers: int, epochs: int, rows: int) -> Took:
    """The same work on a cluster of processes."""
    options: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with LocalCluster(n_workers=workers, **options) as local, Client(local) as client:
        cluster = Cluster(client, 600)
        moments: list[tuple[float, float, list[float]]] = []

        def note_moment(progress: Any) -> None:
            if progress.epoch in (1, epochs):  # the first epoch includes making the data
                busy = client.run(time.process_time)
                moments.append((time.perf_counter(), time.process_time(), [busy[name] for name in sorted(busy)]))

        model = DaskPerceptron(max_iter=epochs, callback=note_moment)
        begin = time.perf_counter()
        model._fit_blocks(cluster, lambda: [cluster.submit(shard, i, rows) for i in range(SHARDS)], None, None)
        whole = time.perf_counter() - begin
        memory = list(client.run(peak_mb_of_this_process).values())
    (clock, here, busy), (clock_end, here_end, busy_end) = moments
    all_of = epochs / (epochs - 1)
    busiest = max(after - before for before, after in zip(busy, busy_end, strict=True))
    return Took((clock_end - clock) * all_of, whole, busiest * all_of, (here_end - here) * all_of, memory)


def tiny(i: int) -> Block:
    random = np.random.default_rng(i)
    return Block(f"shard {i}", random.normal(size=(20, FEATURES)), random.integers(0, 2, 20))


def costs(shards: int = 100, epochs: int = 10) -> tuple[float, float]:
    """Seconds per shard and epoch in addition to its pass, and seconds to mix a million weights of one shard."""
    options: dict[str, Any] = {"threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with LocalCluster(n_workers=2, **options) as local, Client(local) as client:
        cluster = Cluster(client, 600)
        moments: list[float] = []
        model = DaskPerceptron(max_iter=epochs, callback=lambda _: moments.append(time.perf_counter()))
        model._fit_blocks(cluster, lambda: [cluster.submit(tiny, i) for i in range(shards)], None, None)
    overhead = (moments[-1] - moments[0]) / (epochs - 1) / shards
    parts = [Planes.of(np.ones(1), np.ones((1, 1_000_000)), np.ones(1)) for _ in range(16)]
    begin = time.perf_counter()
    added(parts)
    return overhead, (time.perf_counter() - begin) / 16


def project(pass_ns: float, overhead: float, mixing: float, cores: int, network: float = 1e9) -> str:
    """Estimated time of an epoch of 10⁹ rows in 1,000 shards on this many cores, from the costs of one shard."""
    shards, rows, weights = 1000, 10**9, FEATURES + 1
    passes = rows / cores * pass_ns * 1e-9
    scheduling = shards * overhead
    moved = shards * weights * 8 / network
    mixed = shards * weights / 1e6 * mixing
    total = passes + scheduling + moved + mixed
    return (
        f"10⁹ rows in 1,000 shards over 1 GB/s, {cores} cores: passes {passes:.1f} s, scheduling {scheduling:.2f} s, "
        f"moving {shards * weights * 8 / 1e6:.1f} MB {moved:.3f} s, mixing {mixed:.3f} s: {total:.1f} s an epoch"
    )


def measure(run: Run) -> Iterator[Result]:
    """Two workers compared with one, and an estimate for many."""
    rows = run.size(ROWS, 20_000)
    blocks = [shard(i, rows) for i in range(SHARDS)]
    X, y = sp.vstack([block.X for block in blocks], "csr"), np.concatenate([block.y for block in blocks])
    del blocks
    few = 3
    wanted = 1.1 * run.size(20, 1)  # minimum serial time of the work in seconds
    epochs = max(few, int(np.ceil(wanted / (serial(X, y, few)[1] / few))))
    alone, busy = serial(X, y, epochs)
    found = {workers: distributed(workers, epochs, rows) for workers in (1, 2)}
    processor = found[1].busiest / found[2].busiest
    pass_ns = 1e9 * found[1].busiest / (epochs * len(y))
    overhead, mixing = costs(run.size(100, 10))
    notes = [
        f"{processor:.2f} by the busiest worker's processor time",
        f"a shard costs {pass_ns:.0f} ns an example, {1e3 * overhead:.2f} ms an epoch besides, {1e3 * mixing:.2f} ms a "
        "million weights to mix",
        *(project(pass_ns, overhead, mixing, cores) for cores in (100, 1000)),
    ]
    case = f"{SHARDS} shards of {rows:,}×{X.shape[1]:,}, {ENTRIES} a row, {epochs} epochs"
    for workers, took in found.items():
        peaks = ", ".join(f"{mb:.0f}" for mb in took.memory)
        yield Result(
            "distributed",
            f"{case}, {workers} worker{'s'[: workers - 1]}",
            "synthetic",
            (took.epochs,),
            "the serial core",
            (alone,),
            threads=workers,
            notes=(
                f"{took.whole:.1f} s with loading; peak memory {peaks} MB; of processor: busiest worker "
                f"{took.busiest:.1f} s, client and scheduler {took.here:.1f} s, the serial core {busy:.1f} s",
            ),
        )
    yield Result(
        "distributed",
        f"{case}, two workers against one",
        "synthetic",
        (found[2].epochs,),
        "one worker",
        (found[1].epochs,),
        threads=2,
        notes=tuple(notes),
    )
