"""Exact conversion of parameters and fitted attributes to JSON and back.

Numbers, texts, Booleans, None and lists of them are plain JSON. Other values are tagged:
`{"array": "float64", "shape": [2, 3], "values": [[…], […]]}`, or of a large array `…, "base64": text}` with its
little-endian bytes; `{"table": {column: array}}`, `{"csr": {"shape": …, "values": array, "indices": array, "starts":
array}}`, `{"pairs": [[key, value], …]}`, `{"circuit": …}` (see `circuits`) and `{"certificate": …}` (see
`certificates`). Since version 4 also: `{"ragged": {"values": array, "starts": array}}`, an array of arrays;
`{"repeated": {"row": array, "count": n}}`, a matrix of n equal rows; `{"updates": {…}}`, the weights of many pairs of
classes (`learning.pairs.pair_weights`). Python writes the shortest decimal that reads back as the same double. In
version 1 a large array was `…, "tensor": name}`, in a safetensors file beside the document.
"""

import base64
import binascii
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.pairs.ragged import Ragged
from rosenblatt.models.files.certificates import Certificate, certificate_from
from rosenblatt.models.files.circuits import circuit_from, is_circuit
from rosenblatt.models.files.model_error import ModelFileError

#: Arrays with more values than this are written as base64, because that many numbers are not readable.
LARGE = 10_000

_TYPES = ("float64", "float32", "int64", "int32", "uint32", "uint64", "uint8", "bool")

Tensors = dict[str, NDArray[Any]]


