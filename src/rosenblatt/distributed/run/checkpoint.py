"""Checkpoints: the state after an epoch, written atomically. A resumed run ends as an uninterrupted one."""

import io
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import CycleWatch, History, xxh64
from rosenblatt.distributed.run.epoch_totals import history_table
from rosenblatt.distributed.run.run_state import Problem, RunState
from rosenblatt.distributed.shards.blocks import Survey
from rosenblatt.whole_file import write_whole

_VERSION = 2

#: The file ends with the XXH64 of its other bytes as 16 hexadecimal digits. `numpy.load` ignores them.
_CHECKSUM = 16

#: Parameters that do not change the sequence of weights; a resumed run may change them.
_FREE = ("checkpoint", "resume", "timeout", "retries", "verbose", "callback", "n_jobs", "max_iter")


_START_AGAIN = "To start again, remove it or leave out --resume (resume=False)."


class CheckpointError(ValueError):
    """A checkpoint is damaged or belongs to another run."""


def stamp_of(
    estimator: Any,
    seed: int,
    classes: NDArray[Any],
    surveys: Sequence[Survey],
    coef: NDArray[np.float64],
    intercept: NDArray[np.float64],
) -> dict[str, Any]:
    """The facts that a checkpoint must match: parameters, classes, shard sizes and initial weights."""
    parameters = estimator.get_params(deep=False)
    start = np.concatenate([coef.ravel(), intercept])
    return {
        "estimator": type(estimator).__name__,
        "parameters": {name: repr(value) for name, value in parameters.items() if name not in _FREE},
        "seed": seed,
        "classes": [repr(label) for label in classes.tolist()],
        "shards": [[survey.n_examples, survey.counts.tolist()] for survey in surveys],
        "n_features": coef.shape[1],
        "start": f"{xxh64(np.frombuffer(start.tobytes(), np.uint8)):016x}",
    }


def save(state: RunState, place: Path, stamp: dict[str, Any]) -> None:
    """Writes the state to a temporary file, then renames it to `place`."""
    problems = []
    arrays: dict[str, NDArray[Any]] = {"coef": state.coef, "intercept": state.intercept}
    for c, problem in enumerate(state.problems):
        watch = problem.watch
        if watch.kept is not None:
            arrays[f"watch{c}"] = watch.kept
        facts = {field.name: getattr(problem, field.name) for field in fields(Problem) if field.name != "watch"}
        problems.append(facts | {"kept_at": watch.kept_at, "keep_next": watch.keep_next})
    for name in ("average", "delayed", "best"):
        pair = getattr(state, name)
        if pair is not None:
            arrays[f"{name}_coef"], arrays[f"{name}_intercept"] = pair
    last = state.history.last
    arrays["history"] = history_table(state.history.kept)
    arrays["history_last"] = history_table([] if last is None else [last])
    facts = {
        "version": _VERSION,
        "stamp": stamp,
        "epoch": state.epoch,
        "spacing": state.history.spacing,
        "n_scored": state.n_scored,
        "n_held": state.n_held,
        "problems": problems,
    }
    arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stub takes allow_pickle for an array
    write_whole(place, content.getvalue(), _checksum(content.getvalue()))


def content_of(place: Path) -> bytes:
    """The archive in a checkpoint. Raises `CheckpointError` if its checksum does not match."""
    found = place.read_bytes()
    content, checksum = found[:-_CHECKSUM], found[-_CHECKSUM:]
    if checksum == _checksum(content) and content:
        return content
    wrong = f"its checksum does not match its {len(found):,} bytes" if found else "it is empty (0 bytes)"
    raise CheckpointError(f"{place} is not a complete checkpoint: {wrong}. {_START_AGAIN}")


def _checksum(content: bytes) -> bytes:
    return f"{xxh64(np.frombuffer(content, np.uint8)):0{_CHECKSUM}x}".encode()


def restore(state: RunState, place: Path, stamp: dict[str, Any]) -> None:
    """Sets the state to the state in the checkpoint."""
    with np.load(io.BytesIO(content_of(place)), allow_pickle=False) as found:
        arrays = dict(found)
    facts = json.loads(arrays["facts"].tobytes())
    if facts["version"] != _VERSION:
        raise CheckpointError(
            f"{place} has version {facts['version']}; this version of rosenblatt reads "
            f"version {_VERSION}. {_START_AGAIN}"
        )
    for key, value in stamp.items():
        if facts["stamp"].get(key) != value:
            raise CheckpointError(
                f"{place} belongs to another run: its {key} was {_change(facts['stamp'].get(key), value)}. Resume with "
                "the same data in the same shards and the same parameters, or remove the file."
            )
    state.epoch = facts["epoch"]
    state.coef, state.intercept = arrays["coef"], arrays["intercept"]
    for name in ("average", "delayed", "best"):
        if getattr(state, name) is not None:
            setattr(state, name, (arrays[f"{name}_coef"], arrays[f"{name}_intercept"]))
    state.n_scored, state.n_held = facts["n_scored"], facts["n_held"]
    last = arrays["history_last"].tolist()
    state.history = History(arrays["history"].tolist(), facts["spacing"], last[0] if last else None)
    for c, entry in enumerate(facts["problems"]):
        watch = CycleWatch(arrays.get(f"watch{c}"), entry.pop("kept_at"), entry.pop("keep_next"))
        state.problems[c] = Problem(**entry, watch=watch)
    _reopen(state)


def _reopen(state: RunState) -> None:
    """Continues problems that ended at `max_iter` if the limit is now higher.

    Not with early stopping, which has replaced the last weights by the best ones.
    """
    max_iter = state.rules.plan["max_iter"]
    if state.rules.early_stopping or (max_iter is not None and state.epoch >= max_iter):
        return
    for problem in state.problems:
        if problem.ending == "max_iter":
            problem.ending = None


def _change(theirs: Any, ours: Any) -> str:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        changed = [name for name in ours if theirs.get(name) != ours[name]]
        return ", ".join(f"{name}={theirs.get(name)} and is {ours[name]}" for name in changed[:3])
    return f"{str(theirs)[:60]} and is {str(ours)[:60]}"
