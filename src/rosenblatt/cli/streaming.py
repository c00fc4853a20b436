"""`rosenblatt train --stream`: progress while a large file is read, and what the report needs of it."""

import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from rosenblatt.cli.printing import note

if TYPE_CHECKING:
    from rosenblatt.models import Trained
    from rosenblatt.models.streaming import Caching


class Streamed:
    """What a report says of the data: as `data.Loaded`, but the examples are gone."""

    def __init__(self, name: str, n_examples: int, fingerprint: str, notes: tuple[str, ...]) -> None:
        self.name, self.n_examples, self.fingerprint, self.notes = name, n_examples, fingerprint, notes

    def scales_differ(self) -> bool:
        return False  # nobody has looked


def stream(
    source: str, wishes: Any, algorithm: str | None, parameters: dict[str, Any], options: dict[str, Any]
) -> "tuple[Trained, Streamed]":
    """Trains on a stream, and tests on another where asked for."""
    from rosenblatt.data import scan
    from rosenblatt.models import Plan
    from rosenblatt.models.streaming import assess_stream, train_stream

    if options["plot_file"] and options["plot_kind"] not in ("auto", "mistakes"):
        raise click.UsageError("--stream keeps no examples: --plot can draw the mistakes only.")
    if options["plot_file"]:
        options["plot_kind"] = "mistakes"
    quiet = options["quiet"] or options["as_json"]
    plan = Plan(
        algorithm=algorithm,
        parameters=parameters,
        scale=options["scale"],
        held_out=options["holdout"] or 0.0,
        folds=options["cv"] or 0,
        assess=not options["quiet"],
        verbose=not quiet,
    )
    with ReadingLine(quiet) as line:
        scanned = scan(source, wishes)
        trained = train_stream(scanned, plan, cache_folder=options["cache_folder"], watch=line.show)
    if options["test"]:
        test = scan(options["test"], wishes, like=trained.record.features)
        trained = replace(trained, held_out=assess_stream(trained.record, test))
    training = trained.record.training
    return trained, Streamed(scanned.name, training["examples"], training["fingerprint"], scanned.notes)


def _disk_use(now: "Caching") -> str:
    from rosenblatt.learning.row_cache import readable_size

    until = f"of disk in {now.folder} until the training is over (--cache-folder names another place)"
    if now.of:
        return f"the examples take about {readable_size(now.expected)} {until}"
    return f"{now.examples:,} examples take {readable_size(now.written)} {until}; how many come is not known"


class ReadingLine(AbstractContextManager["ReadingLine"]):
    """States the disk use, then follows the reading: how fast it is, and how long it will take."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None
        self._stated = False

    def show(self, now: "Caching") -> None:
        if self._quiet:
            return
        if not self._stated:
            self._stated = True
            note(_disk_use(now))
            if sys.stderr.isatty() and now.of:
                self._begin(now.of)
        if self._bar is not None:
            self._bar.update(self._task, completed=now.read, examples=f"{now.examples:,} examples")
            if now.read >= now.of:
                self._bar.stop()

    def _begin(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, TextColumn("{task.fields[examples]}"), console=Console(stderr=True))
        self._task = self._bar.add_task("reading", total=total, examples="")
        self._bar.start()

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
