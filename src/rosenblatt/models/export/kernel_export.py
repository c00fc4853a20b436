"""Kernel perceptrons as ONNX nodes and as C: kernel values with the support vectors, then a sum for each problem."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.errors import DataError
from rosenblatt.models.export.c_code import numbers, scores_function

if TYPE_CHECKING:
    from rosenblatt.models.export.onnx_export import Graph
    from rosenblatt.models.files.record import Record


def onnx_scores(graph: "Graph", record: "Record", X: str) -> str:
    """The name of the graph's scores, one column per problem."""
    support, coef, intercept = _parts(record)
    values = _onnx_values(graph, record, X, support)
    product = graph.add("MatMul", values, graph.constant(np.ascontiguousarray(coef.T)))
    return graph.add("Add", product, graph.constant(intercept))


def _onnx_values(graph: "Graph", record: "Record", X: str, support: NDArray[np.float64]) -> str:
    name, settings = record.parameters["kernel"], record.fitted["settled_"]["kernel"]
    gamma, coef0 = float(settings["gamma"]), float(settings["coef0"])
    if name == "laplacian":
        difference = graph.add(
            "Sub", graph.add("Unsqueeze", X, graph.constant(np.array([1]))), graph.constant(support[None])
        )
        length = graph.add("ReduceSum", graph.add("Abs", difference), graph.constant(np.array([2])), keepdims=0)
        return graph.add("Exp", graph.add("Mul", length, graph.constant(-gamma)))
    products = graph.add("MatMul", X, graph.constant(np.ascontiguousarray(support.T)))
    if name == "linear":
        return products
    if name == "rbf":
        squares = graph.add("ReduceSum", graph.add("Mul", X, X), graph.constant(np.array([1])), keepdims=1)
        lengths = graph.add("Add", squares, graph.constant((support**2).sum(axis=1)[None]))
        length = graph.add("Sub", lengths, graph.add("Mul", products, graph.constant(2.0)))
        return graph.add("Exp", graph.add("Mul", graph.add("Max", length, graph.constant(0.0)), graph.constant(-gamma)))
    inner = graph.add("Add", graph.add("Mul", products, graph.constant(gamma)), graph.constant(coef0))
    if name == "sigmoid":
        return graph.add("Tanh", inner)
    power = inner
    for _ in range(int(settings["degree"]) - 1):
        power = graph.add("Mul", power, inner)
    return power


def c_scores(record: "Record", name: str) -> list[str]:
    """The lines of the C function that computes the scores."""
    support, coef, intercept = _parts(record)
    width, problems = support.shape[1], len(intercept)
    settled = record.fitted["settled_"]["kernel"]
    gamma, coef0 = repr(float(settled["gamma"])), repr(float(settled["coef0"]))
    step, value = {
        "linear": ("k += a * b;", "k"),
        "poly": ("k += a * b;", f"pow({gamma} * k + {coef0}, {int(settled['degree'])})"),
        "sigmoid": ("k += a * b;", f"tanh({gamma} * k + {coef0})"),
        "rbf": ("k += (a - b) * (a - b);", f"exp(-{gamma} * k)"),
        "laplacian": ("k += fabs(a - b);", f"exp(-{gamma} * k)"),
    }[record.parameters["kernel"]]
    body = [
        "    long i, j;",
        f"    for (p = 0; p < {problems}; ++p) scores[p] = {name}_offsets[p];",
        f"    for (i = 0; i < {len(support)}; ++i) {{",
        "        double k = 0;",
        f"        for (j = 0; j < {width}; ++j) {{",
        f"            const double a = {name}_feature(x, j), b = {name}_support[i * {width} + j];",
        f"            {step}",
        "        }",
        f"        k = {value};",
        f"        for (p = 0; p < {problems}; ++p) scores[p] += {name}_weights[p * {len(support)} + i] * k;",
        "    }",
    ]
    return [
        *numbers(support, "double", f"{name}_support"),
        *numbers(coef, "double", f"{name}_weights"),
        *numbers(intercept, "double", f"{name}_offsets"),
        *scores_function(name, "one score per binary problem (link with -lm)", problems, body),
    ]


def _parts(record: "Record") -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The support vectors, coefficients and offsets. Raises `DataError` if the kernel cannot be exported."""
    kernel = record.parameters["kernel"]
    if kernel == "precomputed":
        raise DataError("a precomputed kernel cannot be exported: its values are made elsewhere.")
    if record.fitted["settled_"]["voters"]:
        raise DataError("a kernel perceptron that votes cannot be exported; use vote='average', which is near to it.")
    vectors = record.fitted["support_vectors_"]
    dense = np.asarray(vectors.toarray() if hasattr(vectors, "toarray") else vectors, dtype=np.float64)
    return dense, record.fitted["dual_coef_"], record.fitted["intercept_"]
