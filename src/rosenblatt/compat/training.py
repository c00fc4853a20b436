"""Draws what scikit-learn draws, runs the core over all binary problems, and gathers what it found."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot

from rosenblatt.core import CompatRun, Rows

#: Touched values between two looks at the interpreter: a tenth of a second or so, for Ctrl-C.
_SLICE = 200_000_000
_MAX_INT = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Examples:
    """Checked examples."""

    X: Any
    rows: Rows
    largest: float  # no value of X is larger in magnitude
    codes: NDArray[np.int32]
    sample_weight: NDArray[Any] | None  # in the type of X, or None where every weight is one


@dataclass(frozen=True)
class Found:
    """One entry a binary problem."""

    coef: NDArray[np.float64]
    intercept: list[float]
    statuses: list[str]
    epochs: list[int]
    mistakes: list[int]


class NotFiniteError(ValueError):
    """The weights left the range of floating-point numbers."""


def draw(examples: Examples, n_problems: int, random_state: Any, fraction: float | None) -> tuple[list[int], Any]:
    """The seed of each problem's shuffle, and the mask of the validation part (None without a `fraction`).

    In the order in which scikit-learn draws them, which matters where `random_state` is a generator. It gives every
    binary problem two draws of a generator: one that its perceptron never uses, and the seed.
    """
    if len(examples.codes) == 1 and type(random_state) is int and 0 <= random_state < 2**32 and fraction is None:
        return [0] * n_problems, None  # one sample comes in one order, and no generator goes on
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
    n = len(examples.codes)
    splitter = StratifiedShuffleSplit(test_size=fraction, random_state=random_state)
    train, validation = next(splitter.split(np.zeros((n, 1)), examples.codes))
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
    coef: NDArray[Any],
    intercept: NDArray[np.float64],
    class_weight: NDArray[np.float64],
    seeds: list[int],
    held_back: NDArray[np.bool_] | None,
    plan: dict[str, Any],
    verbose: int,
    n_threads: int,
) -> Found:
    """Runs every problem from its start, one row of `coef` each; the path never depends on threads."""
    problems = len(seeds)
    if problems == 1:
        positives, by_problem = np.array([1]), class_weight[[1, 0]].reshape(1, 2)
    else:
        # scikit-learn gives the rest of one-vs-rest the weight one, whatever classes are in it.
        positives, by_problem = np.arange(problems), np.column_stack([class_weight, np.ones(problems)])
    # Unshuffled problems see the same examples in the same order, and so share a run.
    shares = problems if plan["shuffle"] and len(examples.codes) > 1 else min(n_threads, problems)
    if shares == 1:
        groups = [list(range(problems))]
    else:
        groups = [part.tolist() for part in np.array_split(np.arange(problems), shares)]
    weights = None if examples.sample_weight is None else examples.sample_weight.astype(np.float64)
    norms = _norms(coef) if plan["wants_objective"] and plan["penalty"] else np.zeros((problems, 2))
    validation = None if held_back is None else _Validation(examples, held_back)
    stopped = threading.Event()

    def run_group(group: list[int]) -> CompatRun:
        run = CompatRun(
            rows=examples.rows,
            largest=examples.largest,
            labels=examples.codes,
            sample_weight=weights,
            held_back=held_back,
            positives=positives[group].astype(np.int32),
            class_weights=by_problem[group],
            start=np.ascontiguousarray(coef[group], dtype=np.float64),
            start_offsets=intercept[group],
            start_norms=norms[group],
            seed=seeds[group[0]],
            **plan,
        )
        _run_to_end(run, positives[group].tolist(), problems > 1, validation, verbose, stopped)
        for c in range(len(group)):
            if run.ending(c) == "not_finite":
                raise NotFiniteError(
                    f"Floating-point under-/overflow occurred at epoch #{run.epochs(c)}: a weight is no longer finite "
                    f"in {examples.X.dtype}. Scale the columns (StandardScaler, MinMaxScaler) or lower eta0."
                )
        return run

    if n_threads == 1 or len(groups) == 1:
        runs = [run_group(group) for group in groups]
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                runs = list(pool.map(run_group, groups))
            except BaseException:
                stopped.set()
                raise
    members = [(run, c) for run, group in zip(runs, groups, strict=True) for c in range(len(group))]
    return Found(
        coef=np.stack([run.w(c) for run, c in members]),
        intercept=[run.offset(c) for run, c in members],
        statuses=[run.ending(c) for run, c in members],
        epochs=[run.epochs(c) for run, c in members],
        mistakes=[run.mistakes(c) for run, c in members],
    )


def _run_to_end(
    run: CompatRun,
    positives: list[int],
    named: bool,
    validation: "_Validation | None",
    verbose: int,
    stopped: threading.Event,
) -> None:
    told = [0] * len(positives)
    while not stopped.is_set():
        pause = run.advance(_SLICE, bool(verbose))
        if pause == "done":
            return
        if pause == "slice":
            continue
        for c, positive in enumerate(positives):
            score = None
            if validation is not None and run.ending(c) == "running":
                score = validation.score(positive, run.w(c), run.offset(c))
            if verbose and run.epochs(c) > told[c]:
                told[c] = run.epochs(c)
                _print_epoch(f"class {positive}, " if named else "", run, c, score)
            if score is not None:
                run.judge(c, score)


class _Validation:
    """The accuracy on the part kept back, computed as `score` would: the stop depends on its last bit.

    scikit-learn scores the weights before their scale is applied, which under l2 and elasticnet are not those that it
    returns in the end; so do we.
    """

    def __init__(self, examples: Examples, held_back: NDArray[np.bool_]) -> None:
        self._X = examples.X[held_back]
        self._codes = examples.codes[held_back]
        self._weights = None if examples.sample_weight is None else examples.sample_weight[held_back]

    def score(self, positive: int, w: NDArray[np.float64], offset: float) -> float:
        plane = w.astype(self._X.dtype).reshape(1, -1)
        scores = safe_sparse_dot(self._X, plane.T, dense_output=True) + np.atleast_1d(offset)
        right = (scores.ravel() > 0) == (self._codes == positive)
        return float(np.average(right, weights=self._weights))


def _norms(coef: NDArray[Any]) -> NDArray[np.float64]:
    """Squared and absolute norms of the starting weights, summed by the routines that scikit-learn calls."""
    if not coef.any():
        return np.zeros((len(coef), 2))
    from scipy.linalg.blas import get_blas_funcs

    dot, asum = get_blas_funcs(("dot", "asum"), (coef,))
    return np.array([[dot(w, w), asum(w)] for w in coef], dtype=np.float64)


def _print_epoch(name: str, run: CompatRun, c: int, score: float | None) -> None:
    found = f"objective {run.epoch_objective(c):.6g}" if score is None else f"validation score {score:.6g}"
    print(f"{name}epoch {run.epochs(c)}: {run.epoch_mistakes(c)} mistakes, {found}")


def intercept_decay(X: Any) -> float:
    """scikit-learn slows the intercept of sparse data down."""
    return 0.01 if sp.issparse(X) else 1.0
