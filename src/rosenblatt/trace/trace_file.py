"""A trace as one `.npz` file of NumPy: arrays and a line of JSON. Reading it executes no code."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.trace.recording import Recording
from rosenblatt.whole_file import write_whole

_FORMAT = "rosenblatt-trace-1"
_ARRAYS = ("labels", "members", "steps", "start", "k", "i")
_OPTIONAL = ("scales", "rivals", "first_rivals")
_PLAIN = ("order", "seed", "tie", "fit_intercept", "positive", "presented", "epochs", "error_tie")
_EARLIER = ("margin", "passive")  # fields of earlier versions that a replay does not need


def save_recording(recording: Recording, path: Path) -> None:
    """Writes the recording with its examples."""
    if type(recording) is not Recording:
        raise ValueError("A trace of a kernel run needs its kernel to be replayed, and is not written to a file.")
    arrays: dict[str, Any] = {name: getattr(recording, name) for name in _ARRAYS}
    plain = {name: getattr(recording, name) for name in _PLAIN}
    X = recording.X
    if sp.issparse(X):
        arrays |= {"X_data": X.data, "X_indices": X.indices, "X_indptr": X.indptr, "X_shape": np.array(X.shape)}
    else:
        arrays["X"] = X
    arrays |= {name: getattr(recording, name) for name in _OPTIONAL if getattr(recording, name) is not None}
    header = np.array(json.dumps({"format": _FORMAT, **plain}))
    file = io.BytesIO()
    np.savez_compressed(file, header=header, **arrays)
    write_whole(path, file.getvalue())


def load_recording(path: Path) -> Recording:
    """Reads a file that `save_recording` wrote; refuses any other file."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            header = json.loads(str(file["header"]))
            if header.pop("format", None) != _FORMAT:
                raise ValueError("it has another format")
            for name in _EARLIER:
                header.pop(name, None)
            arrays = {name: file[name] for name in _ARRAYS}
            if header["order"] == "misclassified" and header["presented"] != len(arrays["k"]):
                raise ValueError("it was written by an earlier version with another rule for drawing examples")
            if "X" in file:
                X = file["X"]
            else:
                X = sp.csr_matrix((file["X_data"], file["X_indices"], file["X_indptr"]), shape=tuple(file["X_shape"]))
            arrays |= {name: file[name] for name in _OPTIONAL if name in file}
            return Recording(X=X, **arrays, **header)
    except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        message = f"{path} is not a trace that this version reads: {error}. Was it written by Trace.save?"
        raise ValueError(message) from error
