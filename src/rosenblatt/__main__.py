"""`python -m rosenblatt` and `rosenblatt` are the command line."""

import atexit
import gc
import os
import sys
from contextlib import suppress


def run() -> None:
    """Runs the command and ends the process, without taking apart what the system frees at once."""
    gc.set_threshold(100_000)  # imports make many objects and no garbage: looking for it as often as usual takes 10 ms
    from rosenblatt.data.ahead import look_ahead

    look_ahead(sys.argv[1:])
    from rosenblatt.cli import main

    try:
        main(prog_name="rosenblatt")
    except SystemExit as end:
        if isinstance(end.code, int | None):
            _leave(end.code or 0)
        raise


def _leave(code: int) -> None:
    # To free every module and array one by one takes a tenth of the time of training on 90 MB. What was registered for
    # the end is done; what cannot be flushed is left to the interpreter, which says so.
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    run()
