"""The features of a model as ONNX nodes: from the inputs of the graph to filled and scaled numbers."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.features import Column, Features

if TYPE_CHECKING:
    from rosenblatt.models.onnx_export import Graph


def features(graph: "Graph", wanted: Features) -> tuple[str, str | None]:
    """The matrix of features, and for each example whether it has a gap without a filling (None: none can have)."""
    if all(column.vocabulary is None for column in wanted.columns):
        X, gap = _numbers(graph, "X", wanted.fills())
        gaps = [gap] if gap else []
    else:
        parts = [_column(graph, column) for column in wanted.columns]
        X = graph.add("Concat", *(part for part, _ in parts), axis=1)
        gaps = [gap for _, gap in parts if gap]
    if wanted.scale is not None:
        if wanted.scale.centre is not None:
            X = graph.add("Sub", X, graph.constant(wanted.scale.centre))
        X = graph.add("Div", X, graph.constant(wanted.scale.width))
    return X, any_of_row(graph, *gaps) if gaps else None


def any_of_row(graph: "Graph", *conditions: str) -> str:
    """Whether any of the truth values in a row is true."""
    joined = graph.add("Concat", *conditions, axis=1) if len(conditions) > 1 else conditions[0]
    count = graph.add("ReduceSum", graph.to_double(joined), graph.constant(np.array([1])), keepdims=0)
    return graph.add("Greater", count, graph.constant(0.0))


def _column(graph: "Graph", column: Column) -> tuple[str, str | None]:
    if column.vocabulary is None:
        return _numbers(graph, column.name, np.array(column.fills()))
    text, gap = graph.input(column.name, "STRING", 1), None
    if "" not in column.vocabulary:  # otherwise an empty text is a category, and no gap can be written
        gap = graph.add("Equal", text, graph.constant(np.array([[""]])))
        if column.fill is not None:
            text, gap = graph.add("Where", gap, graph.constant(np.array([[column.fill]], dtype=object)), text), None
    words = graph.constant(np.array([column.vocabulary], dtype=object))  # as objects: NumPy's texts lose a last NUL
    return graph.to_double(graph.add("Equal", text, words)), gap


def _numbers(graph: "Graph", name: str, fills: NDArray[np.float64]) -> tuple[str, str | None]:
    """An input of numbers, filled; and where it has gaps without a filling (NaN among the fills)."""
    X = graph.input(name, "DOUBLE", len(fills))
    gap = graph.add("Or", graph.add("IsNaN", X), graph.add("IsInf", X))
    has_fill = ~np.isnan(fills)
    if not has_fill.any():
        return X, gap
    X = graph.add("Where", gap, graph.constant(fills), X)
    return X, None if has_fill.all() else graph.add("And", gap, graph.constant(~has_fill))
