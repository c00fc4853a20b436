"""Real and sparse sets of the separability benchmark. A set whose files are missing is left out."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks import data
from benchmarks.run import Run

PAIRS = ((4, 9), (3, 5), (0, 1))  # of digits: two that are weak, one that is separable
RESTS = (3, 8)  # digits against all others
WORDS = (5, 1)  # examples that a word of a subject line must be in


@dataclass(frozen=True)
class Case:
    """A set to decide. A fresh process calls `maker(*arguments)` for its X and y."""

    name: str
    source: str
    maker: Callable[..., tuple[Any, np.ndarray]]
    arguments: tuple[Any, ...]

    def make(self) -> tuple[Any, np.ndarray]:
        return self.maker(*self.arguments)


def real_and_sparse_sets(folder: Path) -> Iterator[Case]:
    """MNIST, covtype, the subject lines of mails, and sparse synthetic sets of 100,000×100,000."""
    if data.has_mnist():
        for a, b in PAIRS:
            yield Case(f"MNIST {a} against {b}", "MNIST", digits, (folder, a, b))
        for a in RESTS:
            yield Case(f"MNIST {a} against the rest", "MNIST", digits, (folder, a, None))
    if (folder / "covtype.csv").exists():
        yield Case("covtype 1 against 2", "covtype", covers, (folder, 1, 2))
    if (folder / "mails").exists():
        for words in WORDS:
            yield Case(f"subject lines, words of {words} or more mails", "SpamAssassin", subjects, (folder, words))
    for kind in ("separable", "two equal examples with different labels", "random labels"):
        yield Case(f"sparse 100,000×100,000, {kind}", "synthetic", sparse, (kind,))


def digits(folder: Path, a: int, b: int | None) -> tuple[np.ndarray, np.ndarray]:
    (X, y, _), _ = data.mnist(_run(folder))
    if b is None:
        return X, y == a
    chosen = (y == a) | (y == b)
    return X[chosen], y[chosen]


def covers(folder: Path, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    """Two types of forest cover, in the integers of the file."""
    from pyarrow import csv

    table = csv.read_csv(folder / "covtype.csv")
    y = table.column(54).to_numpy()
    chosen = (y == a) | (y == b)
    return np.column_stack([table.column(j).to_numpy()[chosen].astype(np.float64) for j in range(54)]), y[chosen]


def subjects(folder: Path, words: int) -> tuple[Any, np.ndarray]:
    """Counts of words in the subject lines of mails."""
    from sklearn.feature_extraction.text import CountVectorizer

    texts, labels, _ = data.mails(_run(folder))
    lines = [found[1] if (found := re.search(r"^Subject:(.*)$", text, re.MULTILINE)) else "" for text in texts]
    X = CountVectorizer(min_df=words, dtype=np.float64).fit_transform(lines).tocsr()
    return X, np.array(labels) == "spam"


def sparse(kind: str, n: int = 100_000, stored: int = 50) -> tuple[Any, np.ndarray]:
    """n×n with `stored` ones in each row at random."""
    rng = np.random.default_rng(0)
    columns = np.sort(rng.integers(0, n, (n, stored)), axis=1).astype(np.int32)
    X = sp.csr_matrix((np.ones(n * stored), columns.reshape(-1), np.arange(n + 1) * stored), shape=(n, n))
    X.sum_duplicates()
    if kind == "random labels":
        return X, rng.integers(0, 2, n)
    y = (X @ rng.normal(size=n) > 0).astype(int)
    if kind == "separable":
        return X, y
    return sp.vstack([X, X[:1]]).tocsr(), np.append(y, 1 - y[0])


def _run(folder: Path) -> Run:
    return Run(folder, False, True, 1, 1)
