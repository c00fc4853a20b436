"""The catalogue that a page loads before its first request: data sets, conventions, algorithms, limits."""

from typing import Any

from rosenblatt import conventions, data
from rosenblatt.conventions.own_dialect import NAMES
from rosenblatt.core import __version__
from rosenblatt.lab import limits
from rosenblatt.lab.jobs.pasted_tables import Table
from rosenblatt.lab.requests.run_requests import ALGORITHMS


def catalogue(given: Table | None, own: conventions.Convention | None = None) -> dict[str, Any]:
    """Returns the catalogue as JSON values. If `own`, a dialect of the user, is given, the page opens with it."""
    known = {name: getattr(conventions, name) for name in NAMES}
    if own is not None:
        known[own.name] = own
    return {
        "version": __version__,
        "given": given.name if given else None,
        "datasets": data.descriptions(),
        "conventions": {name: _dialect(convention) for name, convention in known.items()},
        "opens_with": own.name if own else None,
        "algorithms": list(ALGORITHMS),
        "limits": {
            "points": limits.MAX_POINTS,
            "classes": limits.MAX_CLASSES,
            "steps": limits.MAX_STEPS,
            "kernel_seconds": limits.KERNEL_SECONDS,
        },
    }


def _dialect(convention: conventions.Convention) -> dict[str, Any]:
    words = conventions.describe(convention)
    return {"values": dict(convention), "sources": convention.sources, "words": words}
