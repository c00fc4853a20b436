"""`python -m benchmarks accuracy [SET ...]`: accuracies, wins, deficits and the time of whole processes.

Each set is split five times by class; three quarters train, the rest tests. The peers keep their defaults, and no
choice that `train` makes sees a test part. Results are kept in accuracy.json after every set, so that the benchmark can
be run in parts: a contestant that a set already has is not measured again, unless `--ways` names it. `--splits` takes
fewer splits, always the first ones, for contestants that need long.
"""

import json
from pathlib import Path
from typing import Any

from sklearn.model_selection import StratifiedShuffleSplit

from benchmarks.accuracy import summary
from benchmarks.accuracy.sets import TARGET, Set, sets
from benchmarks.accuracy.ways import WAYS, accuracy, seconds, takes

QUICK = ("iris", "wine", "penguins")
SPLITS = 5


def main(
    folder: Path,
    output: Path,
    names: tuple[str, ...] = (),
    ways: tuple[str, ...] = (),
    *,
    splits: int = SPLITS,
    quick: bool = False,
) -> dict[str, Any]:
    """Measures what is missing, prints one line per set and the summary, and returns all results."""
    unknown = [way for way in ways if way not in (*WAYS, "seconds")]
    if unknown:
        raise SystemExit(f"--ways: there is no {unknown[0]!r}; there are: {', '.join(WAYS)}, seconds.")
    store = output / "accuracy.json"
    results: dict[str, Any] = {}
    if store.exists() and not quick:
        results = json.loads(store.read_text(encoding="utf-8"))
    chosen = QUICK if quick else names
    for given in sets(folder):
        if chosen and given.name not in chosen:
            continue
        entry = results.setdefault(given.name, {"kind": given.kind, "rows": len(given.frame), "accuracy": {}})
        entry["columns"] = given.frame.shape[1] - 1
        _measure(given, entry, ways, 1 if quick else splits, folder, quick)
        print(summary.line(given.name, entry), flush=True)
        if not quick:
            output.mkdir(parents=True, exist_ok=True)
            store.write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(*summary.summary(results), sep="\n")
    return results


def _measure(given: Set, entry: dict[str, Any], again: tuple[str, ...], splits: int, folder: Path, quick: bool) -> None:
    frame = given.frame
    splitter = StratifiedShuffleSplit(SPLITS, test_size=0.25, random_state=0)
    parts = [(frame.iloc[a], frame.iloc[b]) for a, b in splitter.split(frame, frame[TARGET])][:splits]
    for way in WAYS:
        if takes(way, given) and (way in again or (not again and way not in entry["accuracy"])):
            entry["accuracy"][way] = [accuracy(way, given.kind, A, B) for A, B in parts]
    if "seconds" in again or (not again and "seconds" not in entry):
        entry["seconds"] = seconds(given.kind, *parts[0], folder, repeats=1 if quick else 3)
