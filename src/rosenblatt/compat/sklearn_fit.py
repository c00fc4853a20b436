"""scikit-learn's stochastic gradient descent: its random numbers, the core's runs of all problems, their results."""

import threading
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
import sklearn
from numpy.typing import NDArray
from sklearn.metrics import r2_score
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.fixes import parse_version

from rosenblatt.compat.fit_meter import FitMeter
from rosenblatt.core import CompatPlan, CompatRun, Rows
from rosenblatt.learning.threads import map_threads

#: Since 1.8, `tol` is compared with a mean objective that includes the penalty; before, with the sum of the losses.
_MEAN_OBJECTIVE = parse_version(sklearn.__version__) >= parse_version("1.8")
#: Values read between two returns to the interpreter, which handles Ctrl-C: about a tenth of a second.
_SLICE = 200_000_000
_MAX_INT = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Examples:
    """Checked examples."""

    X: Any
    rows: Rows
    largest: float  # the largest magnitude in X
    codes: NDArray[np.int32] | None  # of the classes; None for a regression
    targets: NDArray[Any] | None  # in the type of X; None for a classification
    sample_weight: NDArray[Any] | None  # in the type of X, or None if all weights are 1

    @property
    def count(self) -> int:
        return int(self.X.shape[0])


@dataclass(frozen=True)
class Rule:
    """The loss, the rate and the penalty, as scikit-learn names them."""

    loss: Literal["hinge", "squared_hinge", "epsilon_insensitive"] = "hinge"
    threshold: float = 0.0  # of the margin, or epsilon
    rate: Literal["constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"] = "constant"
    eta0: float = 1.0
    power_t: float = 0.5
    penalty: str | None = None
    alpha: float = 0.0
    l1_ratio: float | None = 0.0
    average: int = 0

    def optimal_init(self) -> float:
        """Where the optimal rate begins: its first step has the size that a typical weight has."""
        if self.rate != "optimal":
            return 0.0
        typical = np.sqrt(1.0 / np.sqrt(self.alpha))
        return float(1.0 / (typical * self.alpha))


@dataclass(frozen=True)
class Limits:
    """When a fit ends, and the order of its examples."""

    max_iter: int
    tol: float | None
    n_iter_no_change: int
    early_stopping: bool
    shuffle: bool
    fit_intercept: bool
    verbose: int


@dataclass(frozen=True)
class Start:
    """The weights that a fit goes on from: one row or entry per problem. `t` is the number of the first step."""

    coef: NDArray[Any]
    intercept: NDArray[np.float64]
    t: float
    average_coef: NDArray[Any] | None = None
    average_intercept: NDArray[Any] | None = None


@dataclass(frozen=True)
class Found:
    """The result of a fit, one entry per problem."""

    coef: NDArray[np.float64]
    intercept: list[float]
    average_coef: NDArray[np.float64] | None
    average_intercept: list[float]
    statuses: list[str]
    epochs: list[int]
    mistakes: list[int]


class NotFiniteError(ValueError):
    """A weight is NaN or infinite."""


def draw(examples: Examples, n_problems: int, random_state: Any, fraction: float | None) -> tuple[list[int], Any]:
    """Draws the seed of each problem's shuffle and the mask of the validation set (None without a `fraction`).

    The draws are made in scikit-learn's order, which matters if `random_state` is a generator. scikit-learn draws two
    numbers per binary problem, of which the seed is the second, and two for a regression, of which it is the first.
    """
    if examples.count == 1 and type(random_state) is int and 0 <= random_state < 2**32 and fraction is None:
        return [0] * n_problems, None  # one sample has one order, and no generator needs to advance
    if examples.codes is None:
        held_back = _held_back(examples, random_state, fraction)
        generator = check_random_state(random_state)
        seed = int(generator.randint(0, _MAX_INT))
        generator.randint(1, _MAX_INT)
        return [seed], held_back
    if n_problems == 1:
        generator = check_random_state(random_state)
        generator.randint(1, _MAX_INT)
        held_back = _held_back(examples, random_state, fraction)
        return [int(generator.randint(_MAX_INT))], held_back
    held_back = _held_back(examples, random_state, fraction)
    seeds = []
    for seed in check_random_state(random_state).randint(_MAX_INT, size=n_problems):
        generator = np.random.RandomState(seed)
        generator.randint(1, _MAX_INT)
        seeds.append(int(generator.randint(_MAX_INT)))
    return seeds, held_back


