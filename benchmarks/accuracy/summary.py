"""The summary of the accuracy benchmark: means, wins, deficits and times."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.accuracy.ways import DEFAULT, LINEAR, TUNE, WAYS

_LARGE = 0.02  # a deficit that counts, if it also exceeds two standard errors


def line(name: str, entry: Mapping[str, Any]) -> str:
    """The mean accuracy of each way on one set."""
    cells = "  ".join(f"{way} {np.mean(values):6.1%}" for way, values in entry["accuracy"].items())
    return f"{name:<16}{entry['rows']:>6}×{entry['columns']:<4}{cells}"


def deficit(entry: Mapping[str, Any], way: str) -> tuple[float, float, str]:
    """How far the best linear peer is ahead on a set: the mean over splits, its standard error, and the peer."""
    peers = [name for name in LINEAR if name in entry["accuracy"]]
    common = min(len(entry["accuracy"][name]) for name in (way, *peers))  # the first splits, which all have
    found = {name: np.array(entry["accuracy"][name][:common]) for name in (way, *peers)}
    peer = max(peers, key=lambda name: float(found[name].mean()))
    differences = found[peer] - found[way]
    error = float(differences.std(ddof=1) / np.sqrt(len(differences))) if len(differences) > 1 else 0.0
    return float(differences.mean()), error, peer


def summary(results: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the summary, tables and texts apart."""
    for kind, heading in (("table", "tables"), ("text", "texts")):
        chosen = {name: entry for name, entry in results.items() if entry["kind"] == kind}
        if chosen:
            yield f"\n{len(chosen)} {heading}"
            yield from _means(chosen)
            yield from _deficits(chosen)
    yield from _times(results)


def _means(chosen: Mapping[str, Any]) -> Iterator[str]:
    for way in WAYS:
        having = [entry for entry in chosen.values() if way in entry["accuracy"]]
        if not having:
            continue
        splits = min(len(entry["accuracy"][way]) for entry in having)
        compared = [entry for entry in having if LINEAR.keys() & entry["accuracy"].keys()]
        wins = sum(deficit(entry, way)[0] <= 0 for entry in compared)
        yield f"  {way:<26}{_mean(having, way, splits):7.2%} of {len(having)}   at least the best linear peer: {wins}"
        if way == TUNE:
            peers = [name for name in LINEAR if all(name in entry["accuracy"] for entry in having)]
            same = ", ".join(f"{name} {_mean(having, name, splits):.2%}" for name in peers)
            yield f"    splits: {splits}; the peers on the same: {same}"


def _mean(entries: Sequence[Mapping[str, Any]], way: str, splits: int) -> float:
    return float(np.mean([np.mean(entry["accuracy"][way][:splits]) for entry in entries]))


def _deficits(chosen: Mapping[str, Any]) -> Iterator[str]:
    for way in (DEFAULT, TUNE):
        for name, entry in chosen.items():
            if way not in entry["accuracy"] or not LINEAR.keys() & entry["accuracy"].keys():
                continue
            mean, error, peer = deficit(entry, way)
            if mean > _LARGE:
                significant = "more" if mean > 2 * error else "less"
                yield (
                    f"  {way}: {name} {mean * 100:.1f} points below {peer}, {significant} than two standard errors "
                    f"({error * 100:.1f} each)"
                )


def _times(results: Mapping[str, Any]) -> Iterator[str]:
    timed = {name: entry["seconds"] for name, entry in results.items() if "seconds" in entry}
    if not timed:
        return
    yield "\nwhole processes, ours against the pipeline of LogisticRegression"
    for clock in ("wall", "processor"):
        pairs = {name: (found[DEFAULT][clock], found["LogisticRegression"][clock]) for name, found in timed.items()}
        ours, theirs = (float(np.median([pair[k] for pair in pairs.values()])) for k in (0, 1))
        slower = [f"{name} {a:.2f} against {b:.2f} s" for name, (a, b) in pairs.items() if a > b]
        yield f"  {clock} time: median {ours:.2f} against {theirs:.2f} s; slower on {len(slower)} of {len(pairs)} sets"
        yield from (f"    {text}" for text in slower)
