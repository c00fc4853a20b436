"""A figure that notebooks display."""

from matplotlib.figure import Figure

from rosenblatt.plot.canvas import to_bytes


class Picture(Figure):
    """A matplotlib figure without pyplot; `_repr_png_` makes notebooks display it."""

    def _repr_png_(self) -> bytes:
        return to_bytes(self)
