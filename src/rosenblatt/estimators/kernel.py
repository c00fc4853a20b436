"""The kernel perceptron, in dual form."""

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.dual_classifier import DualClassifier
from rosenblatt.estimators.base.linear_classifier import all_or_nothing
from rosenblatt.estimators.base.sklearn_callbacks import CallbackSupportMixin, reported_fit, with_callbacks
from rosenblatt.estimators.checks.checked_parameters import checked_parameters
from rosenblatt.estimators.checks.validation import check_examples, refuse_nonfinite
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, Gamma, RandomState
from rosenblatt.estimators.reports.convergence_warning import warn_unless_converged
from rosenblatt.learning.dual.gram import check_gram
from rosenblatt.learning.dual.kernel_functions import KernelChoice, resolved_kernel
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import fit
from rosenblatt.learning.parameters import Algorithm, BudgetPolicy, MultiClass, Rivals, Vote
from rosenblatt.learning.rows.array_types import Matrix, MatrixLike

if TYPE_CHECKING:
    from rosenblatt.theory import Separability, SeparabilityTable

#: Above this many support vectors, the warning suggests an approximate feature map with a linear model.
_MANY = 1000


class KernelPerceptron(CallbackSupportMixin, DualClassifier):  # type: ignore[misc]  # scikit-learn ships no types
    """The perceptron in the feature space of a kernel, in dual form: w = Σ αᵢyᵢφ(xᵢ) is never computed.

    A mistake on example i adds eta0 to αᵢ and eta0·yᵢ to the offset (L2, 'Dual Perceptrons'; L0, 'Kernelized
    perceptron'). With the linear kernel the run makes the same mistakes as `Perceptron`, in the same order. The mistake
    bound holds in the feature space. The scores of all examples are stored and updated: a mistake costs O(n), a correct
    example O(1).

    If the Gram matrix fits into `cache_size`, it is computed as a whole. Otherwise kernel values are computed in
    blocks, for support vectors only, and as many rows as fit are cached for later epochs. `regime_` and the logger
    `rosenblatt` tell which of the two was used.

    Parameters
    ----------
    kernel : {"rbf", "poly", "linear", "sigmoid", "laplacian", "precomputed"} or callable, default="rbf"
        exp(−γ‖x−x′‖²), (γx·x′ + coef0)^degree, x·x′, tanh(γx·x′ + coef0), exp(−γ‖x−x′‖₁). "precomputed": X is the Gram
        matrix, and for prediction X has the kernel values between the new examples (rows) and the training examples. A
        callable takes two matrices of examples and returns the matrix of kernel values, as for scikit-learn's `SVC`.
    gamma : {"scale", "auto"} or float, default="scale"
        As for `SVC`: 1/(n_features·variance of X), 1/n_features, or the number itself.
    degree : int, default=3
        Degree of "poly".
    coef0 : float, default=0.0
        Constant term of "poly" and "sigmoid".
    fit_intercept : bool, default=True
        Whether to learn an offset; this is equivalent to adding 1 to the kernel.
    vote : {"last", "average", "vote"}, default="last"
        Predict with the last coefficients of the run, with their mean over all examples presented, or by a vote of all
        coefficient vectors of the run, each weighted by the number of examples it survived (Freund and Schapire 1999).
    max_iter : int, default=100
        Maximum number of epochs; None: until the run separates, cycles or stalls.
    max_updates : int, default=None
        Maximum number of updates of each binary problem. None: no limit if the Gram matrix fits into `cache_size`, else
        2.5·10⁹ kernel values, which is 2.5·10⁹/n updates for n examples: 50,000 for 50,000. A run that this default
        ends has the status "max_updates", and with vote="last" it publishes the mean of the coefficients instead.
    budget : int, default=None
        Maximum number of support vectors of each binary problem (of all classes together under the joint rule).
    budget_policy : {"random", "projectron"}, default="random"
        What happens at a mistake when the budget is full: a random support vector is removed (Cavallanti,
        Cesa-Bianchi and Gentile 2007), or the example is projected onto the span of the support vectors (Orabona,
        Keshet and Caputo 2009; O(budget²) per mistake). Runs with a budget do not detect cycles.
    cache_size : float, default=200
        Memory for kernel values in megabytes. Everything else takes a few numbers per example and class.
    eta0, tie, error_tie, order, max_steps, max_error, patience, multi_class, rivals, class_weight, record, \
random_state, verbose, callback
        As in `Perceptron`.
    init : {"zeros"}, default="zeros"
        The dual starts from α = 0; the parameter exists so that `**conventions.L2` can be passed.

    Attributes
    ----------
    support_ : array of shape (n_support,)
        Indices of the examples that were a mistake at least once.
    support_vectors_ : array or CSR matrix
        These examples; empty for a precomputed kernel.
    n_support_ : array of shape (n_classes,)
        The number of support vectors of each class.
    dual_coef_, intercept_ : arrays of shape (n_problems, n_support) and (n_problems,)
        αᵢyᵢ and the offsets, last or averaged as `vote` says.
    last_dual_coef_, last_intercept_ : arrays
        The final coefficients and offsets of the run.
    regime_ : {"gram", "blocks"}
        Whether the Gram matrix was computed as a whole or in blocks.
    kernel_ : Kernel
        The kernel with its final parameters; `kernel_(A, B)` returns its values.
    classes_, status_, statuses_, cycle_, cycles_, n_iter_, n_mistakes_, n_samples_seen_, history_, certificate_, \
certificates_
        As in `Perceptron`. A cycle is found when the scores of all examples return to an earlier state.

    Examples
    --------
    >>> from rosenblatt import KernelPerceptron
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> xor = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, order="cyclic").fit(X, y)
    >>> xor.status_, xor.predict(X).tolist()
    ('separated', [0, 1, 1, 0])
    """

    _algorithm: ClassVar[Algorithm] = "KernelPerceptron"

    n_support_: NDArray[np.int64]
    _default_limit: int | None  # of updates, if it ended the run

    def __init__(
        self,
        *,
        kernel: KernelChoice = "rbf",
        gamma: Gamma = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        fit_intercept: bool = True,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        error_tie: Tie | None = None,
        order: Order = "shuffle",
        init: Init = "zeros",
        max_iter: int | None = 100,
        max_steps: int | None = None,
        max_updates: int | None = None,
        max_error: float = 0.0,
        patience: int | None = None,
        multi_class: MultiClass = "ova",
        rivals: Rivals = "best",
        vote: Vote = "last",
        class_weight: ClassWeight = None,
        budget: int | None = None,
        budget_policy: BudgetPolicy = "random",
        cache_size: float = 200,
        record: bool = False,
        random_state: RandomState = 0,
        verbose: int = 0,
        callback: Callback = None,
    ) -> None:
        self._store(locals())

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the model to labelled examples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_examples, n_features)
            For a precomputed kernel, the Gram matrix of shape (n_examples, n_examples).
        y : array of shape (n_examples,)
            Any labels. Of two labels, the later in sorted order is the positive class.
        sample_weight : array of shape (n_examples,), default=None
            Multiplies the step of each example. An example of weight zero is ignored.
        """
        with all_or_nothing(self):
            examples = self._fit(X, y, sample_weight)
        if self.vote == "last" and self.status_ != "separated":
            self._warn(examples, stacklevel=3)
        return self

    @with_callbacks  # type: ignore[untyped-decorator]  # scikit-learn ships no types
    def _fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Examples:
        parameters = checked_parameters(self, self._algorithm)
        examples = check_examples(self, X, y, sample_weight, None, reset=True)
        refuse_nonfinite(self, examples.rows)
        with reported_fit(self, parameters, examples, (X, y, sample_weight), None) as watched:
            self._publish(fit(watched, examples, label=type(self).__name__))
        return examples

    def _warn(self, examples: Examples, stacklevel: int) -> None:
        remedies = [
            "average or vote (vote='average', vote='vote') if the data is noisy",
            "use a more flexible kernel (a higher degree, a larger gamma) if the boundary is more curved",
        ]
        if self._default_limit is not None:
            remedies.insert(
                0,
                f"the default limit for this many examples is {self._default_limit:,} updates, so the mean of the "
                "coefficients is published (a larger max_updates or cache_size continues)",
            )
        if len(self.support_) > _MANY:
            remedies.append(
                f"with {len(self.support_):,} support vectors, each of which costs a kernel value per prediction, use "
                "sklearn.kernel_approximation.Nystroem (or RBFSampler) and a linear Perceptron in a pipeline"
            )
        scales_differ = not self.kernel_.is_precomputed and examples.scales_differ()
        warn_unless_converged(self, scales_differ=scales_differ, stacklevel=stacklevel + 1, remedies=remedies)

    def separability(
        self, X: MatrixLike, y: ArrayLike, *, budget: float | None = None
    ) -> "Separability | SeparabilityTable":
        """Decides whether some w in the feature space of the kernel separates the classes, with a proof.

        Such a w can be written as Σ αⱼφ(xⱼ). So the question is whether some α has y·(Kα + b) > 0 for every example:
        linear separability of the rows of the Gram matrix K. The certificate is exact for K as it was computed in
        floating point; for integer data and a kernel of inner products K itself is exact. Suitable for a few hundred
        examples. Nothing is fitted. Returns what `rosenblatt.separability` returns for K.
        """
        from rosenblatt.theory import separability

        checked_parameters(self, self._algorithm)
        checked: Matrix = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        gram: Matrix
        if self.kernel == "precomputed":
            check_gram(checked)
            gram = checked
        else:
            gram = resolved_kernel(self.kernel, self.gamma, self.degree, self.coef0, checked)(checked, checked)
        return separability(gram, y, fit_intercept=bool(self.fit_intercept), budget=budget)
