"""Files as shards: each file is read by the worker that needs it, with the columns and classes of all files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import xxh64
from rosenblatt.data import DataError, Features, ReadOptions, Sparse, read
from rosenblatt.data.errors import option
from rosenblatt.data.features import Column, Scale
from rosenblatt.data.labels import Labels
from rosenblatt.data.sparse import Matrix
from rosenblatt.distributed.cluster.engine import Cluster
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.shards.blocks import Block
from rosenblatt.models.training.splits import Split


@dataclass(frozen=True)
class FileSurvey:
    """The facts about one file."""

    name: str
    n_examples: int
    n_values: int  # stored values
    features: Features
    fingerprint: str
    notes: tuple[str, ...]
    classes: NDArray[Any]
    counts: NDArray[np.int64]  # pieces × classes


@dataclass(frozen=True)
class Piece:
    """Part `part` of a file that is cut into `of` parts of consecutive rows."""

    path: str
    part: int = 0
    of: int = 1

    @property
    def name(self) -> str:
        return self.path if self.of == 1 else f"{self.path} (part {self.part + 1} of {self.of})"


@dataclass(frozen=True)
class Files:
    """Surveyed files: the pieces to load as shards, and the common features and classes."""

    pieces: tuple[Piece, ...]
    read_options: ReadOptions
    features: Features
    n_examples: int
    n_values: int
    fingerprint: str
    notes: tuple[str, ...]
    classes: NDArray[Any]
    counts: NDArray[np.int64]  # pieces × classes


def survey_files(cluster: Cluster, paths: Sequence[str], read_options: ReadOptions, pieces: int = 1) -> Files:
    """Reads every file once to find its columns. A single file is then cut into `pieces` pieces."""
    first = cluster.submit(_survey, paths[0], read_options, pieces if len(paths) == 1 else 1)
    surveys: list[FileSurvey] = cluster.results([first], "looking at the first file")
    if len(paths) > 1:
        constant = [entry.name for entry in surveys[0].features.report if entry.type == "constant"]
        if constant:  # a column may vary between the files although it is constant in the first
            read_options = replace(read_options, keep=[*read_options.keep, *constant])
            first = cluster.submit(_survey, paths[0], read_options, 1)
            surveys = cluster.results([first], "looking at the first file")
        if surveys[0].features.kind == "table":  # the first file determines the types of the columns
            read_options = read_options.fixed_to(surveys[0].features)
        more = [cluster.submit(_survey, path, read_options, 1) for path in paths[1:]]
        surveys += cluster.results(more, "looking at the files")
    features = _common(surveys)
    if len(paths) == 1:
        pieces = min(pieces, surveys[0].n_examples)
        cut = tuple(Piece(paths[0], part, pieces) for part in range(pieces))
    else:
        cut = tuple(Piece(path) for path in paths)
    stamps = "".join(survey.fingerprint for survey in surveys)
    fingerprint = stamps if len(surveys) == 1 else f"xxh64:{xxh64(np.frombuffer(stamps.encode(), np.uint8)):016x}"
    notes = tuple(dict.fromkeys(note for survey in surveys for note in survey.notes))
    if features.kind == "svmlight":
        read_options = replace(read_options, zero_based=features.zero_based)
    classes, counts = _classes_and_counts(surveys)
    return Files(
        cut,
        read_options,
        features,
        sum(survey.n_examples for survey in surveys),
        sum(survey.n_values for survey in surveys),
        fingerprint,
        notes,
        classes,
        counts,
    )


def _classes_and_counts(surveys: Sequence[FileSurvey]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The classes of all files, and the number of examples of each class in each piece."""
    if len({survey.classes.dtype.kind in "OUST" for survey in surveys}) > 1:
        raise DataError("the labels are text in some files and numbers in others. Give all labels one type.")
    classes = np.unique(np.concatenate([survey.classes for survey in surveys]))
    counts = np.zeros((sum(len(survey.counts) for survey in surveys), len(classes)), np.int64)
    first = 0
    for survey in surveys:
        places = np.searchsorted(classes, survey.classes)
        counts[first : first + len(survey.counts), places] = survey.counts
        first += len(survey.counts)
    return classes, counts


def block_maker(
    cluster: Cluster | InProcess, files: Files, splits: tuple[Split, ...] = (), scale: Scale | None = None
) -> Callable[[], list[Any]]:
    """A function that submits the tasks that load the pieces. It can be called again after a loss."""

    def make() -> list[Any]:
        load = [(piece, files.read_options, files.features) for piece in files.pieces]
        blocks = [cluster.submit(_load, *args) for args in load]
        return [cluster.submit(prepared, block, splits, scale) for block in blocks] if splits or scale else blocks

    return make


