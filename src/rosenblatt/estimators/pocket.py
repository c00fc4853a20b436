"""The pocket perceptron: for data that no hyperplane separates."""

from typing import Any, ClassVar

from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.estimators.training import Found


class PocketPerceptron(OnlineClassifier):
    """The perceptron with the best weights so far in its pocket (L0; Gallant 1990).

    Best are the weights with the longest run of right examples; with `ratchet`, only if they also make fewer training
    errors than those in the pocket. `coef_` is what the pocket holds in the end.

    Parameters
    ----------
    ratchet : bool, default=False
        Let a longer run into the pocket only if it makes fewer training errors. Each check is a scored pass that stops
        as soon as it has found too many errors; checks are made only while they have cost no more than the run itself,
        so a fit costs at most about twice as much. With it the pocket's training error never rises.
    patience : int, default=None
        Stop when the vector in the pocket has not changed for this many consecutive examples (L0). An equal vector
        that enters the pocket does not change it.
    fit_intercept, eta0, tie, error_tie, order, init, max_iter, max_steps, max_updates, max_error, multi_class, \
class_weight, warm_start, record, n_jobs, random_state, verbose, callback
        As those of `Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : the weights in the pocket.
    last_coef_, last_intercept_ : the weights that the run ended with.
    pocket_run_, pocket_runs_ : number or None, and list
        The run of right examples that put the weights into the pocket; the comparison after the loop leaves it alone.
    pocket_error_, pocket_errors_ : number or None, and list
        Training errors of the weights in the pocket; one entry a problem. Where examples have weights, runs and errors
        count by weight.
    n_scored_ : int
        Examples that were scored to compare training errors.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, trace_, classes_
        As those of `Perceptron`, of the run; a run that ends "separated" has its weights in the pocket.

    Examples
    --------
    >>> from rosenblatt import PocketPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [0, 0, 0, 1, 0]  # (1, 1) is both
    >>> pocket = PocketPerceptron(ratchet=True, max_iter=20).fit(X, y)
    >>> pocket.pocket_error_
    1
    """

    _published: ClassVar[str] = "pocket"
    _should_settle: ClassVar[bool] = False

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        order: str = "shuffle",
        init: str = "zeros",
        ratchet: bool = False,
        max_iter: int | None = None,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: str = "ova",
        class_weight: Any = None,
        warm_start: bool = False,
        record: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.eta0 = eta0
        self.tie = tie
        self.error_tie = error_tie
        self.order = order
        self.init = init
        self.ratchet = ratchet
        self.max_iter = max_iter
        self.max_steps = max_steps
        self.max_updates = max_updates
        self.max_error = max_error
        self.patience = patience
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.record = record
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _plan(self, seed: int) -> dict[str, Any]:
        return super()._plan(seed) | {"pocket": True, "ratchet": bool(self.ratchet)}

    def _publish(self, classes: Any, found: Found) -> None:
        super()._publish(classes, found)
        self.pocket_runs_ = [_count(outcome.pocket_run) for outcome in found.outcomes]
        self.pocket_errors_ = [_count(outcome.pocket_errors) for outcome in found.outcomes]
        alone = len(found.outcomes) == 1
        self.pocket_run_ = self.pocket_runs_[0] if alone else None
        self.pocket_error_ = self.pocket_errors_[0] if alone else None
        self.n_scored_ = sum(outcome.scored for outcome in found.outcomes)


def _count(value: float) -> float:
    return int(value) if value.is_integer() else value
