"""Types of the compiled core; `bindings/` defines it."""

from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

#: One-dimensional bytes, side by side.
Buffer = NDArray[np.uint8] | memoryview | bytes

Tie = Literal["mistake", "positive", "negative"]
Step = Literal["constant", "pa", "pa1", "pa2"]
Rivals = Literal["best", "all"]
Order = Literal["cyclic", "shuffle", "misclassified"]

__version__: str

def instruction_set() -> str: ...
def epoch_order(seed: int, epoch: int, n: int) -> NDArray[np.uint32]: ...

class SvmlightError(ValueError): ...

class _Svmlight(TypedDict):
    labels: NDArray[np.float64]
    qids: NDArray[np.int64] | None
    values: NDArray[np.float64]
    indices: NDArray[np.int32] | NDArray[np.int64]
    starts: NDArray[np.int32] | NDArray[np.int64]
    features: int
    zero_based: bool
    hash: int | None

class SvmlightReading:
    def __init__(
        self,
        text: Buffer,
        *,
        zero_based: bool | None = None,
        features: int | None = None,
        threads: int = 1,
        chunk_bytes: int = ...,
        hash: bool = False,
    ) -> None: ...
    def finish(self) -> _Svmlight: ...

def plain_table(
    text: Buffer, *, delimiter: str, roles: str, threads: int = 1, chunk_bytes: int = ...
) -> tuple[NDArray[np.float64], NDArray[np.int32], list[bytes]] | None: ...

