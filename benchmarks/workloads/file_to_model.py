"""From file to model in one epoch, whole processes, start-up included.

The files are generated once: svmlight of some 90 MB (with `--large` of 900 MB too), and a table of 300,000 × 30 as CSV
and Parquet. Each contestant is a fresh process that reads the file and trains one epoch; the files are read once
before, so that they are in the page cache. Ours is `--algorithm Perceptron --no-scale --no-proba`, the same work as the
peer's.
"""

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.agreement import agree
from benchmarks.processes import OURS, PYTHON, Process, compare
from benchmarks.records import Needs, Result
from benchmarks.run import Run

_SKLEARN_SVMLIGHT = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Perceptron
X, y = load_svmlight_file(sys.argv[1])
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # its Perceptron accepts no other type
Perceptron(max_iter=1, tol=None).fit(X, y)
"""

_SKLEARN_TABLE = """
import sys, warnings
warnings.simplefilter("ignore")
import pandas as pd
from sklearn.linear_model import Perceptron
read = pd.read_csv if sys.argv[1].endswith("csv") else pd.read_parquet
frame = read(sys.argv[1])
Perceptron(max_iter=1, tol=None).fit(frame.drop(columns="target"), frame["target"])
"""

# vw reads svmlight-like text with a bar after the label; its files are written as well.
_VW = """
import sys
from vowpalwabbit import pyvw
pyvw.Workspace(f"--data {sys.argv[1]} --loss_function hinge --quiet -b 20 --holdout_off").finish()
"""

# Blocks of 1,000 lines.
SIZES = {"tiny": 1, "small": 93, "large": 930}


def measure(run: Run) -> Iterator[Result]:
    """Svmlight compared with scikit-learn and Vowpal Wabbit, tables with pandas and scikit-learn."""
    names = ["tiny"] if run.quick else ["small", "large"] if run.large else ["small"]
    for name in names:
        yield from _svmlight(run, svmlight_file(run.folder, name))
    for path in _tables(run.folder, run.size(300_000, 2000)):
        peer = Process([*PYTHON, _SKLEARN_TABLE, str(path)])
        yield _compare(run, path, f"{path.suffix[1:]} file", peer, "pandas + scikit-learn", goal=3)


def _svmlight(run: Run, path: Path) -> Iterator[Result]:
    large = path.stem == "large"
    same = "same reader as the smaller file's" if large else _same_matrix(path)
    peer = Process([*PYTHON, _SKLEARN_SVMLIGHT, str(path)])
    yield _compare(run, path, "svmlight file", peer, "scikit-learn", goal=20, agreement=same, warm=not large)
    if find_spec("vowpalwabbit") is not None:
        another = "another rule: hinge loss, a step for each feature"
        # vw learns in file order; scikit-learn shuffles, and so do we by default.
        peer = Process([*PYTHON, _VW, str(path.with_suffix(".vw"))])
        yield _compare(
            run,
            path,
            "svmlight file in its order",
            peer,
            "Vowpal Wabbit",
            "--order",
            "cyclic",
            goal=2,
            agreement=another,
            warm=not large,
        )


def _compare(run: Run, path: Path, what: str, peer: Process, against: str, *options: str, **more: object) -> Result:
    model = path.with_suffix(".model.json")
    plain = ["--algorithm", "Perceptron", "--max-iter", "1", "--no-scale", "--no-proba", "--quiet"]
    train = ["train", str(path), *plain, "-o", str(model), *options]
    size = path.stat().st_size
    result = compare(
        run,
        "file_to_model",
        f"{what} of {size / 1e6:.0f} MB to model",
        Process([*OURS, *train]),
        peer,
        against=against,
        data="synthetic",
        threads=run.threads,
        needs=Needs(bytes=float(size)),
        **more,
    )
    speeds = [f"{size / 1e6 / min(seconds):,.0f} MB/s" for seconds in (result.ours, result.peers)]
    return replace(result, notes=(" against ".join(speeds), *result.notes))


def _same_matrix(path: Path) -> str:
    from sklearn.datasets import load_svmlight_file

    from rosenblatt import data

    matrix, (X, _) = data.read(str(path)).X.to_scipy(), load_svmlight_file(str(path))
    equal = (getattr(matrix, part) == getattr(X, part) for part in ("data", "indices", "indptr"))
    return agree(all(bool(np.all(part)) for part in equal), "matrix, bit for bit")


def svmlight_file(folder: Path, name: str) -> Path:
    """Writes examples with 68 of a million features, labelled by a hyperplane; and the same file for vw."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.svm"
    if path.exists():
        return path
    rng = np.random.default_rng(0)
    plane = rng.standard_normal(1_000_000)
    parts = path.with_suffix(".svm.part"), path.with_suffix(".vw.part")
    with parts[0].open("w") as file, parts[1].open("w") as bars:
        for _ in range(SIZES[name]):
            indices = np.sort(rng.integers(0, len(plane), (1000, 68)), axis=1)
            values = rng.integers(1, 100_000, indices.shape) / 100_000
            for row, x in zip(indices, values, strict=True):
                kept = np.flatnonzero(np.diff(row, prepend=-1))
                y = "+1" if plane[row[kept]] @ x[kept] > 0 else "-1"
                pairs = " ".join(f"{j + 1}:{v:g}" for j, v in zip(row[kept].tolist(), x[kept].tolist(), strict=True))
                file.write(f"{y} {pairs}\n")
                bars.write(f"{y} | {pairs}\n")
    parts[1].rename(path.with_suffix(".vw"))
    return parts[0].rename(path)


def _tables(folder: Path, n: int) -> tuple[Path, Path]:
    import pyarrow as pa
    from pyarrow import csv, parquet

    text, columns = folder / f"table{n}.csv", folder / f"table{n}.parquet"
    if not columns.exists():
        rng = np.random.default_rng(0)
        X = rng.standard_normal((n, 30)).round(5)
        target = (X @ rng.standard_normal(30) > 0).astype(int)
        table = pa.table({**{f"x{j}": X[:, j] for j in range(30)}, "target": target})
        csv.write_csv(table, text)
        parquet.write_table(table, columns)
    return text, columns
