"""`.npy` and `.npz` files. Nothing in them is ever unpickled."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.bytes import Bytes, named
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels, numeric_labels, written_labels
from rosenblatt.data.loaded import Loaded, refuse_kind
from rosenblatt.data.memory import check_bytes, megabytes
from rosenblatt.data.sparse import Matrix, Sparse

_X_NAMES = ("X", "x", "data", "features")
_Y_NAMES = ("y", "Y", "target", "labels", "label")


def loaded_arrays(source: str, found: Bytes, form: str, like: Features | None) -> Loaded:
    """The examples of such a file; with `like`, of a model's width."""
    name = named(source)
    if like is not None and like.kind == "table" and not all(c.is_number for c in like.columns):
        refuse_kind(name, "an array", like)
    X, labels = read_arrays(source, found, form, n_features=like.n_features if like else None)
    if like is not None and X.shape[1] != like.n_features:
        raise DataError(f"{name} has {X.shape[1]} features; the model has {like.n_features}.")
    notes = () if labels is None or form == "npz" else ("the last column is the label",)
    return Loaded(name, X, labels, like or Features("array", X.shape[1]), "", _place, notes)


def read_arrays(source: str, found: Bytes, form: str, *, n_features: int | None) -> tuple[Matrix, Labels | None]:
    """`.npz`: X (or a CSR matrix as scipy saves it) and y. `.npy`: a matrix whose last column is the label.

    With `n_features` (of a model) a matrix of just that width has no labels.
    """
    name = named(source)
    arrays = _load(name, found, form)
    if form == "npy":
        table = _matrix(name, arrays[""])
        if table.shape[1] == n_features:
            return table, None
        if table.shape[1] < 2:
            raise DataError(f"{name} has {table.shape[1]} columns; a .npy file needs features and, last, the label.")
        return np.ascontiguousarray(table[:, :-1]), numeric_labels(table[:, -1], name, _place)
    X = _sparse(name, arrays) if "indptr" in arrays else _dense(name, arrays)
    key = next((key for key in _Y_NAMES if key in arrays), None)
    if key is None:
        return X, None
    y = arrays[key]
    if y.shape != (X.shape[0],):
        raise DataError(f"{name}: {key} has shape {y.shape}; X has {X.shape[0]} rows.")
    return X, _labels(name, y)


def _place(row: int) -> str:
    return f"row {row + 1}"


def _load(name: str, found: Bytes, form: str) -> dict[str, NDArray[Any]]:
    if form == "npz":
        _check_room(name, found)
    try:
        loaded = np.load(io.BytesIO(found.tobytes()), allow_pickle=False)
        return {"": loaded} if form == "npy" else {key: loaded[key] for key in loaded.files}
    except Exception as error:  # zipfile, zlib, struct and NumPy's parser each have their own
        text = " ".join(str(error).split())[:160]
        raise DataError(
            f"{name}: cannot be read as {form} ({text}). Is the file whole, and free of objects?"
        ) from error


def _check_room(name: str, found: Bytes) -> None:
    """Refuses arrays that are larger, unpacked, than there is room for."""
    from zipfile import BadZipFile, ZipFile

    try:
        needed = sum(member.file_size for member in ZipFile(io.BytesIO(found)).infolist())
    except (BadZipFile, NotImplementedError, ValueError, OSError):
        return  # which NumPy will say
    check_bytes(
        needed,
        f"{name} ({megabytes(len(found))}) unpacks to",
        "Save the matrix as .npy, the label as its last column, and train on that with --stream.",
    )


def _matrix(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise DataError(
            f"{name}: an array of shape {array.shape} and type {array.dtype}; a matrix of numbers is needed."
        )
    return finite(name, np.ascontiguousarray(array, dtype=np.float64))


def finite(name: str, array: NDArray[np.float64], first_row: int = 0) -> NDArray[np.float64]:
    """The array, which must have neither NaN nor infinity; rows count from a first."""
    strange = np.argwhere(~np.isfinite(array))
    if len(strange):
        row, *column = strange[0].tolist()
        where = f"row {first_row + row + 1}, column {column[0] + 1}" if column else f"value {row + 1}"
        raise DataError(f"{name}, {where}: NaN or infinity. Remove or replace it.")
    return array


def _dense(name: str, arrays: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
    key = next((key for key in _X_NAMES if key in arrays), None)
    if key is None:
        raise DataError(f"{name} holds {', '.join(arrays) or 'nothing'}; the matrix must be named X and the labels y.")
    return _matrix(name, arrays[key])


def _sparse(name: str, arrays: dict[str, NDArray[Any]]) -> Sparse:
    from scipy.sparse import csr_matrix

    try:
        shape = tuple(int(k) for k in arrays["shape"])
        matrix = csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
        matrix.check_format()
        if matrix.data.dtype.kind not in "fiub":
            raise ValueError(f"values of type {matrix.data.dtype}")
    except (KeyError, ValueError, TypeError, OverflowError, IndexError) as error:
        raise DataError(f"{name}: not a sparse matrix as scipy.sparse.save_npz writes it ({error}).") from error
    finite(name, matrix.data.astype(np.float64))
    return Sparse.from_scipy(matrix)


def _labels(name: str, y: NDArray[Any]) -> Labels:
    if y.dtype.kind in "USb":
        classes, codes = np.unique(y.astype(str), return_inverse=True)
        return written_labels(classes.tolist(), codes.astype(np.int32), name, _place)
    if y.dtype.kind not in "fiub":
        raise DataError(f"{name}: labels of type {y.dtype}; numbers or text are needed.")
    return numeric_labels(finite(name, y.astype(np.float64)), name, _place)