class BucketWords:
    def __init__(self, *, bits: int, ngrams: int) -> None: ...
    def add(self, bytes: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None: ...
    def words(self) -> dict[int, str]: ...

def hashed_words(
    bytes: NDArray[np.uint8], offsets: NDArray[np.int64], *, bits: int, ngrams: int, threads: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]: ...
def hashed_texts(bytes: NDArray[np.uint8], offsets: NDArray[np.int64], *, bits: int) -> NDArray[np.int32]: ...

class Xxh64:
    def add(self, bytes: Buffer) -> None: ...
    @property
    def value(self) -> int: ...

def xxh64(bytes: Buffer) -> int: ...

class Rows:
    @staticmethod
    def dense(values: NDArray[Any]) -> Rows: ...
    @staticmethod
    def csr(
        values: NDArray[Any],
        indices: NDArray[Any],
        starts: NDArray[Any],
        features: int,
        checked: bool = False,
        lazily: bool = False,
    ) -> Rows: ...
    def part(self, begin: int, end: int) -> Rows: ...
    @property
    def n_values(self) -> int: ...
    @property
    def n_examples(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def first_nonfinite(self) -> tuple[int, int] | None: ...
    def largest_magnitude(self) -> float: ...
    def scores(self, weights: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def score_into(
        self,
        weights: NDArray[np.float64],
        offsets: NDArray[np.float64],
        out: NDArray[np.float64],
        n_threads: int = 1,
    ) -> bool: ...
    def label_into(
        self,
        weights: NDArray[np.float64],
        offsets: NDArray[np.float64],
        pairs: bool,
        ties_are_positive: bool,
        classes: NDArray[np.uint8],
        n_classes: int,
        out: NDArray[np.uint8],
        n_threads: int = 1,
    ) -> bool: ...

def label_scores(
    scores: NDArray[np.floating], classes: NDArray[np.uint8], n_classes: int, out: NDArray[np.uint8]
) -> None: ...
def pair_votes(
    scores: NDArray[np.float64], n_classes: int, ties_are_positive: bool, out: NDArray[np.float64]
) -> None: ...

class Snapshot:
    @property
    def offsets(self) -> NDArray[np.float64]: ...
    @property
    def w(self) -> NDArray[np.float64]: ...

class Outcome:
    @property
    def accelerators(self) -> list[tuple[str, int]]: ...
    @property
    def ending(self) -> str: ...
    @property
    def epochs(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def clock(self) -> float: ...
    @property
    def period(self) -> int: ...
    @property
    def validated(self) -> int: ...
    @property
    def pocket_run(self) -> float: ...
    @property
    def pocket_errors(self) -> float: ...
    @property
    def scored(self) -> int: ...
    @property
    def epoch_errors(self) -> int: ...
    @property
    def epoch_loss(self) -> float: ...
    @property
    def last_change(self) -> int: ...
    @property
    def delayed(self) -> Snapshot: ...
    @property
    def last(self) -> Snapshot: ...
    @property
    def average(self) -> Snapshot: ...
    @property
    def pocket(self) -> Snapshot: ...

class OneByOne:
    def __init__(
        self,
        *,
        eta0: float,
        tie: str,
        fit_intercept: bool,
        margin: float,
        step: str,
        aggressiveness: float,
        average: bool,
    ) -> None: ...
    def declare(self, labels: list[Any]) -> None: ...
    def learn(self, x: Any, y: Any) -> None: ...
    def predict(self, x: Any) -> Any: ...
    def restore(
        self,
        labels: list[Any],
        names: list[str],
        w: NDArray[np.float64],
        offsets: NDArray[np.float64],
        delayed: NDArray[np.float64],
        delayed_offsets: NDArray[np.float64],
        seen: int,
    ) -> None: ...
    def state(self) -> dict[str, Any]: ...
    @property
    def seen(self) -> int: ...

class SharedCopies:
    def __init__(self, pairs: float) -> None: ...

class Limits: ...

class EpochFacts:
    def __init__(
        self,
        *,
        epoch_ended: bool,
        epoch: int,
        examples: int,
        presented: int,
        mistakes: int,
        last_change: int,
        epoch_errors: int,
        no_mistake: bool,
        period: int,
        best_epoch: int,
        validated_epoch: int,
        work: float,
        separable: bool,
    ) -> None: ...

def decide(facts: EpochFacts, limits: Limits) -> str | None: ...

class CycleWatch:
    def __init__(self, kept: NDArray[np.float64] | None = None, kept_at: int = 0, keep_next: int = 0) -> None: ...
    def observe(self, epoch: int, state: NDArray[np.float64]) -> int: ...
    @property
    def kept(self) -> NDArray[np.float64] | None: ...
    @property
    def kept_at(self) -> int: ...
    @property
    def keep_next(self) -> int: ...

class History:
    MAX_ROWS: int
    def __init__(self, kept: list[list[float]] = ..., spacing: int = 1, last: list[float] | None = None) -> None: ...
    def add(self, row: list[float]) -> None: ...
    @property
    def rows(self) -> list[list[float]]: ...
    @property
    def kept(self) -> list[list[float]]: ...
    @property
    def spacing(self) -> int: ...
    @property
    def last(self) -> list[float] | None: ...

PLAN_FIELDS: tuple[str, ...]

class Plan:
    def __init__(
        self,
        *,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        error_tie: Tie = "mistake",
        fit_intercept: bool = True,
        margin: float = 0.0,
        step: Step = "constant",
        aggressiveness: float = 1.0,
        order: Order = "cyclic",
        seed: int = 0,
        first_epoch: int = 0,
        rivals: Rivals = "best",
        joint: bool = False,
        batch: bool = False,
        average: bool = False,
        pocket: bool = False,
        ratchet: bool = False,
        record: bool = False,
        max_iter: int | None = None,
        max_steps: int | None = None,
        max_updates: int | None = None,
        patience: int | None = None,
        n_iter_no_change: int | None = None,
        max_error: float = 0.0,
        may_stall: bool = False,
        ask_before_stall: bool = False,
        validation: NDArray[np.uint32] | None = None,
    ) -> None: ...
    @property
    def limits(self) -> Limits: ...

class _PairFacts(TypedDict):
    endings: list[str]
    epochs: NDArray[np.uint64]
    mistakes: NDArray[np.uint64]
    presented: NDArray[np.uint64]
    periods: NDArray[np.uint64]
    scored: NDArray[np.uint64]
    clocks: NDArray[np.float64]
    pocket_runs: NDArray[np.float64]
    pocket_errors: NDArray[np.float64]
    accelerators: dict[int, dict[str, int]]

class _PairArrays(TypedDict):
    starts: NDArray[np.uint64]
    replayed: NDArray[np.uint8]
    index: NDArray[np.uint32]
    value: NDArray[np.float64]
    clock: NDArray[np.float64]
    total: NDArray[np.float64]
    offsets: NDArray[np.float64]

class _PairUpdates(TypedDict):
    starts: NDArray[np.uint64]
    presented: NDArray[np.uint64]
    example: NDArray[np.uint32]
    scale: NDArray[np.float64]
    clock: NDArray[np.float64]

class PairRuns:
    def __init__(
        self,
        *,
        rows: Rows,
        labels: NDArray[np.int32],
        plan: Plan,
        members: NDArray[np.uint32],
        n_classes: int,
        start: NDArray[np.float64] | None,
        start_offset: float,
        steps: NDArray[np.float64] | None,
        weights: NDArray[np.float64] | None,
        published: str,
        keep_updates: bool,
        threads: int,
    ) -> None: ...
    def advance(self, work: int) -> bool: ...
    @property
    def pairs(self) -> int: ...
    @property
    def done(self) -> int: ...
    @property
    def not_finite(self) -> int: ...
    def facts(self) -> _PairFacts: ...
    def last(self) -> _PairArrays: ...
    def published(self) -> _PairArrays: ...
    def updates(self) -> _PairUpdates: ...
    def history(self) -> NDArray[np.float64]: ...

class StoredPairs:
    def __init__(
        self,
        *,
        support: Rows,
        n_classes: int,
        starts: NDArray[np.uint64],
        replayed: NDArray[np.uint8],
        index: NDArray[np.uint32],
        value: NDArray[np.float64],
        clock: NDArray[np.float64],
        total: NDArray[np.float64],
        offsets: NDArray[np.float64],
        start: NDArray[np.float64] | None,
    ) -> None: ...
    def weights_into(self, first: int, out: NDArray[np.float64]) -> None: ...
    def votes_into(self, rows: Rows, begin: int, ties_are_positive: bool, out: NDArray[np.float64]) -> None: ...
    def labels_into(self, rows: Rows, begin: int, ties_are_positive: bool, out: NDArray[np.uint32]) -> None: ...

class VotedPairs:
    def __init__(
        self,
        *,
        n_classes: int,
        starts: NDArray[np.uint64],
        updates: NDArray[np.uint32],
        scales: NDArray[np.float64],
        survival: NDArray[np.float64],
    ) -> None: ...
    def votes_into(
        self,
        products: NDArray[np.float64],
        start_scores: NDArray[np.float64],
        ties_are_positive: bool,
        out: NDArray[np.float64],
    ) -> None: ...
    def labels_into(
        self,
        products: NDArray[np.float64],
        start_scores: NDArray[np.float64],
        ties_are_positive: bool,
        out: NDArray[np.uint32],
    ) -> None: ...

class OnlineRun:
    def __init__(
        self,
        *,
        rows: Rows,
        labels: NDArray[np.int32],
        plan: Plan,
        positives: list[int],
        start: NDArray[np.float64],
        start_offsets: NDArray[np.float64],
        steps: NDArray[np.float64] | None = None,
        weights: NDArray[np.float64] | None = None,
        chosen: NDArray[np.uint32] | None = None,
    ) -> None: ...
    def go_on_from(
        self,
        *,
        presented: int,
        clock: float,
        mistakes: list[int],
        last_changes: list[int],
        delayed: NDArray[np.float64] | None = None,
        delayed_offsets: NDArray[np.float64] | None = None,
    ) -> None: ...
    def advance(self, work: int, pause_at_epoch: bool) -> Literal["slice", "epoch", "question", "done"]: ...
    def question(self) -> int: ...
    def answer(self, go_on: bool, otherwise: str) -> None: ...
    def limit_copies(self, bytes: int) -> None: ...
    def use_threads(self, threads: int) -> None: ...
    def share_copies(self, share: SharedCopies) -> None: ...
    def end_all(self, ending: str) -> None: ...
    def outcome(self, problem: int) -> Outcome: ...
    @property
    def epochs(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def not_finite(self) -> int: ...
    @property
    def work(self) -> float: ...
    @property
    def latest(self) -> tuple[int, int, int, int, float]: ...
    def updates(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]: ...
    def scales(self) -> NDArray[np.float64] | None: ...
    def history(self) -> NDArray[np.float64]: ...

class MinNorm:
    def __init__(self, dim: int) -> None: ...
    def add(self, points: NDArray[np.float64]) -> None: ...
    def solve(self, slack: float, work: int) -> Literal["slice", "optimal", "zero", "stuck"]: ...
    @property
    def size(self) -> int: ...
    @property
    def work_done(self) -> int: ...
    @property
    def gap(self) -> float: ...
    @property
    def members(self) -> NDArray[np.int64]: ...
    @property
    def multipliers(self) -> NDArray[np.float64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...

class CycleSearch:
    def __init__(
        self,
        *,
        rows: Rows,
        labels: NDArray[np.int32],
        positive: int,
        start: NDArray[np.float64],
        start_offset: float,
        eta0: float,
        tie: str,
        fit_intercept: bool,
    ) -> None: ...
    def advance(self, epochs: int) -> bool: ...
    @property
    def pre_period(self) -> int: ...
    @property
    def period(self) -> int: ...
    @property
    def epochs(self) -> int: ...
    @property
    def separated(self) -> bool: ...
    @property
    def mistakes(self) -> NDArray[np.uint64]: ...

def grid(values: NDArray[np.float64]) -> tuple[int, float]: ...

INTEGER_PAD: int
MULTIPLIES_BYTES: bool

def add_rows(scores: NDArray[np.float64], changes: NDArray[np.float64], rows: NDArray[np.float64]) -> None: ...

class KernelFunction:
    def __init__(self, name: str, gamma: float = 1.0, degree: int = 1, coef0: float = 0.0) -> None: ...

def kernel_values(kernel: KernelFunction, a: Rows, b: Rows, out: NDArray[np.float64], threads: int) -> bool: ...
def integer_kernel_values(
    kernel: KernelFunction,
    a: NDArray[np.int16] | NDArray[np.uint8],
    b: NDArray[np.int16] | NDArray[np.uint8],
    out: NDArray[np.float64],
    threads: int,
) -> bool: ...
def exponentials(x: NDArray[np.float64]) -> NDArray[np.float64]: ...
def tangents(x: NDArray[np.float64]) -> NDArray[np.float64]: ...
def votes(
    kernel_values: NDArray[np.float64],
    columns: NDArray[np.uint32],
    scales: NDArray[np.float64],
    survival: NDArray[np.float64],
    offset: bool,
    tie_is_positive: bool,
) -> NDArray[np.float64]: ...
def joint_votes(
    kernel_values: NDArray[np.float64],
    columns: NDArray[np.uint32],
    scales: NDArray[np.float64],
    survival: NDArray[np.float64],
    offset: bool,
    truths: NDArray[np.uint32],
    rivals: NDArray[np.uint32],
    classes: int,
) -> NDArray[np.float64]: ...

class DualRun:
    def __init__(
        self,
        *,
        labels: NDArray[np.int32],
        plan: Plan,
        positives: list[int],
        steps: NDArray[np.float64] | None = None,
        weights: NDArray[np.float64] | None = None,
        external_scores: bool = False,
        external_coef: bool = False,
    ) -> None: ...
    def advance(
        self, gram: NDArray[np.float64], work: int, pause_at_epoch: bool
    ) -> Literal["slice", "epoch", "question", "done"]: ...
    def seek(self, pause_at_epoch: bool) -> Literal["epoch", "question", "window", "done"]: ...
    def open_window(self, limit: int) -> NDArray[np.uint32]: ...
    def present_window(self, gram: NDArray[np.float64]) -> None: ...
    def present_to_mistake(self) -> int | None: ...
    def close_window(self) -> None: ...
    def changes(self) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    @property
    def window_scores(self) -> NDArray[np.float64]: ...
    @property
    def scores(self) -> NDArray[np.float64]: ...
    def question(self) -> tuple[Literal["scores", "grid", "stall"], int]: ...
    def answer_scores(self) -> None: ...
    def answer_grid(self, low: int, largest: float) -> None: ...
    def answer_stall(self, go_on: bool, otherwise: str) -> None: ...
    def end_all(self, ending: str) -> None: ...
    def outcome(self, problem: int) -> Outcome: ...
    @property
    def done(self) -> bool: ...
    @property
    def rivals(self) -> list[int]: ...
    @property
    def epochs(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def not_finite(self) -> int: ...
    @property
    def latest(self) -> tuple[int, int, int, int, float]: ...
    def history(self) -> NDArray[np.float64]: ...
    def updates(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]: ...
    def clocks(self) -> NDArray[np.float64]: ...
    def coef(self) -> NDArray[np.float64]: ...
    def offsets(self) -> NDArray[np.float64]: ...
    def average_coef(self) -> NDArray[np.float64]: ...
    def average_offsets(self) -> NDArray[np.float64]: ...

class CompatPlan:
    def __init__(
        self,
        *,
        loss: Literal["hinge", "squared_hinge", "epsilon_insensitive"],
        rate: Literal["constant", "optimal", "invscaling", "adaptive", "pa1", "pa2"],
        penalty: str | None,
    ) -> None: ...
    threshold: float
    eta0: float
    power_t: float
    optimal_init: float
    average: int
    alpha: float
    l1_ratio: float
    fit_intercept: bool
    intercept_decay: float
    needs_objective: bool
    penalty_in_objective: bool
    shuffle: bool
    early_stopping: bool
    max_iter: int
    tol: float
    examples_of_objective: float
    n_iter_no_change: int
    def set_axpy(self, float64: object, float32: object) -> None: ...

class CompatRun:
    def __init__(
        self,
        *,
        rows: Rows,
        largest: float,
        labels: NDArray[np.int32] | None,
        targets: NDArray[np.float64] | None,
        sample_weight: NDArray[np.float64] | None,
        held_back: NDArray[np.bool_] | None,
        positives: NDArray[np.int32],
        class_weights: NDArray[np.float64],
        start: NDArray[np.float64],
        start_offsets: NDArray[np.float64],
        start_norms: NDArray[np.float64],
        averages: NDArray[np.float64] | None,
        average_offsets: NDArray[np.float64],
        t: float,
        seed: int,
        plan: CompatPlan,
    ) -> None: ...
    def advance(self, work: int, pause_at_epoch: bool) -> Literal["slice", "epoch", "done"]: ...
    def set_score(self, problem: int, score: float) -> None: ...
    def ending(self, problem: int) -> str: ...
    def epochs(self, problem: int) -> int: ...
    def mistakes(self, problem: int) -> int: ...
    def epoch_mistakes(self, problem: int) -> int: ...
    def epoch_objective(self, problem: int) -> float: ...
    def offset(self, problem: int) -> float: ...
    def w(self, problem: int) -> NDArray[np.float64]: ...
    def average_offset(self, problem: int) -> float: ...
    def average(self, problem: int) -> NDArray[np.float64]: ...
