"""A spam filter from raw mails, whole processes: a CSV file with a text and a label in, accuracy on a test file out.

Our contestant is one command; the peer reads the same files with pandas and fits `TfidfVectorizer` + `SGDClassifier`,
with single words and with runs of two. The last fifth is the test.
"""

import csv
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.data import mails
from benchmarks.processes import OURS, PYTHON, Process, compare
from benchmarks.records import Result
from benchmarks.run import Run

_PEER = """
import sys
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
train, test = (pd.read_csv(path, keep_default_na=False) for path in sys.argv[1:3])
model = make_pipeline(TfidfVectorizer(ngram_range=(1, int(sys.argv[3]))), SGDClassifier(random_state=0))
model.fit(train["text"], train["label"])
print(model.score(test["text"], test["label"]))
"""


def measure(run: Run) -> Iterator[Result]:
    """Test accuracy and seconds of both."""
    with tempfile.TemporaryDirectory() as folder:
        train, test, name = _files(run, Path(folder))
        size = train.stat().st_size / 1e6
        for ngrams in ("1", "2"):
            options = ["--text", "text", "--target", "label", "--ngrams", ngrams, "--test", str(test), "--json"]
            ours = Process([*OURS, "train", str(train), *options])
            peer = Process([*PYTHON, _PEER, str(train), str(test), ngrams])
            found = compare(
                run,
                "text",
                f"{size:.0f} MB of mails to a spam filter, {'words' if ngrams == '1' else 'words and pairs'}",
                ours,
                peer,
                against="TfidfVectorizer + SGDClassifier",
                data=name,
                threads=run.threads,
            )
            right = json.loads(ours.output)["test"]["accuracy"], float(peer.output)
            yield replace(found, agreement=f"held out right {right[0]:.2%}, {right[1]:.2%}")


def _files(run: Run, folder: Path) -> tuple[Path, Path, str]:
    texts, labels, name = mails(run)
    rows = list(zip(texts, labels, strict=True))[: run.size(len(texts), 500)]
    cut = len(rows) * 4 // 5
    paths = folder / "train.csv", folder / "test.csv"
    for path, part in zip(paths, (rows[:cut], rows[cut:]), strict=True):
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["text", "label"])
            writer.writerows(part)
    return *paths, name
