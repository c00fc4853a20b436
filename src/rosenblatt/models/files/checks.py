"""Consistency checks of a model that was read from a file, so that prediction cannot fail later."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rosenblatt.conventions.value_kinds import NONE, whole
from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.pairs.ragged import Ragged
from rosenblatt.learning.parameters import Algorithm, kind_of, names_of
from rosenblatt.models.files.certificates import check_certificates
from rosenblatt.models.files.model_error import ModelFileError
from rosenblatt.models.files.registry import KINDS

if TYPE_CHECKING:
    from rosenblatt.models.files.record import Record


def parameters(record: "Record") -> None:
    """Checks that `fit` would accept every parameter. Files cannot store functions or random generators."""
    kind = KINDS[record.estimator]
    if kind.is_circuit:
        return
    if record.estimator == "compat.Perceptron":
        _compat_parameters(record.unfitted())
        return
    algorithm = cast(Algorithm, record.estimator)
    in_files = {"random_state": NONE | whole(0), "callback": NONE}
    for name, value in record.parameters.items():
        if name not in names_of(algorithm):
            raise ModelFileError(
                f"{algorithm} has no parameter {name!r}; was the file written by a newer version of rosenblatt?"
            )
        allowed = in_files.get(name) or kind_of(name, algorithm)
        if not allowed.includes(value):
            raise ModelFileError(f"the parameter {name} must be {allowed.means}; the file has {value!r:.60}")


def _compat_parameters(estimator: Any) -> None:
    from sklearn.utils._param_validation import InvalidParameterError

    try:
        estimator._validate_params()
    except InvalidParameterError as error:
        raise ModelFileError(str(error)) from error


def certificates(record: "Record") -> None:
    """Checks that the certificates match the problems of the classes and the number of features."""
    found = record.fitted.get("certificates_")
    if found is None:
        return
    check_certificates(found, record.classes, record.parameters.get("multi_class"), n_problems(record))
    for proof in found:
        claim = None if proof is None else proof.claim
        if claim is None:
            continue
        width = claim["n_examples"] if record.estimator == "KernelPerceptron" else record.features.n_features
        if claim["n_features"] != width or claim["fit_intercept"] != record.parameters.get("fit_intercept"):
            raise ModelFileError("a certificate is about other features than the model has")


def calibration(record: "Record") -> None:
    """Checks that the calibration has an offset for each class and that the model has scores."""
    found = record.calibration
    if found is None:
        return
    if not record.has_scores or len(found.offsets) != len(record.classes):
        raise ModelFileError("the calibration must have one offset for each class of a model with scores")
    if not all(np.isfinite((found.slope, *found.offsets))) or found.slope < 0:
        raise ModelFileError("the calibration must have a slope ≥ 0 and finite offsets")


def linear(record: "Record") -> None:
    """Checks the weights: double precision, one row per binary problem."""
    for name, shape in _weights(record).items():
        stored = record.fitted[name]
        if isinstance(stored, PairWeights) and stored.shape == shape and stored.n_classes == len(record.classes):
            continue
        array(record, name, shape)


def compat(record: "Record") -> None:
    """Checks the weights, which have the precision of the training data."""
    for name, shape in _weights(record).items():
        array(record, name, shape, ("float64", "float32"))


def _weights(record: "Record") -> dict[str, tuple[int, ...]]:
    problems = n_problems(record)
    return {"coef_": (problems, record.features.n_features), "intercept_": (problems,)}


def voted(record: "Record") -> None:
    """Checks that every vector can be rebuilt: each update names a stored example and has a survival count."""
    linear(record)
    problems, width = n_problems(record), record.features.n_features
    fitted = record.fitted
    array(record, "support_", (len(fitted["support_"]),), ("int64",))
    vectors, count = fitted["support_vectors_"], len(fitted["support_"])
    if getattr(vectors, "shape", None) != (count, width) or getattr(vectors, "dtype", None) not in (
        np.dtype(np.float64),
        np.dtype(np.float32),
    ):
        raise ModelFileError(f"support_vectors_ must be numbers of shape {(count, width)}")
    array(record, "starts_", (problems, width + bool(record.parameters.get("fit_intercept"))))
    parts = {name: fitted[name] for name in ("updates_", "scales_", "survival_")}
    if not all(isinstance(part, list | Ragged) and len(part) == problems for part in parts.values()):
        raise ModelFileError(f"updates_, scales_ and survival_ must be lists of {problems}, one entry per problem")
    if any(isinstance(part, Ragged) for part in parts.values()):
        _voted_pairs(record, count, **parts)
        return
    for updates, scales, survival in zip(*parts.values(), strict=True):
        _check(updates, "updates_", (len(updates),), ("int64",))
        _check(scales, "scales_", (len(updates),))
        _check(survival, "survival_", (len(updates) + 1,))
        if len(updates) and not (updates.min() >= 0 and updates.max() < count):
            raise ModelFileError("an update names an example that is not among support_vectors_")
        if not (survival >= 0).all() or not survival.sum() > 0:
            raise ModelFileError("survival_ must be ≥ 0, and not all of it zero")


def _voted_pairs(record: "Record", count: int, updates_: Any, scales_: Any, survival_: Any) -> None:
    """The same checks for the arrays of many pairs of classes, all at once."""
    if not all(isinstance(part, Ragged) for part in (updates_, scales_, survival_)):
        raise ModelFileError("updates_, scales_ and survival_ must be of one kind")
    updates, ends = updates_.values, survival_.starts
    _check(updates, "updates_", (len(updates),), ("int64",))
    _check(scales_.values, "scales_", (len(updates),))
    _check(survival_.values, "survival_", (len(updates) + len(updates_),))
    one_more = updates_.starts + np.arange(len(updates_) + 1, dtype=np.uint64)
    if not np.array_equal(scales_.starts, updates_.starts) or not np.array_equal(ends, one_more):
        raise ModelFileError("updates_, scales_ and survival_ must have as many entries for each problem")
    if len(updates) and not (updates.min() >= 0 and updates.max() < count):
        raise ModelFileError("an update names an example that is not among support_vectors_")
    sums = np.add.reduceat(survival_.values, ends[:-1].astype(np.intp))
    if not (survival_.values >= 0).all() or not (sums > 0).all():
        raise ModelFileError("survival_ must be ≥ 0, and not all of it zero")


def kernel(record: "Record") -> None:
    """Checks that each support vector has a coefficient per problem, and the kernel's parameters and voters."""
    problems, count = n_problems(record), len(record.fitted["support_"])
    array(record, "support_", (count,), ("int64",))
    array(record, "dual_coef_", (problems, count))
    array(record, "intercept_", (problems,))
    vectors = record.fitted["support_vectors_"]
    width = (0, 0) if record.parameters.get("kernel") == "precomputed" else (count, record.features.n_features)
    if getattr(vectors, "shape", None) != width:
        raise ModelFileError(f"support_vectors_ must be numbers of shape {width}")
    settled = record.fitted["settled_"]
    if set(settled) != {"kernel", "voters"} or set(settled["kernel"]) != {"gamma", "degree", "coef0"}:
        raise ModelFileError("settled_ must have the kernel's gamma, degree and coef0, and the voters")
    if not all(isinstance(number, int | float) for number in settled["kernel"].values()):
        raise ModelFileError("the kernel's gamma, degree and coef0 must be numbers")
    for voters in settled["voters"]:
        _voters(voters, count, len(record.classes))


