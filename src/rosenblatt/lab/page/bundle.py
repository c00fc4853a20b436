"""Bundles all JavaScript modules of the page into one script, for saved HTML files and for notebooks.

The modules follow a restricted form: imports come first, by name, from a relative path; `export` appears only before
`function`, `class`, `const` or `async function`; there are no import cycles. So bundling needs no parser: each module
becomes a function that returns its exports, and modules are emitted in topological order of their imports.
"""

import posixpath
import re

from rosenblatt.lab.page.assets import assets, text

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_OTHER = re.compile(r"^\s*(?:import|export)\b.*$", re.MULTILINE)


class BundleError(ValueError):
    """A module uses an import or export form that the bundler does not support."""


def bundle(entry: str) -> str:
    """Returns a script that runs the module `entry` and returns its exports."""
    order: list[str] = []
    _visit(entry, order, ())
    parts = [f"const {_variable(name)} = (() => {{\n{_as_function(name)}}})();" for name in order]
    return "\n".join(['"use strict";', *parts, f"return {_variable(entry)};"])


def _visit(name: str, order: list[str], importers: tuple[str, ...]) -> None:
    if name in importers:
        raise BundleError(f"modules import each other in a circle: {' → '.join([*importers, name])}.")
    if name in order:
        return
    if name not in assets():
        raise BundleError(f"{importers[-1] if importers else 'the bundle'} imports {name}, which does not exist.")
    for _, path in _IMPORT.findall(text(name)):
        _visit(_resolved(name, path), order, (*importers, name))
    order.append(name)


def _as_function(name: str) -> str:
    source = text(name)
    exported = [found for _, found in _EXPORT.findall(source)]
    source = _IMPORT.sub(
        lambda m: f"const {{{m[1].replace(' as ', ': ')}}} = {_variable(_resolved(name, m[2]))};", source
    )
    source = _EXPORT.sub(r"\1 \2", source)
    unsupported = _OTHER.search(source)
    if unsupported is not None:
        raise BundleError(f"{name}: {unsupported[0].strip()!r} is not a form that the bundle knows.")
    return f"{source}\nreturn {{{', '.join(exported)}}};\n"


def _resolved(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _variable(name: str) -> str:
    return "m_" + re.sub(r"\W", "_", name)