def to_json(value: Any, name: str) -> Any:
    """Converts a value to JSON. `name` identifies it in errors. Long base64 stays bytes, for `layout.parts`."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not np.isfinite(value):
            raise ValueError(f"{name} is {value}, which JSON cannot hold; a model file has finite numbers.")
        return value
    if isinstance(value, np.ndarray):
        if value.ndim == 2 and value.size and len(value) > 1 and value.strides[0] == 0:
            return {"repeated": {"row": _array_to_json(value[0], name), "count": len(value)}}
        return _array_to_json(value, name)
    if isinstance(value, Ragged):
        return {"ragged": {part: _array_to_json(getattr(value, part), name) for part in ("values", "starts")}}
    if isinstance(value, PairWeights):
        return {"updates": {part: to_json(entry, f"{name}.{part}") for part, entry in value.__getstate__().items()}}
    if hasattr(value, "indptr"):
        return {"csr": _csr_to_json(value, name)}
    if isinstance(value, Certificate):
        return {"certificate": value.to_dict()}
    if is_circuit(value):
        return {"circuit": value.to_dict()}
    if isinstance(value, Mapping):
        return {"pairs": [[to_json(k, name), to_json(v, f"{name}[{k!r}]")] for k, v in value.items()]}
    if isinstance(value, list | tuple):
        return [to_json(v, f"{name}[{k}]") for k, v in enumerate(value)]
    raise ValueError(
        f"{name} is a {type(value).__name__}, which a model file cannot hold. Give it as plain numbers, text or arrays "
        "(for random_state: an integer)."
    )


def _array_to_json(array: NDArray[Any], name: str) -> dict[str, Any]:
    if array.dtype.names:
        return {"table": {f: _array_to_json(array[f], f"{name}.{f}") for f in array.dtype.names}}
    if array.dtype.kind in "UO":
        if not all(isinstance(v, str) for v in array.ravel().tolist()):
            raise ValueError(f"{name} is an array of objects; a model file holds numbers and text.")
        return {"array": "text", "shape": list(array.shape), "values": array.tolist()}
    if array.dtype.name not in _TYPES:
        raise ValueError(f"{name} is an array of {array.dtype}; a model file holds {', '.join(_TYPES)} and text.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} has NaN or infinity, which JSON cannot hold; a model file has finite numbers.")
    made = {"array": array.dtype.name, "shape": list(array.shape)}
    if array.size > LARGE:
        content = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        return made | {"base64": base64.b64encode(content.reshape(-1).view(np.uint8).data)}
    return made | {"values": array.tolist()}


def from_json(found: Any, name: str, tensors: Mapping[str, NDArray[Any]]) -> Any:
    """Converts the output of `to_json` back to the value."""
    if isinstance(found, list):
        return [from_json(entry, f"{name}[{k}]", tensors) for k, entry in enumerate(found)]
    if not isinstance(found, dict):
        return found
    if found.keys() == {"table"} and isinstance(found["table"], dict):
        return _table(found["table"], name, tensors)
    if found.keys() == {"csr"} and isinstance(found["csr"], dict):
        return _csr(found["csr"], name, tensors)
    if found.keys() == {"ragged"}:
        return _ragged(found["ragged"], name, tensors)
    if found.keys() == {"repeated"}:
        return _repeated(found["repeated"], name, tensors)
    if found.keys() == {"updates"}:
        return _pair_weights(found["updates"], name, tensors)
    if found.keys() == {"circuit"}:
        return circuit_from(found["circuit"])
    if found.keys() == {"certificate"}:
        return certificate_from(found["certificate"])
    if found.keys() == {"pairs"}:
        try:
            return {_plain(k): from_json(v, f"{name}[{k!r}]", tensors) for k, v in found["pairs"]}
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"{name} is not a list of pairs") from error
    if any(found.keys() == {"array", "shape", way} for way in ("values", "base64", "tensor")):
        return _array(found, name, tensors)
    raise ModelFileError(f"{name} is written in an unknown form: {', '.join(list(found)[:5])}")


def _csr_to_json(matrix: Any, name: str) -> dict[str, Any]:
    parts = {"values": matrix.data, "indices": matrix.indices, "starts": matrix.indptr}
    arrays = {part: _array_to_json(found, f"{name}.{part}") for part, found in parts.items()}
    return {"shape": list(matrix.shape), **arrays}


def _csr(found: dict[str, Any], name: str, tensors: Mapping[str, NDArray[Any]]) -> Any:
    from scipy.sparse import csr_matrix

    arrays = [from_json(found.get(part), f"{name}.{part}", tensors) for part in ("values", "indices", "starts")]
    if not all(isinstance(array, np.ndarray) and array.ndim == 1 for array in arrays):
        raise ModelFileError(f"{name} lacks a part of a sparse matrix")
    try:
        matrix = csr_matrix(tuple(arrays), shape=tuple(found["shape"]))
        matrix.check_format()
    except (KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
        raise ModelFileError(f"{name} is not a sparse matrix ({error})") from error
    return matrix


def _ragged(found: Any, name: str, tensors: Mapping[str, NDArray[Any]]) -> Ragged[Any]:
    parts = _parts(found, {"values", "starts"}, name, tensors)
    values, starts = parts["values"], parts["starts"]
    if not all(isinstance(part, np.ndarray) and part.ndim == 1 for part in (values, starts)) or len(starts) < 1:
        raise ModelFileError(f"{name} is not an array of arrays")
    if starts[0] != 0 or starts[-1] != len(values) or (starts[1:] < starts[:-1]).any():
        raise ModelFileError(f"the starts of {name} do not fit its values")
    return Ragged(values, starts)


def _repeated(found: Any, name: str, tensors: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    parts = _parts(found, {"row", "count"}, name, tensors)
    row, count = parts["row"], parts["count"]
    if not isinstance(row, np.ndarray) or row.ndim != 1 or type(count) is not int or not 0 < count < 2**48:
        raise ModelFileError(f"{name} is not a repeated row")
    return np.broadcast_to(row, (count, len(row)))


def _pair_weights(found: Any, name: str, tensors: Mapping[str, NDArray[Any]]) -> PairWeights:
    try:
        weights = PairWeights(**_parts(found, {each.name for each in fields(PairWeights)}, name, tensors))
        weights.check()
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelFileError(f"{name} has no weights of pairs ({error})") from error
    return weights


def _parts(found: Any, names: set[str], name: str, tensors: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    if not isinstance(found, dict) or found.keys() != names:
        raise ModelFileError(f"{name} must have the parts {', '.join(sorted(names))}")
    return {part: from_json(entry, f"{name}.{part}", tensors) for part, entry in found.items()}


def _plain(key: Any) -> Any:
    if isinstance(key, list | dict):
        raise TypeError("a key is not plain")
    return key


def _table(columns: dict[str, Any], name: str, tensors: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    parts = {f: from_json(entry, f"{name}.{f}", tensors) for f, entry in columns.items()}
    lengths = {p.shape for p in parts.values() if isinstance(p, np.ndarray) and p.ndim == 1 and p.dtype.kind != "U"}
    if len(lengths) != 1 or not all(isinstance(part, np.ndarray) for part in parts.values()):
        raise ModelFileError(f"the columns of {name} differ in length")
    try:
        table = np.empty(lengths.pop(), dtype=[(f, part.dtype) for f, part in parts.items()])
    except ValueError as error:
        raise ModelFileError(f"the columns of {name} have names that no table can have") from error
    for f, part in parts.items():
        table[f] = part
    return table


def _array(found: dict[str, Any], name: str, tensors: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    kind, shape = found["array"], found["shape"]
    if not isinstance(shape, list) or not all(type(n) is int and 0 <= n < 2**48 for n in shape) or len(shape) > 4:
        raise ModelFileError(f"{name} has no shape")
    if "tensor" in found:
        array = tensors.get(found["tensor"]) if isinstance(found["tensor"], str) else None
        if array is None:
            raise ModelFileError(f"{name} is not in the file of arrays beside the model")
        if array.dtype.name != kind or list(array.shape) != shape:
            raise ModelFileError(f"{name} is not of the type and shape that the model says")
    elif "base64" in found:
        array = _from_base64(found["base64"], kind, shape, name)
    else:
        array = _written(found["values"], kind, shape, name)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ModelFileError(f"{name} has NaN or infinity")
    return array


def _from_base64(text: Any, kind: Any, shape: list[int], name: str) -> NDArray[Any]:
    if kind not in _TYPES:
        raise ModelFileError(f"{name} is of the type {kind!r}, which cannot be stored as bytes")
    try:
        content = np.frombuffer(binascii.a2b_base64(text, strict_mode=True), dtype=np.uint8)
    except (TypeError, ValueError, binascii.Error) as error:
        raise ModelFileError(f"{name} is not complete base64 ({error})") from error
    stored = np.dtype(kind).newbyteorder("<")
    if len(content) != math.prod(shape) * stored.itemsize:
        raise ModelFileError(f"{name} does not have the shape {shape} that it says")
    if kind == "bool" and content.max(initial=0) > 1:
        raise ModelFileError(f"{name} has an entry that is not of the type bool")
    array: NDArray[Any] = content.view(stored).astype(kind)
    return array.reshape(shape)


_KINDS = {
    "text": (str,),
    "bool": (bool,),
    "int64": (int,),
    "int32": (int,),
    "uint32": (int,),
    "uint64": (int,),
    "uint8": (int,),
}


def _written(values: Any, kind: Any, shape: list[int], name: str) -> NDArray[Any]:
    flat = [values]
    for n in shape:
        if not all(isinstance(part, list) and len(part) == n for part in flat):
            raise ModelFileError(f"{name} does not have the shape {shape} that it says")
        flat = [entry for part in flat for entry in part]
    if kind != "text" and kind not in _TYPES:
        raise ModelFileError(f"{name} is of the type {kind!r}, which is not supported")
    allowed = _KINDS.get(kind, (float, int))
    if not all(type(entry) in allowed for entry in flat):
        raise ModelFileError(f"{name} has an entry that is not of the type {kind}")
    try:
        return np.array(flat, dtype=np.str_ if kind == "text" else kind).reshape(shape)
    except OverflowError as error:
        raise ModelFileError(f"{name} has a number that is too large for {kind}") from error
