"""A file of 2 GB in bounded memory: `python -m benchmarks.streaming [FOLDER]`.

The svmlight file of `file_to_model`, twice over and some more, is trained on for two epochs as a stream and in memory,
each in a process of its own; the weights must be equal, bit for bit. Printed are seconds and the peak of resident
memory. FOLDER (or a temporary one) takes about 5 GB, and the stream another 1.6 GB while it runs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.file_to_model import svmlight_files
from rosenblatt.models import read


def main(folder: Path | None = None) -> None:
    """Prints one line a way."""
    if folder is None:
        with tempfile.TemporaryDirectory() as temporary:
            _run(Path(temporary))
    else:
        folder.mkdir(parents=True, exist_ok=True)
        _run(folder)


def _run(folder: Path) -> None:
    big = folder / "big.svm"
    if not big.exists():
        small, large = svmlight_files(folder)
        with big.open("wb") as file:
            for part in (large, large, small, small):
                with part.open("rb") as source:
                    shutil.copyfileobj(source, file, 1 << 24)
    size = big.stat().st_size
    print(f"two epochs over {size / 1e9:.2f} GB of svmlight")
    models = {}
    for way, options in (("stream", ["--stream"]), ("in memory", ["--order", "cyclic", "--holdout", "0"])):
        models[way] = folder / f"{way.replace(' ', '_')}.json"
        train = ["train", str(big), "--algorithm", "Perceptron", "--max-iter", "2", "--quiet", "-o", str(models[way])]
        seconds, peak = _measured([sys.executable, "-m", "rosenblatt", *train, *options])
        print(f"  {way:<10} {seconds:6.1f} s ({size / 1e6 / seconds:4.0f} MB/s), {peak:6.0f} MB resident", flush=True)
    one, other = (read(path) for path in models.values())
    same = all(np.array_equal(one.fitted[name], other.fitted[name]) for name in ("coef_", "intercept_"))
    print(f"  the weights are {'equal, bit for bit' if same else 'NOT EQUAL'}")


def _measured(command: list[str]) -> tuple[float, float]:
    """Seconds, and the peak of resident megabytes of that process alone."""
    begin = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise subprocess.CalledProcessError(status, command)
    return time.perf_counter() - begin, used.ru_maxrss / 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
