"""Runs the dual perceptron of the core over the problems of a fit, and gathers what it found."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import DualRun, Outcome, Plan
from rosenblatt.learning.dual.budget import Support, bytes_needed, policy_named
from rosenblatt.learning.dual.driver import BudgetDriver, Driver, GramDriver, OnePassDriver
from rosenblatt.learning.dual.gram import Layout, Values, layout_of
from rosenblatt.learning.dual.integers import bytes_of, narrowed
from rosenblatt.learning.dual.kernel_functions import Array, Kernel
from rosenblatt.learning.examples import Examples
from rosenblatt.learning.fit import plan_of
from rosenblatt.learning.parameters import Parameters
from rosenblatt.learning.problems import Group
from rosenblatt.learning.progress import Progress, ProgressLine
from rosenblatt.learning.stall_check import SMALL
from rosenblatt.learning.threads import usable_threads

if TYPE_CHECKING:
    from rosenblatt.theory import Separability

_log = logging.getLogger("rosenblatt")


@dataclass(frozen=True)
class DualOptions:
    """Memory and budget of a dual fit."""

    memory: float  # bytes for kernel values
    budget: int | None = None
    policy: str = "random"


@dataclass(frozen=True)
class DualUpdates:
    """Every update of one group, in the order of its run."""

    presented: NDArray[np.uint64]
    problem: NDArray[np.uint32]  # of the group; under the joint rule, the rival class
    example: NDArray[np.uint32]  # its place in the whole set
    clock: Array  # the weight of the examples presented before it


@dataclass(frozen=True)
class DualFound:
    """What the run of one group found. Coefficients: one row a plane, one column an example of the support."""

    group: Group
    layout: Layout
    outcomes: list[Outcome]
    presented: int
    history: Array
    support: NDArray[np.intp]  # places in the whole set
    last: tuple[Array, Array]  # coefficients and offsets
    average: tuple[Array, Array]
    updates: DualUpdates | None
    certificates: list["Separability | None"]


def dual_plan_of(parameters: Parameters) -> dict[str, Any]:
    """The fields of the core's `Plan`; votes need every update."""
    plan = plan_of(parameters)
    return plan | {"record": plan["record"] or parameters["vote"] == "vote"}


def train_dual(
    examples: Examples,
    groups: Sequence[Group],
    kernel: Kernel,
    plan: dict[str, Any],
    options: DualOptions,
    callback: Callable[[Progress], object] | None,
    line: ProgressLine,
) -> list[DualFound]:
    """Runs every group from zero to its end."""
    memory, narrow, threads = options.memory, None, usable_threads()
    if kernel.takes_products and bytes_of(examples.X) <= memory / 2:
        narrow = narrowed(examples.X)
        if narrow is not None:
            memory -= narrow.nbytes
    found = []
    for number, group in enumerate(groups):
        values = Values(kernel, examples.X, group.chosen, narrow, threads)
        if options.budget is None:
            driver = _driver(examples, group, values, plan, memory)
        else:
            driver = _budget_driver(examples, group, values, plan, memory, options, number)
        driver.to_end(callback, line)
        found.append(_gathered(driver, examples, group, plan["record"]))
    return found


def _driver(examples: Examples, group: Group, values: Values, plan: dict[str, Any], memory: float) -> Driver:
    layout = layout_of(values, memory)
    n, label = values.n_examples, values.kernel.label
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
        return OnePassDriver(_run_of(examples, group, plan, blind=True), values, layout)
    return Driver(_run_of(examples, group, plan), values, layout)


def _budget_driver(
    examples: Examples,
    group: Group,
    values: Values,
    plan: dict[str, Any],
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
    run = _run_of(examples, group, plan | {"fit_intercept": False}, blind=True, pulled=True)
    labels, weights = _labels(examples, group), _weights(examples, group)
    eta0, planes = plan["eta0"], len(group.positives)

    def change(i: int) -> Array:
        step = eta0 if weights is None else eta0 * weights[i]
        if not group.joint:
            return np.array([step if labels[i] == group.positives[0] else -step])
        changes = np.zeros(planes)
        changes[labels[i]], changes[run.rival] = step, -step
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
    plan: dict[str, Any],
    *,
    blind: bool = False,
    pulled: bool = False,
    ask_before_stall: bool = False,
) -> DualRun:
    weights = _weights(examples, group)
    return DualRun(
        labels=_labels(examples, group),
        steps=None if weights is None else plan["eta0"] * weights,
        weights=weights,
        plan=Plan(**plan, joint=group.joint, ask_before_stall=ask_before_stall),
        positives=list(group.positives),
        blind=blind,
        pulled=pulled,
    )


def _labels(examples: Examples, group: Group) -> NDArray[np.int32]:
    return np.ascontiguousarray(examples.codes if group.chosen is None else examples.codes[group.chosen])


def _weights(examples: Examples, group: Group) -> Array | None:
    if examples.weights is None:
        return None
    return np.ascontiguousarray(examples.weights if group.chosen is None else examples.weights[group.chosen])


def _gathered(driver: Driver, examples: Examples, group: Group, record: bool) -> DualFound:
    run = driver.run
    members = examples.members if group.chosen is None else group.chosen
    problems = 1 if group.joint else len(group.positives)
    updates = None
    if record:
        presented, problem, example, clock = run.updates()
        updates = DualUpdates(presented, problem, members[example], clock)
    return DualFound(
        group=group,
        layout=driver.layout,
        outcomes=[run.outcome(c) for c in range(problems)],
        presented=run.presented,
        history=run.history(),
        support=members[driver.support()].astype(np.intp),
        last=driver.last(),
        average=driver.average(),
        updates=updates,
        certificates=[driver.proofs.get(c) for c in range(problems)],
    )
