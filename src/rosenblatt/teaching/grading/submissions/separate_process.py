"""Runs a student's file in a separate process, with limits of time, memory, output and file size."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike

from rosenblatt.teaching.grading.faults.diagnose import probes
from rosenblatt.teaching.grading.grade import grade_path
from rosenblatt.teaching.grading.grade_result import Grade
from rosenblatt.teaching.grading.submissions.submission import NotAPath, Path
from rosenblatt.teaching.grading.task import Array, Task

_STARTUP = 2.0  # seconds for Python and NumPy to start


@dataclass(frozen=True)
class ProcessLimits:
    """The limits of a student's process: seconds, and bytes of memory, of output and of a file.

    Examples
    --------
    >>> from rosenblatt.teaching import ProcessLimits
    >>> ProcessLimits(seconds=2).output
    1000000
    """

    seconds: float = 10.0
    memory: int = 2_000_000_000  # address space
    output: int = 1_000_000
    file_size: int = 1_000_000


def grade_file(
    path: str | FilePath,
    X: ArrayLike,
    y: ArrayLike,
    *,
    dialect: Mapping[str, Any],
    function: str = "fit",
    limits: ProcessLimits | None = None,
) -> Grade:
    r"""Grades the function of a Python file. The file runs in another process and an empty folder.

    On Windows only time and output are limited. The limits prevent damage by accident; they are no defence against
    malicious programs: run those in a container.

    Examples
    --------
    >>> from pathlib import Path
    >>> from rosenblatt.teaching import grade_file
    >>> written = Path("submission.py").write_text("def fit(X, y):\n    return [[-1, 0, -1]]\n")
    >>> grade_file("submission.py", [[0, 1]], [-1], dialect={"tie": "positive"}).correct
    True
    >>> Path("submission.py").unlink()
    """
    task = Task.of(X, y, dialect)
    source = FilePath(path).read_text(encoding="utf-8")
    others = [] if task.order != "cyclic" else probes(task)
    questions = [_as_lists(X, y), *(_as_lists(probe.features, probe.y) for probe in others)]
    answers, failed = _run_student(source, str(path), function, questions, limits or ProcessLimits())
    if not answers:
        return Grade(False, None, "other", failed or "Your program ended before its function returned.")
    if "error" in answers[0]:
        return Grade(False, None, "other", answers[0]["error"])

    def answer_of(probe: Task) -> list[Array] | None:
        known = zip(others, answers[1:], strict=False)
        answer = next((answer for other, answer in known if _same(other, probe)), None)
        if answer is None or "error" in answer:
            return None
        try:
            return Path.of(answer["path"], probe.X.shape[1], probe.start).vectors
        except NotAPath:
            return None

    try:
        found = answers[0]["path"]
        if answers[0]["shared"]:
            found = [found[-1]] * len(found)
        result = grade_path(task, found, answer_of)
    except NotAPath as error:
        return Grade(False, None, "other", str(error))
    note = answers[0]["note"]
    return replace(result, message=f"{result.message} {note}") if note else result


def _same(a: Task, b: Task) -> bool:
    return a.X.shape == b.X.shape and bool((a.X == b.X).all()) and bool((a.y == b.y).all())


def _as_lists(X: Any, y: Any) -> dict[str, Any]:
    return {"X": np.asarray(X).tolist(), "y": np.asarray(y).tolist()}


def _run_student(
    source: str, name: str, function: str, questions: list[dict[str, Any]], limits: ProcessLimits
) -> tuple[list[dict[str, Any]], str | None]:
    """The answers written before the process ended or was killed, and a sentence about its end."""
    with tempfile.TemporaryDirectory() as folder:
        request = {"source": source, "name": name, "function": function, "questions": questions}
        (FilePath(folder) / "request.json").write_text(json.dumps(request), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-I", str(FilePath(__file__).with_name("student_process.py")),
             str(limits.seconds), str(limits.memory), str(limits.file_size)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
            env=_environment(), start_new_session=os.name == "posix",
        )  # fmt: skip
        assert process.stdout is not None
        too_much = threading.Event()
        reader = threading.Thread(target=_read, args=(process.stdout, limits.output, too_much, process), daemon=True)
        reader.start()
        ended = None
        try:
            process.wait(limits.seconds + _STARTUP)
        except subprocess.TimeoutExpired:
            ended = f"Your program did not end within {limits.seconds:g} seconds: does its loop ever stop?"
        _end(process)
        reader.join(2)
        process.stdout.close()
        answers = _answers(FilePath(folder) / "answers.jsonl")
        if too_much.is_set():
            ended = f"Your program prints more than {limits.output:,} bytes: remove the print from the loop."
        elif ended is None and process.returncode and not answers:
            ended = _ending(process.returncode, limits)
        return answers, ended


def _ending(code: int, limits: ProcessLimits) -> str:
    if -code == getattr(signal, "SIGXCPU", 0):
        return f"Your program did not end within {limits.seconds:g} seconds: does its loop ever stop?"
    if -code == getattr(signal, "SIGXFSZ", 0):
        return f"Your program writes a file of more than {limits.file_size:,} bytes."
    return f"Your program ended with code {code} before its function returned."


def _read(stream: IO[bytes], most: int, too_much: threading.Event, process: "subprocess.Popen[bytes]") -> None:
    """Reads and discards the output; ends the process if it exceeds the limit."""
    seen = 0
    while chunk := stream.read(65536):
        seen += len(chunk)
        if seen > most:
            too_much.set()
            _end(process)
            return


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends the process and its child processes."""
    if os.name == "posix":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _answers(place: FilePath) -> list[dict[str, Any]]:
    if not place.exists():
        return []
    found = []
    for line in place.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            break
        if not isinstance(answer, dict) or not ({"error"} <= set(answer) or {"path", "note", "shared"} <= set(answer)):
            break
        found.append(answer)
    return found


def _environment() -> dict[str, str]:
    """The environment variables that Python needs, and a limit of one thread for NumPy."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TEMP") if name in os.environ}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
