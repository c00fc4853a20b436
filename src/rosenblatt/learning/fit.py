"""The one fit: `Perceptron.fit`, `rosenblatt train`, streams, the lab and `partial_fit` all call it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions import random_start
from rosenblatt.learning.endings import worst
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.parameters import Algorithm, Parameters, seed_of
from rosenblatt.learning.problems import Group, groups_of
from rosenblatt.learning.progress import ProgressLine
from rosenblatt.learning.run import Outcomes, train, uses_of

if TYPE_CHECKING:
    from rosenblatt.trace import Trace

Array = NDArray[np.float64]


class Start(NamedTuple):
    """First weights: one row and one offset a plane."""

    coef: Array
    intercept: Array


class Member(NamedTuple):
    """What the run of an algorithm does besides, and which weights of the run the algorithm publishes."""

    plan: Mapping[str, Any]
    published: str


FAMILY: dict[Algorithm, Member] = {
    "Perceptron": Member({}, "last"),
    "PocketPerceptron": Member({"pocket": True}, "pocket"),
    "AveragedPerceptron": Member({"average": True}, "average"),
    "VotedPerceptron": Member({"record": True}, "last"),
    "BatchPerceptron": Member({"batch": True}, "last"),
    "KernelPerceptron": Member({}, "last"),  # its run is the dual one (`learning.dual`)
}


@dataclass(frozen=True)
class Fit:
    """A finished fit of an online algorithm: what was run, and what came of it."""

    parameters: Parameters
    examples: Examples
    groups: Sequence[Group]
    start: Start
    plan: Mapping[str, Any]
    outcomes: Outcomes

    def weights(self, which: str) -> Start:
        """The "last", "average" or "pocket" weights."""
        return Start(*self.outcomes.weights(which))

    def attributes(self, algorithm: Algorithm | None = None) -> dict[str, Any]:
        """The fitted attributes of the algorithm, or of another one whose weights the run has kept as well."""
        return attributes_of(algorithm or self.parameters.algorithm, self.examples.classes, self.outcomes) | (
            {"validation_scores_": self.validation_scores()} if self.plan["validation"] is not None else {}
        )

    def validation_scores(self) -> list[float]:
        held = len(self.plan["validation"])
        return [outcome.validated / held for outcome in self.outcomes.outcomes]

    def traces(self) -> "Trace | list[Trace]":
        """The recorded run of each problem."""
        from rosenblatt.learning.traces import traces_of

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
    validation: NDArray[np.uint32] | None = None,
    one_epoch_after: int | None = None,
    n_threads: int = 1,
    label: str | None = None,
) -> Fit:
    """Runs an online algorithm to its end.

    Values of X must be finite, or `NotFiniteError` is raised. `groups` are the problems, all of them unless given;
    `start` replaces what `init` says; `validation` are the examples that early stopping keeps back. With
    `one_epoch_after` it is a single epoch that follows so many others. `label` names the fit on the progress line.
    """
    parameters = parameters.seeded()
    if groups is None:
        groups = groups_of(parameters["multi_class"], parameters["order"], examples)
    if start is None:
        start = start_of(parameters, groups, examples.rows.n_features)
    plan = plan_of(parameters) | {"validation": validation}
    if one_epoch_after is not None:
        plan |= {"first_epoch": one_epoch_after, "max_iter": 1, "may_stall": False, "record": False}
    if plan["step"] != "constant":
        examples = examples.without_repeated_columns()  # the length of a row is the sum of its squares
    with ProgressLine(parameters["verbose"], label or parameters.algorithm, plan["max_iter"]) as line:
        outcomes = train(examples, groups, *start, plan, parameters["callback"], line, n_threads)
    return Fit(parameters, examples, groups, start, plan, outcomes)


def plan_of(parameters: Parameters) -> dict[str, Any]:
    """The fields of the core's `Plan`."""
    step, margin = parameters["step"], parameters["margin"]
    return {
        "eta0": float(parameters["eta0"]),
        "tie": parameters["tie"],
        "error_tie": parameters["error_tie"] or parameters["tie"],
        "fit_intercept": bool(parameters["fit_intercept"]),
        "margin": float(margin if margin is not None else step != "constant"),
        "step": step,
        "aggressiveness": float(parameters["C"]),
        "order": parameters["order"],
        "seed": seed_of(parameters["random_state"]),
        "max_iter": parameters["max_iter"],
        "max_steps": parameters["max_steps"],
        "max_updates": parameters["max_updates"],
        "patience": parameters["patience"],
        "max_error": float(parameters["max_error"]),
        "may_stall": parameters["max_iter"] is None,
        "record": bool(parameters["record"]),
        "n_iter_no_change": parameters["n_iter_no_change"],
        "ratchet": bool(parameters["ratchet"]),
        **FAMILY[parameters.algorithm].plan,
    }


def start_of(parameters: Parameters, groups: Sequence[Group], features: int) -> Start:
    """First weights, as `init` says."""
    planes = sum(len(group.positives) for group in groups)
    coef = np.zeros((planes, features))
    intercept = np.zeros(planes)
    if parameters["init"] == "random":
        # Each binary problem starts as it would alone; planes that learn jointly start apart.
        offset, seed = int(parameters["fit_intercept"]), seed_of(parameters["random_state"])
        for plane in range(planes):
            start = random_start(seed, features + offset, plane if groups[0].joint else 0)
            coef[plane] = start[offset:]
            intercept[plane] = start[0] if offset else 0.0
    return Start(coef, intercept)


def attributes_of(algorithm: Algorithm, classes: NDArray[Any], outcomes: Outcomes) -> dict[str, Any]:
    """The attributes that a fit of this algorithm leaves, by name."""
    which = FAMILY[algorithm].published
    coef, intercept = outcomes.weights(which)
    attributes = {"classes_": classes, "coef_": coef, "intercept_": intercept}
    if which != "last":
        attributes["last_coef_"], attributes["last_intercept_"] = outcomes.weights("last")
    if which == "average":
        attributes["_averaged_over"] = outcomes.averaged_over()
    if which == "pocket":
        attributes |= _pocket(outcomes)
    all_of_them = outcomes.outcomes
    statuses = [outcome.ending for outcome in all_of_them]
    cycles = [outcome.period or None for outcome in all_of_them]
    return attributes | {
        "statuses_": statuses,
        "status_": worst(statuses),
        "cycles_": cycles,
        "cycle_": cycles[0] if len(cycles) == 1 else None,
        "n_iter_": max(outcome.epochs for outcome in all_of_them),
        "n_mistakes_": sum(outcome.mistakes for outcome in all_of_them),
        "n_samples_seen_": outcomes.n_samples_seen,
        "history_": outcomes.history,
        "accelerators_": uses_of(all_of_them),
        "certificates_": outcomes.certificates,
        "certificate_": outcomes.certificates[0] if len(outcomes.certificates) == 1 else None,
    }


def _pocket(outcomes: Outcomes) -> dict[str, Any]:
    runs = [_count(outcome.pocket_run) for outcome in outcomes.outcomes]
    errors = [_count(outcome.pocket_errors) for outcome in outcomes.outcomes]
    alone = len(runs) == 1
    return {
        "pocket_runs_": runs,
        "pocket_errors_": errors,
        "pocket_run_": runs[0] if alone else None,
        "pocket_error_": errors[0] if alone else None,
        "n_scored_": sum(outcome.scored for outcome in outcomes.outcomes),
    }


def _count(value: float) -> float:
    return int(value) if value.is_integer() else value
