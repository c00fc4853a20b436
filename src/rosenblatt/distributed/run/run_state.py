"""The state of a distributed run after each epoch: the weights, and the progress of each problem.

The core's rules (`decide`, `CycleWatch`, `History`), applied to the totals over all shards, decide how a problem ends,
whether its weights cycle and which epochs the history keeps. With one shard the endings and their epochs are the same
as in a local run.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import CycleWatch, EpochFacts, History, Plan, decide
from rosenblatt.distributed.run.epoch_totals import EpochTotals
from rosenblatt.distributed.run.mixing import mixing_weights
from rosenblatt.distributed.shards.scoring import Scored, ToScore
from rosenblatt.distributed.shards.shard import Earlier, Epoch, Passed


@dataclass
class Problem:
    """The progress of one binary problem, or of all classes jointly."""

    ending: str | None = None
    epochs: int = 0
    mistakes: int = 0
    weighted_mistakes: float = 0.0
    presented: int = 0
    clock: float = 0.0  # total weight of the examples presented: the divisor of the average
    work: float = 0.0
    last_change: int = 0
    best_errors: int | None = None
    best_epoch: int = 0
    separable: bool = False  # proved when the problem would have stalled
    period: int = 0
    validated: int = -1
    validated_epoch: int = 0
    pocket_errors: float = float("inf")
    watch: CycleWatch = field(default_factory=CycleWatch)


@dataclass(frozen=True)
class Rules:
    """Parameters of the run as a whole."""

    plan: dict[str, Any]  # the fields of `core.Plan`
    multi_class: str
    mixing: str
    n_shards: int
    joint: bool
    pocket: bool = False
    early_stopping: bool = False


class RunState:
    """The weights, one row per plane, and the progress of the problems."""

    def __init__(self, rules: Rules, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> None:
        self.rules = rules
        self.epoch = 0
        self.coef, self.intercept = coef.copy(), intercept.copy()
        self.problems = [Problem() for _ in range(1 if rules.joint else len(coef))]
        self.history = History()
        self._limits = Plan(**rules.plan).limits
        self._totals: dict[int, EpochTotals] = {}  # of the last epoch, by problem
        average = bool(rules.plan.get("average"))
        self.average = (coef.copy(), intercept.copy()) if average else None
        self.delayed = (np.zeros_like(coef), np.zeros_like(intercept)) if average else None
        # The pocket, or the weights with the best validation score of early stopping.
        self.best = (coef.copy(), intercept.copy()) if rules.pocket or rules.early_stopping else None
        self.n_scored = self.n_held = 0
        for c, problem in enumerate(self.problems):
            problem.watch.observe(0, self.state(c))

    @property
    def live(self) -> tuple[int, ...]:
        return tuple(c for c, problem in enumerate(self.problems) if problem.ending is None)

    def planes(self, *problems: int) -> NDArray[np.int64]:
        return np.arange(len(self.coef)) if self.rules.joint else np.array(problems, dtype=np.int64)

    def state(self, c: int) -> NDArray[np.float64]:
        mine = self.planes(c)
        return np.concatenate([self.intercept[mine], self.coef[mine].ravel()])

    def next_epoch(self) -> Epoch:
        """The input of the next epoch's pass on every shard."""
        live = self.live
        planes = self.planes(*live)
        problems = [self.problems[c] for c in live]
        plan = self.rules.plan
        earlier = None
        if self.rules.n_shards == 1:  # a single run continues; with several shards every epoch starts new passes
            earlier = Earlier(
                [problem.clock for problem in problems],
                [problem.last_change for problem in problems],
                None if self.delayed is None else (self.delayed[0][planes], self.delayed[1][planes]),
            )
        return Epoch(
            number=self.epoch,
            # Endings are decided here, over all shards; a shard only stops where a limit cuts its pass short.
            # Draws from the misclassified set, of a single shard, also stop once the errors are few enough.
            plan=plan
            | {"max_iter": 1, "may_stall": False, "ask_before_stall": False}
            | ({} if self._drawn else {"max_error": -1.0}),
            multi_class=self.rules.multi_class,
            mixing=self.rules.mixing,
            live=live,
            coef=self.coef[planes],
            intercept=self.intercept[planes],
            mistakes=[problem.mistakes for problem in problems],
            presented=[problem.presented for problem in problems],
            earlier=earlier,
        )

    def apply(self, passed: Passed) -> None:
        """Sets the weights to the mixture of an epoch; `decide_endings` then decides which problems have ended."""
        live = self.live
        self.epoch += 1
        weights = mixing_weights(passed.counts, self.rules.mixing)
        self._totals = {}
        for k, c in enumerate(live):
            problem, totals = self.problems[c], EpochTotals.of(passed.counts[:, k], weights[:, k])
            problem.epochs = self.epoch
            problem.work += totals.work
            self._totals[c] = totals
            problem.mistakes += totals.mistakes
            problem.weighted_mistakes += totals.weighted_mistakes
            problem.presented += totals.presented
            mine = self.planes(c)
            theirs = np.arange(len(passed.last.coef)) if self.rules.joint else np.array([k])
            if totals.mistakes:  # without one the weights stay unchanged, bit for bit
                self.coef[mine], self.intercept[mine] = passed.last.mean(theirs)
            if passed.earlier is not None:
                problem.last_change = passed.earlier.last_changes[k]
            self._apply_average(passed, problem, totals, k, mine, theirs)

    def _apply_average(
        self, passed: Passed, problem: Problem, totals: EpochTotals, k: int, mine: Any, theirs: Any
    ) -> None:
        problem.clock = passed.earlier.clock[k] if passed.earlier else problem.clock + totals.clock
        if self.average is None or passed.average is None:
            return
        coef, intercept = self.average
        if passed.earlier is not None and passed.earlier.delayed is not None and self.delayed is not None:
            coef[mine], intercept[mine] = passed.average.mean(theirs)
            for sums, found in zip(self.delayed, passed.earlier.delayed, strict=True):
                sums[mine] = found[theirs]
        elif problem.clock > 0:
            more = passed.average.mean(theirs) if totals.mistakes else (self.coef[mine], self.intercept[mine])
            share = totals.clock / problem.clock
            coef[mine] = (1 - share) * coef[mine] + share * more[0]
            intercept[mine] = (1 - share) * intercept[mine] + share * more[1]

    @property
    def scores_weights(self) -> bool:
        """Whether the mixed weights are scored on all shards after each epoch, for the pocket or early stopping."""
        return self.best is not None

    def to_score(self) -> ToScore:
        """The input for scoring the current weights on every shard."""
        planes, plan = self.planes(*self.live), self.rules.plan
        return ToScore(
            multi_class=self.rules.multi_class,
            order=plan["order"],
            tie=plan["tie"],
            error_tie=plan["error_tie"],
            joint=self.rules.joint,
            live=self.live,
            coef=self.coef[planes],
            intercept=self.intercept[planes],
            wants_errors=self.rules.pocket,
        )

    def apply_scores(self, scored: Scored) -> None:
        """Keeps the best weights so far: fewest errors, or most validation examples classified correctly."""
        self.n_scored += scored.examples
        self.n_held = scored.held
        for k, c in enumerate(self.live):
            problem = self.problems[c]
            if self.rules.pocket:
                separates = self.epoch > 0 and self._totals[c].no_mistake
                if not separates and scored.errors[k] >= problem.pocket_errors:
                    continue
                problem.pocket_errors = float(scored.errors[k])
            elif not self.epoch or (problem.validated_epoch and scored.right[k] <= problem.validated):
                continue
            else:
                problem.validated, problem.validated_epoch = int(scored.right[k]), self.epoch
            self._keep_best(c)

    def _keep_best(self, c: int) -> None:
        if self.best is not None:
            mine = self.planes(c)
            self.best[0][mine], self.best[1][mine] = self.coef[mine], self.intercept[mine]

    def decide_endings(self, queries: "Queries") -> None:
        """Decides which problems have ended, and adds the epoch to the history."""
        live = self.live
        for c in live:
            self._compare_with_earlier(c, queries)
        for c in live:
            problem = self.problems[c]
            ending = decide(self._facts(c), self._limits)
            if ending == "stalled" and not problem.separable:
                problem.separable, ending = queries.before_stall(c)
                if problem.separable:
                    ending = decide(self._facts(c), self._limits)
            problem.ending = ending
            if ending is not None and ending != "separated" and problem.validated_epoch and self.best:
                mine = self.planes(c)
                self.coef[mine], self.intercept[mine] = self.best[0][mine], self.best[1][mine]
        self._add_to_history(live)

    def _compare_with_earlier(self, c: int, queries: "Queries") -> None:
        """Updates the best epoch and the period of a cycle after a complete epoch."""
        problem, totals = self.problems[c], self._totals[c]
        if not totals.complete:
            return
        if problem.best_errors is None or totals.errors < problem.best_errors:
            problem.best_errors, problem.best_epoch = totals.errors, self.epoch
        problem.period = problem.watch.observe(self.epoch, self.state(c)) if totals.mistakes else 0
        if problem.period and self.rules.plan["order"] != "cyclic" and not queries.exact(c):
            problem.period = 0

    def _facts(self, c: int) -> EpochFacts:
        problem, totals = self.problems[c], self._totals[c]
        return EpochFacts(
            epoch_ended=totals.complete,
            epoch=self.epoch,
            examples=totals.counted,
            presented=problem.presented,
            mistakes=problem.mistakes,
            last_change=problem.last_change,
            epoch_errors=totals.errors,
            no_mistake=totals.no_mistake,
            period=problem.period,
            best_epoch=problem.best_epoch,
            validated_epoch=problem.validated_epoch,
            work=problem.work,
            separable=problem.separable,
        )

    @property
    def _drawn(self) -> bool:
        return bool(self.rules.plan["order"] == "misclassified")

    def _add_to_history(self, live: tuple[int, ...]) -> None:
        # The rounding of a sum depends on its order. Problems that share passes are summed in the core's order, with
        # ended problems first.
        shared = not self._drawn and self.rules.multi_class == "ova"
        ends = {c: (self.problems[c].ending is None, self._totals[c].counted) for c in live}
        order = sorted(live, key=ends.__getitem__) if shared else live
        totals = [self._totals[c] for c in order]
        counted = sum(t.counted for t in totals)
        self.history.add(
            [
                self.epoch,
                sum(t.mistakes for t in totals),
                sum(t.errors for t in totals) / max(counted, 1),
                sum((t.loss for t in totals), 0.0),
                sum((t.weighted_mistakes for t in totals), 0.0),
            ]
        )


class Queries(Protocol):
    """Queries of the state that need access to the examples."""

    def exact(self, c: int) -> bool:
        """Whether all additions of problem c's run are exact."""

    def before_stall(self, c: int) -> tuple[bool, str | None]:
        """Whether problem c is proved separable, and its ending if not."""
