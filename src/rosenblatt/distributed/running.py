"""The loop: an epoch on every shard, their mixture, and what follows from it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.conventions.exactness import Grid, additions_exact, grid_of, grid_of_rows
from rosenblatt.distributed.course import Course
from rosenblatt.distributed.engine import Cluster
from rosenblatt.distributed.errors import survived
from rosenblatt.distributed.mixing import mix, mix_all
from rosenblatt.distributed.scoring import Scored, add_scores, score_shard
from rosenblatt.distributed.shard import Epoch, Passed, Shard, run_pass
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.stall_check import SMALL, StallCheck

if TYPE_CHECKING:
    from rosenblatt.theory import Separability


class Run:
    """A course over shards that can be made again at any moment."""

    def __init__(
        self,
        cluster: Cluster,
        course: Course,
        shards: list[Any],
        make_shards: Callable[[], list[Any]],
        sizes: Sequence[int],
        n_features: int,
        retries: int,
    ) -> None:
        self._cluster = cluster
        self._course = course
        self._make_shards = make_shards
        self._sizes = sizes
        self._n_features = n_features
        self._retries = retries
        self.shards = shards
        self.proofs: dict[int, Separability] = {}
        start = np.concatenate([course.coef.ravel(), course.intercept])
        self._start_grid = grid_of(start)
        self._rows_grid: tuple[Grid, Grid] | None = None

    def to_end(self, after_epoch: Callable[[], None]) -> None:
        """Runs until every problem has ended."""
        course = self._course
        if course.scores_weights and not course.epoch:
            self._score()
        while course.live:
            course.take(self._survive(self._pass))
            if course.scores_weights:
                self._score()
            course.settle(self)
            after_epoch()

    def _pass(self) -> Passed:
        epoch = self._course.next_epoch()
        told = self._cluster.submit(_same, epoch)
        passes = [
            self._cluster.submit(run_pass, shard, told, ahead)
            for shard, ahead in zip(self.shards, self._ahead(epoch), strict=True)
        ]
        mixed = mix_all(passes, lambda parts: self._cluster.submit(mix, parts))
        found: list[Passed] = self._cluster.results([mixed], f"running epoch {epoch.number + 1}", passes)
        return found[0]

    def _ahead(self, epoch: Epoch) -> list[int]:
        """How many examples of the shards before it count before each shard's own; they share `max_steps` in order.

        A pair's examples are not known beforehand: there the limit holds for each shard.
        """
        if epoch.multi_class == "ovo":
            return [0] * len(self._sizes)
        return [sum(self._sizes[:i]) for i in range(len(self._sizes))]

    def _score(self) -> None:
        def scored() -> Scored:
            told = self._cluster.submit(_same, self._course.to_score())
            parts = [self._cluster.submit(score_shard, shard, told) for shard in self.shards]
            found: list[Scored] = self._cluster.results(parts, "scoring the mixed weights")
            return add_scores(found)

        self._course.take_scores(self._survive(scored))

    def _survive(self, work: Callable[[], Any]) -> Any:
        return survived(work, self._retries, self._load_again)

    def _load_again(self) -> None:
        self.shards = self._make_shards()

    def exact(self, c: int) -> bool:
        """Whether no addition of problem c can have been rounded: known for one shard, where nothing is mixed."""
        if self._course.rules.n_shards > 1 or self._course.rules.plan["step"] != "constant":
            return False
        if self._rows_grid is None:
            grids = self._cluster.submit(_grids, self.shards[0], self._course.rules.plan["eta0"])
            self._rows_grid = self._cluster.results([grids], "checking a cycle")[0]
        rows, steps = self._rows_grid
        return additions_exact(rows, steps, self._start_grid, self._course.problems[c].mistakes)

    def before_stall(self, c: int) -> tuple[bool, str | None]:
        """Asks theory about a problem that would stall, if all examples together are few enough to be brought here."""
        rules = self._course.rules
        if rules.joint or sum(self._sizes) * self._n_features > SMALL:
            return False, "stalled"
        shards = self._survive(lambda: self._cluster.results(self.shards, "asking for a separator"))
        examples = _together(shards)
        firsts = 0
        for group in groups_of(rules.multi_class, rules.plan["order"], examples):
            if c < firsts + len(group.positives):
                judge = StallCheck(examples, group, bool(rules.plan["fit_intercept"]))
                go_on, otherwise = judge.answer(c - firsts)
                self.proofs.update({firsts + k: proof for k, proof in judge.proofs.items()})
                return go_on, None if go_on else otherwise
            firsts += len(group.positives)
        raise AssertionError(f"there is no problem {c}")


def _same(value: Any) -> Any:
    return value


def _grids(shard: Shard, eta0: float) -> tuple[Grid, Grid]:
    X = shard.X.data if hasattr(shard.X, "indptr") else shard.X
    steps = eta0 if shard.weights is None else eta0 * shard.weights[shard.weights > 0]
    return grid_of_rows(X), grid_of(steps)


def _together(shards: Sequence[Shard]) -> Examples:
    """The examples of all shards, one after the other."""
    shards = [shard for shard in shards if not shard.is_empty]
    if len(shards) == 1:
        return shards[0].examples()
    if any(hasattr(shard.X, "indptr") for shard in shards):
        from scipy import sparse

        X = sparse.vstack([sparse.csr_matrix(shard.X) for shard in shards], format="csr")
    else:
        X = np.concatenate([shard.X for shard in shards])
    firsts = np.cumsum([0, *(shard.X.shape[0] for shard in shards)])
    chosen = None
    if any(shard.chosen is not None for shard in shards):
        members = [shard.examples().members + first for shard, first in zip(shards, firsts[:-1], strict=True)]
        chosen = np.concatenate(members).astype(np.uint32)
    codes = np.concatenate([shard.codes for shard in shards])
    return Examples(X, rows_of(X), shards[0].classes, codes, None, chosen)
