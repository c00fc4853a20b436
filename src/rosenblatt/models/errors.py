"""What reading a model file can end with."""


class ModelFileError(ValueError):
    """A file that is no model, or not a whole one; the message names the file, the cause and the remedy.

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
    rosenblatt.models.errors.ModelFileError: ...
    """
