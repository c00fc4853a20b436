"""The distributed twins of the online estimators."""

from typing import Any, ClassVar

from rosenblatt.distributed.classifier import DaskClassifier
from rosenblatt.estimators import AveragedPerceptron, Perceptron, PocketPerceptron
from rosenblatt.estimators.online import OnlineClassifier


class DaskPerceptron(DaskClassifier):
    """`Perceptron` over shards, by iterative parameter mixing (McDonald, Hall, Mann 2010).

    In every epoch each shard runs one pass of the core from the same weights w; then w ← Σ μᵢwᵢ. With one shard the run
    is that of `Perceptron`, bit for bit. With several the result depends on the shards and their order, and on nothing
    else: not on the number of workers, nor on those that die or join.

    Parameters
    ----------
    mixing : {"uniform", "mistakes"}, default="uniform"
        μ: the same for every shard, or by the mistakes that each has made in the epoch.
    checkpoint : path, default=None
        A file that holds the state after each epoch.
    resume : bool, default=False
        Go on from the checkpoint, if it exists, to the end that an undisturbed run would have had. A run that had used
        up its epochs goes on if `max_iter` is now larger.
    timeout : float, default=600.0
        Seconds that may pass without any task being finished; then the fit ends with a `ClusterLostError`. None: no
        limit.
    retries : int, default=3
        How often an epoch is run again, data loaded anew, after Dask has given up a task whose workers kept dying.
    fit_intercept, eta0, tie, error_tie, order, init, margin, step, C, max_iter, max_steps, max_updates, max_error, \
multi_class, class_weight, early_stopping, validation_fraction, n_iter_no_change, warm_start, random_state, verbose, \
callback
        As those of `Perceptron`. Over several shards `max_steps` is shared in shard order (for one-vs-one and drawn
        examples it holds for each shard), and a pass that reaches `max_updates` ends for its shard alone, so that the
        sum may exceed it. Early stopping keeps back a part of every shard, which must
        have two examples of every class.
    patience : int, default=None
        With one shard only: several have no common sequence.
    record : False
        Shards have no common order of updates to record.
    n_jobs : ignored
        The cluster decides.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_, status_, statuses_, cycle_, cycles_, n_iter_, \
n_mistakes_, n_samples_seen_, certificate_, certificates_, validation_scores_
        As those of `Perceptron`, over all shards. "separated" means that every shard has found w without a mistake in
        one and the same epoch. "cycled" is said of several shards only where `order="cyclic"`.
    history_ : structured array
        As that of `Perceptron`, and `weighted_mistakes`: Σ μᵢkᵢ, where shard i has made kᵢ mistakes.
    weighted_mistakes_, n_weighted_mistakes_ : list of float, and their sum
        Σ μᵢkᵢ over all epochs, for each problem. On separable data at most (R/γ)² from a zero start, whatever μ is.
    n_shards_, n_examples_ : int

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rosenblatt.distributed import DaskPerceptron
    >>> client = Client(n_workers=2)  # doctest: +SKIP
    >>> X, y = da.random.normal(size=(1000, 5), chunks=(250, 5)), da.arange(1000, chunks=250) % 2
    >>> model = DaskPerceptron(max_iter=10).fit(X, y)  # doctest: +SKIP
    >>> model.n_shards_  # doctest: +SKIP
    4
    """

    _local: ClassVar[type[OnlineClassifier]] = Perceptron


class DaskAveragedPerceptron(DaskClassifier):
    """`AveragedPerceptron` over shards: the mean of the weights after every example presented anywhere.

    The examples of a shard count by its μ in that epoch; with uniform μ, all count the same. With one shard it is the
    average of `AveragedPerceptron`, bit for bit. Parameters and attributes are those of `AveragedPerceptron` and
    `DaskPerceptron`.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rosenblatt.distributed import DaskAveragedPerceptron
    >>> client = Client(n_workers=2)  # doctest: +SKIP
    >>> X, y = da.random.normal(size=(1000, 5), chunks=(250, 5)), da.arange(1000, chunks=250) % 2
    >>> model = DaskAveragedPerceptron(max_iter=10).fit(X, y)  # doctest: +SKIP
    >>> model.n_shards_  # doctest: +SKIP
    4
    """

    _local: ClassVar[type[OnlineClassifier]] = AveragedPerceptron


class DaskPocketPerceptron(DaskClassifier):
    """`PocketPerceptron` over shards: of the mixed weights after each epoch, those with the fewest training errors.

    After each epoch the mixed weights are scored on all shards, which costs a second, cheaper round; they enter the
    pocket if they make fewer errors than those in it, as the local ratchet has it. The local pocket also looks at the
    weights inside an epoch and goes by the longest run of right examples, which has no meaning over shards: so with one
    shard the run (`last_coef_`, `status_`, the counts) is that of `PocketPerceptron`, bit for bit, but the weights in
    the pocket are the best of fewer candidates. `pocket_run_` is None. Parameters and attributes are otherwise those of
    `PocketPerceptron` and `DaskPerceptron`; `ratchet` is True, `patience` None.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client
    >>> from rosenblatt.distributed import DaskPocketPerceptron
    >>> client = Client(n_workers=2)  # doctest: +SKIP
    >>> X, y = da.random.normal(size=(1000, 5), chunks=(250, 5)), da.arange(1000, chunks=250) % 2
    >>> model = DaskPocketPerceptron(max_iter=10).fit(X, y)  # doctest: +SKIP
    >>> model.n_shards_  # doctest: +SKIP
    4
    """

    _local: ClassVar[type[OnlineClassifier]] = PocketPerceptron
    _defaults: ClassVar[dict[str, Any]] = {"ratchet": True}

    def _check(self) -> None:
        super()._check()
        if not self.ratchet:
            raise ValueError(
                "ratchet=False keeps the weights with the longest run of right examples, and a run has no meaning over "
                "shards. Leave ratchet=True: the weights with the fewest training errors are kept."
            )
        if self.patience is not None:
            raise ValueError("patience watches the pocket after each example, and here it changes between epochs only.")
