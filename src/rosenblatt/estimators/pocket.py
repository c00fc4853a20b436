"""The pocket perceptron, for data that no hyperplane separates."""

from typing import ClassVar

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.online_classifier import OnlineClassifier
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, RandomState
from rosenblatt.learning.parameters import Algorithm, MultiClass, Rivals


class PocketPerceptron(OnlineClassifier):
    """The pocket algorithm: a perceptron that keeps the best weights so far in its "pocket" (L0; Gallant 1990).

    The best weights are those with the longest run of correct examples; with `ratchet`, only if they also make fewer
    training errors than the weights in the pocket. `coef_` has the weights in the pocket at the end.

    Parameters
    ----------
    ratchet : bool, default=False
        Replace the weights in the pocket only if the new ones make fewer training errors. Each check is a scoring pass
        that stops as soon as it has found too many errors. Checks are made only while their total cost is at most that
        of the run, so a fit costs at most about twice as much. With `ratchet` the training error of the pocket never
        increases.
    patience : int, default=None
        Stop when the weights in the pocket have not changed for this many consecutive examples (L0). Replacing them by
        equal weights is not a change.
    fit_intercept, eta0, tie, error_tie, order, init, init_scale, max_iter, max_steps, max_updates, max_error, \
multi_class, rivals, class_weight, warm_start, record, n_jobs, random_state, verbose, callback
        As in `Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : the weights in the pocket.
    last_coef_, last_intercept_ : the final weights of the run.
    pocket_run_, pocket_runs_ : number or None, and list
        The run of correct examples for which the weights entered the pocket; the comparison after the last epoch does
        not change it.
    pocket_error_, pocket_errors_ : number or None, and list
        Training errors of the weights in the pocket; one entry per problem. With sample weights, runs and errors are
        sums of weights.
    n_scored_ : int
        The number of examples scored to compare training errors.
    status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, trace_, classes_
        As in `Perceptron`; they describe the run. If it ends "separated", its final weights are in the pocket.

    Examples
    --------
    >>> from rosenblatt import PocketPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], [0, 0, 0, 1, 0]  # (1, 1) is both
    >>> pocket = PocketPerceptron(ratchet=True, max_iter=20).fit(X, y)
    >>> pocket.pocket_error_
    1
    """

    _algorithm: ClassVar[Algorithm] = "PocketPerceptron"
    _should_converge: ClassVar[bool] = False

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        error_tie: Tie | None = None,
        order: Order = "shuffle",
        init: Init = "zeros",
        init_scale: float = 0.5,
        ratchet: bool = False,
        max_iter: int | None = None,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: MultiClass = "ova",
        rivals: Rivals = "best",
        class_weight: ClassWeight = None,
        warm_start: bool = False,
        record: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())
