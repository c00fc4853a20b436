"""Where the parts of a network stand in its drawing; SVG and matplotlib draw the same."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rosenblatt.boolean.network import Network
from rosenblatt.boolean.unit import Number

RADIUS = 26.0
_COLUMN, _ROW, _SIDE, _TOP = 210.0, 84.0, 60.0, 56.0
_LEGEND = 64.0
#: With more edges than this, numbers on them could not be read.
_MOST_LABELS = 150

POSITIVE, NEGATIVE, INK, PAPER, INPUT, UNIT = "#1b5e9e", "#c4451c", "#222222", "#ffffff", "#f1ede4", "#e4eef7"
LEGEND = (
    "A unit gives 1 where its weighted inputs and the number in its circle add up to more than 0.",
    "Solid lines carry positive weights, dashed lines negative ones.",
)


@dataclass(frozen=True)
class Node:
    """A variable (without offset) or a unit."""

    x: float
    y: float
    name: str
    offset: str | None


@dataclass(frozen=True)
class Edge:
    """A weight: from and to the rims of two nodes, with its label's place (None: no label)."""

    start: tuple[float, float]
    end: tuple[float, float]
    weight: Number
    label: tuple[float, float] | None

    @property
    def color(self) -> str:
        return POSITIVE if self.weight > 0 else NEGATIVE

    @property
    def width(self) -> float:
        return min(1.4 + 0.6 * float(abs(self.weight)), 4.4)


@dataclass(frozen=True)
class Drawing:
    width: float
    height: float
    nodes: list[Node]
    edges: list[Edge]
    title: str
    legend: tuple[str, ...]


def signed(number: Number) -> str:
    """With a real minus sign."""
    return str(number).replace("-", "−")


def layout(network: Network, title: str | None) -> Drawing:
    """Three columns: variables, hidden units, output."""
    names = [network.variables, network.output.variables, ("out",)]
    rows = max(map(len, names))
    height = _TOP + rows * _ROW + _LEGEND
    middle = _TOP + rows * _ROW / 2
    offsets = [
        [None] * network.n_variables,
        [signed(unit.offset) for unit in network.hidden],
        [signed(network.output.offset)],
    ]
    columns = [
        [
            Node(_SIDE + c * _COLUMN, middle + (r - (len(column) - 1) / 2) * _ROW, name, offset)
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
        place = _label_place([(source.y, target.y) for source, target, _ in drawn])
        edges += [_edge(source, target, w, place) for source, target, w in drawn]
    nodes = [node for column in columns for node in column]
    return Drawing(_SIDE * 2 + 2 * _COLUMN, height, nodes, edges, title or "", LEGEND)


def _label_place(lines: list[tuple[float, float]]) -> float | None:
    """How far along the lines the labels stand: where the nearest two are farthest apart."""
    if not lines or len(lines) > _MOST_LABELS:
        return None
    starts, ends = np.array(lines).T
    places = np.linspace(0.24, 0.76, 53)
    heights = np.sort(starts + places[:, None] * (ends - starts), axis=1)
    nearest = np.diff(heights, axis=1).min(axis=1) if len(lines) > 1 else np.ones(len(places))
    best = np.flatnonzero(nearest >= nearest.max() - 1e-9)
    return float(places[best[np.argmin(abs(places[best] - 0.5))]])


def _edge(source: Node, target: Node, weight: Number, place: float | None) -> Edge:
    a, b = np.array([source.x, source.y]), np.array([target.x, target.y])
    along = (b - a) / np.linalg.norm(b - a)
    start, end = a + RADIUS * along, b - (RADIUS + 2) * along
    label = None if place is None else tuple((a + place * (b - a)).tolist())
    return Edge(tuple(start.tolist()), tuple(end.tolist()), weight, label)
