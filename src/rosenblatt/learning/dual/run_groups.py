"""Runs the core's dual perceptron over all problems of a fit and collects the results."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import DualRun, Outcome, Plan
from rosenblatt.learning.dual.driver import BudgetDriver, Driver, GramDriver, OnePassDriver
from rosenblatt.learning.dual.gram import Layout, Values, layout_of
from rosenblatt.learning.dual.integers import bytes_of, narrowed
from rosenblatt.learning.dual.kernel_functions import Array, Kernel
from rosenblatt.learning.dual.support_budget import Support, bytes_needed, policy_named
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.plan_fields import PlanFields
from rosenblatt.learning.problems import Group
from rosenblatt.learning.progress import Progress, ProgressLine
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.learning.threads import usable_threads

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

_log = logging.getLogger("rosenblatt")

#: If the Gram matrix does not fit into `cache_size`, an update computes a row of it. Without `max_updates` a binary
#: problem ends after this many kernel values, which takes 15 to 30 s of processor time on 20 features.
DEFAULT_VALUES = 2_500_000_000


def default_updates(n_examples: int) -> int:
    """The default limit of updates of each binary problem, if the Gram matrix is computed in blocks.

    >>> default_updates(50_000)
    50000
    """
    return max(1, DEFAULT_VALUES // n_examples)


@dataclass(frozen=True)
class DualOptions:
    """Memory and budget of a dual fit."""

    memory: float  # bytes for kernel values
    budget: int | None = None
    policy: str = "random"


@dataclass(frozen=True)
class DualUpdates:
    """Every update of one group, in the order of the run."""

    presented: NDArray[np.uint64]
    problem: NDArray[np.uint32]  # index in the group; under the joint rule, the rival class
    example: NDArray[np.uint32]  # index in the whole dataset
    clock: Array  # total weight of the examples presented before the update


@dataclass(frozen=True)
class DualFound:
    """The result of one group's run. Coefficients have one row per plane and one column per support vector."""

    group: Group
    layout: Layout
    outcomes: list[Outcome]
    presented: int
    history: Array
    support: NDArray[np.intp]  # indices in the whole dataset
    last: tuple[Array, Array]  # coefficients and offsets
    average: tuple[Array, Array]
    updates: DualUpdates | None
    certificates: list["Separability | None"]
    default_limit: int | None  # of updates, if it ended the run


def train_dual(
    examples: Examples,
    groups: Sequence[Group],
    kernel: Kernel,
    plan: PlanFields,
    options: DualOptions,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
) -> list[DualFound]:
    """Runs every group to its end, starting from zero coefficients."""
    memory, narrow, threads = options.memory, None, usable_threads()
    X = examples.matrix()
    if kernel.takes_products and bytes_of(X) <= memory / 2:
        narrow = narrowed(X)
        if narrow is not None:
            memory -= narrow.nbytes
    found = []
    for number, group in enumerate(groups):
        values = Values(kernel, X, group.chosen, narrow, threads)
        if options.budget is None:
            driver = _driver(examples, group, values, plan, memory)
        else:
            driver = _budget_driver(examples, group, values, plan, memory, options, number)
        driver.to_end(callback, line)
        default = default_updates(values.n_examples) if plan["max_updates"] is None else None
        found.append(_gathered(driver, examples, group, plan["record"], default))
    return found


def _driver(examples: Examples, group: Group, values: Values, plan: PlanFields, memory: float) -> Driver:
    layout = layout_of(values, memory)
    n, label = values.n_examples, values.kernel.label
    if not layout.whole and plan["max_updates"] is None:
        plan = plan | {"max_updates": default_updates(n)}
    if layout.whole:
        _log.info("kernel %s: the whole Gram matrix of %d examples, %.1f MB", label, n, 8e-6 * n * n)
        labels = _labels(examples, group)
        run = _run_of(examples, group, plan, ask_before_stall=n * n <= SMALL and not group.joint)
        return GramDriver(
            run,
            values,
            layout,
            int(memory),
            lambda problem: np.where(labels == group.positives[problem], 1, -1),
            bool(plan["fit_intercept"]),
        )
    _log.info(
        "kernel %s: the Gram matrix of %d examples would take %.1f MB, more than cache_size leaves (%.1f MB): computed "
        "in blocks of %d examples, %d rows kept",
        *(label, n, 8e-6 * n * n, 1e-6 * memory, layout.window, layout.rows),
    )
    if plan["max_iter"] == 1 and plan["order"] != "misclassified":
        return OnePassDriver(_run_of(examples, group, plan, external_scores=True), values, layout)
    return Driver(_run_of(examples, group, plan), values, layout)


