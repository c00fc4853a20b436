"""Calls a student's function in this process: with copies of the inputs, and limits of time and output."""

import ctypes
import io
import sys
import threading
import time
import traceback
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt.teaching.grading.submissions.submission import MOST_VECTORS, NotAPath

_MOST_OUTPUT = 1_000_000
_GRACE = 2.0  # seconds for a stopped function to end


class _OutputLimitExceeded(BaseException):
    pass


class _TimeLimitExceeded(BaseException):
    pass


class _Counted(io.TextIOBase):
    """Discards the output of a function, up to a limit."""

    def __init__(self) -> None:
        self.left = _MOST_OUTPUT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.left -= len(text)
        if self.left < 0:
            raise _OutputLimitExceeded
        return len(text)


def call(fit: Callable[..., Any], X: Any, y: Any, seconds: float) -> tuple[Any, str | None]:
    """The result of `fit(X, y)`, and a sentence if it changed its inputs; raises `NotAPath` if it does not return.

    A generator is read within the limits, too. The function runs in a thread: an endless loop in compiled code
    cannot be stopped and keeps running, but the grader continues.
    """
    mine = np.array(X), np.array(y)
    theirs = mine[0].copy(), mine[1].copy()
    found: dict[str, Any] = {}

    def run() -> None:
        try:
            with np.errstate(all="ignore"):
                result = fit(*theirs)
                found["result"] = list(_limited(result)) if hasattr(result, "__next__") else result
        except BaseException as error:
            found["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    standard = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = _Counted()
    try:
        thread.start()
        thread.join(seconds)
        if thread.is_alive():
            _stop(thread)
    finally:
        sys.stdout, sys.stderr = standard
    if thread.is_alive() or isinstance(found.get("error"), _TimeLimitExceeded):
        raise NotAPath(f"Your function did not end within {seconds:g} seconds: does its loop ever stop?")
    if "error" in found:
        raise NotAPath(failure(found["error"]))
    changed = [name for name, a, b in zip("Xy", mine, theirs, strict=True) if not _same(a, b)]
    note = f"Your function changes its input {' and '.join(changed)}: work on a copy." if changed else None
    return found["result"], note


def failure(error: BaseException) -> str:
    """An exception of a student's function, in a sentence."""
    if isinstance(error, _OutputLimitExceeded):
        return f"Your function prints more than {_MOST_OUTPUT:,} characters: remove the print from the loop."
    if isinstance(error, ModuleNotFoundError):
        return f"Your code imports {error.name!r}, which is not installed here: use NumPy or plain Python."
    if isinstance(error, SystemExit):
        return "Your function ends the whole program (exit): let it return instead."
    if isinstance(error, MemoryError):
        return "Your function needs more memory than there is."
    if isinstance(error, RecursionError):
        return "Your function calls itself without an end."
    last = traceback.extract_tb(error.__traceback__)
    where = f" in line {last[-1].lineno} ({last[-1].line})" if last and last[-1].line else ""
    return f"Your function stopped with {type(error).__name__}{where}: {error}."


def _limited(vectors: Any) -> Any:
    return (np.array(entry) if isinstance(entry, np.ndarray) else entry for entry in islice(vectors, MOST_VECTORS + 1))


def _stop(thread: threading.Thread) -> None:
    """Raises an exception in the thread until it has ended or the grace period is over."""
    end = time.monotonic() + _GRACE
    while thread.is_alive() and time.monotonic() < end:
        identity = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(_TimeLimitExceeded))
        thread.join(0.1)


def _same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool((a == b).all())
