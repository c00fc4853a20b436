"""Figures, colours and markers shared by all plots. matplotlib is imported when the first figure is drawn."""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rosenblatt.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Okabe and Ito (2008): distinguishable with all common kinds of colour vision, and by lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")
HATCHES = ("", "//", "\\\\", "..", "xx", "++", "oo", "--")
GREY = "#666666"

#: Options for literal text: a dollar sign does not start a formula, whatever the user's settings are.
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}

FORMATS = ("png", "svg", "pdf")


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1) -> "tuple[Figure, list[Axes]]":
    """Returns a figure without a window, and its axes row by row."""
    try:
        from rosenblatt.plot.picture import Picture
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("plots need matplotlib: pip install 'rosenblatt[plot]'", name="matplotlib") from error
    figure = Picture(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, list(axes.flat)


def legend(ax: "Axes", handles: Sequence[Any], names: Sequence[object], **style: Any) -> None:
    """Adds a legend with these names. matplotlib itself would omit names that begin with an underscore."""
    made = ax.legend(handles, [str(k) for k in range(len(handles))], frameon=False, **style)
    for text, name in zip(made.get_texts(), names, strict=True):
        text.set(text=visible(str(name)), **LITERAL)


def palette(colours: tuple[str, ...]) -> Any:
    """The colours as a matplotlib colormap of integers."""
    from matplotlib.colors import ListedColormap

    return ListedColormap(list(colours))


def to_bytes(figure: Any, form: str = "png") -> bytes:
    """Encodes a figure as png, svg or pdf. The same figure gives the same bytes.

    Examples
    --------
    >>> from rosenblatt import plot
    >>> plot.to_bytes(plot.confusion([[1, 0], [0, 1]], ["a", "b"]), "svg")[:5]
    b'<?xml'
    """
    if form not in FORMATS:
        raise ValueError(f"a plot can be written as {', '.join(FORMATS)}; got {form!r}. Change the file's suffix.")
    buffer = io.BytesIO()
    metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[form]
    figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
    return buffer.getvalue()
