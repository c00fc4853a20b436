"""Separability with a proof against plain linear programs and a linear SVM, on the same data in the same run.

The peers are HiGHS (through highspy) by the simplex method and by interior points, and scikit-learn's LinearSVC with
C = 10⁶, whose verdict is whether it makes no training error. The program asks for a w with z·w ≥ 1 for all examples:
infeasible means not separable. It proves nothing. All times are processor time on one thread. Ours is that of
`separability`, the proof included; `verify` is the separate check in plain integers. A peer is stopped after
`LEAST_LIMIT` seconds or `LIMIT_FACTOR` times our time, whichever is more; the ratio is then a lower bound. Each case
runs in a process of its own, so that the peak of memory is its own; it is counted above what the process held without X
before the search, X included, in units of X. The curves show how our time grows with the examples and with the columns.
With `--large`, real sets (`separability_sets.py`) come first.
"""

import math
import multiprocessing
import resource
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.agreement import agree
from benchmarks.records import Curve, Result
from benchmarks.run import Run, environment, peak_mb_of_this_process, reset_peak, seconds
from benchmarks.workloads.separability_sets import Case, real_and_sparse_sets

GAP = 0.01
LEAST_LIMIT = 10.0  # seconds of processor time after which a peer may be stopped
LIMIT_FACTOR = 2.0  # and the multiple of our time
GOAL = 1 / 1.5  # never slower than the faster of the two programs by more than 1.5
SHAPES = [(100_000, 50), (20_000, 300), (10_000, 1000), (10_000, 2000), (1_000_000, 50)]
ROWS = [10_000 << k for k in range(5)]
COLUMNS = [100, 200, 400, 800]


def measure(run: Run) -> Iterator[Result | Curve]:
    """Separable, with one label flipped, and with random labels."""
    with environment({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}):
        for case in real_and_sparse_sets(run.folder) if run.large else ():
            yield from _compared(case)
        for n, d in [(500, 10)] if run.quick else SHAPES:
            for labels in LABELS:
                yield from _compared(Case(f"{n:,}×{d}, {labels}", "synthetic", make, (n, d, labels)))
        yield from _curves(run)


def _compared(case: Case) -> Iterator[Result]:
    mine = alone(ours, case)
    agree(mine["verified"], "certificate and its check")
    verdict = "separable" if mine["kind"] == "separable" else "infeasible"
    limit = max(LEAST_LIMIT, LIMIT_FACTOR * mine["seconds"])
    for name, peer, more in PEERS:
        theirs = stopped_after(limit, peer, case, *more)
        stopped = theirs["kind"] == "time limit"
        right = theirs["kind"] == verdict
        program = peer is linear_program  # the SVM answers within a tolerance, and may be wrong
        agreement = agree(right, "verdict") if program and not stopped else "checked by itself"
        wrong = "" if right or stopped else "; the peer's verdict is wrong"
        yield Result(
            "separability",
            f"{case.name}: {mine['kind']}, with proof",
            case.source,
            (mine["seconds"],),
            name,
            (theirs["seconds"],),
            goal=GOAL if program else None,
            peer_stopped=stopped,
            agreement=agreement,
            notes=(f"verify {mine['verify_seconds']:.2f} s; peak memory {mine['memory']:.2f} times X{wrong}",),
        )


def _curves(run: Run) -> Iterator[Curve]:
    for labels in LABELS:
        rows = [200, 400] if run.quick else ROWS
        times = tuple((alone(ours, Case("", "synthetic", make, (n, 50, labels)))["seconds"],) for n in rows)
        yield Curve("separability", f"n×50, {labels}, with proof", "examples", tuple(rows), times)
        columns = [10, 20] if run.quick else COLUMNS
        n = run.size(10_000, 400)
        times = tuple((alone(ours, Case("", "synthetic", make, (n, d, labels)))["seconds"],) for d in columns)
        yield Curve("separability", f"{n:,}×d, {labels}, with proof", "columns", tuple(columns), times)


LABELS = ("separable", "one label flipped", "random labels")


