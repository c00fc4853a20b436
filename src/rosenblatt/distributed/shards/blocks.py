"""Converts Dask arrays and Dask dataframes to shards, one per chunk or partition."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.cluster.engine import da, delayed, is_dask_collection
from rosenblatt.distributed.shards.shard import Shard
from rosenblatt.estimators import Perceptron
from rosenblatt.estimators.checks.validation import check_examples
from rosenblatt.learning.examples import refuse_one_class
from rosenblatt.learning.labels.class_weights import weighted_by_class
from rosenblatt.learning.labels.validation_split import validation_split


@dataclass(frozen=True)
class Block:
    """Unchecked rows of one chunk, partition or file."""

    name: str
    X: Any
    y: Any
    weights: Any = None
    chosen: NDArray[np.uint32] | None = None  # training rows, if some rows are held out
    test: NDArray[np.uint32] | None = None


@dataclass(frozen=True)
class Survey:
    """The facts about a block that are needed from all blocks before training starts."""

    name: str
    n_examples: int
    n_features: int
    n_values: int  # stored values; fewer than rows × columns for a sparse block
    classes: NDArray[Any]
    counts: NDArray[np.int64]  # of each class
    feature_names: tuple[str, ...] | None


def blocks_of(X: Any, y: Any, sample_weight: Any) -> list[Any]:
    """Delayed blocks, one per chunk or partition."""
    if not is_dask_collection(X):
        raise ValueError(
            f"X is a {type(X).__name__}. Give a Dask array, a Dask dataframe or a list of paths; what fits in memory "
            "is better fitted by the local estimator."
        )
    if y is None:
        raise ValueError("y is missing: give the labels as a Dask array or series with the partitions of X.")
    parts = [_rows(X, None, "X"), _rows(y, X, "y")]
    if sample_weight is not None:
        parts.append(_rows(sample_weight, X, "sample_weight"))
    counts = [len(part) for part in parts]
    if len(set(counts)) > 1:
        raise ValueError(
            f"X and y have {counts[0]} and {counts[1]} partitions; they must have the same partitions (repartition)."
        )
    make = delayed(Block)
    return [make(f"shard {i}", *pieces) for i, pieces in enumerate(zip(*parts, strict=True))]


def _rows(values: Any, like: Any, name: str) -> Sequence[Any]:
    """The delayed pieces of a collection, in row order. Arrays are rechunked to one chunk of columns."""
    if hasattr(values, "partitions") and hasattr(values, "npartitions") and not hasattr(values, "rechunk"):
        return list(values.to_delayed())
    if not is_dask_collection(values):
        values = np.asarray(values)
        if like is None or not hasattr(like, "rechunk") or np.isnan(like.chunks[0]).any():
            raise ValueError(
                f"{name} is a {type(values).__name__}: give a Dask array or series with the partitions of X."
            )
        values = da.from_array(values, chunks=(like.chunks[0], *values.shape[1:]))
    if values.ndim == 2:
        values = values.rechunk({1: -1})
    if like is not None and hasattr(like, "rechunk") and values.chunks[0] != like.chunks[0]:
        known = not (np.isnan(values.chunks[0]).any() or np.isnan(like.chunks[0]).any())
        if known:
            if values.shape[0] != like.shape[0]:
                raise ValueError(f"X has {like.shape[0]} rows, {name} has {values.shape[0]}; they must agree.")
            values = values.rechunk({0: like.chunks[0]})
    return list(values.to_delayed().ravel())


def survey_block(block: Block) -> Survey:
    """Counts classes and features. Raises an error that names the block if X and y differ in length."""
    n = block.X.shape[0]
    y = np.asarray(block.y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y.ravel()
    if len(y) != n:
        raise ValueError(f"{block.name}: X has {n} rows, y has {len(y)}; they must have the same partitions.")
    present = y if block.weights is None else y[np.asarray(block.weights) > 0]
    if block.chosen is not None:
        present = y[block.chosen]
    names = getattr(block.X, "columns", None)
    classes, counts = np.unique(present, return_counts=True) if n else (y[:0], np.zeros(0, np.int64))
    return Survey(
        block.name,
        n,
        block.X.shape[1],
        int(getattr(block.X, "nnz", n * block.X.shape[1])),
        classes,
        counts.astype(np.int64),
        None if names is None else tuple(map(str, names)),
    )


def classes_of(surveys: Sequence[Survey]) -> NDArray[Any]:
    """The classes of all blocks together."""
    found = [survey.classes for survey in surveys if len(survey.classes)]
    widths = {survey.n_features for survey in surveys if survey.n_examples}
    if len(widths) > 1:
        few, many = (next(s for s in surveys if s.n_features == w) for w in (min(widths), max(widths)))
        raise ValueError(
            f"{few.name} has {few.n_features} features, {many.name} has {many.n_features}; they must agree."
        )
    if len({"text" if labels.dtype.kind in "OUST" else "numbers" for labels in found}) > 1:
        raise ValueError("y is text in some shards and numbers in others. Give all labels one type.")
    classes = np.unique(np.concatenate(found)) if found else np.empty(0)
    refuse_one_class(classes)
    return classes


def counts_of(surveys: Sequence[Survey], classes: NDArray[Any]) -> NDArray[np.int64]:
    """The number of examples of each class."""
    counts = np.zeros(len(classes), np.int64)
    for survey in surveys:
        counts[np.searchsorted(classes, survey.classes)] += survey.counts
    return counts


def make_shard(
    block: Block, classes: NDArray[Any], class_weight: dict[Any, float] | None, held: tuple[float, int] | None
) -> Shard:
    """Checks a block and encodes its labels. `held` is the validation fraction of early stopping, and the seed."""
    if block.X.shape[0] == 0 or (block.weights is not None and not np.any(block.weights)):  # an empty shard
        empty = np.zeros((0, block.X.shape[1]))
        return Shard(block.name, empty, classes, np.zeros(0, np.int32), None, None)
    y = np.asarray(block.y)
    validation = None
    try:
        y = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
        examples = check_examples(Perceptron(), block.X, y, block.weights, classes, reset=True)
        examples = weighted_by_class(examples, class_weight)
        if block.chosen is not None:
            examples = replace(examples, chosen=block.chosen)
        if held is not None:
            examples, validation = validation_split(examples, *held)
    except ValueError as error:
        raise ValueError(f"{block.name}: {error}") from error
    return Shard(
        block.name, examples.X, classes, examples.codes, examples.weights, examples.chosen, validation, block.test
    )
