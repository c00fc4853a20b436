"""Files as shards: each read where it is needed, by columns and classes that all of them share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from glob import glob
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import xxh64
from rosenblatt.data import DataError, Features, Sparse, Wishes, read
from rosenblatt.data.errors import option
from rosenblatt.data.features import Column, Scale
from rosenblatt.data.labels import Labels
from rosenblatt.data.sparse import Matrix
from rosenblatt.distributed.blocks import Block
from rosenblatt.distributed.engine import Cluster
from rosenblatt.models.training import split


@dataclass(frozen=True)
class FileSurvey:
    """What one file says about itself."""

    name: str
    n_examples: int
    features: Features
    fingerprint: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """Part `part` of `of` equal stretches of a file's rows."""

    path: str
    part: int = 0
    of: int = 1

    @property
    def name(self) -> str:
        return self.path if self.of == 1 else f"{self.path} (part {self.part + 1} of {self.of})"


@dataclass(frozen=True)
class Files:
    """Files that have been looked at: pieces to load as shards, and what all have in common."""

    pieces: tuple[Piece, ...]
    wishes: Wishes
    features: Features
    n_examples: int
    fingerprint: str
    notes: tuple[str, ...]


def paths_in(source: str | PathLike[str]) -> list[str]:
    """The files that a name stands for: itself, those in a folder, or those that match a pattern; sorted.

    >>> paths_in("data.csv")
    ['data.csv']
    """
    name = str(source)
    if Path(name).is_dir():
        found = sorted(str(path) for path in Path(name).iterdir() if path.is_file() and path.name[0] not in "._")
        if not found:
            raise DataError(f"{name}: the folder has no files. Name a file, a folder of files or a pattern.")
        return found
    if not Path(name).exists() and any(sign in name for sign in "*?["):
        found = sorted(glob(name))
        if not found:
            raise DataError(f"{name}: no file matches. Check the pattern.")
        return found
    return [name]


def look_at(cluster: Cluster, paths: Sequence[str], wishes: Wishes, pieces: int = 1) -> Files:
    """Reads every file once to learn its columns; a single file is then cut into so many pieces."""
    surveys: list[FileSurvey] = cluster.results(
        [cluster.submit(_survey, path, wishes) for path in paths], "looking at the files"
    )
    if wishes.impute and len(surveys) > 1:
        raise DataError(
            f"--impute fills with the median of a column, which {len(surveys)} files do not know of each other. Fill "
            "the values beforehand, or train on one file."
        )
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
        wishes = replace(wishes, zero_based=features.zero_based)
    return Files(cut, wishes, features, sum(survey.n_examples for survey in surveys), fingerprint, notes)


def block_maker(
    cluster: Cluster, files: Files, held_out: float = 0.0, seed: int = 0, scale: Scale | None = None
) -> Callable[[], list[Any]]:
    """Makes the tasks that load the pieces, now and whenever they must be made again."""

    def make() -> list[Any]:
        load = [(piece, files.wishes, files.features, held_out, seed, scale) for piece in files.pieces]
        return [cluster.submit(_load, *args) for args in load]

    return make


def common_scale(cluster: Cluster, blocks: Sequence[Any]) -> Scale:
    """The scale of all training rows, from what each shard has summed up; of one shard, that of `fitted_scale`."""
    parts: list[tuple[int, Scale]] = cluster.results([cluster.submit(_scale_of, block) for block in blocks], "scaling")
    n, first = parts[0]
    centre, width = first.centre, first.width
    if centre is None:
        width = np.max([part.width for _, part in parts], axis=0)
    elif len(parts) > 1:
        squares = n * width**2
        for more, part in parts[1:]:  # Chan, Golub and LeVeque (1979), in shard order
            delta = np.asarray(part.centre) - centre
            squares = squares + more * part.width**2 + delta**2 * (n * more / (n + more))
            centre = centre + delta * (more / (n + more))
            n += more
        width = np.sqrt(squares / n)
    return Scale(centre, np.where(width == 0, 1.0, width))


def _survey(path: str, wishes: Wishes) -> FileSurvey:
    loaded = read(path, wishes)
    loaded.needs_labels()
    return FileSurvey(loaded.name, loaded.n_examples, loaded.features, loaded.fingerprint, loaded.notes)


def _load(piece: Piece, wishes: Wishes, features: Features, held_out: float, seed: int, scale: Scale | None) -> Block:
    loaded = read(piece.path, wishes, like=features)
    labels = loaded.needs_labels()
    n = loaded.n_examples
    mine = slice(piece.part * n // piece.of, (piece.part + 1) * n // piece.of)
    X: Matrix = loaded.X
    if piece.of > 1:
        X = X.rows(np.arange(n)[mine]) if isinstance(X, Sparse) else X[mine].copy()
        labels = Labels(labels.classes, labels.codes[mine])
    if scale is not None:
        X = scale.apply(X)
    chosen, test = split(labels, held_out, seed) if held_out else (None, None)
    return Block(piece.name, X.to_scipy() if isinstance(X, Sparse) else X, labels.y, None, chosen, test)


def _scale_of(block: Block) -> tuple[int, Scale]:
    """How many training rows, and their scale, where a constant column has width 0."""
    X = block.X if block.chosen is None else block.X[block.chosen]
    if hasattr(X, "indptr"):
        return X.shape[0], Scale(None, Sparse.from_scipy(X).largest_magnitudes())
    return X.shape[0], Scale(X.mean(axis=0), X.std(axis=0))


def _common(surveys: Sequence[FileSurvey]) -> Features:
    """The features of all files: the widest svmlight file, every category of every table."""
    first = surveys[0]
    if len(surveys) == 1:
        return first.features
    for survey in surveys:
        if survey.features.kind != first.features.kind:
            raise DataError(f"{survey.name} and {first.name} are not of one kind. Give shards of one format.")
    features = [survey.features for survey in surveys]
    if first.features.kind == "svmlight":
        zero_based = any(part.zero_based for part in features)
        # A file whose indices were taken to begin at 1 is one feature wider if they begin at 0.
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
    return Features.of_table(columns, first.features.target)


def _common_column(surveys: Sequence[FileSurvey], column: Column) -> Column:
    words: set[str] = set()
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
    return column if column.vocabulary is None else Column(column.name, tuple(sorted(words)), column.fill)
