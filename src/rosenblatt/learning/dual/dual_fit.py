"""The fit of the kernel perceptron: resolves the kernel's parameters, runs the dual perceptron, returns attributes."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from rosenblatt.conventions.value_kinds import ParameterError
from rosenblatt.learning.dual.dual_traces import dual_traces
from rosenblatt.learning.dual.gram import check_gram
from rosenblatt.learning.dual.kernel_functions import Array, Kernel, resolved_kernel
from rosenblatt.learning.dual.run_groups import DualFound, DualOptions, train_dual
from rosenblatt.learning.dual.voters import Voters, voters_of
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import Fit, plan_of
from rosenblatt.learning.fitted_attributes import (
    FittedAttributes,
    KernelValues,
    Settled,
    VoterFields,
    run_attributes,
)
from rosenblatt.learning.parameters import Algorithm, Parameters
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import groups_of
from rosenblatt.learning.progress import ProgressLine
from rosenblatt.learning.run import examples_presented, merged_history

if TYPE_CHECKING:
    from rosenblatt.trace import Trace

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class DualFit(Fit):
    """A finished fit of the kernel perceptron."""

    parameters: Parameters
    examples: Examples
    kernel: Kernel
    plan: PlanFields
    found: list[DualFound]

    def attributes(self, algorithm: Algorithm | None = None) -> FittedAttributes:
        if algorithm not in (None, "KernelPerceptron"):
            raise AssertionError(f"a dual run keeps no weights of {algorithm}")
        outcomes = [outcome for part in self.found for outcome in part.outcomes]
        support = np.unique(np.concatenate([part.support for part in self.found]))
        vote = self.parameters["vote"]
        last_coef, last_intercept = _over_support(self.found, support, "last")
        # The last coefficients of a run that was cut off classify noisy data much worse than their mean.
        cut_off = vote == "last" and any(part.default_limit for part in self.found)
        coef, intercept = _over_support(self.found, support, "average" if vote == "average" or cut_off else "last")
        certificates = [proof for part in self.found for proof in part.certificates]
        presented = examples_presented([part.presented for part in self.found], [part.group for part in self.found])
        history = merged_history([part.history for part in self.found])
        codes, classes = self.examples.codes, self.examples.classes
        return {
            "classes_": classes,
            "support_": support,
            "support_vectors_": np.empty((0, 0)) if self.kernel.is_precomputed else self.examples.matrix()[support],
            "n_support_": np.bincount(codes[support], minlength=len(classes)),
            "dual_coef_": coef,
            "intercept_": intercept,
            "last_dual_coef_": last_coef,
            "last_intercept_": last_intercept,
            "settled_": settled_values(self.kernel, self._voters(support)),
            "_default_limit": next((part.default_limit for part in self.found if part.default_limit), None),
            "regime_": "gram" if all(part.layout.whole for part in self.found) else "blocks",
            **run_attributes(outcomes, presented, history, certificates),
        }

    def traces(self) -> "Trace | list[Trace]":
        return dual_traces(self.examples, self.kernel, self.found, self.plan)

    def _voters(self, support: NDArray[np.intp]) -> list[Voters]:
        if self.parameters["vote"] != "vote":
            return []
        return voters_of(self.examples, self.found, support, self.parameters["eta0"])


def fit_dual(parameters: Parameters, examples: Examples, label: str | None = None) -> DualFit:
    """Runs the dual perceptron to its end, starting from zero coefficients. Called by `learning.fit.fit`."""
    _refuse_with_budget(parameters)
    examples = replace(examples, X=examples.matrix()).without_repeated_columns()
    X, name = examples.matrix(), parameters["kernel"]
    if name == "precomputed":
        check_gram(X)
    members = X if examples.chosen is None else X[examples.chosen]
    kernel = resolved_kernel(name, parameters["gamma"], parameters["degree"], parameters["coef0"], members)
    if callable(name):
        kernel(X[:3], X[:2])  # with different row counts a wrong shape is detected
    # With a budget each problem has its own support vectors, so it needs its own group, as for order="misclassified".
    shared_order = "misclassified" if parameters["budget"] is not None else parameters["order"]
    groups = groups_of(parameters["multi_class"], shared_order, examples)
    options = DualOptions(parameters["cache_size"] * MEGABYTE, parameters["budget"], parameters["budget_policy"])
    plan = plan_of(parameters)
    recorded = plan | {"record": plan["record"] or parameters["vote"] == "vote"}  # voting needs every update
    with ProgressLine(parameters["verbose"], label or parameters.algorithm, plan["max_iter"]) as line:
        found = train_dual(examples, groups, kernel, recorded, options, parameters["callback"], line)
    return DualFit(parameters, examples, kernel, plan, found)


def settled_values(kernel: Kernel, voters: Sequence[Voters]) -> Settled:
    """A kernel's parameters and its voters as plain values, in the form that a model file stores."""
    values: KernelValues = {"gamma": kernel.gamma, "degree": kernel.degree, "coef0": kernel.coef0}
    return {"kernel": values, "voters": [cast(VoterFields, asdict(each)) for each in voters]}


def _refuse_with_budget(parameters: Parameters) -> None:
    """Rejects parameters that need all support vectors and so cannot be combined with a budget."""
    if parameters["budget"] is None:
        return
    refused = {
        "order": (parameters["order"] == "misclassified", "needs the scores of all examples"),
        "record": (parameters["record"], "cannot be replayed, because support vectors are removed during the run"),
        "vote": (parameters["vote"] != "last", "needs all support vectors of the run"),
    }
    for name, (is_set, reason) in refused.items():
        if is_set:
            raise ParameterError(
                f"KernelPerceptron: {name}={parameters[name]!r} {reason}; it cannot be combined with a budget."
            )


def _over_support(found: Sequence[DualFound], support: NDArray[np.intp], which: str) -> tuple[Array, Array]:
    """The coefficients of all problems, with one column per vector of the common support, and the offsets."""
    parts = []
    for part in found:
        coef, _ = getattr(part, which)
        spread = np.zeros((len(coef), len(support)))
        spread[:, np.searchsorted(support, part.support)] = coef
        parts.append(spread)
    return np.concatenate(parts), np.concatenate([getattr(part, which)[1] for part in found])
