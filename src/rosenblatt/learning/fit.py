"""The fit that every estimator, `rosenblatt train` on any source, the lab and `partial_fit` call."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import random_start
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fitted_attributes import FittedAttributes, only_one, run_attributes, whole_numbers
from rosenblatt.learning.labels.class_weights import weighted_by_class
from rosenblatt.learning.labels.validation_split import validation_split
from rosenblatt.learning.parameters import Algorithm, Parameters, seed_of
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group, groups_of
from rosenblatt.learning.progress import ProgressLine
from rosenblatt.learning.rows.array_types import Labels
from rosenblatt.learning.run import Outcomes, train

if TYPE_CHECKING:
    from rosenblatt.trace import Trace

Array = NDArray[np.float64]


class Start(NamedTuple):
    """Initial weights: one row and one offset per plane."""

    coef: Array
    intercept: Array


class Member(NamedTuple):
    """The weights that an algorithm publishes, and the fields of the plan that it sets."""

    published: Literal["last", "average", "pocket"]
    pocket: bool = False
    average: bool = False
    record: bool = False
    batch: bool = False


FAMILY: dict[Algorithm, Member] = {
    "Perceptron": Member("last"),
    "PocketPerceptron": Member("pocket", pocket=True),
    "AveragedPerceptron": Member("average", average=True),
    "VotedPerceptron": Member("last", record=True),
    "BatchPerceptron": Member("last", batch=True),
    "KernelPerceptron": Member("last"),  # fitted by `learning.dual.dual_fit`
}


class Fit(ABC):
    """A finished fit: the parameters, the examples as they were used, and the fitted attributes."""

    parameters: Parameters
    examples: Examples
    plan: PlanFields

    @abstractmethod
    def attributes(self, algorithm: Algorithm | None = None) -> FittedAttributes:
        """The fitted attributes by name. `algorithm` selects another algorithm whose weights the run kept."""

    @abstractmethod
    def traces(self) -> "Trace | Sequence[Trace]":
        """The recorded run of each problem."""


@dataclass(frozen=True)
class OnlineFit(Fit):
    """A finished fit of an online algorithm."""

    parameters: Parameters
    examples: Examples
    groups: Sequence[Group]
    start: Start
    plan: PlanFields
    outcomes: Outcomes

    def at(self, epoch: int) -> "OnlineFit":
        """The same fit after this epoch, of which a snapshot was kept.

        Its last and averaged weights are those of a shorter run. A pocket is only complete at the end of a run.
        """
        return replace(self, outcomes=self.outcomes.at(epoch))

    def weights(self, which: str) -> Start:
        """The "last", "average" or "pocket" weights."""
        return Start(*self.outcomes.weights(which))

    def attributes(self, algorithm: Algorithm | None = None) -> FittedAttributes:
        algorithm = algorithm or self.parameters.algorithm
        found = attributes_of(algorithm, self.examples.classes, self.outcomes)
        if algorithm == "VotedPerceptron":
            from rosenblatt.learning.traces.voted_vectors import voted_vectors

            found |= voted_vectors(self.traces(), self.examples)
        validation = self.plan.get("validation")
        if validation is not None:
            found["validation_scores_"] = [outcome.validated / len(validation) for outcome in self.outcomes.outcomes]
        return found

    def traces(self) -> "Trace | list[Trace]":
        from rosenblatt.learning.traces.recorded_traces import traces_of

        starts = np.column_stack([self.start.intercept, self.start.coef])
        if not self.plan["fit_intercept"]:
            starts = self.start.coef
        return traces_of(self.examples, self.groups, starts, self.outcomes, self.plan)


def fit(
    parameters: Parameters,
    examples: Examples,
    *,
    groups: Sequence[Group] | None = None,
    start: Start | None = None,
    one_epoch_after: int | None = None,
    n_threads: int = 1,
    label: str | None = None,
    snapshots: Collection[int] = (),
) -> Fit:
    """Applies class weights, splits off the validation part of early stopping, and runs the algorithm to its end.

    Raises `NotFiniteError` if a value of X is not finite. `groups` are the problems to run; None means all. `start`
    overrides the parameter `init`. `one_epoch_after=n` runs the single epoch that follows n epochs. `label` names the
    fit on the progress line. `snapshots` are epochs after which an online run keeps its weights (`OnlineFit.at`).
    """
    parameters = parameters.seeded()
    examples = weighted_by_class(examples, parameters["class_weight"])
    if parameters.algorithm == "KernelPerceptron":
        from rosenblatt.learning.dual.dual_fit import fit_dual

        return fit_dual(parameters, examples, label)
    if groups is None and start is None and one_epoch_after is None:
        from rosenblatt.learning.pairs.pair_fit import fit_pairs, has_many_pairs

        if has_many_pairs(parameters, examples):
            return fit_pairs(parameters, examples, n_threads, label or parameters.algorithm)
    validation = None
    if parameters["early_stopping"] and one_epoch_after is None:
        examples, validation = validation_split(examples, parameters["validation_fraction"], parameters["random_state"])
    if groups is None:
        groups = groups_of(parameters["multi_class"], parameters["order"], examples)
    if start is None:
        start = start_of(parameters, groups, examples.rows.n_features)
    plan = plan_of(parameters)
    plan["validation"] = validation
    if one_epoch_after is not None:
        plan.update({"first_epoch": one_epoch_after, "max_iter": 1, "may_stall": False, "record": False})
    if plan["step"] != "constant":
        examples = examples.without_repeated_columns()  # the step size needs ‖x‖², the sum of a row's squared values
    with ProgressLine(parameters["verbose"], label or parameters.algorithm, plan["max_iter"]) as line:
        outcomes = train(examples, groups, *start, plan, parameters["callback"], line, n_threads, snapshots)
    return OnlineFit(parameters, examples, groups, start, plan, outcomes)


#: A cache of plans by `Parameters` object. Repeated single-row calls of `partial_fit` need the same plan each time.
_plans: WeakKeyDictionary[Parameters, PlanFields] = WeakKeyDictionary()


def plan_of(parameters: Parameters) -> PlanFields:
    """The fields of the core's `Plan`, in a new dictionary that the caller may change."""
    if type(parameters["random_state"]) is not int:  # each plan draws its own seed
        return _new_plan(parameters)
    plan = _plans.get(parameters)
    if plan is None:
        plan = _plans[parameters] = _new_plan(parameters)
    return plan.copy()


