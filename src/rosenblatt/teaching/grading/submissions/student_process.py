"""The program that runs a student's file: `student_process.py SECONDS MEMORY FILE_SIZE`, in a separate folder.

It reads request.json and appends one line to answers.jsonl for each question. It imports nothing of this package, so
that it starts quickly, and its answers are only data: the grading is done by the process that started it.
"""

import json
import linecache
import sys
import traceback
from itertools import islice
from typing import Any

_MOST_VECTORS = 20_001


def _limit(seconds: float, memory: int, file_size: int) -> None:
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    whole = int(seconds) + 1
    limits = (
        ("RLIMIT_CPU", whole, whole + 2),  # Linux sends SIGXCPU only below the hard limit; at that limit, SIGKILL
        ("RLIMIT_AS", memory, memory),
        ("RLIMIT_FSIZE", file_size, file_size),
        ("RLIMIT_CORE", 0, 0),
    )
    for what, soft, hard in limits:
        number = getattr(resource, what, None)
        if number is not None:
            try:
                resource.setrlimit(number, (soft, hard))
            except (ValueError, OSError):  # the system's limit is lower, or this limit does not exist
                continue


def _plain(entry: Any) -> Any:
    """An entry of the list in types that JSON supports; a pair of number and vector stays a pair."""
    import numpy as np

    if isinstance(entry, (tuple, list)) and len(entry) == 2 and sorted(np.ndim(part) for part in entry) == [0, 1]:
        offset, rest = sorted(entry, key=np.ndim)
        entry = [offset, *rest]
    try:
        return np.asarray(entry, dtype=float).ravel().tolist()
    except (TypeError, ValueError):
        return str(type(entry).__name__)


def _answer(fit: Any, question: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    X, y = np.array(question["X"]), np.array(question["y"])
    given = X.copy(), y.copy()
    found = fit(X, y)
    changed = [name for name, a, b in (("X", X, given[0]), ("y", y, given[1])) if a.shape != b.shape or (a != b).any()]
    note = f"Your function changes its input {' and '.join(changed)}: work on a copy." if changed else ""
    if found is None:
        return {"error": "Your function returned nothing (None): return the list of weights after each update."}
    if hasattr(found, "to_numpy"):
        found = found.to_numpy()
    if isinstance(found, (str, bytes, dict)) or not hasattr(found, "__iter__"):
        kind = type(found).__name__
        return {
            "error": f"Your function returned a value of type {kind}: return the list of weights after each update."
        }
    entries = list(islice(iter(found), _MOST_VECTORS))
    shared = len(entries) > 1 and not isinstance(found, np.ndarray) and all(entry is entries[0] for entry in entries)
    return {"path": [_plain(entry) for entry in entries], "note": note, "shared": shared}


def _sentence(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"Your code imports {error.name!r}, which is not installed here: use NumPy or plain Python."
    if isinstance(error, SystemExit):
        return "Your program ends itself (exit): let the function return instead."
    if isinstance(error, MemoryError):
        return "Your program needs more memory than it may have."
    if isinstance(error, RecursionError):
        return "Your function calls itself without an end."
    if isinstance(error, SyntaxError):
        return f"Your file is no Python: {error.msg} in line {error.lineno}."
    if isinstance(error, OSError) and error.errno == 27:
        return "Your program writes a file that is too large."
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in line {frames[-1].lineno} ({frames[-1].line})" if frames and frames[-1].line else ""
    return f"Your program stopped with {type(error).__name__}{where}: {error}."


def main() -> None:
    """Runs the file, then its function on every question."""
    with open("request.json", encoding="utf-8") as file:
        request = json.load(file)
    import numpy  # noqa: F401  (before the limit of memory: its threads reserve address space)

    answers = open("answers.jsonl", "w", encoding="utf-8")  # noqa: SIM115

    def write_answer(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    _limit(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
    name, function = request["name"], request["function"]
    linecache.cache[name] = (len(request["source"]), None, request["source"].splitlines(True), name)
    try:
        space: dict[str, Any] = {"__name__": "submission", "__file__": name}
        exec(compile(request["source"], name, "exec"), space)
        if not callable(space.get(function)):
            write_answer({"error": f"Your file has no function {function}(X, y)."})
            return
        for question in request["questions"]:
            write_answer(_answer(space[function], question))
    except BaseException as error:
        write_answer({"error": " ".join(_sentence(error).split())})


if __name__ == "__main__":
    main()
