"""A run as one file that replays offline: the page's own modules, its styles, and the recorded run."""

import base64
import hashlib
import json
from functools import cache
from typing import Any

from rosenblatt.lab.assets import text
from rosenblatt.lab.bundle import bundle

#: Where the data goes. A page replaces it too, so it stands exactly once in the shell.
PLACE = "__LAB_DATA__"


@cache
def shell() -> str:
    """The file without its data."""
    script = f"(() => {{\n{bundle('embedded.js')}\n}})().start();"
    style = text("style.css") + text("benches.css")
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data: blob:"
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<title>A perceptron's run</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
        '<div id="lab"></div>\n'
        f'<script type="application/json" id="lab-data">{PLACE}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def replay_page(recorded: dict[str, Any]) -> str:
    """The whole file for what a page has recorded: see `embedded.js` for its form."""
    data = json.dumps(recorded, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return shell().replace(PLACE, data)


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
