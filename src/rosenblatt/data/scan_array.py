"""`.npy` files, block by block: a matrix whose last column is the label."""

from collections.abc import Callable, Iterator

import numpy as np

from rosenblatt.data.arrays import finite
from rosenblatt.data.errors import DataError
from rosenblatt.data.features import Features
from rosenblatt.data.labels import numeric_labels
from rosenblatt.data.scanning import Block, Scan
from rosenblatt.data.streams import CheckedStream, Source

_VALUES = 1 << 20  # of a block


def scan_array(source: Source, like: Features | None) -> Scan:
    """The rows of a matrix in C order; with a model of just its width they have no labels."""
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
            many = max(1, _VALUES // columns)
            for begin in range(0, rows, many):
                count = min(many, rows - begin)
                content = stream.read(count * columns * kind.itemsize)
                if len(content) < count * columns * kind.itemsize:
                    raise DataError(f"{source.name} ends in row {begin + 1} or after it; it promises {rows} rows.")
                table = np.frombuffer(content, kind).reshape(count, columns).astype(np.float64)
                finite(source.name, table, begin)
                y = numeric_labels(table[:, -1], source.name, _places(begin)).y if labelled else None
                yield Block(np.ascontiguousarray(table[:, :width]), y)

    notes = ("the last column is the label",) if labelled else ()
    return Scan(
        source.name, lambda: features, blocks, source.n_bytes, lambda: source.position,
        lambda: last[0].fingerprint if last else source.fingerprint(), lambda row: f"row {row + 1}", notes,
    )  # fmt: skip


def _places(begin: int) -> Callable[[int], str]:
    return lambda row: f"row {begin + row + 1}"


def _header(name: str, stream: CheckedStream) -> tuple[int, int, np.dtype[np.generic]]:
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, fortran, kind = read(stream)
    except ValueError as error:
        text = " ".join(str(error).split())[:160]
        raise DataError(f"{name}: cannot be read as npy ({text}). Is the file whole?") from error
    if len(shape) != 2 or kind.kind not in "fiub" or fortran:
        order = " in Fortran order" if fortran else ""
        raise DataError(
            f"{name}: an array of shape {shape} and type {kind}{order}; a matrix of numbers in C order can be streamed."
        )
    return int(shape[0]), int(shape[1]), kind
