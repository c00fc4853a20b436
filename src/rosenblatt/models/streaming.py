"""From a stream to a model: the examples go to disk once, every epoch reads them from there."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from rosenblatt.data import DataError, Scan, Sparse
from rosenblatt.data.errors import option
from rosenblatt.data.sparse import Matrix
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import fit
from rosenblatt.learning.label_codes import LabelCodes
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.prediction import predicted_codes
from rosenblatt.learning.row_cache import RowCache, readable_size
from rosenblatt.learning.run import NotFiniteError
from rosenblatt.models.assessment import Assessment, assess
from rosenblatt.models.choosing import epochs_for
from rosenblatt.models.record import Record, rows_of
from rosenblatt.models.room import check_room
from rosenblatt.models.training import Plan, Trained, stored

_ROWS = 1 << 14  # scored at a time
_ALGORITHMS = ("AveragedPerceptron", "Perceptron")


class Caching(NamedTuple):
    """How far the reading is, and what it will need on disk."""

    read: int  # bytes of the source
    of: int  # 0 where that is not known
    examples: int
    written: int  # bytes on disk, with those of the block that is about to be written
    expected: int  # in the end; where it is not known how long the source is, as `written`
    folder: Path


def train_stream(
    scan: Scan,
    plan: Plan,
    *,
    cache_folder: str | Path | None = None,
    watch: Callable[[Caching], None] | None = None,
) -> Trained:
    """Trains on a file of any size, in its order, in bounded memory: the model that `train` finds with order="cyclic".

    `watch` is told the disk use before every block is written, the first included; if the disk has no room for what is
    expected, the block is not written.
    """
    algorithm, parameters = _parameters(plan)
    with RowCache(cache_folder) as cache:
        labels = LabelCodes()
        for block in scan.growing_blocks():
            if block.y is None:
                raise DataError(f"{scan.name} has no labels. Name the column that holds them ({option('target')}).")
            codes = labels.of(block.y)
            _check_finite(cache, block.X)
            _check_room(scan, cache, block.X, watch)
            if isinstance(block.X, Sparse):
                cache.append_sparse(block.X.values, block.X.indices, block.X.starts, codes)
            else:
                cache.append_dense(block.X, codes)
        if not cache.n_examples:
            raise DataError(f"{scan.name} has no examples.")
        classes, translation = labels.finish()
        if len(classes) < 2:
            raise DataError(
                f"{scan.name} has 1 class ({classes.tolist()[0]!r}); a perceptron needs at least 2. "
                f"Choose another target ({option('target')})."
            )
        check_room(scan.name, scan.features, len(classes), parameters.get("multi_class"))
        cache.finish(scan.features.n_features, translation, scan.lifted)
        if algorithm is None:
            many = {"multi_class": "joint"} if len(classes) > 2 else {}
            epochs = epochs_for(cache.n_entries, cache.n_examples, 1 if len(classes) == 2 else len(classes))
            parameters = {"max_iter": epochs, **many, **parameters}
        chosen = algorithm or "AveragedPerceptron"
        checked = Parameters.of(cast(Algorithm, chosen), parameters)
        examples = Examples(cache, cache.rows, classes, cache.codes, None, None, cache.release)
        try:
            found = fit(checked.replaced(verbose=int(plan.verbose)), examples)
        except NotFiniteError as error:
            raise DataError(
                f"{scan.name}: the weights left the range of floating-point numbers. Lower the step (--eta0)."
            ) from error
        training = {
            "source": scan.name,
            "examples": cache.n_examples,
            "held_out": 0,
            "fingerprint": scan.fingerprint,
            "streamed": True,
        }
        why = "" if algorithm else "averaged weights are steadier than the last ones, and a stream is read few times"
        fitted = found.attributes()
        record = Record(chosen, stored(checked), fitted, scan.features, training | ({"chosen": why} if why else {}))
        on_training = _assessed(record, cache) if plan.assess else None
    return Trained(record, on_training, None, (), None, None, why)


def assess_stream(record: Record, scan: Scan) -> Assessment:
    """How good a model is on a file of any size."""
    total: Assessment | None = None
    known = {label: code for code, label in enumerate(_comparable(record.classes))}
    for block in scan.blocks():
        if block.y is None:
            raise DataError(f"{scan.name} has no labels. Name the column that holds them ({option('target')}).")
        labels, inverse = np.unique(block.y, return_inverse=True)
        codes = np.array([known.get(label, -1) for label in _comparable(labels)], dtype=np.int32)
        if (codes < 0).any():
            strange = labels[codes < 0].tolist()[0]
            raise DataError(f"{scan.name}: the label {strange!r} is not a class of the model.")
        part = assess(record.classes, codes[inverse], record.predicted_codes(block.X))
        total = part if total is None else replace(total, confusion=total.confusion + part.confusion)
    if total is None:
        raise DataError(f"{scan.name} has no examples.")
    return total


def _comparable(classes: Any) -> list[str]:
    from rosenblatt.data.labels import comparable

    return comparable(classes)


def _parameters(plan: Plan) -> tuple[str | None, dict[str, Any]]:
    """What a stream can do; the rest is refused with the reason."""
    algorithm, parameters = plan.algorithm, dict(plan.parameters)
    if algorithm not in (None, *_ALGORITHMS):
        raise DataError(f"a stream trains a {' or '.join(_ALGORITHMS)}; {algorithm} needs all examples in memory.")
    for name in ("early_stopping", "record", "warm_start", "class_weight"):
        if parameters.get(name):
            raise DataError(f"{name} needs all examples in memory; a stream has them one by one. Leave it out.")
    Parameters.of(cast(Algorithm, algorithm or "AveragedPerceptron"), parameters)  # checked before anything is read
    if parameters.get("order", "cyclic") != "cyclic":
        raise DataError(
            f"a stream is read in the order of the file; --order {parameters['order']} would jump about on the disk. "
            "Leave it out, and shuffle the file once if it is sorted by class."
        )
    if plan.scale or plan.held_out or plan.folds:
        asked = "--scale" if plan.scale else "--holdout" if plan.held_out else "--cv"
        raise DataError(f"{asked} needs all examples before the first is learned from; a stream has them one by one.")
    return algorithm, parameters | {"order": "cyclic"}


def _check_finite(cache: RowCache, X: Matrix) -> None:
    place = rows_of(X).first_nonfinite()  # which checks the indices, too
    if place is not None:
        raise DataError(f"example {cache.n_examples + place[0] + 1}: NaN or infinity. Remove or replace it.")


def _check_room(scan: Scan, cache: RowCache, X: Matrix, watch: Callable[[Caching], None] | None) -> None:
    """Refuses to write a block if the disk has no room for the whole source, as far as can be told from its part."""
    n = X.shape[0]
    row = 12 if isinstance(X, Sparse) else 4  # where the row begins, and its label
    written = cache.n_bytes + (X.values.nbytes + X.indices.nbytes if isinstance(X, Sparse) else X.nbytes) + row * n
    read = scan.position
    expected = max(written, int(written * scan.n_bytes / read)) if read and scan.n_bytes else written
    free = shutil.disk_usage(cache.folder).free
    if expected - cache.n_bytes > free:
        raise DataError(
            f"the examples need about {readable_size(expected)} in {cache.folder}, where {readable_size(free)} are "
            "free. Make room, or name another folder (--cache-folder)."
        )
    if watch is not None:
        watch(Caching(read, scan.n_bytes, cache.n_examples + n, written, expected, cache.folder))


def _assessed(record: Record, cache: RowCache) -> Assessment:
    k = len(record.classes)
    confusion = np.zeros((k, k), dtype=np.int64)
    coef, intercept = (np.ascontiguousarray(record.fitted[name]) for name in ("coef_", "intercept_"))
    for begin in range(0, cache.n_examples, _ROWS):
        end = min(begin + _ROWS, cache.n_examples)
        scores = cache.block(begin, end).scores(coef, intercept)
        rule = record.parameters
        codes = predicted_codes(scores, k, tie=rule["tie"], multi_class=rule["multi_class"])
        confusion += assess(record.classes, cache.codes[begin:end], codes).confusion
        cache.release()
    return Assessment(record.classes, confusion)
