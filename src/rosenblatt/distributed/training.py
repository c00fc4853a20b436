"""From files to a model with an account of it, as `models.train` does it, but on a cluster that holds the examples."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.data import DataError, Loaded, Wishes
from rosenblatt.data.features import Features
from rosenblatt.distributed.blocks import Survey
from rosenblatt.distributed.classifier import DaskClassifier
from rosenblatt.distributed.engine import Cluster
from rosenblatt.distributed.estimators import DaskAveragedPerceptron, DaskPerceptron, DaskPocketPerceptron
from rosenblatt.distributed.files import Files, block_maker, common_scale, look_at
from rosenblatt.distributed.shard import Shard
from rosenblatt.learning.parameters import names_of
from rosenblatt.models.assessment import Assessment, assess
from rosenblatt.models.choosing import choose, completed, that_has
from rosenblatt.models.record import Record
from rosenblatt.models.registry import fitted_of
from rosenblatt.models.room import check_room
from rosenblatt.models.training import Plan, Trained
from rosenblatt.models.verdict import Verdict, bounds_mistakes

#: By the name of the local twin, which is what a model file says.
TWINS: dict[str, type[DaskClassifier]] = {
    "Perceptron": DaskPerceptron,
    "AveragedPerceptron": DaskAveragedPerceptron,
    "PocketPerceptron": DaskPocketPerceptron,
}

#: Rows that are predicted at a time.
_ROWS = 1 << 14


@dataclass(frozen=True)
class TrainedOnShards(Trained):
    """A model that was trained over shards; the bound of its verdict is on the mixed count of mistakes."""

    weighted_mistakes: float = 0.0
    n_shards: int = 1


@dataclass(frozen=True)
class _Seen:
    """What a model makes of one shard."""

    training: NDArray[np.int64]  # confusion
    test: NDArray[np.int64]
    least: float  # y · score
    radius2: float


def train_files(
    paths: Sequence[str],
    wishes: Wishes,
    plan: Plan,
    *,
    client: Any = None,
    shards: int = 1,
    settings: dict[str, Any] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Loaded, TrainedOnShards]:
    """Trains on files that workers read; the caller never holds the examples.

    A file is a shard; a single file is cut into `shards` pieces of consecutive rows. `settings` are parameters that
    only the distributed estimators have. Where the plan names no algorithm, one is chosen as `models.train` does it.
    `tell` is told what begins.
    """
    algorithm, why = plan.algorithm or "AveragedPerceptron", ""
    chooses = plan.algorithm is None and plan.parameters.keys() <= set(names_of("AveragedPerceptron"))
    if plan.algorithm is None and not chooses:
        algorithm, why = that_has(plan.parameters)
    if algorithm not in TWINS:
        raise DataError(f"{algorithm} does not train on a cluster; {', '.join(TWINS)} do.")
    if plan.folds:
        raise DataError("--cv trains many small models: run it on one machine, without --dask and --workers.")
    twin = TWINS[algorithm]
    try:
        estimator = twin(**plan.parameters, **(settings or {}))
    except TypeError as error:
        raise DataError(str(error)) from error
    estimator.verbose = int(plan.verbose)
    estimator._check()
    cluster = Cluster(client, estimator.timeout)
    name = paths[0] if len(paths) == 1 else f"{len(paths)} files from {paths[0]}"
    tell(f"reading {name}")
    files = look_at(cluster, paths, wishes, shards)
    check_room(paths[0], files.features, 2, None)
    make_blocks = block_maker(cluster, files, plan.held_out, plan.seed)
    features = files.features
    if plan.scale:
        features = replace(features, scale=common_scale(cluster, make_blocks()))
        make_blocks = block_maker(cluster, files, plan.held_out, plan.seed, features.scale)

    def complete(surveys: list[Survey], n_classes: int) -> None:
        if chooses:
            members, rows = (sum(int(s.counts.sum()) for s in surveys), sum(s.n_examples for s in surveys))
            values = sum(survey.n_values for survey in surveys) * members / rows
            estimator.set_params(**completed(plan.parameters, values, members, n_classes))
        limit = "" if estimator.max_iter is None else f", at most {estimator.max_iter:,} epochs"
        tell(f"training {algorithm} on {len(surveys)} shard{'s' if len(surveys) > 1 else ''}{limit}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report says it
        fitted_shards = estimator._fit_blocks(cluster, make_blocks, None, None, complete=complete)

    def look(record: Record) -> list[_Seen]:
        told = cluster.submit(_same, record)
        return cluster.results([cluster.submit(_look, shard, told) for shard in fitted_shards], "testing")

    record, seen = _record(estimator, algorithm, plan, features, files), None
    separated = all(status == "separated" for status in estimator.statuses_)
    if plan.assess or (chooses and separated):
        tell("testing")
        seen = look(record)
    if chooses:
        algorithm, why = choose(separated, lambda: sum(_errors(part.training) for part in seen or ()))
        if algorithm == "Perceptron":
            record = _record(estimator, algorithm, plan, features, files)
            seen = look(record)
    if why:
        record = replace(record, training={**record.training, "chosen": why})
    on_training = held_out = verdict = None
    if plan.assess and seen is not None:
        on_training = Assessment(record.classes, _sum([part.training for part in seen]))
        held_out = Assessment(record.classes, _sum([part.test for part in seen])) if plan.held_out else None
        bound = _bound(record, seen)
        verdict = None if bound is None else Verdict(1, 1, 0, bound=bound)
    trained = TrainedOnShards(
        record,
        on_training,
        held_out,
        (),
        verdict,
        None,
        why,
        weighted_mistakes=estimator.n_weighted_mistakes_,
        n_shards=estimator.n_shards_,
    )
    nothing = np.zeros((files.n_examples, 0))  # the shape is what a report asks for; the examples are elsewhere
    return Loaded(name, nothing, None, features, files.fingerprint, str, files.notes), trained


def _record(estimator: DaskClassifier, algorithm: str, plan: Plan, features: Features, files: Files) -> Record:
    local = estimator.to_local()
    fitted = fitted_of(local, algorithm)
    if algorithm == "Perceptron" and hasattr(local, "last_coef_"):  # the last weights of a run that kept averages
        fitted |= {"coef_": local.last_coef_, "intercept_": local.last_intercept_}
    parameters = {k: v for k, v in local.get_params(deep=False).items() if k not in ("callback", "verbose")}
    seen = estimator.n_examples_
    training = {
        "source": files.pieces[0].path if len({piece.path for piece in files.pieces}) == 1 else "several files",
        "examples": seen,
        "held_out": files.n_examples - seen,
        "fingerprint": files.fingerprint,
    }
    return Record(algorithm, parameters, fitted, features, training)


def _look(shard: Shard, record: Record) -> _Seen:
    """Confusion, least margin and radius on one shard, which is scaled already."""
    k = len(record.classes)
    confusion = np.zeros((2, k, k), np.int64)
    plain = replace(record, features=replace(record.features, scale=None))
    least, radius2 = np.inf, 0.0
    members = np.arange(shard.X.shape[0]) if shard.chosen is None else shard.chosen
    for which, rows in enumerate((members, np.empty(0, np.uint32) if shard.test is None else shard.test)):
        for first in range(0, len(rows), _ROWS):
            some = rows[first : first + _ROWS]
            X = shard.X[some]
            matrix = _matrix(X)
            confusion[which] += assess(record.classes, shard.codes[some], plain.predicted_codes(matrix)).confusion
            if which == 0 and k == 2:
                margins = plain.scores(matrix)[:, 0] * np.where(shard.codes[some] == 1, 1.0, -1.0)
                squares = X.multiply(X).sum(axis=1) if hasattr(X, "indptr") else np.einsum("ij,ij->i", X, X)
                least, radius2 = min(least, float(margins.min())), max(radius2, float(np.max(squares)))
    return _Seen(confusion[0], confusion[1], least, radius2)


def _matrix(X: Any) -> Any:
    from rosenblatt.data import Sparse

    return Sparse.from_scipy(X) if hasattr(X, "indptr") else np.ascontiguousarray(X)


def _bound(record: Record, seen: Sequence[_Seen]) -> float | None:
    """(R/γ)² with the margin of the separator found: see `models.verdict`; here it bounds Σ μᵢkᵢ."""
    parameters = record.parameters
    if len(record.classes) != 2 or record.fitted["status_"] != "separated" or not bounds_mistakes(record):
        return None
    least = min(part.least for part in seen)
    if least <= 0:
        return None
    w, w0 = record.fitted["coef_"][0], float(record.fitted["intercept_"][0])
    offset = bool(parameters.get("fit_intercept", True))
    radius2 = max(part.radius2 for part in seen) + offset
    return float(radius2 * (float(w @ w) + w0 * w0 * offset) / least**2)


def _errors(confusion: NDArray[np.int64]) -> int:
    return int(confusion.sum() - np.trace(confusion))


def _sum(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.asarray(np.sum(parts, axis=0), dtype=np.int64)


def _same(value: Any) -> Any:
    return value
