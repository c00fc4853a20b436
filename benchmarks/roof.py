"""The roof of the machine: its memory bandwidth and its multiply-adds per second.

`roof.cpp` measures it, compiled for this machine. Without a compiler, NumPy and SciPy are used: a dot product of a
vector larger than the cache for the memory, rows in a random order, a product of a sparse matrix and a vector, and a
product of two matrices for the multiply-adds, which BLAS fuses where the machine can; its rate then also stands for the
unfused roof.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.data import text_like
from benchmarks.records import Roof

_FLAGS = ["-O3", "-march=native", "-std=c++20", "-ffp-contract=off", "-pthread"]


def measure(threads: tuple[int, ...]) -> dict[int, Roof]:
    """The roof by number of threads."""
    with tempfile.TemporaryDirectory() as folder:
        program = _compiled(Path(folder))
        if program is None:
            return {count: by_numpy(count) for count in threads}
        found = {}
        for count in threads:
            output = subprocess.run([program, str(count)], check=True, capture_output=True, text=True).stdout
            found[count] = Roof(count, **json.loads(output), how="roof.cpp, compiled for this machine")
        return found


def _compiled(folder: Path) -> Path | None:
    named = os.environ.get("CXX")
    for compiler in [named] if named else ["c++", "g++", "clang++"]:
        if shutil.which(compiler) is None:
            continue
        command = [compiler, *_FLAGS, str(Path(__file__).with_suffix(".cpp")), "-o", str(folder / "roof")]
        if subprocess.run(command, capture_output=True).returncode == 0:
            return folder / "roof"
    return None


def by_numpy(threads: int, vector_bytes: int = 2**28, matrix: int = 1024) -> Roof:
    rates = {}
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:

        def together(work: Callable[[np.ndarray], object], parts: list[np.ndarray]) -> float:
            best = np.inf
            for _ in range(5):
                begin = time.perf_counter()
                list(pool.map(work, parts))
                best = min(best, time.perf_counter() - begin)
            return float(best)

        vectors = [np.ones(vector_bytes // 8) for _ in range(threads)]
        rates["bytes"] = threads * vector_bytes / together(lambda x: np.dot(x, x), vectors)
        order = np.random.default_rng(0).permutation(vector_bytes // 512)
        rates["scattered"] = threads * vector_bytes / together(lambda x: x.reshape(-1, 64)[order], vectors)
        text, _ = text_like(vector_bytes // 2**11)
        ones = [np.ones(text.shape[1])] * threads
        rates["gathered"] = threads * text.nnz / together(lambda w: text @ w, ones)
        rows = np.random.default_rng(0).permutation(text.shape[0])
        rates["gathered_scattered"] = threads * text.nnz / together(lambda w: text[rows] @ w, ones)
        for name in ("float64", "float32"):
            squares = [np.ones((matrix, matrix), name) for _ in range(threads)]
            rates[name] = threads * matrix**3 / together(lambda A: A @ A, squares)
    how = "NumPy: a dot product beyond the cache, rows in a random order, products of matrices"
    return Roof(threads, **rates, fused_float64=rates["float64"], fused_float32=rates["float32"], how=how)
