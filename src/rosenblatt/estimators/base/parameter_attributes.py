"""The parameters of an estimator as attributes, with their types."""

from rosenblatt.conventions.own_dialect import Init, Order
from rosenblatt.conventions.ties import Tie
from rosenblatt.estimators.base.stored_parameters import StoredParameters
from rosenblatt.estimators.parameter_types import Callback, ClassWeight, Gamma, RandomState
from rosenblatt.learning.dual.kernel_functions import KernelChoice
from rosenblatt.learning.parameters import BudgetPolicy, MultiClass, Rivals, Step, Vote


class ParameterAttributes(StoredParameters):
    """The types of all parameters. An estimator has those of its algorithm (`learning.parameters.names_of`)."""

    kernel: KernelChoice
    gamma: Gamma
    degree: int
    coef0: float
    fit_intercept: bool
    eta0: float
    tie: Tie
    error_tie: Tie | None
    order: Order
    init: Init
    init_scale: float
    margin: float | None
    step: Step
    C: float
    ratchet: bool
    max_iter: int | None
    max_steps: int | None
    max_updates: int | None
    max_error: float
    patience: int | None
    multi_class: MultiClass
    rivals: Rivals
    vote: Vote
    class_weight: ClassWeight
    budget: int | None
    budget_policy: BudgetPolicy
    cache_size: float
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    warm_start: bool
    record: bool
    n_jobs: int | None
    random_state: RandomState
    verbose: int
    callback: Callback
