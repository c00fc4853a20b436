"""What a page needs to know before it asks for anything: data sets, dialects, algorithms, limits."""

from typing import Any

from rosenblatt import conventions, data
from rosenblatt.core import __version__
from rosenblatt.lab import limits
from rosenblatt.lab.asking import ALGORITHMS
from rosenblatt.lab.tables import Table

_DIALECTS = ("L0", "L1", "L1_offset", "L2", "L3", "L4")


def catalogue(given: Table | None) -> dict[str, Any]:
    """The catalogue, as it is sent."""
    return {
        "version": __version__,
        "given": given.name if given else None,
        "datasets": data.descriptions(),
        "conventions": {name: _dialect(name) for name in _DIALECTS},
        "algorithms": list(ALGORITHMS),
        "limits": {
            "points": limits.MAX_POINTS,
            "classes": limits.MAX_CLASSES,
            "steps": limits.MAX_STEPS,
            "kernel_seconds": limits.KERNEL_SECONDS,
        },
    }


def _dialect(name: str) -> dict[str, Any]:
    convention = getattr(conventions, name)
    return {"values": dict(convention), "sources": convention.sources}