def _new_plan(parameters: Parameters) -> PlanFields:
    step, margin, member = parameters["step"], parameters["margin"], FAMILY[parameters.algorithm]
    return {
        "eta0": float(parameters["eta0"]),
        "tie": parameters["tie"],
        "error_tie": parameters["error_tie"] or parameters["tie"],
        "fit_intercept": bool(parameters["fit_intercept"]),
        "margin": float(margin if margin is not None else step != "constant"),
        "step": step,
        "aggressiveness": float(parameters["C"]),
        "rivals": parameters["rivals"],
        "order": parameters["order"],
        "seed": seed_of(parameters["random_state"]),
        "max_iter": parameters["max_iter"],
        "max_steps": parameters["max_steps"],
        "max_updates": parameters["max_updates"],
        "patience": parameters["patience"],
        "max_error": float(parameters["max_error"]),
        "may_stall": parameters["max_iter"] is None,
        "record": bool(parameters["record"]) or member.record,
        "n_iter_no_change": parameters["n_iter_no_change"],
        "ratchet": bool(parameters["ratchet"]),
        "pocket": member.pocket,
        "average": member.average,
        "batch": member.batch,
    }


def start_of(parameters: Parameters, groups: Sequence[Group], features: int) -> Start:
    """The initial weights that `init` specifies."""
    planes = sum(len(group.positives) for group in groups)
    coef = np.zeros((planes, features))
    intercept = np.zeros(planes)
    if parameters["init"] == "random":
        offset = int(parameters["fit_intercept"])
        for plane in range(planes):
            # Each binary problem has the same initial weights as if fitted alone; joint planes have different ones.
            start = random_plane(parameters, features, plane if groups[0].joint else 0)
            coef[plane] = start[offset:]
            intercept[plane] = start[0] if offset else 0.0
    return Start(coef, intercept)


def random_plane(parameters: Parameters, features: int, problem: int = 0) -> Array:
    """The initial weights of one plane with `init="random"`, as [w₀, w₁, …] if there is an offset."""
    size = features + int(parameters["fit_intercept"])
    return random_start(seed_of(parameters["random_state"]), size, problem, parameters["init_scale"])


def attributes_of(algorithm: Algorithm, classes: Labels, outcomes: Outcomes) -> FittedAttributes:
    """The fitted attributes of this algorithm, by name."""
    which = FAMILY[algorithm].published
    coef, intercept = outcomes.weights(which)
    attributes: FittedAttributes = {"classes_": classes, "coef_": coef, "intercept_": intercept}
    if which != "last":
        attributes["last_coef_"], attributes["last_intercept_"] = outcomes.weights("last")
    if which == "average":
        attributes["_averaged_over"] = outcomes.averaged_over()
    if which == "pocket":
        attributes |= _pocket(outcomes)
    return attributes | run_attributes(
        outcomes.outcomes, outcomes.n_samples_seen, outcomes.history, outcomes.certificates
    )


def _pocket(outcomes: Outcomes) -> FittedAttributes:
    runs = whole_numbers([outcome.pocket_run for outcome in outcomes.outcomes])
    errors = whole_numbers([outcome.pocket_errors for outcome in outcomes.outcomes])
    return {
        "pocket_runs_": runs,
        "pocket_errors_": errors,
        "pocket_run_": only_one(runs),
        "pocket_error_": only_one(errors),
        "n_scored_": sum(outcome.scored for outcome in outcomes.outcomes),
    }
