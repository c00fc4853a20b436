"""The error of reading a model file."""


class ModelFileError(ValueError):
    """A file is not a model file, or is incomplete. The message names the file, the cause and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from rosenblatt import load
    >>> path = Path(tempfile.mkdtemp()) / "not-a-model.json"
    >>> size = path.write_text("{}")
    >>> load(path)
    Traceback (most recent call last):
        ...
    rosenblatt.models.files.model_error.ModelFileError: ...
    """