def _budget_driver(
    examples: Examples,
    group: Group,
    values: Values,
    plan: PlanFields,
    memory: float,
    options: DualOptions,
    number: int,
) -> Driver:
    budget = min(options.budget or 0, values.n_examples)
    window = min(values.n_examples, 256)
    while window > 1 and bytes_needed(options.policy, budget, window) > memory:
        window //= 2
    needed = bytes_needed(options.policy, budget, window)
    if needed > memory:
        raise ValueError(
            f"A budget of {budget} with budget_policy={options.policy!r} takes {needed / 2**20:.1f} MB, more than "
            f"cache_size leaves ({memory / 2**20:.1f} MB). Raise cache_size or lower the budget."
        )
    _log.info("kernel %s: a budget of %d support vectors, %s", values.kernel.label, budget, options.policy)
    run = _run_of(examples, group, plan | {"fit_intercept": False}, external_scores=True, external_coef=True)
    labels, weights = _labels(examples, group), _weights(examples, group)
    eta0, planes = plan["eta0"], len(group.positives)

    def change(i: int) -> Array:
        step = eta0 if weights is None else eta0 * weights[i]
        if not group.joint:
            return np.array([step if labels[i] == group.positives[0] else -step])
        changes = np.zeros(planes)
        rivals = run.rivals
        changes[labels[i]] = step * len(rivals)
        changes[rivals] = -step
        return changes

    return BudgetDriver(
        run,
        values,
        Layout(False, window, values.n_examples, 0),
        Support(budget, planes),
        policy_named(options.policy, plan["seed"], number),
        change,
        bool(plan["fit_intercept"]),
    )


def _run_of(
    examples: Examples,
    group: Group,
    plan: PlanFields,
    *,
    external_scores: bool = False,
    external_coef: bool = False,
    ask_before_stall: bool = False,
) -> DualRun:
    weights = _weights(examples, group)
    fields: PlanFields = {**plan, "ask_before_stall": ask_before_stall}
    return DualRun(
        labels=_labels(examples, group),
        steps=None if weights is None else plan["eta0"] * weights,
        weights=weights,
        plan=Plan(**fields, joint=group.joint),
        positives=list(group.positives),
        external_scores=external_scores,
        external_coef=external_coef,
    )


def _labels(examples: Examples, group: Group) -> NDArray[np.int32]:
    return np.ascontiguousarray(examples.codes if group.chosen is None else examples.codes[group.chosen])


def _weights(examples: Examples, group: Group) -> Array | None:
    if examples.weights is None:
        return None
    return np.ascontiguousarray(examples.weights if group.chosen is None else examples.weights[group.chosen])


def _gathered(driver: Driver, examples: Examples, group: Group, record: bool, default: int | None) -> DualFound:
    run = driver.run
    members = examples.members if group.chosen is None else group.chosen
    problems = 1 if group.joint else len(group.positives)
    updates = None
    if record:
        presented, problem, example = run.updates()
        updates = DualUpdates(presented, problem, members[example], run.clocks())
    outcomes = [run.outcome(c) for c in range(problems)]
    limited = any(outcome.ending == "max_updates" for outcome in outcomes)
    return DualFound(
        group=group,
        layout=driver.layout,
        outcomes=outcomes,
        presented=run.presented,
        history=run.history(),
        support=members[driver.support()].astype(np.intp),
        last=driver.last(),
        average=driver.average(),
        updates=updates,
        certificates=[driver.proofs.get(c) for c in range(problems)],
        default_limit=default if limited else None,
    )
