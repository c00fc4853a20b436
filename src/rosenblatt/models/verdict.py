"""What can be said of the examples themselves: whether a separator exists, and how many mistakes a run may make."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.data.labels import Labels
from rosenblatt.data.sparse import Matrix, Sparse
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.models.record import Record, rows_of

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

#: Work on each question, in touched values: tens of milliseconds.
_BUDGET = 1e8


@dataclass(frozen=True)
class Verdict:
    """How many of the binary problems that the classes make have a separator, proved; and the bound on mistakes."""

    problems: int
    separable: int
    inseparable: int
    by_pairs: bool = False  # the problems are pairs of classes; else each class against all others
    bound: float | None = None  # (R/γ)², summed over the problems; known where all are separable
    is_exact: bool = False  # γ is the largest margin that any separator has; else that of the one found

    def to_dict(self) -> dict[str, Any]:
        return {
            "problems": self.problems,
            "separable": self.separable,
            "inseparable": self.inseparable,
            "undecided": self.problems - self.separable - self.inseparable,
        }


def verdict_on(record: Record, X: Matrix, labels: Labels, chosen: NDArray[np.uint32] | None) -> Verdict | None:
    """A verdict on the examples that a linear model was trained on; None where there is none to be had cheaply.

    Small data (up to a million values) is asked about in exact arithmetic. Of other data, only a run of two classes
    that ended `separated` says something.
    """
    parameters, fitted = record.parameters, record.fitted
    k = len(labels.classes)
    if "fit_intercept" not in parameters:
        return None
    seen = record.features.scale.apply(X) if record.features.scale else X
    if X.shape[0] * X.shape[1] <= SMALL:
        return _exact(record, seen, labels, chosen)
    if k != 2 or fitted["status_"] != "separated" or not bounds_mistakes(record):
        return None
    return Verdict(1, 1, 0, False, _bound_of_run(record, seen, labels, chosen))


def bounds_mistakes(record: Record) -> bool:
    """Whether Novikoff's theorem speaks of this run: additive updates of mistakes alone, from zero weights."""
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


def _exact(record: Record, X: Matrix, labels: Labels, chosen: NDArray[np.uint32] | None) -> Verdict:
    answers = list(_answers(record, X, labels, chosen))
    separable = sum(answer.separable is True for answer in answers)
    inseparable = sum(answer.separable is False for answer in answers)
    bounds = [answer.mistake_bound for answer in answers] if separable == len(answers) else [None]
    known = [bound for bound in bounds if bound is not None]
    bound = float(sum(known)) if len(known) == len(answers) and bounds_mistakes(record) else None
    by_pairs = len(labels.classes) > 2 and record.parameters.get("multi_class") == "ovo"
    return Verdict(len(answers), separable, inseparable, by_pairs, bound, bound is not None)


def _answers(record: Record, X: Matrix, labels: Labels, chosen: NDArray[np.uint32] | None) -> Iterator["Separability"]:
    from rosenblatt.theory import ask_for_fit

    members = np.arange(len(labels.codes), dtype=np.uint32) if chosen is None else chosen
    codes, k = labels.codes[members], len(labels.classes)
    matrix = X.to_scipy() if isinstance(X, Sparse) else X
    problems: list[tuple[int | None, int]] = [(None, c) for c in ([1] if k == 2 else range(k))]
    if k > 2 and record.parameters.get("multi_class") == "ovo":
        problems = list(combinations(range(k), 2))
    for negative, positive in problems:
        signs = np.where(labels.codes == positive, 1, -1)
        part = members if negative is None else members[(codes == positive) | (codes == negative)]
        intercept = bool(record.parameters["fit_intercept"])
        yield ask_for_fit(matrix, signs, fit_intercept=intercept, chosen=part, budget=_BUDGET)


def _bound_of_run(record: Record, X: Matrix, labels: Labels, chosen: NDArray[np.uint32] | None) -> float | None:
    """(R/γ)² (L3, 8.6) with the margin γ of the separator that the run found, in the space of the run."""
    fitted = record.fitted
    prefix = "last_" if "last_coef_" in fitted else ""
    coef, intercept = (np.ascontiguousarray(fitted[f"{prefix}{name}"]) for name in ("coef_", "intercept_"))
    members = slice(None) if chosen is None else chosen
    signs = np.where(labels.codes[members] == 1, 1.0, -1.0)
    least = float((rows_of(X).scores(coef, intercept)[members, 0] * signs).min())
    if least <= 0:  # separated under a tie rule, with examples on the plane
        return None
    offset = bool(record.parameters["fit_intercept"])
    radius2 = float(_squared_norms(X)[members].max()) + offset
    return radius2 * (float(coef[0] @ coef[0]) + float(intercept[0]) ** 2 * offset) / least**2


def _squared_norms(X: Matrix) -> NDArray[np.float64]:
    if not isinstance(X, Sparse):
        return np.asarray(np.einsum("ij,ij->i", X, X), dtype=np.float64)
    norms = np.zeros(X.shape[0])
    filled = np.flatnonzero(np.diff(X.starts))
    norms[filled] = np.add.reduceat(X.values * X.values, X.starts[filled])
    return norms
