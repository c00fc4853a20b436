"""Options for training on a cluster: `rosenblatt train --dask ADDRESS` and `--workers N`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from rosenblatt.cli.options.option_values import Command
from rosenblatt.cli.output.printing import echo

if TYPE_CHECKING:
    from rosenblatt.data import ReadOptions
    from rosenblatt.models import Source


@dataclass(frozen=True)
class ClusterOptions:
    """Options of `train` for a cluster."""

    dask: str | None = None
    workers: int | None = None
    shards: int | None = None
    mixing: Literal["uniform", "mistakes"] | None = None
    checkpoint: str | None = None
    resume: bool = False
    timeout: float | None = None

    @property
    def is_used(self) -> bool:
        return self.dask is not None or self.workers is not None

    def check(self) -> None:
        """Raises `UsageError` for options that exclude each other, or that need a cluster."""
        if self.dask and self.workers:
            raise click.UsageError(
                "--dask and --workers exclude each other: one names a running cluster, the other starts one."
            )
        if self.is_used:
            if self.resume and not self.checkpoint:
                raise click.UsageError("--resume needs the file to resume from: --checkpoint FILE.")
            return
        for name in ("shards", "mixing", "checkpoint", "resume", "timeout"):
            if getattr(self, name):
                raise click.UsageError(f"--{name} is for a cluster: add --dask ADDRESS or --workers N.")


def cluster_options(command: Command) -> Command:
    """Adds the options for a cluster to a command."""
    options = [
        click.option(
            "--dask", metavar="ADDRESS", help="Train on the Dask cluster of this scheduler (tcp://HOST:PORT)."
        ),
        click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Train in N local processes (Dask)."),
        click.option(
            "--shards",
            type=click.IntRange(min=1),
            metavar="K",
            help="Cut a single file into K shards [default: one per worker]; of several files, each is a shard.",
        ),
        click.option(
            "--mixing", type=click.Choice(["uniform", "mistakes"]), help="How the weights of the shards are averaged."
        ),
        click.option("--checkpoint", metavar="FILE", help="Keep the state of each epoch here, on a cluster."),
        click.option("--resume", is_flag=True, help="Continue from --checkpoint if it exists."),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            help="Stop after this many seconds without a finished task.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@contextmanager
def shard_source(
    source: str, read_options: "ReadOptions", options: ClusterOptions, verbose: bool
) -> "Iterator[Source]":
    """Connects to the cluster of the options, and yields the source's files as shards on it."""
    if source == "-" or source.startswith("@"):
        raise click.UsageError(
            f"workers cannot read {source!r}: name a file, a folder or a pattern that they can reach."
        )
    from rosenblatt import distributed
    from rosenblatt.data.sources.file_names import files_of
    from rosenblatt.whole_file import check_place

    paths = files_of(source)
    if options.workers:  # a missing file is found before the workers start
        for path in paths:
            Path(path).stat()
    if options.checkpoint:
        check_place(options.checkpoint)
    names = ("mixing", "checkpoint", "resume", "timeout")
    settings = {name: getattr(options, name) for name in names if getattr(options, name)}

    def tell(stage: str) -> None:
        if verbose:
            echo(f"{stage} …", err=True)

    if options.workers is None:
        tell(f"connecting to {options.dask}")
    else:
        tell(f"starting {options.workers} worker process{'es' if options.workers > 1 else ''}")
    try:
        with _quiet_dask(), distributed.connect(options.dask, options.workers) as client:
            shards = options.shards or options.workers or max(1, len(client.scheduler_info()["workers"]))
            yield distributed.ShardSource(
                paths, read_options, client=client, shards=shards, settings=settings, tell=tell
            )
    except KeyboardInterrupt as error:
        place = options.checkpoint
        if place is None or not Path(place).exists():
            raise
        raise KeyboardInterrupt(f"no model was written; {place} is kept, and --resume continues from it") from error


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Silences the log of workers that connect and leave; failures reach the user as errors."""
    import logging

    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
