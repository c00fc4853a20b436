"""What reading data can end with."""


class DataError(ValueError):
    """A file that cannot be read as examples: the message names the file, the place and the remedy."""
