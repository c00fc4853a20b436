"""The page of commands is the commands' own help."""

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_commands_is_what_the_commands_say():
    made = runpy.run_path(str(DOCS / "make_cli.py"))
    assert (DOCS / "cli.md").read_text() == made["page"](), "run: python docs/make_cli.py"
