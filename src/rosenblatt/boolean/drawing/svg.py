"""Draws a network as SVG text, without any library."""

from html import escape

from rosenblatt.boolean.drawing.network_layout import (
    INK,
    INPUT,
    NEGATIVE,
    PAPER,
    POSITIVE,
    RADIUS,
    UNIT,
    Drawing,
    Edge,
    Node,
    layout,
    signed,
)
from rosenblatt.boolean.network import Network
from rosenblatt.visible import visible


def to_svg(network: Network, title: str | None = None) -> str:
    """Returns the drawing as a stand-alone SVG document."""
    drawing = layout(network, title)
    described = f"Inputs {', '.join(network.variables) or 'none'}; {str(network).replace(chr(10), '; ')}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width:g} {drawing.height:g}" '
        f'width="{drawing.width:g}" height="{drawing.height:g}" role="img" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(visible(drawing.title or 'A network of threshold units'))}</title>",
        f"<desc>{escape(visible(described))}</desc>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        "<defs>" + _arrow("positive", POSITIVE) + _arrow("negative", NEGATIVE) + "</defs>",
    ]
    if drawing.title:
        parts.append(_text(drawing.width / 2, 30, drawing.title, 18, weight="bold"))
    parts += [_line(edge) for edge in drawing.edges]
    parts += [_label(edge) for edge in drawing.edges if edge.label is not None]
    parts += [_node(node) for node in drawing.nodes]
    parts += _legend(drawing)
    return "\n".join([*parts, "</svg>"])


def _arrow(name: str, color: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{color}"/></marker>'
    )


def _line(edge: Edge) -> str:
    (x1, y1), (x2, y2) = edge.start, edge.end
    sign = "positive" if edge.weight > 0 else "negative"
    dashes = "" if edge.weight > 0 else ' stroke-dasharray="7 4"'
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{edge.color}" '
        f'stroke-width="{edge.width:.1f}"{dashes} marker-end="url(#{sign})"/>'
    )


def _label(edge: Edge) -> str:
    assert edge.label is not None
    x, y = edge.label
    return _haloed(x, y + 5, signed(edge.weight), 15, edge.color)


def _node(node: Node) -> str:
    fill = INPUT if node.offset is None else UNIT
    circle = (
        f'<circle cx="{node.x:.1f}" cy="{node.y:.1f}" r="{RADIUS:g}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'
    )
    if node.offset is None and node.is_long:
        return circle + _text(node.x - RADIUS - 8, node.y + 5, node.name, 16, style="italic", anchor="end")
    if node.offset is None:
        return circle + _text(node.x, node.y + 5, node.name, 16, style="italic")
    name = _haloed(node.x, node.y - RADIUS - 6, node.name, 13, INK)
    return circle + name + _text(node.x, node.y + 5, node.offset, _fitting(node.offset, 16))


def _fitting(text: str, size: int) -> float:
    """The largest font size, up to `size`, at which the text fits into a circle."""
    return min(size, 1.7 * 2 * RADIUS / max(1, len(text)))


def _legend(drawing: Drawing) -> list[str]:
    top = drawing.height - 18 * len(drawing.legend)
    return [_text(drawing.width / 2, top + 18 * i, line, 11) for i, line in enumerate(drawing.legend)]


def _haloed(x: float, y: float, text: str, size: float, color: str) -> str:
    """Text with a background-coloured outline, drawn separately because not every viewer supports paint-order."""
    halo = f' stroke="{PAPER}" stroke-width="6" stroke-linejoin="round"'
    return _text(x, y, text, size, color=PAPER, more=halo) + _text(x, y, text, size, color=color)


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    *,
    color: str = INK,
    weight: str = "normal",
    style: str = "normal",
    anchor: str = "middle",
    more: str = "",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" font-weight="{weight}" font-style="{style}" '
        f'text-anchor="{anchor}" fill="{color}"{more}>{escape(visible(text))}</text>'
    )
