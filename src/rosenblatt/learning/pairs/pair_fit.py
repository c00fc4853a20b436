"""The fit of one-vs-one with many classes: the core runs all pairs and keeps their updates, not their weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import PairRuns, Plan
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import FAMILY, Fit, plan_of, random_plane
from rosenblatt.learning.fitted_attributes import FittedAttributes, whole_numbers
from rosenblatt.learning.pairs.pair_traces import PairTraces
from rosenblatt.learning.pairs.pair_weights import PairWeights
from rosenblatt.learning.pairs.ragged import Ragged
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.run import NotFiniteError, merged_history
from rosenblatt.learning.status import worst
from rosenblatt.meter import Meter

if TYPE_CHECKING:
    from rosenblatt.core._core import _PairArrays, _PairFacts
    from rosenblatt.trace import Trace

Array = NDArray[np.float64]

#: A fit of at least this many pairs (46 classes) runs here. Below, each pair has its own run in `learning.run`.
MANY_PAIRS = 1000

#: If the weights of all pairs take at most this many bytes, `coef_` is an array; otherwise it is built on access.
SMALL_WEIGHTS = 1 << 26

#: Values read between two returns to the interpreter: about a tenth of a second.
_SLICE = 20_000_000


def has_many_pairs(parameters: Parameters, examples: Examples) -> bool:
    """Whether a fit from its own initial weights runs here. Callbacks, traces, early stopping need `learning.run`."""
    k = len(examples.classes)
    needs_runs = parameters["callback"] is not None or parameters["record"] or parameters["early_stopping"]
    return (
        parameters["multi_class"] == "ovo"
        and k * (k - 1) // 2 >= MANY_PAIRS
        and not needs_runs
        and examples.release is None
    )


@dataclass(frozen=True)
class PairFit(Fit):
    """A finished fit of all pairs of many classes."""

    parameters: Parameters
    examples: Examples
    plan: PlanFields
    start: Array | None  # [w₀, w₁, …], the same for all pairs; None: zeros
    runs: PairRuns

    @cached_property
    def _facts(self) -> "_PairFacts":
        return self.runs.facts()

    def attributes(self, algorithm: Algorithm | None = None) -> FittedAttributes:
        algorithm = algorithm or self.parameters.algorithm
        which, facts = FAMILY[algorithm].published, self._facts
        stored = {"last": self.runs.last()} | ({} if which == "last" else {which: self.runs.published()})
        weights = self._weights(stored)
        found: FittedAttributes = {
            "classes_": self.examples.classes,
            "coef_": weights[which],
            "intercept_": stored[which]["offsets"],
        }
        if which != "last":
            found |= {"last_coef_": weights["last"], "last_intercept_": stored["last"]["offsets"]}
        if which == "average":
            found["_averaged_over"] = facts["clocks"]
        if which == "pocket":
            runs = whole_numbers(facts["pocket_runs"].tolist())
            errors = whole_numbers(facts["pocket_errors"].tolist())
            found |= {"pocket_runs_": runs, "pocket_errors_": errors, "pocket_run_": None, "pocket_error_": None}
            found["n_scored_"] = int(facts["scored"].sum())
        if algorithm == "VotedPerceptron":
            found |= self._voted()
        return found | self._counts()

    def _counts(self) -> FittedAttributes:
        facts = self._facts
        none: dict[str, int] = {}
        statuses = facts["endings"]
        return {
            "statuses_": statuses,
            "status_": worst(list(dict.fromkeys(statuses))),
            "cycles_": [period or None for period in facts["periods"].tolist()],
            "cycle_": None,
            "n_iter_": int(facts["epochs"].max()),
            "n_mistakes_": int(facts["mistakes"].sum()),
            "n_samples_seen_": int(facts["presented"].sum()),
            "history_": merged_history([self.runs.history()]),
            "accelerators_": [facts["accelerators"].get(p, none) for p in range(len(statuses))],
            "certificates_": [None] * len(statuses),
            "certificate_": None,
        }

    def _weights(self, stored: "dict[str, _PairArrays]") -> dict[str, Array | PairWeights]:
        """Each set of weights: an array, or `PairWeights` if that is large."""
        offset = int(self.plan["fit_intercept"])
        named = {which: _replayed(part) for which, part in stored.items()}
        support = np.unique(np.concatenate([part["index"][named[which]] for which, part in stored.items()]))
        if not len(support):
            support = self.examples.members[:1]  # gives the number of features
        vectors = self.examples.matrix()[support]
        weights: dict[str, Array | PairWeights] = {}
        for which, part in stored.items():
            index, is_example = part["index"].copy(), named[which]
            index[is_example] = np.searchsorted(support, index[is_example])
            found = PairWeights(
                support=vectors,
                n_classes=len(self.examples.classes),
                start=None if self.start is None else self.start[offset:],
                **(part | {"index": index}),
            )
            weights[which] = found.dense() if found.nbytes <= SMALL_WEIGHTS else found
        return weights

    def _voted(self) -> FittedAttributes:
        updates, clocks = self.runs.updates(), self._facts["clocks"]
        support = np.unique(updates["example"]).astype(np.intp)
        starts, pairs = updates["starts"], len(clocks)
        ends = (starts + np.arange(pairs + 1, dtype=np.uint64)).astype(np.uint64)  # one vector more than updates
        times = np.empty(len(updates["clock"]) + pairs)
        last = (ends[1:] - 1).astype(np.intp)
        is_last = np.zeros(len(times), dtype=bool)
        is_last[last] = True
        times[last], times[~is_last] = clocks, updates["clock"]
        survival = np.diff(times, prepend=0.0)
        survival[ends[:-1].astype(np.intp)] = times[ends[:-1].astype(np.intp)]
        width = self.examples.rows.n_features + int(self.plan["fit_intercept"])
        start = np.zeros(width) if self.start is None else self.start
        return {
            "support_": support,
            "support_vectors_": self.examples.matrix()[support],
            "starts_": np.broadcast_to(start, (pairs, width)),
            "updates_": Ragged(np.searchsorted(support, updates["example"]), starts),
            "scales_": Ragged(updates["scale"], starts),
            "survival_": Ragged(survival, ends),
        }

    def traces(self) -> "Trace | Sequence[Trace]":
        return PairTraces(self.examples, self.plan, self.start, self.runs.updates(), self._facts)


def fit_pairs(parameters: Parameters, examples: Examples, n_threads: int, label: str) -> PairFit:
    """Runs all pairs to their ends. Called by `learning.fit.fit`."""
    member, plan = FAMILY[parameters.algorithm], plan_of(parameters)
    if plan["step"] != "constant":
        examples = examples.without_repeated_columns()
    start = random_plane(parameters, examples.rows.n_features) if parameters["init"] == "random" else None
    first = 0.0 if start is None or not plan["fit_intercept"] else float(start[0])
    w = None if start is None else np.ascontiguousarray(start[int(plan["fit_intercept"]) :])
    uses_weights = plan["average"] or plan["pocket"] or member.record
    runs = PairRuns(
        rows=examples.rows,
        labels=examples.codes,
        plan=Plan(**plan, joint=False),
        members=examples.members,
        n_classes=len(examples.classes),
        start=w,
        start_offset=first,
        steps=None if examples.weights is None else plan["eta0"] * examples.weights,
        weights=examples.weights if uses_weights else None,
        published=member.published,
        keep_updates=member.record,
        threads=n_threads,
    )
    with Meter(f"{label}.fit, one against one", runs.pairs, "pairs") as meter:
        while not runs.advance(_SLICE):
            meter.update(runs.done)
    if runs.not_finite:
        raise NotFiniteError.in_epoch(runs.not_finite)
    return PairFit(parameters, examples, plan, start, runs)


def _replayed(part: "_PairArrays") -> NDArray[np.bool_]:
    """For each entry, whether it is an update, whose `index` is an example."""
    return np.repeat(part["replayed"].astype(bool), np.diff(part["starts"]).astype(np.intp))
