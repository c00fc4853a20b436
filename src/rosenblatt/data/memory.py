"""How much memory is left, asked before much of it is taken: a refusal is better than a process that is killed."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from rosenblatt.data.errors import DataError


def available_memory() -> int | None:
    """Bytes that this process can still take; None where the system does not tell."""
    return min((known for known in (_of_system(), _of_container(), _of_process()) if known is not None), default=None)


def room_for_bytes() -> int | None:
    """Bytes of a file that may be held: half of the memory, since the examples take about as much again."""
    available = available_memory()
    return None if available is None else available // 2


def check_bytes(needed: int, what: str, remedy: str | None = None) -> None:
    """Refuses so many bytes where there is no room for them."""
    room = room_for_bytes()
    if room is not None and needed > room:
        raise beyond(room, f"{what} {megabytes(needed)},", remedy)


def check_matrix(rows: int, columns: int, name: str) -> None:
    """Refuses a table whose numbers, in double precision, do not fit into the memory that is left."""
    needed, available = 8 * rows * columns, available_memory()
    if available is not None and needed > available:
        what = f"{name}: about {rows:,} rows of {columns:,} columns need {megabytes(needed)},"
        raise beyond(available, what, share="")


def beyond(room: int, what: str, remedy: str | None = None, share: str = "half of ") -> DataError:
    """What to say of a file that is larger than the room for it."""
    remedy = remedy or "rosenblatt train --stream and, in Python, data.scan read it block by block."
    return DataError(f"{what} more than {megabytes(room)}, {share}the memory that is available. {remedy}")


def megabytes(n: int) -> str:
    """A number of bytes as messages have it.

    >>> megabytes(32_000_000_000)
    '32,000 MB'
    """
    return f"{n / 1e6:,.0f} MB"


def _of_system() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(AttributeError, OSError, ValueError):  # macOS tells how much there is, free or not
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _of_container() -> int | None:
    """What a control group leaves, of version 2 or 1. Cached files are given back when memory is short."""
    for folder, limit, usage, cached in (
        ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ):
        with suppress(OSError, ValueError):  # "max" is no number: no limit
            left = int(Path(folder, limit).read_text()) - int(Path(folder, usage).read_text())
            return max(left + _entry(Path(folder, "memory.stat").read_text().splitlines(), cached), 0)
    return None


def _entry(lines: Iterable[str], name: str) -> int:
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0)


def _of_process() -> int | None:
    """What `ulimit -v` leaves."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            return max(limit - pages * resource.getpagesize(), 0)
    return None
