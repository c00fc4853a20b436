"""Booleans as words: one spelling for all formats."""

from collections.abc import Collection

_BOOLEANS = {"true": "True", "TRUE": "True", "false": "False", "FALSE": "False"}
_PAIRS = ({"true", "false"}, {"yes", "no"}, {"y", "n"}, {"t", "f"}, {"on", "off"})


def spelling(text: str) -> str:
    """A word without spaces around it, and with Booleans in one spelling: programs write them differently.

    Some programs write a value as the formula ="00123", so that a spreadsheet keeps it as it is.

    >>> [spelling(word) for word in ("true", "FALSE", "True", " yes ", '="00123"')]
    ['True', 'False', 'True', 'yes', '00123']
    """
    text = text.strip()
    if text.startswith('="') and text.endswith('"') and len(text) > len('=""'):
        text = text[2:-1].strip()
    return _BOOLEANS.get(text, text)


def spellings(text: str) -> list[str]:
    """The words without spaces around them that have this `spelling`.

    >>> spellings("True"), spellings("yes")
    (['True', 'true', 'TRUE'], ['yes'])
    """
    return [text, *(word for word, spelled in _BOOLEANS.items() if spelled == text)]


def are_booleans(texts: Collection[str]) -> bool:
    """Whether the distinct texts of a column are a Boolean pair, such as yes and no.

    >>> are_booleans(["Yes", "no"]), are_booleans(["yes", "maybe"])
    (True, False)
    """
    return len(texts) == 2 and {text.strip().lower() for text in texts} in _PAIRS


def with_decimal_point(word: str) -> list[str]:
    """A whole number as pandas writes it in a column with gaps; nothing for other words.

    >>> with_decimal_point("3"), with_decimal_point("a")
    (['3.0'], [])
    """
    return [f"{word}.0"] if word.removeprefix("-").isdigit() else []