def make(n: int, d: int, labels: str) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian examples on the two sides of a plane, `GAP` from it or more; the farthest one may be flipped."""
    rng = np.random.default_rng(0)
    X = np.empty((n, d))
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    distance = np.empty(n)
    for begin in range(0, n, 1000):  # in parts: the maker must not set the peak of memory
        part = rng.normal(size=(min(1000, n - begin), d))
        distance[begin : begin + len(part)] = part @ w
        X[begin : begin + len(part)] = part + np.outer(GAP * np.sign(part @ w), w)
    y = np.sign(distance).astype(np.int64)
    if labels == "one label flipped":
        y[np.argmax(abs(distance))] *= -1
    elif labels == "random labels":
        y = rng.choice([-1, 1], n)
    return X, y


def ours(case: Case) -> dict[str, Any]:
    # `separability` imports these when a search needs them; their memory is not that of the search.
    import scipy.linalg
    import scipy.optimize  # noqa: F401

    from rosenblatt import separability

    separability([[0.0], [1.0]], [0, 1])  # load everything once
    X, y = case.make()
    reset_peak()  # reading a file may take more memory than the search
    before = peak_mb_of_this_process() - size_of(X) / 2**20
    found: list[Any] = []
    taken = seconds(lambda: found.append(separability(X, y)), clock=time.process_time)
    memory = (peak_mb_of_this_process() - before) * 2**20 / size_of(X)
    verify = seconds(lambda: found.append(found[0].verify()), clock=time.process_time)
    return {
        "kind": found[0].kind,
        "seconds": taken,
        "memory": memory,
        "verified": found[1],
        "verify_seconds": verify,
    }


def size_of(X: Any) -> int:
    """The bytes of a matrix."""
    return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes if sp.issparse(X) else X.nbytes)


def linear_program(limit: float, case: Case, solver: str) -> dict[str, Any]:
    import highspy

    X, y = case.make()
    (n, d), signs = X.shape, np.where(y == y.max(), 1.0, -1.0)
    rows = sp.hstack([signs[:, None], sp.diags(signs) @ X], format="csr") if sp.issparse(X) else None
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = d + 1, n
    program.col_cost_ = np.zeros(d + 1)
    program.col_lower_, program.col_upper_ = np.full(d + 1, -highspy.kHighsInf), np.full(d + 1, highspy.kHighsInf)
    program.row_lower_, program.row_upper_ = np.ones(n), np.full(n, highspy.kHighsInf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    if rows is None:
        program.a_matrix_.start_ = np.arange(0, n * (d + 1) + 1, d + 1)
        program.a_matrix_.index_ = np.tile(np.arange(d + 1), n)
        program.a_matrix_.value_ = (signs[:, None] * np.column_stack([np.ones(n), X])).reshape(-1)
    else:
        program.a_matrix_.start_, program.a_matrix_.index_ = rows.indptr, rows.indices
        program.a_matrix_.value_ = rows.data
    del X, rows
    highs = highspy.Highs()
    options = {"output_flag": False, "solver": solver, "threads": 1, "run_crossover": "off"}
    for name, value in options.items():
        highs.setOptionValue(name, value)
    highs.passModel(program)
    limit_processor_time(limit)
    taken = seconds(highs.run, clock=time.process_time)
    status = highspy.HighsModelStatus
    verdicts = {status.kOptimal: "separable", status.kInfeasible: "infeasible"}
    found = highs.getModelStatus()
    return {"kind": verdicts.get(found, highs.modelStatusToString(found)), "seconds": taken}


def linear_svm(limit: float, case: Case) -> dict[str, Any]:
    import warnings

    from sklearn.svm import LinearSVC

    X, y = case.make()
    model = LinearSVC(C=1e6)
    limit_processor_time(limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged
        taken = seconds(lambda: model.fit(X, y), clock=time.process_time)
    return {"kind": "separable" if model.score(X, y) == 1 else "infeasible", "seconds": taken}


#: Name, task and further arguments.
PEERS: tuple[tuple[str, Callable[..., dict[str, Any]], tuple[Any, ...]], ...] = (
    ("linear program (HiGHS, simplex)", linear_program, ("simplex",)),
    ("linear program (HiGHS, interior point)", linear_program, ("ipm",)),
    ("LinearSVC(C=1e6)", linear_svm, ()),
)


def alone(task: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Runs a task in a fresh process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(task, *arguments).result()


def stopped_after(limit: float, peer: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Runs a peer in a fresh process, which may end itself at the limit."""
    try:
        return alone(peer, limit, *arguments)
    except BrokenProcessPool:
        return {"kind": "time limit", "seconds": limit}


def limit_processor_time(limit: float) -> None:
    """Lets the operating system end this process when it has used this many further seconds of processor time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + limit), hard))
