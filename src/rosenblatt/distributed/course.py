"""The course of a distributed run: what is known after each epoch, and how each problem ends.

The rules are those of the core's `online_endings.cpp`, applied to what all shards met together; with one shard the
endings, and the epochs in which they come, are those of one machine.
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rosenblatt.distributed.cycling import CycleWatch
from rosenblatt.distributed.epochs import History, Met
from rosenblatt.distributed.mixing import mixing_weights
from rosenblatt.distributed.scoring import Scored, ToScore
from rosenblatt.distributed.shard import Earlier, Epoch, Passed

#: As the core has them: touched values below which no run stalls, the same where a separator is known, and epochs.
_STALL_WORK = 2e8
_SEPARABLE_STALL_WORK = 1e10
_STALL_EPOCHS = 10


@dataclass
class Problem:
    """One binary problem, or all classes jointly, as far as it has come."""

    ending: str | None = None
    epochs: int = 0
    mistakes: int = 0
    weighted_mistakes: float = 0.0
    presented: int = 0
    clock: float = 0.0  # by weight; what the average is over
    work: float = 0.0
    last_change: int = 0
    best_errors: int | None = None
    best_epoch: int = 0
    separable: bool = False  # as theory said when the problem would have stalled
    period: int = 0
    validated: int = -1
    validated_epoch: int = 0
    pocket_errors: float = float("inf")
    watch: CycleWatch = field(default_factory=CycleWatch)


@dataclass(frozen=True)
class Rules:
    """What the parameters say about the run as a whole."""

    plan: dict[str, Any]  # of the run, as the core would have it
    multi_class: str
    mixing: str
    n_shards: int
    joint: bool
    pocket: bool = False
    early_stopping: bool = False


class Course:
    """The weights, one row a plane, and the problems that they belong to."""

    def __init__(self, rules: Rules, coef: NDArray[np.float64], intercept: NDArray[np.float64]) -> None:
        self.rules = rules
        self.epoch = 0
        self.coef, self.intercept = coef.copy(), intercept.copy()
        self.problems = [Problem() for _ in range(1 if rules.joint else len(coef))]
        self.history = History()
        average = bool(rules.plan.get("average"))
        self.average = (coef.copy(), intercept.copy()) if average else None
        self.delayed = (np.zeros_like(coef), np.zeros_like(intercept)) if average else None
        # The pocket, or the best weights on the examples that early stopping keeps back.
        self.best = (coef.copy(), intercept.copy()) if rules.pocket or rules.early_stopping else None
        self.n_scored = self.n_held = 0
        for c, problem in enumerate(self.problems):
            problem.watch.see(0, self.state(c))

    @property
    def live(self) -> tuple[int, ...]:
        return tuple(c for c, problem in enumerate(self.problems) if problem.ending is None)

    def planes(self, *problems: int) -> NDArray[np.int64]:
        return np.arange(len(self.coef)) if self.rules.joint else np.array(problems, dtype=np.int64)

    def state(self, c: int) -> NDArray[np.float64]:
        mine = self.planes(c)
        return np.concatenate([self.intercept[mine], self.coef[mine].ravel()])

    def next_epoch(self) -> Epoch:
        """What the shards are to do."""
        live = self.live
        planes = self.planes(*live)
        problems = [self.problems[c] for c in live]
        plan = self.rules.plan
        earlier = None
        if self.rules.n_shards == 1:  # one run, which goes on; the passes of several begin anew in each epoch
            earlier = Earlier(
                [problem.clock for problem in problems],
                [problem.last_change for problem in problems],
                None if self.delayed is None else (self.delayed[0][planes], self.delayed[1][planes]),
            )
        return Epoch(
            number=self.epoch,
            # The cluster as a whole decides how the run ends; a shard only where a limit cuts its pass short.
            # Draws from the misclassified set, of a single shard, end as soon as the errors are few enough.
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

    def take(self, passed: Passed) -> None:
        """Takes over the mixture of an epoch; `settle` then decides who has ended."""
        live = self.live
        self.epoch += 1
        weights = mixing_weights(passed.met, self.rules.mixing)
        self._met = {}
        for k, c in enumerate(live):
            problem, met = self.problems[c], Met.of(passed.met[:, k], weights[:, k])
            problem.epochs = self.epoch
            problem.work += met.work
            self._met[c] = met
            problem.mistakes += met.mistakes
            problem.weighted_mistakes += met.weighted_mistakes
            problem.presented += met.presented
            mine = self.planes(c)
            theirs = np.arange(len(passed.last.coef)) if self.rules.joint else np.array([k])
            if met.mistakes:  # else the weights stay, to the bit, what every shard has found right
                self.coef[mine], self.intercept[mine] = passed.last.mean(theirs)
            if passed.earlier is not None:
                problem.last_change = passed.earlier.last_changes[k]
            self._take_average(passed, problem, met, k, mine, theirs)

    def _take_average(self, passed: Passed, problem: Problem, met: Met, k: int, mine: Any, theirs: Any) -> None:
        problem.clock = passed.earlier.clock[k] if passed.earlier else problem.clock + met.clock
        if self.average is None or passed.average is None:
            return
        coef, intercept = self.average
        if passed.earlier is not None and passed.earlier.delayed is not None and self.delayed is not None:
            coef[mine], intercept[mine] = passed.average.mean(theirs)
            for sums, found in zip(self.delayed, passed.earlier.delayed, strict=True):
                sums[mine] = found[theirs]
        elif problem.clock > 0:
            more = passed.average.mean(theirs) if met.mistakes else (self.coef[mine], self.intercept[mine])
            share = met.clock / problem.clock
            coef[mine] = (1 - share) * coef[mine] + share * more[0]
            intercept[mine] = (1 - share) * intercept[mine] + share * more[1]

    @property
    def scores_weights(self) -> bool:
        """Whether the mixed weights are scored on all shards after each epoch, for the pocket or to stop early."""
        return self.best is not None

    def to_score(self) -> ToScore:
        """The weights that the shards are to score."""
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

    def take_scores(self, scored: Scored) -> None:
        """Keeps the weights where they are the best so far: fewest errors, or most right among those kept back."""
        self.n_scored += scored.examples
        self.n_held = scored.held
        for k, c in enumerate(self.live):
            problem = self.problems[c]
            if self.rules.pocket:
                separates = self.epoch > 0 and self._met[c].right
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

    def settle(self, asks: "Asks") -> None:
        """Decides which problems have ended, and writes down the epoch."""
        live = self.live
        for c in live:
            problem, met = self.problems[c], self._met[c]
            if met.whole:
                if problem.best_errors is None or met.errors < problem.best_errors:
                    problem.best_errors, problem.best_epoch = met.errors, self.epoch
                problem.period = problem.watch.see(self.epoch, self.state(c)) if met.mistakes else 0
                if problem.period and self.rules.plan["order"] != "cyclic" and not asks.exact(c):
                    problem.period = 0
        for c in live:
            ending = self._ending(c)
            if ending == "stalled" and not self.problems[c].separable:
                self.problems[c].separable, ending = asks.before_stall(c)
                if self.problems[c].separable:
                    ending = self._ending(c)
            self.problems[c].ending = ending
            if ending is not None and ending != "separated" and self.problems[c].validated_epoch and self.best:
                mine = self.planes(c)
                self.coef[mine], self.intercept[mine] = self.best[0][mine], self.best[1][mine]
        self._write_row(live)

    def _ending(self, c: int) -> str | None:
        """In the order of precedence of all endings."""
        problem, met, plan = self.problems[c], self._met[c], self.rules.plan
        if met.whole:
            if met.right:
                return "separated"
            if problem.period:
                return "cycled"
            if met.errors <= plan["max_error"] * met.counted:
                return "error_reached"
        if plan["patience"] is not None and problem.presented - problem.last_change >= plan["patience"]:
            return "unchanged"
        if met.whole and problem.validated_epoch and self.epoch - problem.validated_epoch >= plan["n_iter_no_change"]:
            return "early_stopped"
        if met.whole and self._stalls(problem):
            return "stalled"
        if plan["max_updates"] is not None and problem.mistakes >= plan["max_updates"]:
            return "max_updates"
        if plan["max_steps"] is not None and problem.presented >= plan["max_steps"]:
            return "max_steps"
        if met.whole and plan["max_iter"] is not None and self.epoch >= plan["max_iter"]:
            return "max_iter"
        return None

    @property
    def _drawn(self) -> bool:
        return bool(self.rules.plan["order"] == "misclassified")

    def _stalls(self, problem: Problem) -> bool:
        enough = _SEPARABLE_STALL_WORK if problem.separable else _STALL_WORK
        waited = self.epoch - problem.best_epoch
        return bool(
            self.rules.plan["may_stall"] and problem.work > enough and waited >= max(_STALL_EPOCHS, self.epoch // 2)
        )

    def _write_row(self, live: tuple[int, ...]) -> None:
        # Sums of losses are rounded: problems that share their passes are added up as the core does it, as they end.
        shared = not self._drawn and self.rules.multi_class == "ova"
        ends = {c: (self.problems[c].ending is None, self._met[c].counted) for c in live}
        order = sorted(live, key=ends.__getitem__) if shared else live
        met = [self._met[c] for c in order]
        counted = sum(m.counted for m in met)
        self.history.add(
            (
                self.epoch,
                sum(m.mistakes for m in met),
                sum(m.errors for m in met) / max(counted, 1),
                sum((m.loss for m in met), 0.0),
                sum((m.weighted_mistakes for m in met), 0.0),
            )
        )


class Asks(Protocol):
    """What the course cannot know by itself."""

    def exact(self, c: int) -> bool:
        """Whether no addition of problem c's run can have been rounded."""

    def before_stall(self, c: int) -> tuple[bool, str | None]:
        """Whether problem c is known to have a separator; and how it ends if not."""
