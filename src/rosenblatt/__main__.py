"""`python -m rosenblatt` and `rosenblatt` are the command line."""

import os
import sys

from rosenblatt.cli import main
from rosenblatt.cli.output.standard_streams import flush_failure, make_whole


def run() -> None:
    """Runs the command; output that cannot be written makes it fail."""
    make_whole()
    try:
        main(prog_name="rosenblatt")
    except SystemExit as end:
        failure = flush_failure()
        if failure is None:
            raise
        if failure and not end.code:
            print(f"Error: {failure}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the interpreter flushes the stream again at exit
        sys.exit(end.code or 1)


if __name__ == "__main__":
    run()
