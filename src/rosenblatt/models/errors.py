"""What reading a model file can end with."""


class ModelFileError(ValueError):
    """A file that is no model, or not a whole one; the message names the file, the cause and the remedy."""
