"""The job `boolean`: the threshold unit of a function, or the proof that there is none; and a network of units."""

from typing import Any

from rosenblatt.boolean import BooleanFunction, Interval, Network, ThresholdUnit
from rosenblatt.boolean.drawing.network_layout import RADIUS, layout
from rosenblatt.conventions import TIES
from rosenblatt.lab.requests.bench_requests import MAX_VARIABLES, BooleanRequest
from rosenblatt.lab.requests.request_values import RefusedError


def boolean(request: BooleanRequest) -> dict[str, Any]:
    """Returns everything that the Boolean bench shows about one function."""
    function = _function(request)
    answer: dict[str, Any] = {
        "variables": list(function.variables),
        "bits": function.bits,
        "rows": function.inputs().tolist(),
        "is_threshold": function.is_threshold,
        "unit": None,
        "refutation": None,
        "network": drawn(function.network()),
        "python": f'BooleanFunction.from_table("{function.bits}", {list(function.variables)!r})'
        if request.table is not None
        else f"BooleanFunction({request.expression!r})",
    }
    if function.is_threshold:
        answer["unit"] = _unit(function.perceptron(), function)
    elif function.refutation is not None:
        proof = function.refutation
        answer["refutation"] = {key: proof.to_dict()[key] for key in ("true", "false")}
    return answer


def _function(request: BooleanRequest) -> BooleanFunction:
    if request.table is not None:
        return BooleanFunction.from_table(request.table, request.variables)
    function = BooleanFunction(request.expression)  # an ExpressionError gives the position of the error
    if function.n_variables > MAX_VARIABLES:
        raise RefusedError(
            f"{function.n_variables} variables have {1 << function.n_variables:,} rows; the bench shows up to "
            f"{MAX_VARIABLES} variables. In Python, BooleanFunction takes 16."
        )
    return function


def _unit(unit: ThresholdUnit, function: BooleanFunction) -> dict[str, Any]:
    sums = [sum(w * x for w, x in zip(unit.weights, row, strict=True)) for row in function.inputs().tolist()]
    return {
        "text": str(unit),
        "weights": [float(w) for w in unit.weights],
        "offset": float(unit.offset),
        "sums": [float(s) for s in sums],
        "ranges": {tie: _range(unit.offset_range(tie)) for tie in TIES},
    }


def _range(interval: Interval) -> dict[str, Any]:
    return {
        "text": str(interval),
        "low": None if interval.low is None else float(interval.low),
        "high": None if interval.high is None else float(interval.high),
        "low_closed": interval.low_closed,
        "high_closed": interval.high_closed,
    }


def drawn(network: Network) -> dict[str, Any]:
    """Encodes a network, with the positions of its parts in the drawing."""
    drawing = layout(network, None)
    return {
        "text": str(network).splitlines(),
        "n_hidden": network.n_hidden,
        "fewest": network.fewest,
        "activations": network.activations(network.function().inputs()).tolist(),
        "radius": RADIUS,
        "width": drawing.width,
        "height": drawing.height,
        "nodes": [{"x": node.x, "y": node.y, "name": node.name, "offset": node.offset} for node in drawing.nodes],
        "edges": [
            {"start": edge.start, "end": edge.end, "weight": str(edge.weight), "width": edge.width, "label": edge.label}
            for edge in drawing.edges
        ],
    }
