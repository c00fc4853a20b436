"""A file of 2 GB in bounded memory: `python -m benchmarks --large streaming`.

The svmlight files of `file_to_model`, each twice over, are trained on for two epochs as a stream and in memory, each in
a process of its own; the weights must be equal, bit for bit. It needs about 5 GB of disk space, and the stream another
1.6 GB while it runs.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.agreement import agree
from benchmarks.processes import OURS, Process, compare
from benchmarks.records import Result
from benchmarks.run import Run, Skip
from benchmarks.workloads.file_to_model import svmlight_file
from rosenblatt.models import read


def measure(run: Run) -> Iterator[Result]:
    """Time and memory of a stream, compared with a fit in memory."""
    if not (run.large or run.quick):
        raise Skip("2 GB of files, some minutes: use --large")
    parts = ["tiny"] if run.quick else ["large", "small"]
    big = run.folder / f"twice_{parts[0]}.svm"
    if not big.exists():
        unfinished = big.with_suffix(".part")
        with unfinished.open("wb") as file:
            for part in parts:
                for _ in range(2):
                    with svmlight_file(run.folder, part).open("rb") as source:
                        shutil.copyfileobj(source, file, 1 << 24)
        unfinished.rename(big)
    size = big.stat().st_size
    ways, models = {}, {}
    for way, options in (("stream", ["--stream"]), ("in memory", ["--order", "cyclic", "--holdout", "0"])):
        models[way] = run.folder / f"{way.replace(' ', '_')}.json"
        train = ["train", str(big), "--algorithm", "Perceptron", "--max-iter", "2", "--quiet", "-o", str(models[way])]
        ways[way] = Process([*OURS, *train, *options])
    found = compare(
        run,
        "streaming",
        f"two epochs over {size / 1e9:.2f} GB of svmlight, as a stream",
        ways["stream"],
        ways["in memory"],
        against="in memory",
        data="synthetic",
        threads=run.threads,
        warm=False,
    )
    one, other = (read(path) for path in models.values())
    same = all(np.array_equal(one.fitted[name], other.fitted[name]) for name in ("coef_", "intercept_"))
    yield replace(found, agreement=agree(same, "weights, bit for bit"))
