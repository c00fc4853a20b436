"""Writes an HTML file that redirects the browser to the lab.

A browser is started with an address on its command line, which every user of the machine can list. To keep the token
secret, the browser is given the path of a file that only its owner can read; the file redirects to the address with
the token.
"""

import contextlib
import html
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def redirect_file(address: str) -> Iterator[str]:
    """Yields the `file:` address of the redirect page, and deletes the file on exit."""
    with tempfile.TemporaryDirectory(prefix="rosenblatt-lab-", ignore_cleanup_errors=True) as folder:
        page = Path(folder, "open.html")
        page.touch(mode=0o600, exist_ok=False)
        target = html.escape(address)
        page.write_text(
            "<!doctype html>\n"
            '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="referrer" content="no-referrer">\n'
            f'<meta http-equiv="refresh" content="0; url={target}">\n'
            "<title>The lab</title>\n</head>\n"
            f'<body>\n<p><a href="{target}">Open the lab</a></p>\n</body>\n</html>\n',
            encoding="utf-8",
        )
        yield page.as_uri()
