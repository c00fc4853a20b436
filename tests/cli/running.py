"""Runs commands as a shell would, in this process."""

import json
from typing import Any

from click.testing import CliRunner, Result

from rosenblatt.cli import main

PETS = "weight,colour,pet\n" + "".join(
    f"{4 + k % 5},{'black' if k % 3 else 'white'},cat\n{20 + k % 9},{'brown' if k % 2 else 'black'},dog\n"
    for k in range(40)
)


def run(*args: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def done(*args: object, stdin: str | bytes | None = None) -> str:
    """Standard output of a command that must succeed."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*args: object, stdin: str | bytes | None = None) -> Any:
    return json.loads(done(*args, "--json", stdin=stdin))


def error(*args: object, code: int = 1, stdin: str | bytes | None = None) -> str:
    """The one line that a failing command leaves on stderr."""
    result = run(*args, stdin=stdin)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    lines = result.stderr.strip().splitlines()
    if code == 1:
        assert len(lines) == 1, lines
        assert lines[0].startswith("Error: ")
    return lines[-1]
