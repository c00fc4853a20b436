"""`InternalError`: raised instead of an answer that fails its own check, which is a bug of this package."""

import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rosenblatt.whole_file import write_whole


class InternalError(RuntimeError):
    """An answer failed its own check. This is a bug of the package; no answer is returned.

    `report` is a file to attach to a bug report, in NumPy's .npz format: the data, the parameters and the rejected
    answer. It is None if the file could not be written.

    Examples
    --------
    >>> import rosenblatt
    >>> try:
    ...     kind = rosenblatt.separability([[0], [1]], [0, 1]).kind
    ... except rosenblatt.InternalError as fault:
    ...     print("please report this file:", fault.report)
    """

    def __init__(self, message: str, report: Path | None = None) -> None:
        super().__init__(message)
        self.report = report


class Certified(Protocol):
    """An answer with a certificate that can be checked and stored."""

    def verify(self) -> bool: ...

    def to_dict(self) -> dict[str, Any]: ...


Answer = TypeVar("Answer", bound=Certified)


def verified(answer: Answer, what: str, data: Mapping[str, Any], **parameters: Any) -> Answer:
    """Returns the answer if its certificate is valid; otherwise raises `InternalError`.

    Every answer of `theory` and `boolean` passes through this function. `data` has the input arrays, for the report.
    """
    if answer.verify():
        return answer
    fault = (
        f"{what}: an answer was found but failed its own check, so it is not returned. This is a fault of "
        "rosenblatt, not of your data."
    )
    try:
        report = _report(what, answer.to_dict(), data, parameters)
    except (OSError, ValueError, TypeError, MemoryError) as error:
        raise InternalError(f"{fault} Please report it with the data; no file could be written ({error}).") from error
    raise InternalError(f"{fault} Please report it and attach {report}, which holds the data and that answer.", report)


def _report(what: str, answer: dict[str, Any], data: Mapping[str, Any], parameters: Mapping[str, Any]) -> Path:
    # Not above: the command line imports this module at every start.
    import platform
    import tempfile

    import numpy as np
    import scipy.sparse as sp

    from rosenblatt.core import __version__

    arrays: dict[str, Any] = {}
    for name, values in data.items():
        if sp.issparse(values):
            arrays |= {f"{name}_{part}": getattr(values, part) for part in ("data", "indices", "indptr", "shape")}
        else:
            array = np.asarray(values)
            arrays[name] = array.astype(str) if array.dtype.kind == "O" else array
    about = {
        "what": what,
        "rosenblatt": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.platform(),
        "parameters": dict(parameters),
        "answer": answer,
    }
    content = io.BytesIO()
    np.savez_compressed(content, report=np.array(json.dumps(about, default=str)), **arrays)
    place = Path(tempfile.gettempdir()) / f"rosenblatt-report-{os.urandom(6).hex()}.npz"
    write_whole(place, content.getbuffer())
    return place
