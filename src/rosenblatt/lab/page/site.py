"""The lab without a server: a folder for any static host, or one file that also opens from disk.

The engine is the committed WebAssembly module; the built-in data sets, conventions and defaults
are read from the installed library.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from rosenblatt import data
from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.jobs.engine_catalogue import engine_catalogue
from rosenblatt.lab.jobs.pasted_tables import Table, builtin
from rosenblatt.lab.jobs.service import encoded
from rosenblatt.lab.page.assets import STATIC, assets, no_script, styles, text
from rosenblatt.lab.page.bundle import bundle
from rosenblatt.lab.page.replay_file import shell

_ENGINE = STATIC / "engine" / "engine.wasm"
_CLASSES = STATIC / "engine" / "boolean" / "classes.json"
_SERVER_ONLY = ("main.js", "widget.js", "saved_page.js", "single_file.js", "index.html")


def write_site(folder: Path) -> list[Path]:
    """Writes the static lab into a folder and returns the paths of the files. Creates the folder if necessary."""
    files = {name: content for name, (_, content) in assets().items() if name not in _SERVER_ONLY}
    written = {f"static/{name}": content for name, content in files.items()}
    written["static/engine/engine.wasm"] = _ENGINE.read_bytes()
    written["static/site/catalogue.json"] = encoded(_catalogue())
    written["static/site/shell.html"] = shell().encode()
    written |= {f"static/site/{name}.json": encoded(_table(builtin(name))) for name in data.names()}
    written["index.html"] = text("index.html").replace("static/main.js", "static/site_main.js").encode()
    paths = []
    for name, content in written.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    return paths


def single_file() -> str:
    """Returns the static lab as one HTML file, which makes no network requests."""
    files = {
        "catalogue": _catalogue(),
        "tables": {name: _table(builtin(name)) for name in data.names()},
        "shell": shell(),
        "wasm": base64.b64encode(_ENGINE.read_bytes()).decode(),
        "worker": f"(() => {{\n{bundle('engine/worker.js')}\n}})().answerMessages(self);",
    }
    start = "start(JSON.parse(document.getElementById('lab-files').textContent))"
    script = f"(() => {{\n{bundle('single_file.js')}\n}})().{start};"
    style = styles()
    policy = (
        f"default-src 'none'; script-src {_hash(script)} 'wasm-unsafe-eval' blob:; worker-src blob:; "
        f"style-src {_hash(style)}; img-src data: blob:"
    )
    content = json.dumps(files, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<title>rosenblatt lab</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="lab"></div>\n{no_script()}\n'
        f'<script type="application/json" id="lab-files">{content}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _catalogue() -> dict[str, Any]:
    return catalogue(None) | {"engine": engine_catalogue(), "boolean_classes": json.loads(_CLASSES.read_text())}


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "columns": table.columns,
        "classes": table.classes,
        "codes": table.codes.tolist(),
        "rows": [[int(value) if value.is_integer() else value for value in row] for row in table.X.tolist()],
    }


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