def _held_back(examples: Examples, random_state: Any, fraction: float | None) -> NDArray[np.bool_] | None:
    if fraction is None:
        return None
    n = examples.count
    Splitter = ShuffleSplit if examples.codes is None else StratifiedShuffleSplit
    splits = Splitter(test_size=fraction, random_state=random_state).split(np.zeros((n, 1)), examples.codes)
    train, validation = next(splits)
    if len(train) == 0 or len(validation) == 0:
        raise ValueError(
            f"Splitting {n} samples into a train set and a validation set with validation_fraction={fraction!r} led "
            f"to an empty set ({len(train)} and {len(validation)} samples). Change validation_fraction, give more "
            "samples, or set early_stopping=False."
        )
    if examples.sample_weight is not None and not np.any(examples.sample_weight[validation] > 0):
        raise ValueError("The sample weights for validation set are all zero, consider using a different random state.")
    mask = np.zeros(n, dtype=bool)
    mask[validation] = True
    return mask


def train(
    examples: Examples,
    start: Start,
    class_weight: NDArray[np.float64],
    seeds: list[int],
    held_back: NDArray[np.bool_] | None,
    rule: Rule,
    limits: Limits,
    n_threads: int,
    name: str,
) -> Found:
    """Runs every problem from its initial weights. Threads do not change the result. `name` is the estimator's."""
    problems = len(seeds)
    if problems == 1:
        positives, by_problem = np.array([1]), class_weight[[-1, 0]].reshape(1, 2)
    else:
        # In one-vs-rest, scikit-learn gives all negative examples the weight 1, whatever their class.
        positives, by_problem = np.arange(problems), np.column_stack([class_weight, np.ones(problems)])
    # Problems without a shuffle read the examples in the same order, so they share a run.
    shares = problems if limits.shuffle and examples.count > 1 else min(n_threads, problems)
    if shares == 1:
        groups = [list(range(problems))]
    else:
        groups = [part.tolist() for part in np.array_split(np.arange(problems), shares)]
    plan = _plan(examples.X, rule, limits, examples.count - (0 if held_back is None else int(held_back.sum())))
    weights = None if examples.sample_weight is None else examples.sample_weight.astype(np.float64)
    targets = None if examples.targets is None else examples.targets.astype(np.float64)
    norms = _norms(start.coef) if plan.needs_objective and rule.penalty else np.zeros((problems, 2))
    averages = None if start.average_coef is None else start.average_coef.astype(np.float64)
    average_offsets = np.zeros(problems) if start.average_intercept is None else start.average_intercept
    validation = None if held_back is None else _Validation(examples, held_back)
    stopped = threading.Event()

    def run_group(group: list[int]) -> CompatRun:
        run = CompatRun(
            rows=examples.rows,
            largest=examples.largest,
            labels=examples.codes,
            targets=targets,
            sample_weight=weights,
            held_back=held_back,
            positives=positives[group].astype(np.int32),
            class_weights=by_problem[group],
            start=np.ascontiguousarray(start.coef[group], dtype=np.float64),
            start_offsets=start.intercept[group],
            start_norms=norms[group],
            averages=None if averages is None else averages[group],
            average_offsets=average_offsets[group].astype(np.float64),
            t=start.t,
            seed=seeds[group[0]],
            plan=plan,
        )
        _run_to_end(run, positives[group].tolist(), problems > 1, validation, limits.verbose, stopped, progress)
        for c in range(len(group)):
            if run.ending(c) == "not_finite":
                raise NotFiniteError(
                    # The first two sentences are scikit-learn's.
                    f"Floating-point under-/overflow occurred at epoch #{run.epochs(c)}. Scaling input data with "
                    "StandardScaler or MinMaxScaler might help. A weight is no longer finite in "
                    f"{examples.X.dtype}; a smaller step size helps, too."
                )
        return run

    with FitMeter(name, problems, limits.max_iter, shown=not limits.verbose) as progress:
        runs = map_threads(run_group, groups, n_threads, stopped)
    members = [(run, c) for run, group in zip(runs, groups, strict=True) for c in range(len(group))]
    return Found(
        coef=np.stack([run.w(c) for run, c in members]),
        intercept=[run.offset(c) for run, c in members],
        average_coef=None if averages is None else np.stack([run.average(c) for run, c in members]),
        average_intercept=[run.average_offset(c) for run, c in members],
        statuses=[run.ending(c) for run, c in members],
        epochs=[run.epochs(c) for run, c in members],
        mistakes=[run.mistakes(c) for run, c in members],
    )


