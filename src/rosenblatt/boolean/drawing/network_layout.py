"""Positions of the nodes, edges and labels in the drawing of a network. SVG and matplotlib share this layout."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rosenblatt.boolean.network import Network
from rosenblatt.boolean.unit import Number

RADIUS = 26.0
_ROW, _SIDE, _TOP, _LEGEND = 84.0, 60.0, 56.0, 64.0
_LETTER = 9.0  # approximate width of a letter
#: Names with more letters than this are written beside the circle.
_INSIDE = 4
#: With more edges than this, the weights would not be legible and are left out.
_MAX_LABELS = 150

POSITIVE, NEGATIVE, INK, PAPER, INPUT, UNIT = "#1b5e9e", "#c4451c", "#222222", "#ffffff", "#f1ede4", "#e4eef7"
LEGEND = (
    "A unit outputs 1 if its weighted inputs plus the number in its circle exceed 0.",
    "Solid lines are positive weights, dashed lines negative weights.",
)


@dataclass(frozen=True)
class Node:
    """A variable (without offset) or a unit. A long name is written beside its circle."""

    x: float
    y: float
    name: str
    offset: str | None

    @property
    def is_long(self) -> bool:
        return len(self.name) > _INSIDE


@dataclass(frozen=True)
class Edge:
    """A weight, drawn from rim to rim of two nodes; `label` is the position of its text (None: no text)."""

    start: tuple[float, float]
    end: tuple[float, float]
    weight: Number
    label: tuple[float, float] | None

    @property
    def color(self) -> str:
        return POSITIVE if self.weight > 0 else NEGATIVE

    @property
    def width(self) -> float:
        return min(1.4 + 0.6 * abs(float(self.weight)), 4.4)


@dataclass(frozen=True)
class Drawing:
    width: float
    height: float
    nodes: list[Node]
    edges: list[Edge]
    title: str
    legend: tuple[str, ...]


def signed(number: Number) -> str:
    """Formats a number with a typographic minus sign."""
    return str(number).replace("-", "−")


def layout(network: Network, title: str | None) -> Drawing:
    """Places a network in three columns: variables, hidden units, output."""
    names = [network.variables, network.output.variables, ("out",)]
    rows = max(map(len, names))
    longest = max([len(name) for name in network.variables if len(name) > _INSIDE], default=0)
    side = _SIDE + _LETTER * longest
    column_width = 210.0 + min(150.0, 7.0 * max(0, network.n_hidden * network.n_variables - 8))
    height = _TOP + rows * _ROW + _LEGEND
    middle = _TOP + rows * _ROW / 2
    offsets: list[list[str | None]] = [
        [None] * network.n_variables,
        [signed(unit.offset) for unit in network.hidden],
        [signed(network.output.offset)],
    ]
    columns = [
        [
            Node(side + c * column_width, middle + (r - (len(column) - 1) / 2) * _ROW, name, offset)
            for r, (name, offset) in enumerate(zip(column, offsets[c], strict=True))
        ]
        for c, column in enumerate(names)
    ]
    weights = [[unit.weights for unit in network.hidden], [network.output.weights]]
    edges = []
    for (sources, targets), layer in zip(pairwise(columns), weights, strict=True):
        drawn = [
            (source, target, w)
            for target, into in zip(targets, layer, strict=True)
            for source, w in zip(sources, into, strict=True)
            if w
        ]
        ends = np.array([[(source.x, source.y), (target.x, target.y)] for source, target, _ in drawn])
        places = _label_places(ends) if len(drawn) <= _MAX_LABELS else [None] * len(drawn)
        edges += [_edge(*line, place) for line, place in zip(drawn, places, strict=True)]
    nodes = [node for column in columns for node in column]
    return Drawing(side + 2 * column_width + _SIDE, height, nodes, edges, title or "", LEGEND)


def _label_places(ends: NDArray[np.float64]) -> list[float | None]:
    """Chooses the position of each label along its line (0 to 1), greedily, away from other lines and labels."""
    steps = np.linspace(0.2, 0.8, 31)
    chosen: list[float | None] = []
    taken = np.empty((0, 2))
    for k, (a, b) in enumerate(ends):
        points = a + steps[:, None] * (b - a)
        room = 0.02 * (1 - abs(steps - 0.5))  # prefers the middle among equals
        if len(taken):
            room += np.minimum(np.linalg.norm(points[:, None] - taken, axis=2).min(axis=1), 30.0)
        others = np.delete(ends, k, axis=0)
        if len(others):
            along = others[:, 1] - others[:, 0]
            offset = points[:, None] - others[:, 0]
            across = abs(along[:, 0] * offset[..., 1] - along[:, 1] * offset[..., 0]) / np.linalg.norm(along, axis=1)
            room += np.minimum(across.min(axis=1), 15.0)
        best = int(np.argmax(room))
        chosen.append(float(steps[best]))
        taken = np.vstack([taken, points[best]])
    return chosen


def _edge(source: Node, target: Node, weight: Number, place: float | None) -> Edge:
    a, b = np.array([source.x, source.y]), np.array([target.x, target.y])
    along = (b - a) / np.linalg.norm(b - a)
    start, end = a + RADIUS * along, b - (RADIUS + 2) * along
    label = None if place is None else tuple((a + place * (b - a)).tolist())
    return Edge(tuple(start.tolist()), tuple(end.tolist()), weight, label)
