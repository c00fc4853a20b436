"""Draws a network with matplotlib, with the same layout as the SVG."""

from typing import TYPE_CHECKING, Any

from rosenblatt.boolean.drawing.network_layout import INK, INPUT, PAPER, RADIUS, UNIT, layout, signed
from rosenblatt.boolean.network import Network
from rosenblatt.visible import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}  # a dollar sign in a name is not parsed as a formula
_POINTS = 0.72  # points per unit of the layout; at 100 units an inch the sizes agree with the SVG


def draw(network: Network, ax: "Axes | None" = None, title: str | None = None) -> "Axes":
    """Draws on the given axes, or on new axes of a suitable size."""
    try:
        from matplotlib import pyplot as plt
        from matplotlib.patches import Circle, FancyArrowPatch
    except ImportError as error:
        raise ImportError(
            "drawing needs matplotlib: pip install 'rosenblatt[plot]'. to_svg() works without it."
        ) from error

    drawing = layout(network, title)
    if ax is None:
        _, ax = plt.subplots(figsize=(drawing.width / 100, drawing.height / 100), layout="constrained")
    ax.set(xlim=(0, drawing.width), ylim=(drawing.height, 0), aspect="equal")
    ax.axis("off")
    if drawing.title:
        ax.set_title(drawing.title, fontweight="bold", **_LITERAL)
    centred: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 5, **_LITERAL}
    for edge in drawing.edges:
        style = "solid" if edge.weight > 0 else (0, (4, 2))
        arrow = FancyArrowPatch(
            edge.start,
            edge.end,
            arrowstyle="-|>",
            mutation_scale=10,
            color=edge.color,
            linewidth=edge.width * _POINTS,
            linestyle=style,
            shrinkA=0,
            shrinkB=0,
        )
        ax.add_patch(arrow)
        if edge.label is not None:
            box = {"boxstyle": "round,pad=0.12", "fc": PAPER, "ec": "none"}
            ax.text(*edge.label, signed(edge.weight), color=edge.color, fontsize=15 * _POINTS, bbox=box, **centred)
    for node in drawing.nodes:
        fill = INPUT if node.offset is None else UNIT
        ax.add_patch(Circle((node.x, node.y), RADIUS, facecolor=fill, edgecolor=INK, linewidth=1.6 * _POINTS, zorder=4))
        if node.offset is None and node.is_long:
            place = {**centred, "ha": "right"}
            ax.text(node.x - RADIUS - 8, node.y, visible(node.name), fontsize=16 * _POINTS, style="italic", **place)
        elif node.offset is None:
            ax.text(node.x, node.y, visible(node.name), fontsize=16 * _POINTS, style="italic", **centred)
        else:
            ax.text(node.x, node.y, node.offset, fontsize=16 * _POINTS, **centred)
            ax.text(node.x, node.y - RADIUS - 11, visible(node.name), fontsize=13 * _POINTS, **centred)
    top = drawing.height - 20 * len(drawing.legend)
    for i, line in enumerate(drawing.legend):
        ax.text(drawing.width / 2, top + 20 * i, line, fontsize=11 * _POINTS, **centred)
    return ax
