"""Progress of reading a large file: the disk space of its copy, then a progress bar."""

import sys
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any

from rosenblatt.cli.output.printing import note
from rosenblatt.meter import no_meters

if TYPE_CHECKING:
    from rosenblatt.models.training.sources.stream_source import CacheProgress


def _disk_use(now: "CacheProgress") -> str:
    from rosenblatt.learning.rows.row_cache import readable_size

    until = f"of disk in {now.folder} until the training is over (--cache-folder names another place)"
    if now.of:
        return f"the examples take about {readable_size(now.expected)} {until}"
    return f"{now.examples:,} examples take {readable_size(now.written)} {until}; how many come is not known"


class ReadingLine(AbstractContextManager["ReadingLine"]):
    """Prints the disk use once, then shows the speed and the remaining time of reading."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._open = ExitStack()
        self._bar: Any = None
        self._task: Any = None
        self._stated = False

    def show(self, now: "CacheProgress") -> None:
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
                self._open.close()

    def _begin(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("reading"), BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, TextColumn("{task.fields[examples]}"), console=Console(stderr=True))
        self._task = self._bar.add_task("reading", total=total, examples="")
        self._open.enter_context(no_meters())
        self._open.enter_context(self._bar)

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._open.close()
