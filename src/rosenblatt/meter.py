"""A progress line for calls that take longer than about two seconds: what is done, how far, and how long it may take.

The line is written to stderr, and only if stderr is a terminal. It disappears when the call ends. A call that runs C++
code does so in slices of about a tenth of a second and calls `update` between them; there Python handles Ctrl-C too.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import ClassVar, Self, TypeVar

T = TypeVar("T")

#: Seconds before the line appears, and between two updates of it.
_WAIT = 2.0
_REFRESH = 0.2

_WIDTH = 110  # characters, if the terminal does not state its width


class Meter(AbstractContextManager["Meter"]):
    """The progress line of one call. Of nested meters the innermost is shown, and only in the main thread.

    An outer meter writes nothing while an inner one is active, and within `no_meters` none writes anything.

    Parameters
    ----------
    what : str
        The call, such as "min_error" or "Perceptron.fit".
    total : float, optional
        The value of `done` at which the call ends at the latest: all of the work, or a budget in counted work.
    unit : str, optional
        The name of what is counted, such as "pairs".

    Examples
    --------
    >>> with Meter("counting", total=3, unit="numbers") as meter:
    ...     for number in range(3):
    ...         meter.update(number)
    """

    _shown: ClassVar[list["Meter"]] = []
    _hidden: ClassVar[int] = 0  # how many other displays have the line

    def __init__(self, what: str, total: float | None = None, unit: str = "") -> None:
        self._what, self._total, self._unit = what, total, unit
        self._begin = self._next = 0.0
        self._visible = False
        self._active = False

    def __enter__(self) -> Self:
        self._begin = time.monotonic()
        self._next = self._begin + _WAIT
        self._active = threading.current_thread() is threading.main_thread() and _is_terminal()
        if self._active:
            Meter._shown.append(self)
        return self

    def update(self, done: float | None = None, detail: str | Callable[[], str] = "") -> None:
        """Shows the present state, at most five times a second. `done` is compared with `total`.

        `detail` is a text, or a function that returns it and is called only if the line is shown.
        """
        if not self._active or Meter._shown[-1] is not self or Meter._hidden:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _REFRESH
        self._visible = True
        text = detail if isinstance(detail, str) else detail()
        _write("\r\x1b[K" + self._line(now - self._begin, done, text, _width()))

    def erase(self) -> None:
        """Erases the line, before something else is printed. The next update shows it again, at once."""
        if self._visible:
            self._visible = False
            self._next = 0.0
            _write("\r\x1b[K")

    def _line(self, elapsed: float, done: float | None, detail: str, width: int) -> str:
        """The longest of the possible lines that fits: a line that wraps could not be erased."""
        count = left = ""
        if done is not None:
            count = f"{done:,.1f}" if done < 100 and done != int(done) else f"{done:,.0f}"
            count = (count + (f" of {self._total:,.0f}" if self._total else "") + f" {self._unit}").rstrip()
        if done and self._total and done <= self._total:
            left = f"at most {duration(elapsed * (self._total - done) / done)} left"
        lines = [
            f"{self._what}: " + ", ".join(filter(None, (count, shown, duration(elapsed), left))) + hint
            for shown in (detail, "")
            for hint in (" (Ctrl-C stops)", "")
        ]
        return next((line for line in lines if len(line) <= width), lines[-1][:width])

    def __exit__(self, *exception: type[BaseException] | BaseException | TracebackType | None) -> None:
        if not self._active:
            return
        Meter._shown.remove(self)
        self.erase()


@contextmanager
def no_meters() -> Iterator[None]:
    """Hides all meters while another display has the line, such as a bar of rich.

    A bar of rich replaces sys.stderr and prints each update of a meter as a line that stays.
    """
    Meter._hidden += 1
    try:
        yield
    finally:
        Meter._hidden -= 1


def counted(items: Collection[T], what: str, unit: str) -> Iterator[T]:
    """Yields the items and shows how many of them have been used.

    >>> list(counted("abc", "spelling", "letters"))
    ['a', 'b', 'c']
    """
    with Meter(what, len(items), unit) as meter:
        for done, item in enumerate(items, 1):
            yield item
            meter.update(done)


def duration(seconds: float) -> str:
    """Minutes and seconds, or hours and minutes.

    >>> duration(75), duration(4000)
    ('1:15', '1 h 06 min')
    """
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02d}" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _width() -> int:
    """The number of characters that fit into a line without wrapping."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a stream that is a terminal without a file descriptor
        columns = 0
    return columns - 1 if columns > 0 else _WIDTH


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
