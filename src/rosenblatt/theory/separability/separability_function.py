"""Decides whether the data is linearly separable, with the proof."""

from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from rosenblatt.internal_error import verified
from rosenblatt.meter import Meter
from rosenblatt.theory.budget import Budget, limit_of
from rosenblatt.theory.examples.check_features import check_X
from rosenblatt.theory.examples.classes import check_classes, check_y, signs_of
from rosenblatt.theory.examples.labelled_examples import Examples
from rosenblatt.theory.examples.two_class_problem import TwoClassProblem
from rosenblatt.theory.separability.answer import Separability
from rosenblatt.theory.separability.decide import Verdict, decide, decide_in_integers
from rosenblatt.theory.separability.table import SeparabilityTable

_FIRST_BUDGET = 1e9  # initial budget of each problem if there are more than two classes
_GROWTH = 10.0
_LAST_STAGE = 1e12  # after this stage only the caller's budget limits a search
_REFRESH = 0.2  # seconds between two updates of the progress

#: Types of labels that can have two values only; for these a type checker infers that the result is not a table.
TwoClasses = Sequence[bool] | Sequence[Literal[0, 1]] | Sequence[Literal[-1, 1]] | NDArray[np.bool_]


@overload
def separability(X: Any, y: TwoClasses, *, fit_intercept: bool = True, budget: float | None = None) -> Separability: ...


@overload
def separability(
    X: Any, y: Any, *, fit_intercept: bool = True, budget: float | None = None
) -> Separability | SeparabilityTable: ...


def separability(
    X: Any, y: Any, *, fit_intercept: bool = True, budget: float | None = None
) -> Separability | SeparabilityTable:
    """Whether a hyperplane separates the classes of y, with a proof either way.

    Parameters
    ----------
    X : array or CSR matrix of shape (n_examples, n_features)
        Floats or integers, taken at their exact values; also an object array of integers and Fractions.
    y : array of n_examples labels
        Two classes give a `Separability`, more a `SeparabilityTable` (by pair, and one against the rest).
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; else it goes through the origin.
    budget : float, default=None
        Work after which the answer is "undecided", in touched values (see docs); for each problem of a table. None:
        10¹¹, about two minutes. `math.inf`: until there is a proof, which is always found.

    Examples
    --------
    >>> result = separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> result.kind, result.max_margin.gamma_squared, result.verify()
    ('separable', Fraction(1, 8), True)
    >>> separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]).witness
    Obstruction(indices=array([0, 1, 2, 3]), multipliers=[1, 1, 1, 1])
    """
    X = check_X(X)
    y = check_y(y, X.shape[0])
    classes = check_classes(y)
    limit = limit_of("separability", budget)
    if len(classes) == 2:
        return _Decider(X, y, bool(fit_intercept)).answer(classes[1], classes[0], limit)
    return SeparabilityTable.of(iter_separability(X, y, fit_intercept=fit_intercept, budget=limit))


def iter_separability(
    X: Any, y: Any, *, fit_intercept: bool = True, budget: float | None = None, jobs: int = 1, positive: Any = None
) -> Iterator[Separability]:
    """Yields the answers of a `SeparabilityTable` one by one, each as soon as it is found, easy problems first.

    Every problem gets a small budget first; undecided ones are repeated with ten times as much, and so on up to
    `budget`. `jobs` threads share the problems. With `positive`, the only answer is that of this class against the
    rest. The other parameters are those of `separability`.

    Examples
    --------
    >>> from rosenblatt import data, theory
    >>> iris = data.load("iris")
    >>> sorted(answer.kind for answer in theory.iter_separability(iris.X, iris.y))
    ['inseparable', 'inseparable', 'inseparable', 'separable', 'separable', 'separable']
    """
    X = check_X(X)
    y = check_y(y, X.shape[0])
    labels = check_classes(y).tolist()
    limit = limit_of("separability", budget)
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}; it is a number of threads, at least 1.")
    problems: list[tuple[Any, Any]] = [(b, a) for a, b in combinations(labels, 2)]
    if len(labels) > 2:
        problems += [(a, None) for a in labels]
    if positive is not None:
        if positive not in labels:
            raise ValueError(f"positive is {positive!r}; y has the classes {', '.join(map(repr, labels))}.")
        problems = [(positive, None)]
    return _staged(X, y, bool(fit_intercept), limit, jobs, problems)


