"""The lab without a server: a folder for any static host, or one file that also opens from disk.

The engine is the committed WebAssembly module; the built-in data sets, conventions and defaults
are read from the installed library.
"""

import base64
import json
from pathlib import Path
from typing import Any

from rosenblatt import data
from rosenblatt.lab.jobs.catalogue import catalogue
from rosenblatt.lab.jobs.engine_catalogue import engine_catalogue
from rosenblatt.lab.jobs.pasted_tables import Table, builtin
from rosenblatt.lab.jobs.service import encoded
from rosenblatt.lab.page.assets import STATIC, assets, no_script, text
from rosenblatt.lab.page.bundle import bundle
from rosenblatt.lab.page.replay_file import json_in_html, shell, standalone_page

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
    head = '<meta name="color-scheme" content="light dark">\n<title>rosenblatt lab</title>\n'
    body = f'{no_script()}\n<script type="application/json" id="lab-files">{json_in_html(files)}</script>\n'
    return standalone_page(head, body, script, sources=" 'wasm-unsafe-eval' blob:", workers="worker-src blob:; ")


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
