"""From examples to a model with an account of it: split, fit, assess."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Rows as CoreRows
from rosenblatt.core import epoch_order
from rosenblatt.data import DataError, Loaded, Sparse
from rosenblatt.data.errors import option
from rosenblatt.data.features import fitted_scale
from rosenblatt.data.labels import Labels
from rosenblatt.data.sparse import Matrix
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import Fit, fit
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.prediction import predicted_codes
from rosenblatt.learning.run import NotFiniteError
from rosenblatt.models.assessment import Assessment, assess
from rosenblatt.models.certificates import kept
from rosenblatt.models.choosing import choose, completed, that_has
from rosenblatt.models.record import Record, rows_of
from rosenblatt.models.registry import KINDS, fitted_of
from rosenblatt.models.room import check_room
from rosenblatt.models.verdict import Verdict, verdict_on

#: Below these, a part held out says little and costs much.
_HELD_OUT_FROM = 50
_HELD_OUT_PER_CLASS = 5

Rows = NDArray[np.uint32]


@dataclass(frozen=True)
class Trained:
    """A model, and how good it is on what it saw and on what it did not.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> models.train(data.read("@xor"), models.Plan(parameters={"max_iter": 5})).held is None
    True
    """

    record: Record
    on_training: Assessment | None
    held_out: Assessment | None
    folds: tuple[float, ...]  # accuracies of a cross-validation
    verdict: Verdict | None  # on the examples themselves, where it is cheap
    held: Rows | None  # the examples that were held out
    why: str = ""  # this algorithm, where none was asked for


@dataclass(frozen=True)
class Plan:
    """What to train and how to look at it.

    Examples
    --------
    >>> Plan("PocketPerceptron", {"ratchet": True, "max_iter": 20}, held_out=0.25).scale
    False
    """

    algorithm: str | None = None  # None: see `models.choosing`
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scale: bool = False
    held_out: float = 0.0
    folds: int = 0
    seed: int = 0
    assess: bool = True
    verbose: bool = False


def train(loaded: Loaded, plan: Plan) -> Trained:
    """Trains a model on loaded examples as planned.

    Examples
    --------
    >>> from rosenblatt import data
    >>> trained = train(data.read("@iris"), Plan(held_out=0.2))
    >>> trained.held_out.n_examples, trained.record.estimator
    (30, 'AveragedPerceptron')
    """
    labels = loaded.needs_labels()
    _check_classes(labels, loaded.name)
    chosen, held = (None, None) if not plan.held_out else split(labels, plan.held_out, plan.seed)
    record = _fitted(loaded, labels, chosen, plan)
    on_training = held_out = verdict = None
    if plan.assess:
        codes = record.predicted_codes(loaded.X)
        seen = slice(None) if chosen is None else chosen
        on_training = assess(record.classes, labels.codes[seen], codes[seen])
        held_out = None if held is None else assess(record.classes, labels.codes[held], codes[held])
        verdict = verdict_on(record, loaded.X, labels, chosen)
    accuracies = tuple(_fold_accuracies(loaded, labels, plan)) if plan.folds else ()
    return Trained(record, on_training, held_out, accuracies, verdict, held, str(record.training.get("chosen", "")))


def worth_holding_out(labels: Labels) -> bool:
    """Whether there are examples enough to keep some for a test."""
    counts = np.bincount(labels.codes, minlength=len(labels.classes))
    return bool(counts.sum() >= _HELD_OUT_FROM and counts.min() >= _HELD_OUT_PER_CLASS)


def split(labels: Labels, fraction: float, seed: int) -> tuple[Rows, Rows]:
    """Rows to train on and rows to hold out: the same fraction of each class, chosen by the seed, in file order."""
    held = np.zeros(len(labels.codes), dtype=bool)
    counts = np.bincount(labels.codes, minlength=len(labels.classes))
    take = np.minimum(np.maximum(np.round(counts * fraction), 1), counts - 1).astype(np.int64)
    order, ranks = _shuffled(labels, seed)
    held[order] = ranks < take[labels.codes[order]]
    return np.flatnonzero(~held).astype(np.uint32), np.flatnonzero(held).astype(np.uint32)


def folds_of(labels: Labels, k: int, seed: int) -> NDArray[np.int64]:
    """The fold (0, …, k - 1) of each example; every class is spread evenly."""
    folds = np.empty(len(labels.codes), dtype=np.int64)
    order, ranks = _shuffled(labels, seed)
    folds[order] = ranks % k
    return folds


def _shuffled(labels: Labels, seed: int) -> tuple[Rows, NDArray[np.int64]]:
    """A shuffle of the examples, and for each of them how many of its class came before it."""
    order = epoch_order(seed, 0, len(labels.codes))
    codes = labels.codes[order]
    by_class = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=len(labels.classes))
    ranks = np.empty(len(codes), dtype=np.int64)
    ranks[by_class] = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order, ranks


def _check_classes(labels: Labels, name: str) -> None:
    if len(labels.classes) < 2:
        raise DataError(
            f"{name} has 1 class ({labels.classes.tolist()[0]!r}); a perceptron needs at least 2. "
            f"Choose another target ({option('target')})."
        )


def _fitted(loaded: Loaded, labels: Labels, chosen: Rows | None, plan: Plan) -> Record:
    X, features = loaded.X, loaded.features
    check_room(loaded.name, features, len(labels.classes), plan.parameters.get("multi_class"))
    if plan.scale:
        features = replace(features, scale=fitted_scale(X if chosen is None else _rows(X, chosen)))
        X = features.scale.apply(X) if features.scale else X
    try:
        algorithm, parameters, fitted, why = _chosen_fit(plan, X, labels, chosen)
    except NotFiniteError as error:
        raise DataError(
            f"{loaded.name}: the weights left the range of floating-point numbers. Scale the columns (--scale) or "
            "lower the step (--eta0)."
        ) from error
    training = {
        "source": loaded.name,
        "examples": loaded.n_examples if chosen is None else len(chosen),
        "held_out": 0 if chosen is None else loaded.n_examples - len(chosen),
        "fingerprint": loaded.fingerprint,
    }
    return Record(algorithm, parameters, fitted, features, training | ({"chosen": why} if why else {}))


def _chosen_fit(
    plan: Plan, X: Matrix, labels: Labels, chosen: Rows | None
) -> tuple[str, dict[str, Any], dict[str, Any], str]:
    """The algorithm, its parameters, what it found, and why it was chosen."""
    algorithm, given = plan.algorithm, dict(plan.parameters)
    why = ""
    if algorithm is None:
        algorithm, why = that_has(given)
    if not _is_plain(algorithm, given):
        parameters, fitted = _fit_estimator(replace(plan, algorithm=algorithm), X, labels, chosen)
        return algorithm, parameters, fitted, why
    members = np.arange(len(labels.codes), dtype=np.uint32) if chosen is None else chosen
    if plan.algorithm is None and algorithm == "AveragedPerceptron":
        share = len(members) / len(labels.codes)
        values = len(X.values) if isinstance(X, Sparse) else X.size
        given = completed(given, share * values, share * X.shape[0], len(labels.classes))
    checked = Parameters.of(cast(Algorithm, algorithm), given)
    rows = rows_of(X)
    examples = Examples(X, rows, labels.classes, labels.codes, None, chosen)
    found = fit(checked.replaced(verbose=int(plan.verbose)), examples)
    if plan.algorithm is None and algorithm == "AveragedPerceptron":
        separated = all(outcome.ending == "separated" for outcome in found.outcomes.outcomes)
        algorithm, why = choose(separated, lambda: _errors_of_average(found, rows, labels, members))
    return algorithm, stored(checked), found.attributes(cast(Algorithm, algorithm)), why


def _errors_of_average(found: Fit, rows: CoreRows, labels: Labels, members: Rows) -> int:
    """The training errors of the averaged weights."""
    coef, intercept = (np.ascontiguousarray(part) for part in found.weights("average"))
    rule = found.parameters
    scores = rows.scores(coef, intercept)
    codes = predicted_codes(scores, len(labels.classes), tie=rule["tie"], multi_class=rule["multi_class"])
    return int(np.count_nonzero(codes[members] != labels.codes[members]))


def _is_plain(algorithm: str, given: Mapping[str, Any]) -> bool:
    """Whether the engine fits it without scikit-learn, whose import takes seconds."""
    return (
        algorithm in ("Perceptron", "AveragedPerceptron", "PocketPerceptron", "BatchPerceptron")
        and not given.get("early_stopping")
        and given.get("class_weight") is None
    )


def stored(parameters: Parameters) -> dict[str, Any]:
    """The parameters that a model file keeps."""
    return {name: value for name, value in parameters.values.items() if name not in ("callback", "verbose")}


def _fit_estimator(plan: Plan, X: Matrix, labels: Labels, chosen: Rows | None) -> tuple[dict[str, Any], dict[str, Any]]:
    from sklearn.exceptions import ConvergenceWarning

    name = plan.algorithm or "Perceptron"
    kind = KINDS[name]
    constructor: Callable[..., Any] = getattr(import_module(kind.home), name.rpartition(".")[2])
    known = constructor().get_params(deep=False)
    strange = [name for name in plan.parameters if name not in known]
    if strange:
        raise DataError(f"{name} has no parameter {strange[0]!r}; it has {', '.join(known)}.")
    estimator = constructor(**plan.parameters)
    if "verbose" in known:
        estimator.verbose = int(plan.verbose)
    X, codes = (X, labels.codes) if chosen is None else (_rows(X, chosen), labels.codes[chosen])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the report says it
        estimator.fit(X.to_scipy() if isinstance(X, Sparse) else X, labels.classes[codes])
    parameters = {k: v for k, v in estimator.get_params(deep=False).items() if k not in ("callback", "verbose")}
    fitted = fitted_of(estimator, name)
    if chosen is not None and "certificates_" in fitted and name != "KernelPerceptron":
        proofs = kept(fitted["certificates_"], labels.classes, parameters.get("multi_class"))
        fitted["certificates_"] = [p and p.among(chosen, len(labels.codes)) for p in proofs]
    return parameters, fitted


def _fold_accuracies(loaded: Loaded, labels: Labels, plan: Plan) -> Sequence[float]:
    smallest = int(np.bincount(labels.codes).min())
    if smallest < 2 or plan.folds > len(labels.codes):
        raise DataError(
            f"{loaded.name}: {plan.folds} folds need at least 2 examples of every class and {plan.folds} in all; the "
            f"smallest class has {smallest}. Use fewer folds (--cv)."
        )
    folds = folds_of(labels, plan.folds, plan.seed)
    accuracies = []
    for k in range(plan.folds):
        chosen, held = (np.flatnonzero(mask).astype(np.uint32) for mask in (folds != k, folds == k))
        record = _fitted(loaded, labels, chosen, replace(plan, verbose=False))
        predicted = record.predicted_codes(_rows(loaded.X, held))
        accuracies.append(assess(record.classes, labels.codes[held], predicted).accuracy)
    return accuracies


def _rows(X: Matrix, chosen: Rows) -> Matrix:
    return X.rows(chosen) if isinstance(X, Sparse) else X[chosen]
