"""The distributed versions of the online estimators."""

from typing import Any, ClassVar

from rosenblatt.distributed.classifier import DaskClassifier
from rosenblatt.estimators import AveragedPerceptron, Perceptron, PocketPerceptron
from rosenblatt.estimators.base.online_classifier import OnlineClassifier


class DaskPerceptron(DaskClassifier):
    """`Perceptron` over shards, by iterative parameter mixing (McDonald, Hall, Mann 2010).

    In every epoch each shard runs one pass of the core from the same weights w; then w ← Σ μᵢwᵢ. With one shard the run
    is bit-for-bit the run of `Perceptron`. With several shards the result depends only on the shards and their order,
    and not on the number of workers or on workers that die or join.

    Parameters
    ----------
    mixing : {"uniform", "mistakes"}, default="uniform"
        The mixing weights μ: equal for all shards, or proportional to the mistakes of each shard in the epoch.
    checkpoint : path, default=None
        A file for the state after each epoch.
    resume : bool, default=False
        Continue from the checkpoint, if it exists, with the same result as an uninterrupted run. A run that ended at
        `max_iter` continues if `max_iter` is now larger.
    timeout : float, default=600.0
        Maximum time in seconds without a finished task, after which the fit raises `ClusterLostError`. None means no
        limit.
    retries : int, default=3
        How often an epoch is retried with reloaded data after Dask gave up a task because its workers died.
    fit_intercept, eta0, tie, error_tie, order, init, init_scale, margin, step, C, max_iter, max_steps, max_updates, \
max_error, multi_class, rivals, class_weight, early_stopping, validation_fraction, n_iter_no_change, warm_start, \
random_state, verbose, callback
        As for `Perceptron`. Several shards share `max_steps` in shard order (for one-vs-one it applies to each shard).
        A pass that reaches `max_updates` ends only for its shard, so the sum may exceed the limit. Early stopping holds
        out a part of every shard, which must have two examples of every class.
    patience : int, default=None
        Only with one shard, because several shards have no common sequence of examples.
    record : False
        Not supported, because shards have no common order of updates.
    n_jobs : ignored
        The cluster determines the parallelism.

    Attributes
    ----------
    coef_, intercept_, classes_, n_features_in_, feature_names_in_, status_, statuses_, cycle_, cycles_, n_iter_, \
n_mistakes_, n_samples_seen_, certificate_, certificates_, validation_scores_
        As for `Perceptron`, over all shards. "separated" means that there was an epoch in which no shard made a
        mistake. With several shards, "cycled" occurs only with `order="cyclic"`.
    history_ : structured array
        As for `Perceptron`, with the column `weighted_mistakes`: Σ μᵢkᵢ, where shard i made kᵢ mistakes.
    weighted_mistakes_, n_weighted_mistakes_ : list of float, and their sum
        Σ μᵢkᵢ over all epochs, per problem. On separable data from zero weights it is at most (R/γ)² for any μ.
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
    """`AveragedPerceptron` over shards: the mean of the weights after every example presented in any shard.

    The examples of a shard are weighted by its μ in that epoch; with uniform μ all examples have the same weight. With
    one shard the average is bit-for-bit that of `AveragedPerceptron`. Parameters and attributes are those of
    `AveragedPerceptron` and `DaskPerceptron`.

    Examples
    --------
    >>> from rosenblatt.distributed import DaskAveragedPerceptron
    >>> model = DaskAveragedPerceptron(max_iter=20, mixing="mistakes")
    >>> model.fit(["part1.parquet", "part2.parquet"], "label")  # doctest: +SKIP
    """

    _local: ClassVar[type[OnlineClassifier]] = AveragedPerceptron


class DaskPocketPerceptron(DaskClassifier):
    """`PocketPerceptron` over shards: keeps the mixed weights with the fewest training errors after any epoch.

    After each epoch the mixed weights are scored on all shards, which costs a second, cheaper pass. They replace the
    pocket if they make fewer errors, as with the local ratchet. The local pocket also considers weights within an epoch
    and uses the longest run of correctly classified examples, which has no meaning over shards. So with one shard the
    run (`last_coef_`, `status_`, the counts) is bit-for-bit that of `PocketPerceptron`, but the pocket is the best of
    fewer candidates. `pocket_run_` is None. Other parameters and attributes are those of `PocketPerceptron` and
    `DaskPerceptron`; `ratchet` must be True and `patience` None.

    Examples
    --------
    >>> from rosenblatt.distributed import DaskPocketPerceptron
    >>> model = DaskPocketPerceptron(max_iter=20)
    >>> model.ratchet
    True
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
