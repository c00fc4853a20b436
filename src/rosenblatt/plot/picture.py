"""A figure that shows itself."""

from matplotlib.figure import Figure

from rosenblatt.plot.canvas import to_bytes


class Picture(Figure):
    """A matplotlib figure outside pyplot, which a notebook would show as a line of text."""

    def _repr_png_(self) -> bytes:
        return to_bytes(self)
