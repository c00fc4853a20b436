"""The fitted attributes of a distributed fit, and the subset that a local estimator has."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.run.epoch_totals import history_table
from rosenblatt.distributed.run.run_state import RunState
from rosenblatt.learning.fitted_attributes import only_one, whole_numbers
from rosenblatt.learning.run import HISTORY
from rosenblatt.learning.status import worst

#: Fitted attributes that a local estimator does not have.
_OWN = ("weighted_mistakes_", "n_weighted_mistakes_", "n_shards_", "n_examples_")


def weights_of(state: RunState, which: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A copy of the "last", "average" or "pocket" weights after the last epoch."""
    kept = {"last": (state.coef, state.intercept), "average": state.average, "pocket": state.best}[which]
    if kept is None:
        raise AssertionError(f"the run keeps no {which} weights")
    return kept[0].copy(), kept[1].copy()


def published(
    state: RunState, classes: NDArray[Any], which: str, proofs: Mapping[int, Any], names: tuple[str, ...] | None
) -> dict[str, Any]:
    """The fitted attributes by name."""
    problems, rules = state.problems, state.rules
    statuses = [str(problem.ending) for problem in problems]
    exactly_cyclic = rules.plan["order"] == "cyclic"
    cycles = [p.period or None if p.ending == "cycled" and exactly_cyclic else None for p in problems]
    certificates = [proofs.get(c) for c in range(len(problems))]
    presented = [problem.presented for problem in problems]
    apart = rules.multi_class == "ovo" and len(classes) > 2  # pairs share no presentations
    attributes: dict[str, Any] = {
        "classes_": classes,
        "coef_": state.coef,
        "intercept_": state.intercept,
        "n_features_in_": state.coef.shape[1],
        "statuses_": statuses,
        "status_": worst(statuses),
        "cycles_": cycles,
        "cycle_": only_one(cycles),
        "n_iter_": max(problem.epochs for problem in problems),
        "n_mistakes_": sum(problem.mistakes for problem in problems),
        "n_samples_seen_": sum(presented) if apart else max(presented),
        "history_": history_table(state.history.rows),
        "accelerators_": [{} for _ in state.problems],  # see docs/distributed.md
        "certificates_": certificates,
        "certificate_": only_one(certificates),
        "weighted_mistakes_": [problem.weighted_mistakes for problem in problems],
        "n_weighted_mistakes_": sum(problem.weighted_mistakes for problem in problems),
        "n_shards_": rules.n_shards,
    }
    if names is not None:
        attributes["feature_names_in_"] = np.array(names, dtype=object)
    if which != "last":
        attributes |= {"last_coef_": state.coef, "last_intercept_": state.intercept}
    if which == "average" and state.average is not None:
        attributes["coef_"], attributes["intercept_"] = state.average
        planes = len(state.coef) if rules.joint else 1
        attributes["_averaged_over"] = np.repeat([problem.clock for problem in problems], planes)
    if which == "pocket" and state.best is not None:
        attributes |= _pocket(state)
    if rules.early_stopping:
        attributes["validation_scores_"] = [problem.validated / state.n_held for problem in problems]
    return attributes


def _pocket(state: RunState) -> dict[str, Any]:
    errors = whole_numbers([problem.pocket_errors for problem in state.problems])
    coef, intercept = state.best if state.best is not None else (state.coef, state.intercept)
    return {
        "coef_": coef,
        "intercept_": intercept,
        "pocket_errors_": errors,
        "pocket_error_": only_one(errors),
        # A run of correctly classified examples has no meaning over shards; the pocket compares only errors.
        "pocket_runs_": [None] * len(errors),
        "pocket_run_": None,
        "n_scored_": state.n_scored,
    }


def local_attributes(estimator: Any) -> dict[str, Any]:
    """The fitted attributes that the local estimator also has."""
    found = {
        name: value
        for name, value in vars(estimator).items()
        if (name.endswith("_") and name not in _OWN) or name == "_averaged_over"
    }
    history = np.empty(len(found["history_"]), HISTORY)
    for column in HISTORY.names or ():
        history[column] = found["history_"][column]
    return found | {"history_": history}
