"""Export as an ONNX graph in double precision that maps features to labels and scores."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import __version__
from rosenblatt.data import DataError
from rosenblatt.learning.scores.calibration import Calibration, pair_columns
from rosenblatt.models.export import kernel_export, onnx_features
from rosenblatt.models.export.exportable import refuse_hashed
from rosenblatt.models.files.record import Record
from rosenblatt.models.files.registry import KINDS
from rosenblatt.models.files.saving import record_of

_OPSET = 20  # the first version with RegexFullMatch
_IR = 9
_EXACT = 2**53
_NO_CLASS = -(2**63)
_PREFIX = "rosenblatt/"  # prefix of node and constant names, so that they differ from column names


def to_onnx(model: Any) -> Any:
    """Returns the ONNX model of a fitted estimator, a threshold unit, a network or a `Record`.

    The input is "X" of shape (examples, features); if there are categorical columns, there is instead one input per
    column, with its name and shape (examples, 1). The outputs are "label", "scores" and, of a calibrated model,
    "probabilities". Filling and scaling are part of the graph. An example with a gap (NaN, infinity, or a text that
    means a missing value, such as "" and "NA") for which the model has no fill value gets NaN scores and the label ""
    or, if labels are integers, -2**63. Needs the extra `pip install 'rosenblatt[onnx]'`.

    Examples
    --------
    >>> from rosenblatt import Perceptron, models
    >>> model = Perceptron(order="cyclic").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> [output.name for output in models.to_onnx(model).graph.output]
    ['label', 'scores']
    """
    record = model if isinstance(model, Record) else record_of(model)
    refuse_hashed(record.features, "ONNX")
    graph = Graph()
    more: dict[str, str] = {}
    if KINDS[record.estimator].is_circuit:
        X, gaps = _bits(graph, record.features.n_features)
        place, scores = _circuit(graph, record.fitted["circuit"], X)
    else:
        X, gaps = onnx_features.features(graph, record.features)
        of_problems = _scores(graph, record, X)
        place, scores = _decided(graph, record, of_problems)
        if record.calibration is not None:
            more["probabilities"] = _probabilities(graph, record, record.calibration, of_problems)
    label, values = _labelled(graph, record, place, {"scores": scores, **more}, gaps)
    return graph.finish(record, label, values)


def _scores(graph: "Graph", record: Record, X: str) -> str:
    if record.estimator == "VotedPerceptron":
        return _voted(graph, record, X)
    if KINDS[record.estimator].is_linear:
        return _linear(graph, X, np.asarray(record.fitted["coef_"]), record.fitted["intercept_"])
    if record.estimator == "KernelPerceptron":
        return kernel_export.onnx_scores(graph, record, X)
    raise DataError(f"a {record.estimator} cannot be written as ONNX yet; save it as a model file.")


class Graph:
    """Collects nodes and constants. Each method that adds one returns its name."""

    def __init__(self) -> None:
        self.onnx = _onnx()
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.inputs: list[Any] = []

    def constant(self, values: Any) -> str:
        name = f"{_PREFIX}c{len(self.constants)}"
        array = np.asarray(values)
        if array.dtype.kind == "U":
            array = array.astype(object)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{_PREFIX}n{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def input(self, name: str, kind: str, width: int) -> str:
        if name in ("", "label", "scores", "probabilities") or name.startswith(_PREFIX):
            raise DataError(f"ONNX cannot have a column named {name!r}: the graph itself uses it. Rename the column.")
        proto = getattr(self.onnx.TensorProto, kind)
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, proto, ["examples", width]))
        return name

    def to_double(self, name: str) -> str:
        return self.add("Cast", name, to=self.onnx.TensorProto.DOUBLE)

    def finish(self, record: Record, label: str, values: dict[str, str]) -> Any:
        """The model with the output `label` and one output for each of the named values."""
        helper, proto = self.onnx.helper, self.onnx.TensorProto
        self.nodes.append(helper.make_node("Identity", [label], ["label"]))
        self.nodes += [helper.make_node("Identity", [found], [name]) for name, found in values.items()]
        kind = proto.STRING if record.classes.dtype.kind in "US" else proto.INT64
        outputs = [
            helper.make_tensor_value_info("label", kind, ["examples"]),
            *(helper.make_tensor_value_info(name, proto.DOUBLE, ["examples", None]) for name in values),
        ]
        graph = helper.make_graph(self.nodes, record.estimator, self.inputs, outputs, self.constants)
        made = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", _OPSET)],
            ir_version=_IR,
            producer_name="rosenblatt",
            producer_version=__version__,
        )
        self.onnx.checker.check_model(made, full_check=True)
        return made


def _bits(graph: Graph, width: int) -> tuple[str, str | None]:
    """The input of a circuit, and for each example whether a value is neither 0 nor 1."""
    X = graph.input("X", "DOUBLE", width)
    if not width:
        return X, None
    is_bit = graph.add("Or", *(graph.add("Equal", X, graph.constant(bit)) for bit in (0.0, 1.0)))
    return X, onnx_features.any_of_row(graph, graph.add("Not", is_bit))


def _linear(graph: Graph, X: str, coef: NDArray[Any], intercept: NDArray[Any]) -> str:
    product = graph.add("MatMul", X, graph.constant(np.ascontiguousarray(coef.T, dtype=np.float64)))
    return graph.add("Add", product, graph.constant(intercept.astype(np.float64)))


def _is_positive(graph: Graph, scores: str, tie: str) -> str:
    kind = "GreaterOrEqual" if tie == "positive" else "Greater"
    return graph.add(kind, scores, graph.constant(np.array(0.0)))


def _decided(graph: Graph, record: Record, scores: str) -> tuple[str, str]:
    """The index of the predicted class from the scores, as in `learning.scores.prediction.predicted_codes`."""
    k, tie = len(record.classes), str(record.parameters.get("tie", "mistake"))
    if k == 2:
        positive = graph.add("Cast", _is_positive(graph, scores, tie), to=graph.onnx.TensorProto.INT64)
        return graph.add("Squeeze", positive, graph.constant(np.array([1]))), scores
    if record.parameters.get("multi_class") == "ovo":
        scores = _pair_votes(graph, scores, k, tie)
    return graph.add("ArgMax", scores, axis=1, keepdims=0), scores


def _probabilities(graph: Graph, record: Record, calibration: Calibration, scores: str) -> str:
    """The probability of each class from the scores of the problems, as in `learning.scores.calibration`."""
    k = len(record.classes)
    slope, offsets = graph.constant(calibration.slope), np.array(calibration.offsets)
    if k == 2:
        logit = graph.add("Add", graph.add("Mul", scores, slope), graph.constant(offsets[1:]))
        of_second, of_first = (graph.add("Sigmoid", value) for value in (logit, graph.add("Neg", logit)))
        return graph.add("Concat", of_first, of_second, axis=1)
    if record.parameters.get("multi_class") == "ovo":
        signed = graph.add("Concat", scores, graph.add("Neg", scores), axis=1)
        by_class = graph.add("Gather", signed, graph.constant(pair_columns(k)), axis=1)
        scores = graph.add("ReduceMin", by_class, graph.constant(np.array([2])), keepdims=0)
    logits = graph.add("Add", graph.add("Mul", scores, slope), graph.constant(offsets))
    return graph.add("Softmax", logits, axis=1)


def _labelled(
    graph: Graph, record: Record, place: str, values: dict[str, str], gaps: str | None
) -> tuple[str, dict[str, str]]:
    """The label and the values of each example. Examples with gaps get the label of no class and NaN values."""
    classes = record.classes
    if classes.dtype.kind not in "USiub":
        raise DataError(f"labels of type {classes.dtype} have no place in ONNX; use whole numbers or text.")
    is_text = classes.dtype.kind in "US"
    labels: list[Any] = classes.astype(str if is_text else np.int64).tolist()
    if gaps is not None:
        no_class = "" if is_text else _NO_CLASS
        if no_class in labels:
            raise DataError(f"the class {no_class!r} stands for an example with a gap in ONNX. Rename the class.")
        place = graph.add("Where", gaps, graph.constant(np.array(len(labels))), place)
        row = graph.add("Unsqueeze", gaps, graph.constant(np.array([1])))
        values = {name: graph.add("Where", row, graph.constant(np.nan), found) for name, found in values.items()}
        labels.append(no_class)
    return graph.add("Gather", graph.constant(np.array(labels)), place), values


def _pair_votes(graph: Graph, scores: str, k: int, tie: str) -> str:
    pairs = list(combinations(range(k), 2))
    of_a, of_b = np.zeros((len(pairs), k)), np.zeros((len(pairs), k))
    for pair, (a, b) in enumerate(pairs):
        of_a[pair, a] = of_b[pair, b] = 1
    for_b = graph.to_double(_is_positive(graph, scores, tie))
    votes = graph.add("Add", graph.add("MatMul", for_b, graph.constant(of_b - of_a)), graph.constant(of_a.sum(axis=0)))
    sums = graph.add("MatMul", scores, graph.constant(of_b - of_a))
    denominators = graph.add("Mul", graph.add("Add", graph.add("Abs", sums), graph.constant(1.0)), graph.constant(2.0))
    return graph.add("Add", votes, graph.add("Div", sums, denominators))


def _voted(graph: Graph, record: Record, X: str) -> str:
    """The vote shares, from cumulative sums of inner products with the support vectors."""
    fitted, tie = record.fitted, str(record.parameters.get("tie", "mistake"))
    offset = bool(record.parameters["fit_intercept"])
    vectors = fitted["support_vectors_"]
    dense = np.asarray(vectors.toarray() if hasattr(vectors, "toarray") else vectors, dtype=np.float64)
    products = graph.add("MatMul", X, graph.constant(np.ascontiguousarray(dense.T)))
    if offset:
        products = graph.add("Add", products, graph.constant(1.0))
    shares = []
    for start, updates, scales, survival in zip(
        fitted["starts_"], fitted["updates_"], fitted["scales_"], fitted["survival_"], strict=True
    ):
        intercept = start[:1] if offset else np.zeros(1)
        first = _linear(graph, X, start[None, offset:], intercept)
        steps = graph.add("Mul", graph.add("Gather", products, graph.constant(updates), axis=1), graph.constant(scales))
        running = graph.add("CumSum", graph.add("Concat", first, steps, axis=1), graph.constant(np.array(1)))
        votes = graph.to_double(_is_positive(graph, running, tie))
        signs = graph.add("Sub", graph.add("Mul", votes, graph.constant(2.0)), graph.constant(1.0))
        total = graph.add("MatMul", signs, graph.constant(survival[:, None]))
        shares.append(graph.add("Div", total, graph.constant(survival.sum())))
    return shares[0] if len(shares) == 1 else graph.add("Concat", *shares, axis=1)


def _circuit(graph: Graph, circuit: Any, X: str) -> tuple[str, str]:
    if hasattr(circuit, "hidden"):
        outputs = [graph.to_double(_fires(graph, unit, X)[0]) for unit in circuit.hidden]
        X = graph.add("Concat", *outputs, axis=1) if outputs else _no_columns(graph, X)
        circuit = circuit.output
    fires, score = _fires(graph, circuit, X)
    label = graph.add("Cast", fires, to=graph.onnx.TensorProto.INT64)
    return graph.add("Squeeze", label, graph.constant(np.array([1]))), score


def _no_columns(graph: Graph, X: str) -> str:
    """A matrix with the rows of X and no columns."""
    return graph.add("Slice", X, *(graph.constant(np.array([k])) for k in (0, 0, 1)))


def _fires(graph: Graph, unit: Any, X: str) -> tuple[str, str]:
    if sum(map(abs, unit.integers)) >= _EXACT:
        raise DataError("a unit has weights beyond 2^53, which doubles do not hold exactly.")
    offset, *weights = (float(a) for a in unit.integers)
    score = _linear(graph, X, np.array([weights]).reshape(1, len(weights)), np.array([offset]))
    return _is_positive(graph, score, unit.tie), score


def _onnx() -> Any:
    try:
        import onnx
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("writing ONNX needs the package onnx: pip install 'rosenblatt[onnx]'") from error
    return onnx
