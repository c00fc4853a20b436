"""Booleans as words: one spelling for all formats."""

_BOOLEANS = {"true": "True", "TRUE": "True", "false": "False", "FALSE": "False"}


def spelling(text: str) -> str:
    """A word as all formats have it: Parquet, CSV of pandas, of R and of SQL differ in how they write Booleans.

    >>> [spelling(word) for word in ("true", "FALSE", "True", "yes")]
    ['True', 'False', 'True', 'yes']
    """
    return _BOOLEANS.get(text, text)