def _staged(
    X: Any, y: NDArray[Any], fit_intercept: bool, limit: float, jobs: int, undecided: list[tuple[Any, Any]]
) -> Iterator[Separability]:
    stage = min(_FIRST_BUDGET, limit)
    decider = _Decider(X, y, fit_intercept)
    with Meter("separability") as meter:
        count = _Count(len(undecided), meter)
        while undecided:
            last = stage >= min(limit, _LAST_STAGE)
            answers = _answers(decider, undecided, limit if last else stage, jobs, count)
            undecided = []
            for problem, verdict in answers:
                if verdict.kind == "undecided" and not last:
                    undecided.append(problem)
                else:
                    count.done += 1
                    meter.erase()  # the caller may print the answer
                    yield Separability(X, y, fit_intercept, *problem, verdict, limit)
            stage = min(_GROWTH * stage, limit)


@dataclass
class _Count:
    """How many of the answers are found. No time left is estimated: the last answers take the longest."""

    total: int
    meter: Meter
    done: int = 0

    def __str__(self) -> str:
        return f"{self.done} of {self.total} answers"

    def show(self) -> None:
        self.meter.update(detail=str(self))


def _answers(
    decider: "_Decider", problems: list[tuple[Any, Any]], budget: float, jobs: int, count: _Count
) -> Iterator[tuple[tuple[Any, Any], Verdict]]:
    """The verdicts of one stage, as they come. One job runs in this thread, where Ctrl-C stops it."""
    threads = min(jobs, len(problems))
    if threads == 1:
        for problem in problems:
            count.show()
            what = "separability" if count.total == 1 else f"separability, {count}"
            yield problem, decider.answer(*problem, budget, what).verdict
        return
    # The searches run in C++ and NumPy, so threads execute them in parallel and share X.
    with ThreadPoolExecutor(threads) as pool:
        waiting = {pool.submit(decider.answer, *problem, budget): problem for problem in problems}
        try:
            running = set(waiting)
            while running:
                ended, running = wait(running, _REFRESH, FIRST_COMPLETED)
                for future in ended:
                    yield waiting[future], future.result().verdict
                count.show()
        finally:  # also after Ctrl-C in the thread that waits
            for future in waiting:
                future.cancel()
            decider.stop()


class _Decider:
    """Decides separability for classes of one table; the checks and column sizes are computed once."""

    def __init__(self, X: Any, y: NDArray[Any], fit_intercept: bool) -> None:
        self.X, self.y, self.fit_intercept = X, y, fit_intercept
        self._running: list[Budget] = []
        exact = X.dtype.kind == "O"
        self._examples = None if exact else Examples(X, np.ones(len(y), dtype=np.int8), fit_intercept)

    def answer(self, positive: Any, negative: Any, budget: float, what: str = "separability") -> Separability:
        problem = TwoClassProblem(self.X, self.y, positive, negative, self.fit_intercept)
        with Budget(budget).shown(what) as counted:
            self._running.append(counted)
            try:
                return _decided(problem, signs_of(self.y, positive, negative), self._examples, counted)
            finally:
                self._running.remove(counted)

    def stop(self) -> None:
        """Lets the searches in other threads end as undecided."""
        for counted in list(self._running):
            counted.stop()


def ask_for_fit(
    X: Any,
    signs: NDArray[Any],
    *,
    fit_intercept: bool,
    chosen: NDArray[Any] | None = None,
    budget: float | Budget = 2e9,
) -> Separability:
    """Decides separability for a fit that would stall: checked X (array or CSR), signs ±1, and the examples in use.

    The default budget is a second or two of work; a `Budget` also counts the work for the caller. Sample weights do not
    matter as long as they are positive.

    Examples
    --------
    >>> ask_for_fit(np.array([[0.0], [1.0], [2.0]]), np.array([1, -1, 1]), fit_intercept=True).kind
    'inseparable'
    """
    X = check_X(X)
    used_signs = np.zeros(X.shape[0], dtype=np.int8)
    members = slice(None) if chosen is None else chosen
    used_signs[members] = np.sign(np.asarray(signs)[members])
    problem = TwoClassProblem(X, used_signs, 1, -1, fit_intercept)
    examples = None if X.dtype.kind == "O" else Examples(X, used_signs, fit_intercept)
    return _decided(problem, used_signs, examples, budget if isinstance(budget, Budget) else Budget(budget))


def _decided(
    problem: TwoClassProblem, signs: NDArray[np.int8], examples: Examples | None, budget: Budget
) -> Separability:
    """The answer, after its certificate has been checked. An undecided answer without a witness has no certificate.

    Without `examples`, X holds integers or Fractions that no float can represent.
    """
    q = problem
    if examples is None:
        verdict = decide_in_integers(q.X, signs, q.fit_intercept, budget)
    else:
        verdict = decide(examples.with_signs(signs), budget)
    found = Separability(q.X, q.y, q.fit_intercept, q.positive, q.negative, verdict, budget.limit)
    if found.separable is None:
        return found
    return verified(found, "The separability of two classes", problem.data, budget=budget.limit)
