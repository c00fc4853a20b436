"""Writes docs/cli.md from the commands themselves: `python docs/make_cli.py`. A test compares them."""

from pathlib import Path
from typing import Any

import click

from rosenblatt.cli import main

PAGE = Path(__file__).with_name("cli.md")

_HEAD = """# The command line

This page is made from the commands by `python docs/make_cli.py`; `rosenblatt COMMAND --help` says the same.

Data goes to standard output, notes and progress to standard error. `--json` makes every answer a JSON document. An
output file is written whole or not at all, and is never one that the command reads. Standard output that cannot be
written to its end is an error (a reader that goes away, as `| head` does, ends the command with 1 and without a word).
Characters that its encoding lacks are replaced; JSON has escapes then. What goes wrong is said in one line that names
the cause, the place and the remedy. [files.md](files.md) says which files can be read and what is in a model file.
"""


def page() -> str:
    """The page as it should be."""
    settings: dict[str, Any] = {**main.context_settings, "terminal_width": 90, "max_content_width": 90}
    parent = click.Context(main, info_name="rosenblatt", **settings)
    parts = [_HEAD, _block("rosenblatt", main.get_help(parent))]
    for name in main.list_commands(parent):
        command = main.get_command(parent, name)
        context = click.Context(command, info_name=command.name, parent=parent, **settings)
        parts.append(_block(f"rosenblatt {command.name}", command.get_help(context)))
        for part in command.commands.values() if isinstance(command, click.Group) else ():
            inner = click.Context(part, info_name=part.name, parent=context, **settings)
            parts.append(_block(f"rosenblatt {command.name} {part.name}", part.get_help(inner)))
    return "\n".join(parts)


def _block(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page())
