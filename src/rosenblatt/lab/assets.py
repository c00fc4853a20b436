"""The files of the page. They are read once and served by name, so that no request ever becomes a path."""

from functools import cache
from pathlib import Path

STATIC = Path(__file__).with_name("static")

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@cache
def assets() -> dict[str, tuple[str, bytes]]:
    """Type and content of each file, by its name below `static`."""
    return {
        path.relative_to(STATIC).as_posix(): (_TYPES[path.suffix], path.read_bytes())
        for path in sorted(STATIC.rglob("*"))
        if path.suffix in _TYPES
    }


def text(name: str) -> str:
    """A file of the page."""
    return assets()[name][1].decode()
