"""The lab: one page that replays the engine's own runs, step by step. `serve` starts it; see docs/lab.md."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.lab.server import serve

__all__ = ["serve"]


def __getattr__(name: str) -> Any:
    if name == "serve":
        from rosenblatt.lab.server import serve

        return serve
    raise AttributeError(f"module 'rosenblatt.lab' has no attribute {name!r}")