def _plan(X: Any, rule: Rule, limits: Limits, n_trained: int) -> CompatPlan:
    tol = -np.inf if limits.tol is None else float(limits.tol)
    watches = not limits.early_stopping and ((tol > -np.inf and limits.max_iter > 1) or bool(limits.verbose))
    plan = CompatPlan(loss=rule.loss, rate=rule.rate, penalty=rule.penalty)
    plan.threshold, plan.eta0, plan.power_t = float(rule.threshold), float(rule.eta0), float(rule.power_t)
    plan.optimal_init, plan.average, plan.alpha = rule.optimal_init(), int(rule.average), float(rule.alpha)
    plan.l1_ratio = {"l1": 1.0, "l2": 0.0}.get(str(rule.penalty), float(rule.l1_ratio or 0.0))
    plan.fit_intercept, plan.intercept_decay = limits.fit_intercept, intercept_decay(X)
    plan.needs_objective, plan.penalty_in_objective = watches, _MEAN_OBJECTIVE
    plan.shuffle, plan.early_stopping, plan.max_iter = limits.shuffle, limits.early_stopping, limits.max_iter
    plan.tol = tol if _MEAN_OBJECTIVE or limits.early_stopping else tol * n_trained
    plan.examples_of_objective = float(n_trained) if _MEAN_OBJECTIVE else 1.0
    plan.n_iter_no_change = limits.n_iter_no_change
    if rule.average:
        from scipy.linalg import cython_blas

        plan.set_axpy(cython_blas.__pyx_capi__["daxpy"], cython_blas.__pyx_capi__["saxpy"])
    return plan


def _run_to_end(
    run: CompatRun,
    positives: list[int],
    name_classes: bool,
    validation: "_Validation | None",
    verbose: int,
    stopped: threading.Event,
    progress: FitMeter,
) -> None:
    printed = [0] * len(positives)
    while not stopped.is_set():
        pause = run.advance(_SLICE, bool(verbose))
        progress.after_slice(run, positives)
        if pause == "done":
            return
        if pause == "slice":
            continue
        for c, positive in enumerate(positives):
            score = None
            if validation is not None and run.ending(c) == "running":
                score = validation.score(positive, run.w(c), run.offset(c))
            if verbose and run.epochs(c) > printed[c]:
                printed[c] = run.epochs(c)
                _print_epoch(f"class {positive}, " if name_classes else "", run, c, score)
            if score is not None:
                run.set_score(c, score)


class _Validation:
    """Validation accuracy, or R² of targets, computed exactly as in scikit-learn: a stopping rule reads its last bit.

    scikit-learn scores the weights before their scale factor is applied. With the penalties l2 and elasticnet these
    are not the weights that it returns. This class does the same.
    """

    def __init__(self, examples: Examples, held_back: NDArray[np.bool_]) -> None:
        self._X = examples.X[held_back]
        self._codes = None if examples.codes is None else examples.codes[held_back]
        self._targets = None if examples.targets is None else examples.targets[held_back]
        self._weights = None if examples.sample_weight is None else examples.sample_weight[held_back]

    def score(self, positive: int, w: NDArray[np.float64], offset: float) -> float:
        plane = w.astype(self._X.dtype).reshape(1, -1)
        scores = safe_sparse_dot(self._X, plane.T, dense_output=True) + np.atleast_1d(offset)
        if self._targets is not None:
            return float(r2_score(self._targets, scores.ravel(), sample_weight=self._weights))
        right = (scores.ravel() > 0) == (self._codes == positive)
        return float(np.average(right, weights=self._weights))


def _norms(coef: NDArray[Any]) -> NDArray[np.float64]:
    """Squared and L1 norms of the initial weights, computed by the BLAS routines that scikit-learn calls."""
    if not coef.any():
        return np.zeros((len(coef), 2))
    from scipy.linalg.blas import get_blas_funcs

    dot, asum = get_blas_funcs(("dot", "asum"), (coef,))
    return np.array([[dot(w, w), asum(w)] for w in coef], dtype=np.float64)


def _print_epoch(name: str, run: CompatRun, c: int, score: float | None) -> None:
    found = f"objective {run.epoch_objective(c):.6g}" if score is None else f"validation score {score:.6g}"
    print(f"{name}epoch {run.epochs(c)}: {run.epoch_mistakes(c)} mistakes, {found}")


def intercept_decay(X: Any) -> float:
    """The factor of scikit-learn's intercept updates; it is smaller for sparse data."""
    return 0.01 if sp.issparse(X) else 1.0
