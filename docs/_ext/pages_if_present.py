"""A line `name*` of the guide's contents is the page `name` if there is one, and nothing otherwise."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx


def resolve(app: Sphinx, name: str, source: list[str]) -> None:
    if name == "guide":
        here = Path(app.srcdir)
        source[0] = re.sub(
            r"^([\w-]+)\*\n",
            lambda found: f"{found[1]}\n" if (here / f"{found[1]}.md").exists() else "",
            source[0],
            flags=re.M,
        )


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", resolve)
    return {"parallel_read_safe": True}
