"""Fixed effects as codes of levels; their dummies are never written out densely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.examples.check_features import unrounded
from rosenblatt.theory.existence.model.design import Column, is_frame


@dataclass(frozen=True)
class Effect:
    """A column of categories: `levels` in order of appearance, and each observation's position among them."""

    name: str
    levels: list[Any]
    codes: NDArray[np.int64]

    def dummies(self, *, full: bool) -> list[Column]:
        """One sparse column per level; without `full`, the first level is the reference."""
        order = np.argsort(self.codes, kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.levels)))
        members = np.split(order, ends[:-1])
        return [
            Column(f"{self.name}={level}", rows, np.ones(len(rows), dtype=np.int64), 1)
            for k, (level, rows) in enumerate(zip(self.levels, members, strict=True))
            if k or full
        ]


def effects_of(fixed_effects: Any, n: int, kept: NDArray[np.int64]) -> list[Effect]:
    """The effects, one per column of a frame or an array, with only the levels of the observations `kept`."""
    if fixed_effects is None:
        return []
    columns: list[tuple[str, Any]]
    if isinstance(fixed_effects, Mapping):
        columns = [(str(name), unrounded(values, str(name))) for name, values in fixed_effects.items()]
    elif is_frame(fixed_effects):
        frame = nw.from_native(fixed_effects, eager_only=True)
        columns = [(str(values.name), values.to_arrow()) for values in frame.iter_columns()]
    elif nw.dependencies.is_into_series(fixed_effects):
        series = nw.from_native(fixed_effects, series_only=True)
        columns = [(str(series.name or "effect0"), series.to_arrow())]
    else:
        table = unrounded(fixed_effects, "fixed_effects")
        table = table.reshape(-1, 1) if table.ndim == 1 else table
        if table.ndim != 2:
            raise ValueError(f"fixed_effects has shape {table.shape}; it must have one column an effect.")
        columns = [(f"effect{k}", table[:, k]) for k in range(table.shape[1])]
    return [_effect(name, values, n, kept) for name, values in columns]


def _effect(name: str, values: Any, n: int, kept: NDArray[np.int64]) -> Effect:
    import pyarrow as pa

    if len(values) != n:
        names = (
            [name for name in values[:2].tolist() if isinstance(name, str)] if isinstance(values, np.ndarray) else []
        )
        hint = f" If {names} are names of columns, give fixed_effects=data[{names}]." if names else ""
        raise ValueError(f"fixed_effects has {len(values)} rows and y has {n} values; they must be equally many.{hint}")
    try:
        column = values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(np.ascontiguousarray(values))
    except pa.ArrowException as error:
        raise ValueError(f"Fixed effect {name!r} mixes types. Convert its levels to one type.") from error
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_floating(column.type):
        numbers = column.to_numpy(zero_copy_only=False)
        gap = np.flatnonzero(~np.isfinite(numbers))
        column = pa.array(numbers + 0.0, type=column.type)  # 0.0 and -0.0 are one level
    else:
        gap = np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))
    if len(gap):
        raise ValueError(f"Fixed effect {name!r} has no level in row {gap[0]}. Drop the row or fill the gap.")
    try:
        coded = (column.take(pa.array(kept)) if len(kept) < n else column).dictionary_encode()
    except pa.ArrowNotImplementedError as error:
        raise ValueError(
            f"Fixed effect {name!r} holds values of the type {column.type}, which cannot be compared. Convert its "
            "levels to text or to numbers; several effects are several columns."
        ) from error
    if not isinstance(column, pa.DictionaryArray):
        return Effect(name, coded.dictionary.to_pylist(), coded.indices.to_numpy().astype(np.int64))
    used, codes = np.unique(coded.indices.to_numpy(), return_inverse=True)
    levels = coded.dictionary.to_pylist()
    return Effect(name, [levels[k] for k in used], codes.astype(np.int64))
