"""The error of this package's readers."""

import shlex


class DataError(ValueError):
    """A file that cannot be read as examples: the message names the file, the place and the remedy.

    Examples
    --------
    >>> from rosenblatt import data
    >>> data.read("@iris", like=data.Features("array", 3))
    Traceback (most recent call last):
        ...
    rosenblatt.data.errors.DataError: @iris ...
    """


def option(name: str, value: str | int | bool | None = None) -> str:
    """An option for reading as a message suggests it: on the command line, quoted for a shell, and in Python.

    >>> print(option("target", "home town"))
    --target 'home town'; in Python ReadOptions(target='home town')
    >>> print(option("drop", "id"))
    --drop id; in Python ReadOptions(drop=['id'])
    >>> print(option("lowercase_labels", True))
    --lowercase-labels; in Python ReadOptions(lowercase_labels=True)
    """
    shown = "COLUMN" if value is None else value
    word = shlex.quote(str(shown))
    flag = f"--{name.replace('_', '-')}"
    written = flag if value is True else f"{flag}={word}" if word.startswith("-") else f"{flag} {word}"
    return f"{written}; in Python ReadOptions({name}={[shown] if name in _REPEATED else shown!r})"


_REPEATED = ("drop", "keep", "number", "categorical", "date", "text", "interactions")
