"""Errors of a command: one line on standard error and an exit code instead of a traceback."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import click

from rosenblatt.cli.output.printing import echo
from rosenblatt.conventions.value_kinds import ParameterError
from rosenblatt.internal_error import InternalError

WRONG_USAGE = 2
NOT_AS_ASKED = 3
INTERRUPTED = 130


class OneLineErrors(click.Group):
    """A group whose commands report errors of input, files or memory as one line on stderr.

    If ROSENBLATT_TRACEBACK is set, the exception is raised.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        run = partial(super().main, args, prog_name, complete_var, **extra)
        if not standalone_mode or os.environ.get("ROSENBLATT_TRACEBACK"):
            return run(standalone_mode=standalone_mode)
        sys.exit(_guarded(partial(run, standalone_mode=False)))


def _guarded(run: Callable[[], Any]) -> int:
    try:
        code = run()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        echo(message.getvalue().rstrip("\n"), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        what_is_left = str(error.__cause__ or "") or "nothing was written"  # click raises Abort from the interrupt
        echo(f"Interrupted: {what_is_left}.", err=True)
        return INTERRUPTED
    except MemoryError as error:
        return _fail(f"not enough memory ({error or 'no details'}). Use fewer examples or features.")
    except OSError as error:
        place = f"{error.filename}: " if error.filename is not None else ""
        return _fail(f"{place}{error.strerror or str(error).removesuffix('.')}.")
    except InternalError as error:
        return _fail(str(error))
    except ParameterError as error:
        return _fail(str(error), WRONG_USAGE)
    except (ValueError, TypeError, ModuleNotFoundError) as error:
        if isinstance(error, ModuleNotFoundError) and "pip install" not in str(error):
            raise
        return _fail(str(error))


def _fail(message: str, code: int = 1) -> int:
    echo(f"Error: {' '.join(message.split())}", err=True)
    return code
