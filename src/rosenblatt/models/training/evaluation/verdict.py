"""The separability of the training examples: whether a separator exists, and the bound on mistakes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.sparse import Matrix, Sparse
from rosenblatt.learning.examples import Examples
from rosenblatt.models.files.record import Record, rows_of
from rosenblatt.models.training.sources.source import Extent, TrainingSet

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Limits of work per problem and for all problems, in values read (10⁹ take about a second).
_BUDGET = 1e8
_BUDGET_OF_ALL = 5e8
#: Work per problem that does not depend on its size: checks and conversions.
_WORK_PER_PROBLEM = 2e6
#: Passes over the values of a problem before the search.
_PASSES = 10


@dataclass(frozen=True)
class Verdict:
    """The number of binary problems that are proved separable or inseparable, and the bound on mistakes.

    The other problems are undecided: they need more work than the limit, or were not reached within it.
    """

    problems: int
    separable: int
    inseparable: int
    by_pairs: bool = False  # the problems are pairs of classes; otherwise one class against all others
    bound: float | None = None  # (R/γ)², summed over the problems; None unless all are separable
    is_exact: bool = False  # γ is the maximum margin; otherwise the margin of the separator found

    def to_dict(self) -> dict[str, Any]:
        return {
            "problems": self.problems,
            "separable": self.separable,
            "inseparable": self.inseparable,
            "undecided": self.problems - self.separable - self.inseparable,
        }


def verdict_on(record: Record, examples: TrainingSet) -> Verdict | None:
    """The verdict on the training examples of a linear model; None if it would be expensive.

    Small data (up to a million values) is decided in exact arithmetic. For other data, only a run of two classes that
    ended `separated` gives a verdict. Record and examples are both scaled or both unscaled.
    """
    if "fit_intercept" not in record.parameters:
        return None
    small = examples.small()
    if small is not None:
        return _exact(record, small)
    if len(record.classes) != 2 or record.fitted["status_"] != "separated" or not bounds_mistakes(record):
        return None
    return Verdict(1, 1, 0, False, _bound_of_run(record, examples.extent(record)))


def bounds_mistakes(record: Record) -> bool:
    """Whether Novikoff's theorem applies to this run: additive updates, only on mistakes, from zero weights."""
    parameters = record.parameters
    return (
        record.estimator in ("Perceptron", "AveragedPerceptron", "PocketPerceptron", "VotedPerceptron")
        and parameters.get("init", "zeros") == "zeros"
        and parameters.get("step", "constant") == "constant"
        and not parameters.get("margin")
        and parameters.get("class_weight") is None
        and not parameters.get("warm_start")
        and (len(record.classes) == 2 or parameters.get("multi_class") != "joint")
    )


def _exact(record: Record, examples: Examples) -> Verdict:
    problems = _problems(record)
    answers = list(_answers(record, examples, problems))
    separable = sum(answer.separable is True for answer in answers)
    inseparable = sum(answer.separable is False for answer in answers)
    bound = None
    if separable == len(problems) and bounds_mistakes(record):
        bounds = [answer.mistake_bound for answer in answers]
        known = [each for each in bounds if each is not None]
        bound = float(sum(known)) if len(known) == len(bounds) else None
    by_pairs = len(record.classes) > 2 and record.parameters.get("multi_class") == "ovo"
    return Verdict(len(problems), separable, inseparable, by_pairs, bound, bound is not None)


def _problems(record: Record) -> list[tuple[int | None, int]]:
    """The negative class (None: all others) and the positive class of each binary problem."""
    k = len(record.classes)
    if k > 2 and record.parameters.get("multi_class") == "ovo":
        return list(combinations(range(k), 2))
    return [(None, c) for c in ([1] if k == 2 else range(k))]


def _answers(
    record: Record, examples: Examples, problems: Sequence[tuple[int | None, int]]
) -> Iterator["Separability"]:
    """The separability of the problems, as far as the budget of all goes."""
    from rosenblatt.theory import ask_for_fit
    from rosenblatt.theory.budget import Budget

    X, codes = examples.matrix()[examples.members], examples.codes[examples.members]
    left = _BUDGET_OF_ALL
    for negative, positive in problems:
        part = slice(None) if negative is None else np.flatnonzero((codes == positive) | (codes == negative))
        rows, signs = X[part], np.where(codes[part] == positive, 1, -1)
        left -= _WORK_PER_PROBLEM + _PASSES * float(rows.shape[0]) * rows.shape[1]
        if left <= 0:
            return
        budget = Budget(min(left, _BUDGET))
        yield ask_for_fit(rows, signs, fit_intercept=bool(record.parameters["fit_intercept"]), budget=budget)
        left -= budget.used


def extent_of(record: Record, X: Matrix, codes: NDArray[np.int32], members: NDArray[np.bool_]) -> Extent:
    """The extent of the member rows of a block. If there are none, it is neutral under `merged`."""
    if not members.any():
        return Extent(np.inf, 0.0)
    signs = np.where(codes[members] == 1, 1.0, -1.0)
    margins = rows_of(X).scores(*_last_weights(record))[members, 0] * signs
    return Extent(float(margins.min()), float(_squared_norms(X)[members].max()))


def _last_weights(record: Record) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The last weights of the run, also if the estimator publishes other weights."""
    prefix = "last_" if "last_coef_" in record.fitted else ""
    coef, intercept = (np.ascontiguousarray(record.fitted[f"{prefix}{name}"]) for name in ("coef_", "intercept_"))
    return coef, intercept


def _bound_of_run(record: Record, extent: Extent) -> float | None:
    """(R/γ)² (L3, 8.6), where γ is the margin of the run's last weights, with the offset as a coordinate."""
    if extent.least <= 0:  # the tie rule accepted examples on the plane
        return None
    coef, intercept = _last_weights(record)
    offset = bool(record.parameters["fit_intercept"])
    length2 = float(coef[0] @ coef[0]) + float(intercept[0]) ** 2 * offset
    return (extent.radius2 + offset) * length2 / extent.least**2


def _squared_norms(X: Matrix) -> NDArray[np.float64]:
    if not isinstance(X, Sparse):
        return np.asarray(np.einsum("ij,ij->i", X, X), dtype=np.float64)
    norms = np.zeros(X.shape[0])
    filled = np.flatnonzero(np.diff(X.starts))
    norms[filled] = np.add.reduceat(X.values * X.values, X.starts[filled])
    return norms
