"""Types of the compiled core; `bindings.cpp` defines it."""

from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

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

def svmlight(
    text: NDArray[np.uint8],
    *,
    zero_based: bool | None = None,
    features: int | None = None,
    threads: int = 1,
    piece: int = ...,
) -> _Svmlight: ...
def plain_table(
    text: NDArray[np.uint8], *, delimiter: str, roles: str, threads: int = 1, piece: int = ...
) -> tuple[NDArray[np.float64], NDArray[np.int32], list[bytes]] | None: ...
def xxh64(bytes: NDArray[np.uint8]) -> int: ...

class Rows:
    @staticmethod
    def dense(values: NDArray[Any]) -> Rows: ...
    @staticmethod
    def csr(values: NDArray[Any], indices: NDArray[Any], starts: NDArray[Any], features: int) -> Rows: ...
    @property
    def n_examples(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def first_nonfinite(self) -> tuple[int, int] | None: ...
    def scores(self, weights: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]: ...

class Outcome:
    @property
    def ending(self) -> str: ...
    @property
    def epochs(self) -> int: ...
    @property
    def mistakes(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def period(self) -> int: ...
    @property
    def validated(self) -> int: ...
    @property
    def offsets(self) -> NDArray[np.float64]: ...
    @property
    def w(self) -> NDArray[np.float64]: ...

class OnlineRun:
    def __init__(
        self,
        *,
        rows: Rows,
        labels: NDArray[np.int32],
        steps: NDArray[np.float64] | None,
        chosen: NDArray[np.uint32] | None,
        positives: list[int],
        start: NDArray[np.float64],
        start_offsets: NDArray[np.float64],
        eta0: float,
        tie: str,
        error_tie: str,
        fit_intercept: bool,
        order: str,
        seed: int,
        first_epoch: int,
        max_iter: int | None,
        max_steps: int | None,
        max_updates: int | None,
        patience: int | None,
        max_error: float,
        may_stall: bool,
        ask_before_stall: bool,
        joint: bool = False,
        record: bool = False,
        validation: NDArray[np.uint32] | None = None,
        n_iter_no_change: int | None = None,
    ) -> None: ...
    def advance(self, work: int, pause_at_epoch: bool) -> Literal["slice", "epoch", "question", "done"]: ...
    def question(self) -> int: ...
    def answer(self, go_on: bool, otherwise: str) -> None: ...
    def end_all(self, ending: str) -> None: ...
    def outcome(self, problem: int) -> Outcome: ...
    @property
    def epochs(self) -> int: ...
    @property
    def presented(self) -> int: ...
    @property
    def not_finite(self) -> int: ...
    @property
    def latest(self) -> tuple[int, int, int, int, float]: ...
    def updates(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32]]: ...
    def history(self) -> NDArray[np.float64]: ...
