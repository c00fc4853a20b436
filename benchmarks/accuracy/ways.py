"""The contestants: the default of `rosenblatt train`, `--tune`, and scikit-learn pipelines with their defaults."""

import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks.accuracy import peer
from benchmarks.accuracy.sets import TARGET, Set
from benchmarks.processes import OURS, Process, bytecode_in
from rosenblatt import data, models

DEFAULT, TUNE = "rosenblatt train", "rosenblatt train --tune"

LINEAR: dict[str, Callable[[], Any]] = {
    "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
    "LinearSVC": LinearSVC,
    "SGDClassifier": lambda: SGDClassifier(random_state=0),
}
OTHERS: dict[str, Callable[[], Any]] = {"HistGradientBoosting": lambda: HistGradientBoostingClassifier(random_state=0)}
WAYS = (DEFAULT, TUNE, *LINEAR, *OTHERS)


def takes(way: str, given: Set) -> bool:
    """Whether a way is measured on a set. The trees are measured on tables only: they take no sparse rows."""
    return way not in OTHERS or given.kind == "table"


def accuracy(way: str, kind: str, A: pd.DataFrame, B: pd.DataFrame) -> float:
    """The share of B that a model of A predicts correctly."""
    if way in (DEFAULT, TUNE):
        return _ours(A, B, tune=way == TUNE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence, and unseen categories
        model = peer.pipeline((LINEAR | OTHERS)[way](), kind).fit(A.drop(columns=TARGET), A[TARGET])
        return float(model.score(B.drop(columns=TARGET), B[TARGET]))


def _ours(A: pd.DataFrame, B: pd.DataFrame, *, tune: bool) -> float:
    """The model of one file, tested on another."""
    with tempfile.TemporaryDirectory() as folder:
        training, test = _written(A, B, Path(folder))
        options = data.ReadOptions(target=TARGET)
        trained = models.train(data.read(training, options), models.Plan(assess=False, tune=tune))
        features = trained.record.features
        return models.evaluate(trained.record, data.read(test, options, like=features)).accuracy


def seconds(kind: str, A: pd.DataFrame, B: pd.DataFrame, folder: Path, repeats: int) -> dict[str, dict[str, float]]:
    """The least wall-clock and processor time of the whole processes: our command, and the peer's program.

    Both run from bytecode below `folder`; the first of several repeats may have to write it.
    """
    with tempfile.TemporaryDirectory() as files, bytecode_in(folder):
        training, test = _written(A, B, Path(files))
        ours = Process([*OURS, "train", training, "--target", TARGET, "--test", test])
        theirs = Process([OURS[0], peer.__file__, kind, TARGET, training, test])
        for turn in range(repeats):
            for process in (ours, theirs) if turn % 2 == 0 else (theirs, ours):
                process()
    return {
        name: {"wall": min(process.clock), "processor": min(process.processor)}
        for name, process in ((DEFAULT, ours), ("LogisticRegression", theirs))
    }


def _written(A: pd.DataFrame, B: pd.DataFrame, folder: Path) -> tuple[str, str]:
    paths = str(folder / "training.csv"), str(folder / "test.csv")
    for frame, path in zip((A, B), paths, strict=True):
        frame.to_csv(path, index=False)
    return paths