def _voters(voters: Any, count: int, n_classes: int) -> None:
    updates = len(voters["columns"])
    _check(voters["columns"], "columns", (updates,), ("uint32",))
    _check(voters["scales"], "scales", (updates,))
    _check(voters["survival"], "survival", (updates + 1,))
    if updates and voters["columns"].max() >= count:
        raise ModelFileError("a voter names an example that is not among support_vectors_")
    if not (voters["survival"] >= 0).all() or not voters["survival"].sum() > 0:
        raise ModelFileError("survival must be ≥ 0, and not all of it zero")
    if voters["truths"] is not None:
        for name in ("truths", "rivals"):
            _check(voters[name], name, (updates,), ("uint32",))
            if updates and voters[name].max() >= n_classes:
                raise ModelFileError(f"{name} names a class that is not there")


def circuit(record: "Record") -> None:
    """Checks that the circuit is a unit or a network whose variables are the columns."""
    found = record.fitted["circuit"]
    if type(found).__name__ != record.estimator:
        raise ModelFileError(f"the circuit is a {type(found).__name__}, not a {record.estimator}")
    if tuple(column.name for column in record.features.columns) != found.variables:
        raise ModelFileError("the columns are not the circuit's variables")
    if record.classes.tolist() != [0, 1]:
        raise ModelFileError("a circuit gives 0 or 1")


def n_problems(record: "Record") -> int:
    """The number of binary problems of the classes."""
    k = len(record.classes)
    ovo = record.parameters.get("multi_class") == "ovo"
    return 1 if k == 2 else k * (k - 1) // 2 if ovo else k


def array(record: "Record", name: str, shape: tuple[int, ...], types: tuple[str, ...] = ("float64",)) -> None:
    """Raises `ModelFileError` if an attribute is not an array of this shape and one of these types."""
    _check(record.fitted[name], name, shape, types)


def _check(found: Any, name: str, shape: tuple[int, ...], types: tuple[str, ...] = ("float64",)) -> None:
    if not isinstance(found, np.ndarray) or found.dtype.name not in types or found.shape != shape:
        raise ModelFileError(f"{name} must be {' or '.join(types)} of shape {shape} for these classes and features")
