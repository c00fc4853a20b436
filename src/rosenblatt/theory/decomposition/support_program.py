"""The maximal-support linear program, in floating point: a guess of the whole decomposition by one solve.

    maximise Σ s   subject to   z·w ≥ s and 0 ≤ s ≤ 1 for each row,   z·w = 0 for each equality row

At the optimum s is 1 on exactly the rows that some w ≥ 0 makes positive (scale w up) and 0 on the others, and the dual
is at least 1 on the others.
"""

from concurrent.futures import Future, wait
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.theory.budget import Budget, OutOfBudgetError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_REFRESH = 0.1  # seconds between two updates of the progress
_PROGRAM = 3e6  # cost of a small program, in touched values


@dataclass(frozen=True)
class Guess:
    """Which rows can be positive, a direction, and multipliers of the inequalities; none of it is proved."""

    positive: NDArray[np.bool_]
    direction: NDArray[np.float64]
    multipliers: NDArray[np.float64]


def solve_support_program(rows: "csr_matrix", equality: NDArray[np.bool_], budget: Budget) -> Guess | None:
    """The optimum, or None where HiGHS finds none. The iterations are limited by what the budget has left."""
    import scipy.sparse as sp

    inequalities, equalities = np.flatnonzero(~equality), np.flatnonzero(equality)
    n, width = len(inequalities), rows.shape[1]
    iteration = 5.0 * (rows.nnz + len(equality) + width)
    budget.spend(_PROGRAM + 10 * iteration)
    options = {} if budget.limit is None else {"maxiter": max(1, int(min(budget.left / iteration, 2**30)))}
    found = _solved(
        budget,
        np.concatenate([np.zeros(width), np.full(n, -1.0)]),
        A_ub=sp.hstack([-rows[inequalities], sp.identity(n)], format="csr"),
        b_ub=np.zeros(n),
        A_eq=sp.hstack([rows[equalities], sp.csr_matrix((len(equalities), n))], format="csr")
        if len(equalities)
        else None,
        b_eq=np.zeros(len(equalities)) if len(equalities) else None,
        bounds=[(None, None)] * width + [(0, 1)] * n,
        method="highs-ds",
        options=options,
    )
    budget.charge(iteration * found.nit)
    if found.status == 1:
        raise OutOfBudgetError
    if found.status != 0:
        return None
    positive = np.zeros(len(equality), dtype=bool)
    positive[inequalities] = found.x[width:] > 0.5
    multipliers = np.zeros(len(equality))
    multipliers[inequalities] = -found.ineqlin.marginals
    return Guess(positive, found.x[:width], multipliers)


def _solved(budget: Budget, cost: NDArray[np.float64], **program: Any) -> Any:  # scipy ships no types
    """Solves the program in another thread, so that this one handles Ctrl-C: HiGHS itself does not.

    HiGHS cannot be interrupted. After Ctrl-C or `Budget.stop` this call ends at once, but the abandoned solve uses a
    processor until it ends by itself, at the latest at its limit of iterations or with the process. It gets no limit of
    seconds: then the answer within a budget would depend on the speed of the machine.
    """
    from scipy.optimize import linprog

    result: Future[Any] = Future()

    def solve() -> None:
        try:
            result.set_result(linprog(cost, **program))
        except BaseException as error:
            result.set_exception(error)

    Thread(target=solve, daemon=True).start()
    while not wait([result], _REFRESH).done:
        budget.report()
    return result.result()
