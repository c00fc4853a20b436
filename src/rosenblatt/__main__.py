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
    from rosenblatt.cli.standard_streams import make_whole

    make_whole()
    try:
        main(prog_name="rosenblatt")
    except SystemExit as end:
        if isinstance(end.code, int | None):
            _leave(end.code or 0)
        raise


def _leave(code: int) -> None:
    # To free every module and array one by one takes a tenth of the time of training on 90 MB. What was registered for
    # the end is done.
    from rosenblatt.cli.standard_streams import flush_failure

    atexit._run_exitfuncs()
    failure = flush_failure()
    with suppress(OSError):
        if failure and not code:
            print(f"Error: {failure}", file=sys.stderr)
        sys.stderr.flush()
    os._exit(code or int(failure is not None))


if __name__ == "__main__":
    run()
