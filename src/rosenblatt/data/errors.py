"""What reading data can end with."""


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
