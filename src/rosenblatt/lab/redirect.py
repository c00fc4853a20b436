"""A page on disk that leads the browser to the lab.

A browser is started with the address on its command line, which every user of the machine can list. So it is given the
name of a file that only its owner can read, and the address with the token is in that file.
"""

import contextlib
import html
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def redirect_file(address: str) -> Iterator[str]:
    """The file's own address; the file is gone at the end."""
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
