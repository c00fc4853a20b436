"""`.npy` and `.npz` files; `.npy` also block by block. Nothing is ever unpickled."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.dataset import Dataset, refuse_kind
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import Labels, numeric_labels, written_labels
from rosenblatt.data.memory import check_bytes, megabytes
from rosenblatt.data.read_options import ReadOptions
from rosenblatt.data.scanner import Block, Scan
from rosenblatt.data.sources.byte_source import ByteSource, CheckedStream
from rosenblatt.data.sources.file_bytes import Bytes, display_name
from rosenblatt.data.sparse import Matrix, Sparse

_X_NAMES = ("X", "x", "data", "features")
_Y_NAMES = ("y", "Y", "target", "labels", "label")
_VALUES = 1 << 20  # values per block


def read(source: str, content: Bytes, form: str, options: ReadOptions, like: Features | None) -> Dataset:
    """Reads all examples of an array file; with `like`, with the model's number of features."""
    name = display_name(source)
    if like is not None and like.kind == "table" and not all(c.is_number for c in like.columns):
        refuse_kind(name, "an array", like)
    X, labels = _read_arrays(name, content, form, n_features=like.n_features if like else None)
    if like is not None and X.shape[1] != like.n_features:
        raise DataError(f"{name} has {X.shape[1]} features; the model has {like.n_features}.")
    notes = () if labels is None or form == "npz" else ("the last column is the label",)
    return Dataset(name, X, labels, like or Features("array", X.shape[1]), "", _place, notes)


def scan(source: ByteSource, form: str, options: ReadOptions, like: Features | None) -> Scan:
    """Scans the rows of a matrix in C order; if a model has exactly as many features, the matrix has no labels."""
    if form == "npz":
        raise DataError(f"{source.name}: .npz files are read whole. Save it as one .npy, or as Parquet, to stream it.")
    with source.open() as stream:
        rows, columns, kind = _header(source.name, stream)
    labelled = like is None or columns != like.n_features
    if labelled and columns < 2:
        raise DataError(f"{source.name} has {columns} columns; a .npy file needs features and, last, the label.")
    width = columns - labelled
    if like is not None and width != like.n_features:
        raise DataError(f"{source.name} has {width} features; the model has {like.n_features}.")
    features = like or Features("array", width)
    last: list[CheckedStream] = []

    def blocks() -> Iterator[Block]:
        with source.open() as stream:
            last[:] = [stream]
            _header(source.name, stream)
            rows_per_block = max(1, _VALUES // columns)
            for start in range(0, rows, rows_per_block):
                count = min(rows_per_block, rows - start)
                content = stream.read(count * columns * kind.itemsize)
                if len(content) < count * columns * kind.itemsize:
                    raise DataError(f"{source.name} ends in row {start + 1} or after it; it promises {rows} rows.")
                table = np.frombuffer(content, kind).reshape(count, columns).astype(np.float64)
                _finite(source.name, table, start)
                y = numeric_labels(table[:, -1], source.name, _places(start)).y if labelled else None
                yield Block(np.ascontiguousarray(table[:, :width]), y)

    notes = ("the last column is the label",) if labelled else ()
    return Scan(
        source.name, lambda: features, blocks, source.n_bytes, lambda: source.position,
        lambda: last[0].fingerprint if last else source.fingerprint(), lambda row: f"row {row + 1}", notes,
    )  # fmt: skip


def _read_arrays(name: str, content: Bytes, form: str, *, n_features: int | None) -> tuple[Matrix, Labels | None]:
    """`.npz`: X (or a CSR matrix as scipy saves it) and y. `.npy`: a matrix whose last column is the label.

    With `n_features` (of a model), a matrix with exactly that number of columns has no labels.
    """
    arrays = _load(name, content, form)
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


def _load(name: str, content: Bytes, form: str) -> dict[str, NDArray[Any]]:
    if form == "npz":
        _check_room(name, content)
    try:
        arrays = np.load(io.BytesIO(content.tobytes()), allow_pickle=False)
        return {"": arrays} if form == "npy" else {key: arrays[key] for key in arrays.files}
    except Exception as error:  # zipfile, zlib, struct and NumPy's parser raise different types
        text = " ".join(str(error).split())[:160]
        raise DataError(
            f"{name}: cannot be read as {form} ({text}). Is the file complete, and free of objects?"
        ) from error


def _check_room(name: str, content: Bytes) -> None:
    """Refuses arrays that, decompressed, exceed half of the available memory."""
    from zipfile import BadZipFile, ZipFile

    try:
        needed = sum(member.file_size for member in ZipFile(io.BytesIO(content)).infolist())
    except (BadZipFile, NotImplementedError, ValueError, OSError):
        return  # NumPy reports the damaged file
    check_bytes(
        needed,
        f"{name} ({megabytes(len(content))}) unpacks to",
        "Save the matrix as .npy, the label as its last column, and train on that with --stream.",
    )


def _matrix(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise DataError(
            f"{name}: an array of shape {array.shape} and type {array.dtype}; a matrix of numbers is needed."
        )
    return _finite(name, np.ascontiguousarray(array, dtype=np.float64))


def _finite(name: str, array: NDArray[np.float64], first_row: int = 0) -> NDArray[np.float64]:
    """Returns the array; refuses NaN and infinity. `first_row` is the number of rows before it in the file."""
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
    _finite(name, matrix.data.astype(np.float64))
    return Sparse.from_scipy(matrix)


def _labels(name: str, y: NDArray[Any]) -> Labels:
    if y.dtype.kind in "USb":
        classes, codes = np.unique(y.astype(str), return_inverse=True)
        return written_labels(classes.tolist(), codes.astype(np.int32), name, _place)
    if y.dtype.kind not in "fiub":
        raise DataError(f"{name}: labels of type {y.dtype}; numbers or text are needed.")
    return numeric_labels(_finite(name, y.astype(np.float64)), name, _place)


def _places(start: int) -> Callable[[int], str]:
    return lambda row: f"row {start + row + 1}"


def _header(name: str, stream: CheckedStream) -> tuple[int, int, np.dtype[np.generic]]:
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, kind = read(stream)
    except ValueError as error:
        text = " ".join(str(error).split())[:160]
        raise DataError(f"{name}: cannot be read as npy ({text}). Is the file complete?") from error
    if len(shape) != 2 or kind.kind not in "fiub" or fortran:
        order = " in Fortran order" if fortran else ""
        raise DataError(
            f"{name}: an array of shape {shape} and type {kind}{order}; a matrix of numbers in C order can be streamed."
        )
    return int(shape[0]), int(shape[1]), kind
