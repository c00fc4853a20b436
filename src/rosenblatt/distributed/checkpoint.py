"""The state after an epoch as a file, complete or not there, from which a run goes on as if nothing had happened."""

import io
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt.core import xxh64
from rosenblatt.distributed.blocks import Survey
from rosenblatt.distributed.course import Course, Problem
from rosenblatt.distributed.cycling import CycleWatch
from rosenblatt.distributed.epochs import MIXED_HISTORY
from rosenblatt.whole_file import write_whole

_VERSION = 2

#: The file ends with the XXH64 of all that stands before it, in hexadecimal digits. `numpy.load` overlooks them.
_CHECKSUM = 16

#: Parameters that do not change the path; a resumed run may have others.
_FREE = ("checkpoint", "resume", "timeout", "retries", "verbose", "callback", "n_jobs", "max_iter")


_START_ANEW = "To start anew, remove it or leave out --resume (resume=False)."


class CheckpointError(ValueError):
    """A checkpoint that is damaged, or of another run."""


def stamp_of(
    estimator: Any,
    seed: int,
    classes: NDArray[Any],
    surveys: Sequence[Survey],
    coef: NDArray[np.float64],
    intercept: NDArray[np.float64],
) -> dict[str, Any]:
    """What a checkpoint must agree with: parameters, classes, the shards' sizes, the start."""
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


def save(course: Course, place: Path, stamp: dict[str, Any]) -> None:
    """Writes the state beside the old one, then renames."""
    problems = []
    arrays: dict[str, NDArray[Any]] = {"coef": course.coef, "intercept": course.intercept}
    for c, problem in enumerate(course.problems):
        watch = problem.watch
        if watch.kept is not None:
            arrays[f"watch{c}"] = watch.kept
        facts = {field.name: getattr(problem, field.name) for field in fields(Problem) if field.name != "watch"}
        problems.append(facts | {"kept_at": watch.kept_at, "keep_next": watch.keep_next})
    for name in ("average", "delayed", "best"):
        pair = getattr(course, name)
        if pair is not None:
            arrays[f"{name}_coef"], arrays[f"{name}_intercept"] = pair
    arrays["history"] = np.array(course.history.rows, MIXED_HISTORY)
    last = course.history.last
    arrays["history_last"] = np.array([] if last is None else [last], MIXED_HISTORY)
    facts = {
        "version": _VERSION,
        "stamp": stamp,
        "epoch": course.epoch,
        "spacing": course.history.spacing,
        "n_scored": course.n_scored,
        "n_held": course.n_held,
        "problems": problems,
    }
    arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stub takes allow_pickle for an array
    write_whole(place, content.getvalue(), _checksum(content.getvalue()))


def content_of(place: Path) -> bytes:
    """The archive in a checkpoint, which is as it was written."""
    found = place.read_bytes()
    content, checksum = found[:-_CHECKSUM], found[-_CHECKSUM:]
    if checksum == _checksum(content) and content:
        return content
    wrong = f"its checksum does not match its {len(found):,} bytes" if found else "it is empty (0 bytes)"
    raise CheckpointError(f"{place} is no whole checkpoint: {wrong}. {_START_ANEW}")


def _checksum(content: bytes) -> bytes:
    return f"{xxh64(np.frombuffer(content, np.uint8)):0{_CHECKSUM}x}".encode()


def restore(course: Course, place: Path, stamp: dict[str, Any]) -> None:
    """Puts the course where the checkpoint left it."""
    with np.load(io.BytesIO(content_of(place)), allow_pickle=False) as found:
        arrays = dict(found)
    facts = json.loads(arrays["facts"].tobytes())
    if facts["version"] != _VERSION:
        raise CheckpointError(
            f"{place} has version {facts['version']}; this rosenblatt reads version {_VERSION}. {_START_ANEW}"
        )
    for key, value in stamp.items():
        if facts["stamp"].get(key) != value:
            raise CheckpointError(
                f"{place} is of another run: its {key} was {_shown(facts['stamp'].get(key), value)}. Resume with the "
                "same data in the same shards and the same parameters, or remove the file."
            )
    course.epoch = facts["epoch"]
    course.coef, course.intercept = arrays["coef"], arrays["intercept"]
    for name in ("average", "delayed", "best"):
        if getattr(course, name) is not None:
            setattr(course, name, (arrays[f"{name}_coef"], arrays[f"{name}_intercept"]))
    course.n_scored, course.n_held = facts["n_scored"], facts["n_held"]
    course.history.rows = [tuple(row) for row in arrays["history"].tolist()]
    course.history.spacing = facts["spacing"]
    last = arrays["history_last"].tolist()
    course.history.last = tuple(last[0]) if last else None
    if course.history.rows and course.history.rows[-1] == course.history.last:
        course.history.last = course.history.rows[-1]
    for c, entry in enumerate(facts["problems"]):
        watch = CycleWatch(arrays.get(f"watch{c}"), entry.pop("kept_at"), entry.pop("keep_next"))
        course.problems[c] = Problem(**entry, watch=watch)
    _reopen(course)


def _reopen(course: Course) -> None:
    """A run that had used up its epochs goes on if it is given more; early stopping has put its best weights last."""
    max_iter = course.rules.plan["max_iter"]
    if course.rules.early_stopping or (max_iter is not None and course.epoch >= max_iter):
        return
    for problem in course.problems:
        if problem.ending == "max_iter":
            problem.ending = None


def _shown(theirs: Any, ours: Any) -> str:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        changed = [name for name in ours if theirs.get(name) != ours[name]]
        return ", ".join(f"{name}={theirs.get(name)} and is {ours[name]}" for name in changed[:3])
    return f"{str(theirs)[:60]} and is {str(ours)[:60]}"
