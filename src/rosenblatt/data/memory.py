"""Available memory, checked before a large allocation: an error message is better than a killed process."""

from rosenblatt.available_memory import available_memory
from rosenblatt.data.errors import DataError


def room_for_bytes() -> int | None:
    """Bytes of a file that may be held in memory: half of what is available, since the examples need as much again."""
    available = available_memory()
    return None if available is None else available // 2


def check_bytes(needed: int, what: str, remedy: str | None = None) -> None:
    """Refuses an allocation of `needed` bytes if it exceeds half of the available memory."""
    room = room_for_bytes()
    if room is not None and needed > room:
        raise too_large(room, f"{what} {megabytes(needed)},", remedy)


def check_matrix(rows: int, columns: int, name: str) -> None:
    """Refuses a table whose numbers, in double precision, exceed the available memory."""
    needed, available = 8 * rows * columns, available_memory()
    if available is not None and needed > available:
        what = f"{name}: about {rows:,} rows of {columns:,} columns need {megabytes(needed)},"
        raise too_large(available, what, share="")


def too_large(room: int, what: str, remedy: str | None = None, share: str = "half of ") -> DataError:
    """The error for a file that needs more than `room` bytes."""
    remedy = remedy or "rosenblatt train --stream and, in Python, data.scan read it block by block."
    return DataError(f"{what} more than {megabytes(room)}, {share}the memory that is available. {remedy}")


def megabytes(n: int) -> str:
    """Formats a number of bytes for messages.

    >>> megabytes(32_000_000_000)
    '32,000 MB'
    """
    return f"{n / 1e6:,.0f} MB"
