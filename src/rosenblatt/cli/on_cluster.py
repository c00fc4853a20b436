"""`rosenblatt train --dask ADDRESS` and `--workers N`: the same files, the same report, on a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rosenblatt.cli.printing import echo

if TYPE_CHECKING:
    from rosenblatt.data import Loaded, Wishes
    from rosenblatt.models import Plan, Trained

Command = TypeVar("Command", bound=Callable[..., Any])

#: Figures that show examples.
_DRAWS_EXAMPLES = ("regions", "margins")


def cluster_options(command: Command) -> Command:
    """Where to train, if not here."""
    options = [
        click.option(
            "--dask", metavar="ADDRESS", help="Train on the Dask cluster of this scheduler (tcp://HOST:PORT)."
        ),
        click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Train in N local processes (Dask)."),
        click.option(
            "--shards",
            type=click.IntRange(min=1),
            metavar="K",
            help="Cut a single file into K shards [default: one a worker]; of many, each is one.",
        ),
        click.option(
            "--mixing", type=click.Choice(["uniform", "mistakes"]), help="How the weights of the shards are averaged."
        ),
        click.option("--checkpoint", metavar="FILE", help="Keep the state of each epoch here, on a cluster."),
        click.option("--resume", is_flag=True, help="Go on from --checkpoint if it exists."),
        click.option("--timeout", type=click.FloatRange(0, min_open=True), help="Give up after so many idle seconds."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def wants_cluster(options: dict[str, Any]) -> bool:
    """Whether the options ask for a cluster; options that mean nothing without one are refused."""
    if options["dask"] and options["workers"]:
        raise click.UsageError("--dask and --workers exclude each other: a cluster that runs, or one for this command.")
    if options["dask"] or options["workers"]:
        if options["resume"] and not options["checkpoint"]:
            raise click.UsageError("--resume needs the file to resume from: --checkpoint FILE.")
        if options["plot_file"] and options["plot_kind"] in _DRAWS_EXAMPLES:
            raise click.UsageError(f"--plot-kind {options['plot_kind']} draws examples, and the cluster has them.")
        if options["plot_kind"] == "auto":
            options["plot_kind"] = "mistakes"
        return True
    for name in ("shards", "mixing", "checkpoint", "resume", "timeout"):
        if options[name]:
            raise click.UsageError(f"--{name} means something on a cluster only: add --dask ADDRESS or --workers N.")
    return False


def train_on_cluster(source: str, wishes: "Wishes", plan: "Plan", options: dict[str, Any]) -> "tuple[Loaded, Trained]":
    """Reads the files on the workers and trains there."""
    if source == "-" or source.startswith("@"):
        raise click.UsageError(
            f"workers cannot read {source!r}: name a file, a folder or a pattern that they can reach."
        )
    from rosenblatt.distributed import connect
    from rosenblatt.distributed.files import paths_in
    from rosenblatt.distributed.training import train_files
    from rosenblatt.whole_file import check_place

    paths = paths_in(source)
    if options["workers"]:  # what they will not find need not wait until they run
        for path in paths:
            Path(path).stat()
    if options["checkpoint"]:
        check_place(options["checkpoint"])
    settings = {name: options[name] for name in ("mixing", "checkpoint", "resume", "timeout") if options[name]}

    def tell(doing: str) -> None:
        if plan.verbose:
            echo(f"{doing} …", err=True)

    if options["dask"]:
        tell(f"connecting to {options['dask']}")
    else:
        tell(f"starting {options['workers']} worker process{'es' if options['workers'] > 1 else ''}")
    try:
        with _quiet_dask(), connect(options["dask"], options["workers"]) as client:
            shards = options["shards"] or options["workers"] or max(1, len(client.scheduler_info()["workers"]))
            return train_files(paths, wishes, plan, client=client, shards=shards, settings=settings, tell=tell)
    except KeyboardInterrupt as error:
        place = options["checkpoint"]
        if place is None or not Path(place).exists():
            raise
        raise KeyboardInterrupt(f"no model was written; {place} is kept, and --resume goes on from it") from error


@contextmanager
def _quiet_dask() -> Iterator[None]:
    """Dask logs every worker that comes and goes; what matters reaches the user as an error."""
    import logging

    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
