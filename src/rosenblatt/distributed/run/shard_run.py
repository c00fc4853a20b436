"""The main loop: runs an epoch on every shard, mixes the weights and decides which problems have ended."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.conventions.exactness import Grid, additions_exact, grid_of, grid_of_rows
from rosenblatt.distributed.cluster.cluster_error import with_retries
from rosenblatt.distributed.cluster.engine import Cluster
from rosenblatt.distributed.cluster.in_process import InProcess
from rosenblatt.distributed.run.mixing import mix, mix_all
from rosenblatt.distributed.run.run_state import RunState
from rosenblatt.distributed.shards.scoring import Scored, add_scores, score_shard
from rosenblatt.distributed.shards.shard import Epoch, Passed, Shard, run_pass
from rosenblatt.learning.examples import Examples, rows_of
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.stall_check import SMALL, StallCheck

if TYPE_CHECKING:
    from rosenblatt.theory import Separability


class ShardRun:
    """Advances a run state over shards. Lost shards are loaded again."""

    def __init__(
        self,
        cluster: Cluster | InProcess,
        state: RunState,
        shards: list[Any],
        make_shards: Callable[[], list[Any]],
        sizes: Sequence[int],
        n_features: int,
        retries: int,
    ) -> None:
        self._cluster = cluster
        self._state = state
        self._make_shards = make_shards
        self._sizes = sizes
        self._n_features = n_features
        self._retries = retries
        self.shards = shards
        self.proofs: dict[int, Separability] = {}
        start = np.concatenate([state.coef.ravel(), state.intercept])
        self._start_grid = grid_of(start)
        self._grids: tuple[Grid, list[Grid]] | None = None

    def to_end(self, after_epoch: Callable[[], None]) -> None:
        """Runs until every problem has ended."""
        state = self._state
        if state.scores_weights and not state.epoch:
            self._score()
        while state.live:
            state.apply(self._with_retries(self._pass))
            if state.scores_weights:
                self._score()
            state.decide_endings(self)
            after_epoch()

    def _pass(self) -> Passed:
        epoch = self._state.next_epoch()
        sent = self._cluster.submit(identity, epoch)
        passes = [
            self._cluster.submit(run_pass, shard, sent, ahead)
            for shard, ahead in zip(self.shards, self._examples_before(epoch), strict=True)
        ]
        mixed = mix_all(passes, lambda parts: self._cluster.submit(mix, parts))
        found: list[Passed] = self._cluster.results([mixed], f"running epoch {epoch.number + 1}", passes)
        return found[0]

    def _examples_before(self, epoch: Epoch) -> list[int]:
        """For each shard, the number of examples in the shards before it, since shards share `max_steps` in order.

        For one-vs-one the number of examples of a pair is not known in advance, so the limit applies to each shard.
        """
        if epoch.multi_class == "ovo":
            return [0] * len(self._sizes)
        return [sum(self._sizes[:i]) for i in range(len(self._sizes))]

    def _score(self) -> None:
        def scored() -> Scored:
            sent = self._cluster.submit(identity, self._state.to_score())
            parts = [self._cluster.submit(score_shard, shard, sent) for shard in self.shards]
            found: list[Scored] = self._cluster.results(parts, "scoring the mixed weights")
            return add_scores(found)

        self._state.apply_scores(self._with_retries(scored))

    def _with_retries(self, work: Callable[[], Any]) -> Any:
        return with_retries(work, self._retries, self._load_again)

    def _load_again(self) -> None:
        self.shards = self._make_shards()

    def exact(self, c: int) -> bool:
        """Whether all additions of problem c are exact. Known only for a single shard, where nothing is mixed."""
        rules = self._state.rules
        if rules.n_shards > 1 or rules.plan["step"] != "constant":
            return False
        if self._grids is None:
            asked = rules.plan["eta0"], rules.multi_class, rules.plan["order"]
            grids = self._cluster.submit(_grids, self.shards[0], *asked)
            self._grids = self._cluster.results([grids], "checking a cycle")[0]
        rows, steps = self._grids
        several = rules.joint and rules.plan["rivals"] == "all"  # an update then adds a row once for each rival
        mistakes = self._state.problems[c].mistakes * (len(self._state.coef) - 1 if several else 1)
        return additions_exact(rows, steps[c], self._start_grid, mistakes)

    def before_stall(self, c: int) -> tuple[bool, str | None]:
        """Decides the separability of a stalling problem, if all examples are few enough to collect in this process."""
        rules = self._state.rules
        if rules.joint or sum(self._sizes) * self._n_features > SMALL:
            return False, "stalled"
        shards = self._with_retries(lambda: self._cluster.results(self.shards, "asking for a separator"))
        examples = concatenated(shards)
        firsts = 0
        for group in groups_of(rules.multi_class, rules.plan["order"], examples):
            if c < firsts + len(group.positives):
                check = StallCheck(examples, group, bool(rules.plan["fit_intercept"]))
                go_on, otherwise = check.answer(c - firsts, self._state.epoch)
                self.proofs.update({firsts + k: proof for k, proof in check.proofs.items()})
                return go_on, None if go_on else otherwise
            firsts += len(group.positives)
        raise AssertionError(f"there is no problem {c}")


def identity(value: Any) -> Any:
    """Returns its argument: a task that sends a value to the workers once, for several tasks."""
    return value


def _grids(shard: Shard, eta0: float, multi_class: str, order: str) -> tuple[Grid, list[Grid]]:
    """The grid of the rows, and for each problem that of the steps of its examples."""
    X = shard.X.data if hasattr(shard.X, "indptr") else shard.X
    examples, steps = shard.examples(), []
    for group in groups_of(multi_class, order, examples):
        members = examples.members if group.chosen is None else group.chosen
        grid = grid_of(eta0 if shard.weights is None else eta0 * shard.weights[members])
        steps += [grid] * (1 if group.joint else len(group.positives))
    return grid_of_rows(X), steps


def concatenated(shards: Sequence[Shard]) -> Examples:
    """The concatenated examples of all shards."""
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
