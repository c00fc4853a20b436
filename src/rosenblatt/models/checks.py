"""Whether the parts of a model that was read fit each other: what is checked here cannot fail while predicting."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rosenblatt.learning.parameters import NONE, Algorithm, kind_of, names_of, whole
from rosenblatt.models.certificates import check_certificates
from rosenblatt.models.errors import ModelFileError
from rosenblatt.models.registry import KINDS

if TYPE_CHECKING:
    from rosenblatt.models.record import Record


def parameters(record: "Record") -> None:
    """Every parameter is one that `fit` would accept; a file has no functions and no generators."""
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
    """Proofs of the problems that the classes make, about data with these features."""
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


def linear(record: "Record") -> None:
    """Weights in double precision, one row a binary problem."""
    for name, shape in _weights(record).items():
        array(record, name, shape)


def compat(record: "Record") -> None:
    """The same, in the precision of the data that compat was trained on."""
    for name, shape in _weights(record).items():
        array(record, name, shape, ("float64", "float32"))


def _weights(record: "Record") -> dict[str, tuple[int, ...]]:
    problems = n_problems(record)
    return {"coef_": (problems, record.features.n_features), "intercept_": (problems,)}


def voted(record: "Record") -> None:
    """Every vector can be rebuilt: each update names an example that is kept, and has lived for a while."""
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
    if not all(isinstance(part, list) and len(part) == problems for part in parts.values()):
        raise ModelFileError(f"updates_, scales_ and survival_ must be lists of {problems}, one entry a problem")
    for updates, scales, survival in zip(*parts.values(), strict=True):
        _check(updates, "updates_", (len(updates),), ("int64",))
        _check(scales, "scales_", (len(updates),))
        _check(survival, "survival_", (len(updates) + 1,))
        if len(updates) and not (updates.min() >= 0 and updates.max() < count):
            raise ModelFileError("an update names an example that is not among support_vectors_")
        if not (survival >= 0).all() or not survival.sum() > 0:
            raise ModelFileError("survival_ must be ≥ 0, and not all of it zero")


def kernel(record: "Record") -> None:
    """Support vectors with a coefficient in every problem; a settled kernel; voters that name support vectors."""
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
    """A unit or a network whose variables are the columns."""
    found = record.fitted["circuit"]
    if type(found).__name__ != record.estimator:
        raise ModelFileError(f"the circuit is a {type(found).__name__}, not a {record.estimator}")
    if tuple(column.name for column in record.features.columns) != found.variables:
        raise ModelFileError("the columns are not the circuit's variables")
    if record.classes.tolist() != [0, 1]:
        raise ModelFileError("a circuit gives 0 or 1")


def n_problems(record: "Record") -> int:
    """How many binary problems the classes make."""
    k = len(record.classes)
    ovo = record.parameters.get("multi_class") == "ovo"
    return 1 if k == 2 else k * (k - 1) // 2 if ovo else k


def array(record: "Record", name: str, shape: tuple[int, ...], types: tuple[str, ...] = ("float64",)) -> None:
    """Refuses an attribute that is no array of this shape and one of these types."""
    _check(record.fitted[name], name, shape, types)


def _check(found: Any, name: str, shape: tuple[int, ...], types: tuple[str, ...] = ("float64",)) -> None:
    if not isinstance(found, np.ndarray) or found.dtype.name not in types or found.shape != shape:
        raise ModelFileError(f"{name} must be {' or '.join(types)} of shape {shape} for these classes and features")
