"""The pages of the documentation, and the code blocks in them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Folders that a build fills.
_MADE = ("examples", "generated", "_build")
_FENCE = re.compile(r"(<!-- not run: .+ -->\n)?^( *)```(\w+)[^\n]*\n(.*?)^\2```$", flags=re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line it begins on.

    One with a comment `<!-- not run: why -->` in the line above is left out: it needs what a test has not.
    """

    language: str
    text: str
    line: int


def pages() -> list[Path]:
    """Every page of docs/ that a person wrote."""
    return [page for page in sorted(DOCS.rglob("*.md")) if not set(_MADE) & set(page.relative_to(DOCS).parts)]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[3], found[4], text.count("\n", 0, found.start(4)))
        for found in _FENCE.finditer(text)
        if not found[1]
    ]


def commands(page: Path) -> list[str]:
    """The lines of a page's bash blocks that call `rosenblatt`, comments left out."""
    lines = [line for block in blocks(page) if block.language == "bash" for line in block.text.splitlines()]
    return [line for line in lines if line.startswith("rosenblatt ")]
