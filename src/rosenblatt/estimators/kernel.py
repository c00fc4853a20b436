"""The dual perceptron with a kernel, as a scikit-learn estimator."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_array

from rosenblatt.estimators import parameters as allowed
from rosenblatt.estimators.dual import Wishes, train_dual
from rosenblatt.estimators.dual_model import MEGABYTE, DualClassifier
from rosenblatt.estimators.dual_tracing import dual_traces
from rosenblatt.estimators.endings import warn_unless_settled
from rosenblatt.estimators.examples import check_examples, refuse_nonfinite
from rosenblatt.estimators.gram import check_gram
from rosenblatt.estimators.kernel_functions import NAMES, settled
from rosenblatt.estimators.linear import all_or_nothing
from rosenblatt.estimators.online import OnlineClassifier
from rosenblatt.estimators.problems import groups_of
from rosenblatt.estimators.progress import ProgressLine

#: Support vectors from which on an approximate feature map and a linear model predict faster and as well.
_MANY = 1000


class KernelPerceptron(DualClassifier):
    """The perceptron in a kernel's feature space, by its dual: w = Σ αᵢyᵢφ(xᵢ), never written out.

    A mistake on example i adds eta0 to αᵢ and eta0·yᵢ to the offset (L2, 'Dual Perceptrons'; L0, 'Kernelized
    perceptron'). With the linear kernel the run makes the mistakes of `Perceptron`, in the same order; the bound on
    mistakes holds in the feature space. The scores of all examples are kept up to date: a mistake costs O(n), and
    between mistakes nothing is computed.

    Where the Gram matrix fits into `cache_size` it is computed whole. Else kernel values are computed in blocks, only
    against examples that have become support vectors, and as many rows as fit are kept for later epochs; `regime_` and
    the logger `rosenblatt` say which.

    Parameters
    ----------
    kernel : {"rbf", "poly", "linear", "sigmoid", "laplacian", "precomputed"} or callable, default="rbf"
        exp(−γ‖x−x′‖²), (γx·x′ + coef0)^degree, x·x′, tanh(γx·x′ + coef0), exp(−γ‖x−x′‖₁); or X is the Gram matrix
        itself, and at prediction the kernel's values between the new examples (rows) and the training ones; or a
        function that takes two sets of examples and returns the matrix of values, as for scikit-learn's `SVC`.
    gamma : {"scale", "auto"} or float, default="scale"
        As `SVC` has it: 1/(n_features·variance of X), 1/n_features, or the number itself.
    degree : int, default=3
        Of "poly".
    coef0 : float, default=0.0
        Of "poly" and "sigmoid".
    fit_intercept : bool, default=True
        Whether to learn an offset; it is as if 1 were added to the kernel.
    vote : {"last", "average", "vote"}, default="last"
        Predict with the run's last coefficients, with their mean over all examples presented, or by the vote of all
        that it had, each counting by the examples that it survived (Freund and Schapire 1999).
    max_iter : int, default=100
        At most so many epochs; None: until the run separates, cycles or stalls.
    budget : int, default=None
        At most so many support vectors for each binary problem (all classes together under the joint rule).
    budget_policy : {"random", "projectron"}, default="random"
        What a mistake does when the budget is full: a support vector drawn at random makes room (Cavallanti,
        Cesa-Bianchi and Gentile 2007), or the example is projected onto the span of the support vectors (Orabona,
        Keshet and Caputo 2009; O(budget²) a mistake). No cycle is looked for in such a run.
    cache_size : float, default=200
        Memory for kernel values in megabytes. Nothing else of more than a few numbers an example and class is kept.
    eta0, tie, error_tie, order, max_steps, max_updates, max_error, patience, multi_class, class_weight, record, \
random_state, verbose, callback
        As those of `Perceptron`.
    init : {"zeros"}, default="zeros"
        The dual starts from α = 0; the parameter is there for `**conventions.L2`.

    Attributes
    ----------
    support_ : array of shape (n_support,)
        The examples that were a mistake at least once.
    support_vectors_ : array or CSR matrix
        These examples; empty for a precomputed kernel.
    n_support_ : array of shape (n_classes,)
        How many of each class.
    dual_coef_ : array of shape (n_problems, n_support)
        αᵢyᵢ, as `vote` says; `intercept_` belongs to it.
    last_dual_coef_, last_intercept_ : arrays
        Those that the run ended with.
    regime_ : {"gram", "blocks"}
        Whether the Gram matrix was computed whole.
    kernel_ : Kernel
        The kernel with its parameters settled; `kernel_(A, B)` gives its values.
    classes_, status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, certificate_, \
certificates_
        As those of `Perceptron`. A cycle is a return of the scores of all examples.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> xor = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, order="cyclic").fit(X, y)
    >>> xor.status_, xor.predict(X).tolist()
    ('separated', [0, 1, 1, 0])
    """

    _allowed: ClassVar[dict[str, allowed.Kind]] = OnlineClassifier._allowed | {
        "kernel": allowed.one_of(*NAMES) | allowed.CALLABLE,
        "gamma": allowed.one_of("scale", "auto") | allowed.POSITIVE,
        "degree": allowed.whole(1),
        "coef0": allowed.FINITE,
        "vote": allowed.one_of("last", "average", "vote"),
        "budget": allowed.NONE | allowed.whole(1),
        "budget_policy": allowed.one_of("random", "projectron"),
        "cache_size": allowed.POSITIVE,
        "init": allowed.one_of("zeros"),
    }

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: str = "mistake",
        error_tie: str | None = None,
        order: str = "shuffle",
        init: str = "zeros",
        max_iter: int | None = 100,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: str = "ova",
        vote: str = "last",
        class_weight: Any = None,
        budget: int | None = None,
        budget_policy: str = "random",
        cache_size: float = 200,
        record: bool = False,
        random_state: Any = 0,
        verbose: int = 0,
        callback: Any = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.fit_intercept = fit_intercept
        self.eta0 = eta0
        self.tie = tie
        self.error_tie = error_tie
        self.order = order
        self.init = init
        self.max_iter = max_iter
        self.max_steps = max_steps
        self.max_updates = max_updates
        self.max_error = max_error
        self.patience = patience
        self.multi_class = multi_class
        self.vote = vote
        self.class_weight = class_weight
        self.budget = budget
        self.budget_policy = budget_policy
        self.cache_size = cache_size
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labelled examples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_examples, n_features)
            For a precomputed kernel, the Gram matrix of shape (n_examples, n_examples).
        y : array of shape (n_examples,)
            Any labels; of two, the later in sorted order is the positive class.
        sample_weight : array of shape (n_examples,), default=None
            Multiplies the step of each example; an example of weight zero is as if absent.
        """
        with all_or_nothing(self):
            self._fit(X, y, sample_weight)
        if self.vote == "last" and self.status_ != "separated":
            self._warn(stacklevel=3)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        allowed.check_parameters(self, self._allowed)
        self._check_budget()
        seed = allowed.seed_of(self.random_state)
        examples = check_examples(self, X, y, sample_weight, self.class_weight, None, reset=True)
        refuse_nonfinite(self, examples.rows)
        examples = examples.without_repeated_columns()
        if self.kernel == "precomputed":
            check_gram(examples.X)
        kernel = settled(self.kernel, self.gamma, self.degree, self.coef0, examples.X)
        if callable(self.kernel):
            kernel(examples.X[:3], examples.X[:2])  # a wrong shape shows best where the numbers differ
        # Problems with a budget, or a misclassified set, each have support vectors, or an order, of their own.
        shared_order = "misclassified" if self.budget is not None else self.order
        groups = groups_of(self.multi_class, shared_order, examples)
        wishes = Wishes(self.cache_size * MEGABYTE, self.budget, self.budget_policy)
        with ProgressLine(self.verbose, type(self).__name__, self.max_iter) as line:
            found = train_dual(examples, groups, kernel, self._plan(seed), wishes, self.callback, line)
        self._publish(examples, kernel, found)
        if self.record:
            rule = {
                "order": self.order,
                "seed": seed,
                "tie": self.tie,
                "error_tie": self.error_tie,
                "fit_intercept": bool(self.fit_intercept),
            }
            self.trace_ = dual_traces(examples, kernel, found, self.eta0, rule)

    def _check_budget(self) -> None:
        """Refuses what needs more than the support vectors that a budget leaves."""
        refused = {
            "order": (self.order == "misclassified", "draws from examples whose scores must all be known"),
            "record": (self.record, "could not be replayed, for examples are given up on the way"),
            "vote": (self.vote != "last", "needs every support vector that the run ever had"),
        }
        for name, (asked, reason) in refused.items():
            if self.budget is not None and asked:
                raise ValueError(
                    f"KernelPerceptron: {name}={getattr(self, name)!r} {reason}; it cannot be had with a budget."
                )

    def _plan(self, seed: int) -> dict[str, Any]:
        return {
            "eta0": float(self.eta0),
            "tie": self.tie,
            "error_tie": self.error_tie or self.tie,
            "fit_intercept": bool(self.fit_intercept),
            "order": self.order,
            "seed": seed,
            "max_iter": self.max_iter,
            "max_steps": self.max_steps,
            "max_updates": self.max_updates,
            "patience": self.patience,
            "max_error": float(self.max_error),
            "may_stall": self.max_iter is None,
            "record": bool(self.record) or self.vote == "vote",
        }

    def _warn(self, stacklevel: int) -> None:
        remedies = [
            "average or vote (vote='average', vote='vote') if there is noise",
            "use a richer kernel (a higher degree, a larger gamma) if the boundary is more curved",
        ]
        if len(self.support_) > _MANY:
            remedies.append(
                f"with {len(self.support_):,} support vectors, each of which costs a kernel value at every prediction, "
                "take the better road for many examples: sklearn.kernel_approximation.Nystroem (or RBFSampler) and a "
                "linear Perceptron in a pipeline"
            )
        warn_unless_settled(
            type(self).__name__,
            self.statuses_,
            self.n_iter_,
            self.n_mistakes_,
            scales_differ=False,
            separable=any(proof is not None and bool(proof.separable) for proof in self.certificates_),
            stacklevel=stacklevel + 1,
            remedies=remedies,
        )

    def separability(self, X: Any, y: Any, *, budget: float | None = None) -> Any:
        """Whether some w in the kernel's feature space separates the classes, with the proof.

        Such a w is Σ αⱼφ(xⱼ), so the question is whether some α has y·(Kα + b) > 0 for every example: linear
        separability of the rows of the Gram matrix. The answer, and its certificate, is exact for the matrix K as it
        was computed, which for integers and a kernel of inner products is the kernel itself. For a few hundred
        examples. Nothing is fitted; what is returned is what `rosenblatt.separability` returns, for K.
        """
        from rosenblatt.theory import separability

        allowed.check_parameters(self, self._allowed)
        X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if self.kernel == "precomputed":
            check_gram(X)
            gram = X
        else:
            gram = settled(self.kernel, self.gamma, self.degree, self.coef0, X)(X, X)
        return separability(gram, y, fit_intercept=bool(self.fit_intercept), budget=budget)
