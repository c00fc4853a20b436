"""The lab: a page that replays recorded runs of the engine step by step. See docs/lab.md.

`serve` starts the lab on this machine; `widget` shows it in a notebook.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.lab.notebook import widget
    from rosenblatt.lab.server.serve import serve

__all__ = ["serve", "widget"]


def __getattr__(name: str) -> Any:
    if name == "serve":
        from rosenblatt.lab.server.serve import serve

        return serve
    if name == "widget":
        try:
            from rosenblatt.lab.notebook import widget
        except ModuleNotFoundError as error:
            if error.name != "anywidget":
                raise
            raise ModuleNotFoundError("the widget needs anywidget: pip install 'rosenblatt[notebook]'.") from error
        return widget
    raise AttributeError(f"module 'rosenblatt.lab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