def _survey(path: str, read_options: ReadOptions, pieces: int) -> FileSurvey:
    loaded = read(path, read_options)
    labels, X = loaded.needs_labels(), loaded.X
    pieces = min(pieces, loaded.n_examples)
    counts = [
        np.bincount(labels.codes[_stretch(loaded.n_examples, part, pieces)], minlength=len(labels.classes))
        for part in range(pieces)
    ]
    return FileSurvey(
        loaded.name,
        loaded.n_examples,
        len(X.values) if isinstance(X, Sparse) else X.size,
        loaded.features,
        loaded.fingerprint,
        loaded.notes,
        labels.classes,
        np.array(counts),
    )


def _stretch(n: int, part: int, of: int) -> slice:
    """The rows of part `part` of `of` parts."""
    return slice(part * n // of, (part + 1) * n // of)


def _load(piece: Piece, read_options: ReadOptions, features: Features) -> Block:
    loaded = read(piece.path, read_options, like=features).labelled()
    labels = loaded.needs_labels()
    n = loaded.n_examples
    mine = _stretch(n, piece.part, piece.of)
    X: Matrix = loaded.X
    if piece.of > 1:
        X = X.rows(np.arange(n)[mine]) if isinstance(X, Sparse) else X[mine].copy()
        labels = Labels(labels.classes, labels.codes[mine])
    return Block(piece.name, X.to_scipy() if isinstance(X, Sparse) else X, labels.y)


def prepared(block: Block, splits: Sequence[Split], scale: Scale | None) -> Block:
    """The same rows, scaled. Each split holds out a part of the previous split's training rows."""
    X = block.X
    if scale is not None:
        scaled = scale.apply(Sparse.from_scipy(X) if hasattr(X, "indptr") else X)
        X = scaled.to_scipy() if isinstance(scaled, Sparse) else scaled
    classes, inverse = np.unique(block.y, return_inverse=True)
    codes = inverse.astype(np.int32)
    chosen: NDArray[np.uint32] | None = None
    test: NDArray[np.uint32] | None = None
    for split in splits:
        training, held = split.parts(codes if chosen is None else codes[chosen], len(classes))
        chosen, test = (training, held) if chosen is None else (chosen[training], chosen[held])
    return replace(block, X=X, chosen=chosen, test=test)


def _common(surveys: Sequence[FileSurvey]) -> Features:
    """The features of all files: the width of the widest svmlight file, the union of the categories of tables."""
    first = surveys[0]
    if len(surveys) == 1:
        return first.features
    for survey in surveys:
        if survey.features.kind != first.features.kind:
            raise DataError(f"{survey.name} and {first.name} are not of one kind. Give shards of one format.")
    features = [survey.features for survey in surveys]
    if first.features.kind == "svmlight":
        zero_based = any(part.zero_based for part in features)
        # A file that was read as one-based has one more feature if it is zero-based.
        width = max(part.n_features + (zero_based and not part.zero_based) for part in features)
        return Features("svmlight", width, zero_based=zero_based)
    if first.features.kind == "array":
        widths: NDArray[np.int64] = np.array([part.n_features for part in features])
        if len(set(widths.tolist())) > 1:
            k = int(np.argmax(widths != widths[0]))
            raise DataError(
                f"{surveys[k].name} has {widths[k]} features, {first.name} has {widths[0]}; they must agree."
            )
        return first.features
    columns = [_common_column(surveys, column) for column in first.features.columns]
    for survey in surveys:
        extra = {c.name for c in survey.features.columns} - {c.name for c in columns}
        if extra:
            raise DataError(
                f"{survey.name} has the column {min(extra)!r}, which {first.name} lacks. Drop it from {survey.name}."
            )
    return Features.of_table(columns, first.features.target, first.features.report, first.features.interactions)


def _common_column(surveys: Sequence[FileSurvey], column: Column) -> Column:
    words: set[str] = set()
    fills, gap, pooled = [], False, False
    for survey in surveys:
        theirs = next((c for c in survey.features.columns if c.name == column.name), None)
        if theirs is None:
            raise DataError(f"{survey.name} lacks the column {column.name!r} of {surveys[0].name}.")
        if (theirs.vocabulary is None) != (column.vocabulary is None):
            raise DataError(
                f"column {column.name!r} holds numbers in one of {surveys[0].name} and {survey.name}, text in the "
                f"other. Take it as categories ({option('categorical', column.name)}) or correct the file."
            )
        words |= set(theirs.vocabulary or ())
        fills.append(theirs.fill)
        gap, pooled = gap or theirs.gap, pooled or theirs.pooled
    if column.vocabulary is not None:
        return Column(column.name, tuple(sorted(words)), column.fill, gap=gap, pooled=pooled)
    if isinstance(column.fill, float):
        # The median of the files' medians, because no worker has the values of all files.
        return replace(column, fill=float(np.median([fill for fill in fills if isinstance(fill, float)])), gap=gap)
    return column
