"""All modules of the page as one: for a file that works without a server, and for a notebook.

The page's own modules keep to a simple form: imports first, by name, from a relative path; `export` only before
`function`, `class`, `const` or `async function`; no cycles. So putting them together needs no parser: each becomes a
function that returns what it exports, in an order in which every module comes after those that it imports.
"""

import posixpath
import re

from rosenblatt.lab.assets import assets, text

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)


class BundleError(ValueError):
    """A module has a form that the bundle does not know."""


def bundle(entry: str) -> str:
    """A script that runs the module `entry` and returns what it exports."""
    order: list[str] = []
    _visit(entry, order, ())
    parts = [f"const {_variable(name)} = (() => {{\n{_as_function(name)}}})();" for name in order]
    return "\n".join(['"use strict";', *parts, f"return {_variable(entry)};"])


def _visit(name: str, order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise BundleError(f"modules import each other in a circle: {' → '.join([*above, name])}.")
    if name in order:
        return
    if name not in assets():
        raise BundleError(f"{above[-1] if above else 'the bundle'} imports {name}, which does not exist.")
    for _, path in _IMPORT.findall(text(name)):
        _visit(_resolved(name, path), order, (*above, name))
    order.append(name)


def _as_function(name: str) -> str:
    source = text(name)
    exported = [found for _, found in _EXPORT.findall(source)]
    source = _IMPORT.sub(
        lambda m: f"const {{{m[1].replace(' as ', ': ')}}} = {_variable(_resolved(name, m[2]))};", source
    )
    source = _EXPORT.sub(r"\1 \2", source)
    strange = _OTHER.search(source)
    if strange is not None:
        raise BundleError(f"{name}: {strange[0].strip()!r} is not a form that the bundle knows.")
    return f"{source}\nreturn {{{', '.join(exported)}}};\n"


def _resolved(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _variable(name: str) -> str:
    return "m_" + re.sub(r"\W", "_", name)
