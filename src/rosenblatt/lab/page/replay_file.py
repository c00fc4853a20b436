"""Exports a run as one HTML file that replays offline. It contains the page's modules, styles and the recorded run."""

import base64
import hashlib
import html
import json
from functools import cache
from typing import Any

from rosenblatt.lab.page.assets import catalogues, styles
from rosenblatt.lab.page.bundle import bundle

#: Placeholder for the data in the shell. JavaScript (`panels/save.js`) also replaces it, so it must occur exactly once.
PLACE = "__LAB_DATA__"


@cache
def shell() -> str:
    """Returns the HTML file with `PLACE` instead of the data."""
    script = f"(() => {{\n{bundle('saved_page.js')}\n}})().start();"
    title = f"<title>{html.escape(catalogues()['en']['page.replay_title'], quote=False)}</title>\n"
    return standalone_page(title, f'<script type="application/json" id="lab-data">{PLACE}</script>\n', script)


def standalone_page(head: str, body: str, script: str, sources: str = "", workers: str = "") -> str:
    """Returns an HTML file that makes no network requests. Its policy admits this script and the page's styles only.

    `sources` are further sources of scripts, `workers` those of workers.
    """
    style = styles()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}{sources}; {workers}style-src {_hash(style)}; "
        "img-src data: blob:"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'{head}<style>{style}</style>\n</head>\n<body>\n<div id="lab"></div>\n'
        f"{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def json_in_html(value: Any) -> str:
    """Encodes a value as JSON that can stand in a `<script>` element, which "</script>" in a text would end."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def replay_page(recorded: dict[str, Any]) -> str:
    """Returns the complete HTML file for a recorded state. `saved_page.js` documents the format of `recorded`."""
    return shell().replace(PLACE, json_in_html(recorded))


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"
