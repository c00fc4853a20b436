"""The jobs that a page can ask for, by name; whatever carries the question, a server or a notebook."""

import json
import re
import sys
import traceback
from collections.abc import Callable
from typing import Any

from rosenblatt.data import DataError
from rosenblatt.lab.asking import RefusedError
from rosenblatt.lab.running import Tell, run
from rosenblatt.lab.tables import Table, builtin, read_text, shown

Job = Callable[["Service", dict[str, Any], Tell], dict[str, Any]]


class Service:
    """Answers questions. `given` is the table that the lab was started with, if any."""

    def __init__(self, given: Table | None = None) -> None:
        self.given = given

    def answer(self, job: str, question: bytes | str, tell: Tell) -> tuple[str, bytes]:
        """An event and its data: `answer`, `refused` (the request cannot be met) or `failed` (our fault)."""
        try:
            body = json.loads(question, parse_constant=_refuse_constant)
            if not isinstance(body, dict):
                raise RefusedError("a request is a JSON object.")
            return "answer", encoded(JOBS[job](self, body, tell))
        except (RefusedError, DataError) as error:
            return "refused", encoded({"message": str(error)})
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            return "malformed", encoded({"message": f"this is not JSON: {str(error)[:100]}"})
        except ValueError as error:  # the library's own words on data and parameters
            return "refused", encoded({"message": str(error)})
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return "failed", encoded({"message": f"the engine failed ({type(error).__name__}). Please report this."})


def needs_library(job: str, question: bytes) -> bool:
    """Whether a job needs scikit-learn, whose first import may take longer than any job."""
    if job == "beyond":
        return re.search(rb'"way":\s*"kernel"', question) is not None
    return job == "data" and any(f'"{name}"'.encode() in question for name in _FROM_SKLEARN)


_FROM_SKLEARN = ("iris", "wine", "breast_cancer", "digits")


def encoded(value: Any) -> bytes:
    """JSON on one line; doubles are written so that they read back to the same bits."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _data(service: Service, body: dict[str, Any], _tell: Tell) -> dict[str, Any]:
    if body.get("name") == "given":
        if service.given is None:
            raise RefusedError("the lab was started without a file of its own.")
        return shown(service.given, body)
    return shown(builtin(body.get("name")), body)


def _text(_service: Service, body: dict[str, Any], _tell: Tell) -> dict[str, Any]:
    text, name = body.get("text"), body.get("name", "pasted text")
    if not isinstance(text, str) or not isinstance(name, str):
        raise RefusedError("text and name must be strings.")
    return shown(read_text(text, name[:80]), body)


def _run(_service: Service, body: dict[str, Any], tell: Tell) -> dict[str, Any]:
    return run(body, tell)


def _proof(_service: Service, body: dict[str, Any], _tell: Tell) -> dict[str, Any]:
    from rosenblatt.lab.proving import proof

    return proof(body)


def _boolean(_service: Service, body: dict[str, Any], _tell: Tell) -> dict[str, Any]:
    from rosenblatt.lab.logic import boolean

    return boolean(body)


def _beyond(_service: Service, body: dict[str, Any], _tell: Tell) -> dict[str, Any]:
    from rosenblatt.lab.beyond import beyond

    return beyond(body)


#: Every job by its name. A new one is a function and a line here.
JOBS: dict[str, Job] = {
    "data": _data,
    "text": _text,
    "run": _run,
    "proof": _proof,
    "boolean": _boolean,
    "beyond": _beyond,
}


def _refuse_constant(name: str) -> float:
    raise RefusedError(f"{name} is not a number that JSON has.")
