"""The Boolean bench: a function by expression or truth table; its unit, or why there is none; its network."""

from collections.abc import Mapping
from typing import Any

from rosenblatt.boolean import BooleanFunction, Interval, Network, ThresholdUnit
from rosenblatt.boolean.layout import RADIUS, layout
from rosenblatt.conventions import TIES
from rosenblatt.lab.asking import RefusedError

MAX_VARIABLES = 6
MAX_TEXT = 500


def boolean(body: Mapping[str, Any]) -> dict[str, Any]:
    """All that the bench shows of one function."""
    function = _function(body)
    answer: dict[str, Any] = {
        "variables": list(function.variables),
        "bits": function.bits,
        "rows": function.inputs().tolist(),
        "is_threshold": function.is_threshold,
        "unit": None,
        "refutation": None,
        "network": drawn(function.network()),
        "python": f'BooleanFunction.from_table("{function.bits}", {list(function.variables)!r})'
        if body.get("table") is not None
        else f"BooleanFunction({body['expression'].strip()!r})",
    }
    if function.is_threshold:
        answer["unit"] = _unit(function.perceptron(), function)
    elif function.refutation is not None:
        proof = function.refutation
        answer["refutation"] = {key: proof.to_dict()[key] for key in ("true", "false")} | {"words": str(proof)}
    return answer


def _function(body: Mapping[str, Any]) -> BooleanFunction:
    table, expression = body.get("table"), body.get("expression")
    if table is not None:
        variables = body.get("variables")
        if not isinstance(table, str) or set(table) - {"0", "1"} or len(table) > 1 << MAX_VARIABLES:
            raise RefusedError(f"a truth table is text of 0 and 1, for at most {MAX_VARIABLES} variables.")
        if variables is not None and not (isinstance(variables, list) and all(isinstance(v, str) for v in variables)):
            raise RefusedError("variables must be a list of names.")
        return BooleanFunction.from_table(table, variables)
    if not isinstance(expression, str) or not expression.strip():
        raise RefusedError("type an expression such as a and (b or not c), or click the truth table.")
    if len(expression) > MAX_TEXT:
        raise RefusedError(f"the expression has {len(expression):,} characters; the bench takes {MAX_TEXT}.")
    function = BooleanFunction(expression)  # an ExpressionError names the place
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
    """The network and where its parts stand in the drawing."""
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
