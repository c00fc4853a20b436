"""The static files of the page. They are read once and looked up by name, so a request never becomes a file path."""

import html
import json
from functools import cache
from pathlib import Path
from typing import Any

STATIC = Path(__file__).parents[1] / "static"

#: The module with the texts of all languages, made from `strings/*.json`. Pages of every kind import it, so that
#: the bundles of a saved page, a notebook and the single file contain the texts and request nothing.
TEXTS = "strings/catalogues.js"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@cache
def assets() -> dict[str, tuple[str, bytes]]:
    """Returns the media type and content of each file. Keys are paths relative to `static`."""
    files = {
        path.relative_to(STATIC).as_posix(): (_TYPES[path.suffix], path.read_bytes())
        for path in sorted(STATIC.rglob("*"))
        if path.suffix in _TYPES
    }
    media_type, page = files["index.html"]
    files["index.html"] = media_type, page.replace(b"<noscript></noscript>", no_script().encode())
    # A page contains the module inside a <script>, which "</script>" in a text would end.
    texts = json.dumps(catalogues(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return files | {TEXTS: (_TYPES[".js"], f"export const CATALOGUES = {texts};\n".encode())}


@cache
def catalogues() -> dict[str, dict[str, Any]]:
    """Returns the texts of each language by their keys."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((STATIC / "strings").glob("*.json"))}


def no_script() -> str:
    """Returns the element that a browser without JavaScript shows, in all languages."""
    sentences = [f'<p lang="{code}">{html.escape(texts["page.no_script"])}</p>' for code, texts in catalogues().items()]
    return f"<noscript>{''.join(sentences)}</noscript>"


def text(name: str) -> str:
    """Returns the content of one static file as text."""
    return assets()[name][1].decode()


def styles() -> str:
    """Returns the style sheets of the page as one text, in the order of `index.html`."""
    return "".join(text(f"ui/{name}.css") for name in ("style", "benches", "layout"))
