"""Statements point at the tests that show them: `tests/a.py::test_b` in a page of `lectures/` becomes a link.

The page it leads to has the source of every test so named; a name without a test is an error of the build.
"""

import ast
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROOT = Path(__file__).parents[2]

_HEAD = """:orphan:

The tests behind the statements
===============================

Each test that a page about a lecture names, as it stands.

"""


def named_tests(folder: Path) -> list[tuple[str, str]]:
    """(file, test) of all names in the pages of a folder, each once, in order."""
    pages = sorted(folder.glob("*.md"))
    return list(dict.fromkeys(found for page in pages for found in NAMED.findall(page.read_text(encoding="utf-8"))))


def source_of(file: str, test: str) -> str:
    """A test's source, decorators included."""
    text = (ROOT / file).read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == test:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    raise ExtensionError(f"{file} has no test called {test}, which a page of docs/lectures names.")


def write_tests(app: Sphinx) -> None:
    """Makes the page of tests, and leaves it alone if nothing changed."""
    parts = [_HEAD]
    for file, test in named_tests(Path(app.srcdir) / "lectures"):
        source = "\n".join(f"   {line}".rstrip() for line in source_of(file, test).splitlines())
        title = sentence(test).capitalize()
        parts.append(f".. _{target(test)}:\n\n{title}\n{'-' * len(title)}\n\n``{file}``\n\n")
        parts.append(f".. code-block:: python\n\n{source}\n\n")
    page, text = Path(app.srcdir) / "lectures" / "tests.rst", "".join(parts)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def sentence(test: str) -> str:
    """What a test says, in words."""
    return test.removeprefix("test_").replace("_", " ")


def target(test: str) -> str:
    return test.replace("_", "-")


def link_tests(app: Sphinx, name: str, source: list[str]) -> None:
    if name.startswith("lectures/") and name != "lectures/tests":
        source[0] = NAMED.sub(lambda found: f"[{sentence(found[2])}](#{target(found[2])})", source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_tests)
    app.connect("source-read", link_tests)
    return {"parallel_read_safe": True}
