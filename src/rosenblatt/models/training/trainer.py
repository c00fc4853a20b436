"""The trainer: splits, scales, fits and assesses a model on examples from any source."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data import DataError, Dataset, Features, Scan
from rosenblatt.data.features import Scale
from rosenblatt.learning.parameters import Parameters, names_of
from rosenblatt.learning.run import NotFiniteError
from rosenblatt.learning.scores.calibration import Calibration, log_losses
from rosenblatt.learning.stall_check import SlowFitWarning
from rosenblatt.learning.status import NOT_CONVERGED
from rosenblatt.models.files.record import Record
from rosenblatt.models.training.evaluation.assessment import Assessment
from rosenblatt.models.training.evaluation.calibrating import Refit, calibrated
from rosenblatt.models.training.evaluation.verdict import Verdict, verdict_on
from rosenblatt.models.training.plan import HELD_OUT, AlgorithmName, Plan
from rosenblatt.models.training.room import check_room
from rosenblatt.models.training.scaling import default_scale
from rosenblatt.models.training.selection.choosing import algorithm_for, choose, completed
from rosenblatt.models.training.selection.setting_search import Search, search
from rosenblatt.models.training.selection.trials import known_to
from rosenblatt.models.training.selection.tuning import tune
from rosenblatt.models.training.sources.local_sources import MemorySet, MemorySource
from rosenblatt.models.training.sources.source import (
    Fitted,
    ShardCounts,
    Source,
    TrainingSet,
    notes_on_rare_classes,
    refuse_one_class,
)
from rosenblatt.models.training.sources.stream_source import StreamSource
from rosenblatt.models.training.splits import Fold, Holdout, worth_holding_out

__all__ = ["Plan", "Trained", "train"]


@dataclass(frozen=True)
class Trained:
    """A trained model, and its assessment on the training examples and on those held out.

    Examples
    --------
    >>> from rosenblatt import data, models
    >>> models.train(data.read("@xor"), models.Plan(parameters={"max_iter": 5})).held is None
    True
    """

    record: Record
    on_training: Assessment | None
    held_out: Assessment | None
    folds: tuple[float, ...]  # accuracy of each fold of a cross-validation
    verdict: Verdict | None  # separability of the examples, if it is cheap to decide
    held: NDArray[np.uint32] | None  # positions of the held-out examples, if they are in this process
    why: str = ""  # the reason for the algorithm, if none was given
    n_examples: int = 0
    notes: tuple[str, ...] = ()  # facts about the data that were inferred, not given
    scales_differ: bool = False  # columns differ by orders of magnitude and were not scaled
    shards: ShardCounts | None = None  # for a run over shards
    search: Search | None = None  # the settings that were compared, if any


def train(source: Source | Dataset | Scan, plan: Plan) -> Trained:
    """Trains a model by the plan: splits, scales, chooses the algorithm and settings, fits and assesses.

    The source is a dataset in memory, a scanned file (read in bounded memory in file order), or shards on a cluster
    (`distributed.ShardSource`).

    Examples
    --------
    >>> from rosenblatt import data
    >>> trained = train(data.read("@iris"), Plan(held_out=0.2))
    >>> trained.held_out.n_examples, trained.record.estimator
    (30, 'AveragedPerceptron')
    """
    if isinstance(source, Dataset):
        source = MemorySource(source)
    elif isinstance(source, Scan):
        source = StreamSource(source)
    elif not isinstance(source, Source):
        raise TypeError(
            f"the source is of type {type(source).__name__}; give what data.read or data.scan returns, for example "
            "data.read('@iris') or data.read('flowers.csv')."
        )
    algorithm, why = algorithm_for(plan)
    source.refuse(algorithm, plan)
    with source.open(plan) as examples:
        refuse_one_class(examples.name, examples.classes.tolist())
        check_room(examples.name, examples.features, len(examples.classes), plan.parameters.get("multi_class"))
        folds = tuple(_fold_accuracies(examples, algorithm, plan)) if plan.folds else ()
        part = _training_part(examples, plan)
        held_out = part.n_training < examples.n_training
        run = _run(part, algorithm, plan, why)
        record = replace(run.record, calibration=run.calibration(plan))
        on_training, tested, verdict = None, None, None
        if plan.assess:
            confusions = run.confusions()
            on_training = Assessment(record.classes, confusions[0])
            tested = Assessment(record.classes, confusions[1]) if held_out else None
            verdict = verdict_on(run.as_scaled(), run.examples)
            if tested is not None and record.calibration is not None:
                tested = replace(tested, log_loss=_held_log_loss(run, record))
        return Trained(
            record,
            on_training,
            tested,
            folds,
            verdict,
            part.held,
            run.why,
            examples.n_examples,
            (*examples.notes, *notes_on_rare_classes(examples.classes.tolist(), examples.counts)),
            _scales_differ(run, part) if plan.assess else False,
            getattr(run.fitted, "shards", None),
            run.search,
        )


def _training_part(examples: TrainingSet, plan: Plan) -> TrainingSet:
    """The examples without those that the plan holds out for a test."""
    held_out = plan.held_out
    if held_out is None:
        held_out = HELD_OUT if worth_holding_out(examples.counts) else 0.0
    return examples.split(Holdout(held_out, plan.seed)) if held_out else examples


def _scales_differ(run: "_Run", examples: TrainingSet) -> bool:
    """Whether the run was not scaled, did not converge, and has columns that differ by orders of magnitude."""
    is_raw = run.record.features.scale is None and run.record.fitted["status_"] in NOT_CONVERGED
    return is_raw and examples.moments().differ()


def _held_log_loss(run: "_Run", record: Record) -> float:
    """The mean log loss of the examples held out."""
    scores, codes = run.examples.held_scores(run.as_scaled())
    return float(log_losses(record.probabilities_of(scores), codes).mean())


class _Run:
    """A fitted model with its training examples, which are scaled if the record has a scale.

    `refit` fits the same model on a part of these examples.
    """

    def __init__(
        self, examples: TrainingSet, fitted: Fitted, record: Record, why: str, search: Search | None, refit: Refit
    ) -> None:
        self.examples, self.fitted, self.record, self.why, self.search = examples, fitted, record, why, search
        self._refit = refit
        self._confusions: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def as_scaled(self) -> Record:
        """The record without its scale, for examples that are already scaled."""
        return replace(self.record, features=replace(self.record.features, scale=None))

    def calibration(self, plan: Plan) -> Calibration | None:
        found = self.search
        searched = found.best.held if found is not None and found.best.algorithm == self.record.estimator else ()
        return calibrated(self.as_scaled(), self.examples, self._refit, plan.proba, plan.seed, searched)

    def confusions(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._confusions is None:
            self._confusions = self.examples.confusions(self.as_scaled())
        return self._confusions


def best_of(datasets: Sequence[Dataset], plan: Plan) -> Dataset:
    """The dataset on whose training part the best setting is right most often; the first of equals.

    The datasets are the same examples with different features. Without a search, the first is taken.
    """
    accuracies = []
    for dataset in datasets:
        algorithm, _ = algorithm_for(plan)
        with MemorySource(dataset).open(plan) as examples:
            refuse_one_class(examples.name, examples.classes.tolist())
            found = _prepared(_training_part(examples, plan), algorithm, replace(plan, tune=False)).found
            accuracies.append(-1.0 if found is None else found.best.accuracy)
    return datasets[int(np.argmax(accuracies))]


@dataclass(frozen=True)
class _Prepared:
    """Scaled examples, the scaled features, the parameters to fit with, and the search for them."""

    examples: TrainingSet
    features: Features
    given: dict[str, Any]
    found: Search | None
    chooses: bool  # the plan names no algorithm


def _prepared(examples: TrainingSet, algorithm: AlgorithmName, plan: Plan) -> _Prepared:
    """Scales, and searches for the best setting if the plan does not fix it."""
    features = examples.features
    scale = _scale(examples, algorithm, plan)
    if scale is not None:
        features, examples = replace(features, scale=scale), examples.scaled(scale)
    chooses = plan.algorithm is None and algorithm == "AveragedPerceptron"
    given = {**plan.parameters}
    if algorithm != "compat.Perceptron":
        given |= {name: value for name, value in examples.fixed.items() if name in names_of(algorithm)}
    found: Search | None = None
    if chooses:
        given = completed(given, examples.n_values, examples.n_training, len(examples.classes))
        if plan.search and not plan.fixed:
            find = tune if plan.tune else search
            found = find(examples, given, plan.parameters, plan.seed)
    return _Prepared(examples, features, given, found, chooses)


def _run(examples: TrainingSet, algorithm: AlgorithmName, plan: Plan, why: str) -> _Run:
    """Scales, searches for the best setting if the plan does not fix it, and fits."""
    ready = _prepared(examples, algorithm, plan)
    examples, features, given, found = ready.examples, ready.features, ready.given, ready.found
    if found is not None:
        algorithm, given = found.best.algorithm, known_to(found.best.algorithm, {**given, **found.best.parameters})
        why = found.reason()
    try:
        fitted = _fit(examples, algorithm, given, plan.verbose)
    except NotFiniteError as error:
        remedy = (
            "Lower the step (--eta0)" if features.scale is not None else "Scale the columns (--scale) or lower --eta0"
        )
        raise DataError(f"{examples.name}: the weights left the range of floating-point numbers. {remedy}.") from error
    training = {
        "source": examples.name,
        "examples": examples.n_training,
        "held_out": examples.n_examples - examples.n_training,
        "fingerprint": examples.fingerprint,
        **examples.facts,
    }
    parameters = stored(fitted.parameters)

    def run_of(name: AlgorithmName, reason: str) -> _Run:
        known = None if name == "compat.Perceptron" else name
        facts = training | ({"chosen": reason} if reason else {})
        record = Record(name, parameters, fitted.attributes(known), features, facts)

        def refit(part: TrainingSet) -> Record:
            attributes = _fit(part, algorithm, given, verbose=False).attributes(known)
            return replace(record, fitted=attributes, features=replace(features, scale=None))

        return _Run(examples, fitted, record, reason, found, refit)

    run = run_of(algorithm, why)
    if ready.chooses and (found is None or found.best is found.plain):
        separated = run.record.fitted["status_"] == "separated"
        best, reason = choose(separated, lambda: int(run.confusions()[0].sum() - np.trace(run.confusions()[0])))
        changed = run_of(best, reason if found is None else f"{why}; {reason}")
        if best == algorithm:
            changed._confusions = run._confusions
        run = changed
    return run


def _scale(examples: TrainingSet, algorithm: AlgorithmName, plan: Plan) -> Scale | None:
    """The scale that the plan specifies. By default there is no scale if scaling would change the problem.

    This holds without an offset, because scaling moves the origin, and for a precomputed kernel.
    """
    if plan.scale is False:
        return None
    if plan.scale:
        return examples.moments().scale()
    if plan.parameters.get("fit_intercept", True) is False or plan.parameters.get("kernel") == "precomputed":
        return None
    return default_scale(examples.moments(), examples.features)


def _fit(examples: TrainingSet, algorithm: AlgorithmName, given: dict[str, Any], verbose: bool) -> Fitted:
    if algorithm == "compat.Perceptron":
        from rosenblatt.models.training.compat_fit import fit_compat

        if not isinstance(examples, MemorySet):
            raise AssertionError("other sources refuse compat.Perceptron")
        return fit_compat(given, examples.examples())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SlowFitWarning)  # the report gives the hint
        return examples.fit(Parameters.of(algorithm, given).replaced(verbose=int(verbose)))


def stored(parameters: Parameters) -> dict[str, Any]:
    """The parameters that a model file stores."""
    return {name: value for name, value in parameters.values.items() if name not in ("callback", "verbose")}


def _fold_accuracies(examples: TrainingSet, algorithm: AlgorithmName, plan: Plan) -> Sequence[float]:
    smallest = int(examples.counts.min())
    if smallest < 2 or plan.folds > examples.n_examples:
        remedy = "Add examples of it, or leave it out" if smallest < 2 else "Use fewer folds (--cv)"
        raise DataError(
            f"{examples.name}: {plan.folds} folds need at least 2 examples of every class and {plan.folds} in all; the "
            f"smallest class has {smallest}. {remedy}."
        )
    accuracies = []
    for k in range(plan.folds):
        run = _run(examples.trial(Fold(k, plan.folds, plan.seed)), algorithm, replace(plan, verbose=False), "")
        accuracies.append(Assessment(examples.classes, run.confusions()[1]).accuracy)
        run.examples.discard()
    return accuracies
