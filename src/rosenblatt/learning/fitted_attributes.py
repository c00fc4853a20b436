"""The fitted attributes of all algorithms, with their types. An estimator has those that its fit returns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import Outcome
from rosenblatt.learning.rows.array_types import Floats, Labels, Matrix
from rosenblatt.learning.status import worst

if TYPE_CHECKING:
    from rosenblatt.learning.pairs.pair_weights import PairWeights
    from rosenblatt.theory import Separability

T = TypeVar("T")


class KernelValues(TypedDict):
    """The resolved parameters of a kernel."""

    gamma: float
    degree: int
    coef0: float


class VoterFields(TypedDict):
    """The fields of `learning.dual.voters.Voters`."""

    columns: NDArray[np.uint32]
    scales: Floats
    survival: Floats
    truths: NDArray[np.uint32] | None
    rivals: NDArray[np.uint32] | None
    n_classes: int


class Settled(TypedDict):
    """The parameters of a kernel and its voters as plain values, in the form that a model file stores."""

    kernel: KernelValues
    voters: list[VoterFields]


class FittedAttributes(TypedDict, total=False):
    """Fitted attributes by name; the estimators' docstrings describe them."""

    classes_: Labels
    coef_: "Floats | PairWeights"
    intercept_: Floats
    last_coef_: "Floats | PairWeights"
    last_intercept_: Floats
    status_: str
    statuses_: list[str]
    cycle_: int | None
    cycles_: list[int | None]
    n_iter_: int
    n_mistakes_: int
    n_samples_seen_: int
    history_: NDArray[np.void]
    accelerators_: list[dict[str, int]]
    certificate_: "Separability | None"
    certificates_: "list[Separability | None]"
    validation_scores_: list[float]
    _averaged_over: Floats
    # PocketPerceptron
    pocket_run_: float | None
    pocket_runs_: list[float]
    pocket_error_: float | None
    pocket_errors_: list[float]
    n_scored_: int
    # VotedPerceptron and KernelPerceptron
    support_: NDArray[np.intp]
    support_vectors_: Matrix
    # VotedPerceptron
    starts_: Floats
    updates_: Sequence[NDArray[np.intp]]
    scales_: Sequence[Floats]
    survival_: Sequence[Floats]
    # KernelPerceptron
    n_support_: NDArray[np.intp]
    dual_coef_: Floats
    last_dual_coef_: Floats
    settled_: Settled
    regime_: str
    _default_limit: int | None


def run_attributes(
    outcomes: Sequence[Outcome],
    n_samples_seen: int,
    history: NDArray[np.void],
    certificates: "list[Separability | None]",
) -> FittedAttributes:
    """The attributes that describe a run, from the outcomes of its problems."""
    statuses = [outcome.ending for outcome in outcomes]
    cycles = [outcome.period or None for outcome in outcomes]
    return {
        "statuses_": statuses,
        "status_": worst(statuses),
        "cycles_": cycles,
        "cycle_": only_one(cycles),
        "n_iter_": max(outcome.epochs for outcome in outcomes),
        "n_mistakes_": sum(outcome.mistakes for outcome in outcomes),
        "n_samples_seen_": n_samples_seen,
        "history_": history,
        "accelerators_": [dict(outcome.accelerators) for outcome in outcomes],
        "certificates_": certificates,
        "certificate_": only_one(certificates),
    }


def only_one(values: Sequence[T]) -> T | None:
    """The value of the only problem; None if there are several problems."""
    return values[0] if len(values) == 1 else None


def whole_numbers(values: Sequence[float]) -> list[float]:
    """Counts that sample weights may make fractional: as integers where they are whole."""
    return [int(value) if value.is_integer() else value for value in values]
