"""The jobs that a page can request, by name. The server and the notebook widget both use `Service`."""

import json
import re
import sys
import traceback
from collections.abc import Callable
from typing import Any

from rosenblatt.data import DataError
from rosenblatt.lab.jobs.pasted_tables import Table, builtin, read_text, shown
from rosenblatt.lab.jobs.run_job import ReportProgress, run
from rosenblatt.lab.requests.bench_requests import BooleanRequest, NonlinearRequest
from rosenblatt.lab.requests.request_values import RefusedError
from rosenblatt.lab.requests.run_requests import ProofRequest, RunRequest
from rosenblatt.lab.requests.table_requests import DataRequest, TextRequest

Job = Callable[["Service", dict[str, Any], ReportProgress], dict[str, Any]]


class Service:
    """Answers requests. `given` is the table that the lab was started with, if any."""

    def __init__(self, given: Table | None = None) -> None:
        self.given = given

    def answer(self, job: str, request: bytes | str, report: ReportProgress) -> tuple[str, bytes]:
        """Returns an event and its data.

        The event is `answer`, `refused` (invalid request), `malformed` (not JSON) or `failed` (a bug of the lab).
        """
        try:
            body = json.loads(request, parse_constant=_refuse_constant)
            if not isinstance(body, dict):
                raise RefusedError("a request is a JSON object.")
            return "answer", encoded(JOBS[job](self, body, report))
        except (RefusedError, DataError) as error:
            return "refused", encoded({"message": str(error)})
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            return "malformed", encoded({"message": f"this is not JSON: {str(error)[:100]}"})
        except ValueError as error:  # the library's message about data or parameters
            return "refused", encoded({"message": str(error)})
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return "failed", encoded({"message": f"the engine failed ({type(error).__name__}). Please report this."})


def needs_library(job: str, request: bytes) -> bool:
    """Whether a job needs scikit-learn, whose first import may exceed the time limit of a job."""
    if job == "nonlinear":
        return re.search(rb'"method":\s*"kernel"', request) is not None
    return job == "data" and any(f'"{name}"'.encode() in request for name in _FROM_SKLEARN)


_FROM_SKLEARN = ("iris", "wine", "breast_cancer", "digits")


def encoded(value: Any) -> bytes:
    """Encodes a value as JSON on one line. Doubles are written so that reading them back gives the same bits."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def _data(service: Service, body: dict[str, Any], _report: ReportProgress) -> dict[str, Any]:
    request = DataRequest.of(body)
    if request.name == "given":
        if service.given is None:
            raise RefusedError("the lab was started without a file of its own.")
        return shown(service.given, body)
    return shown(builtin(request.name), body)


def _text(_service: Service, body: dict[str, Any], _report: ReportProgress) -> dict[str, Any]:
    request = TextRequest.of(body)
    return shown(read_text(request.text, request.name), body)


def _run(_service: Service, body: dict[str, Any], report: ReportProgress) -> dict[str, Any]:
    return run(RunRequest.of(body), report)


def _proof(_service: Service, body: dict[str, Any], _report: ReportProgress) -> dict[str, Any]:
    from rosenblatt.lab.jobs.proof_job import proof

    return proof(ProofRequest.of(body))


def _boolean(_service: Service, body: dict[str, Any], _report: ReportProgress) -> dict[str, Any]:
    from rosenblatt.lab.jobs.boolean_job import boolean

    return boolean(BooleanRequest.of(body))


def _nonlinear(_service: Service, body: dict[str, Any], _report: ReportProgress) -> dict[str, Any]:
    from rosenblatt.lab.jobs.nonlinear_job import nonlinear

    return nonlinear(NonlinearRequest.of(body))


#: Every job by its name. To add a job, write a function and add a line here.
JOBS: dict[str, Job] = {
    "data": _data,
    "text": _text,
    "run": _run,
    "proof": _proof,
    "boolean": _boolean,
    "nonlinear": _nonlinear,
}


def _refuse_constant(name: str) -> float:
    raise RefusedError(f"{name} is not a number that JSON has.")
