"""Escapes control characters in user text before it is shown, so that it cannot control a terminal or reorder text."""

import re

# Control characters (C0, DEL, C1), line and paragraph separators, directional marks and overrides, surrogates (which
# cannot be encoded), and the non-characters that XML forbids.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""The text on one line, with hidden characters written as Python escapes.

    >>> print(visible("red\x1b[31m"))
    red\x1b[31m
    """
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_lines(text: str) -> str:
    """The same, but line breaks are kept."""
    return "\n".join(visible(line) for line in text.split("\n"))


def visible_json(document: str) -> str:
    """Equivalent JSON with hidden characters written as JSON escapes."""
    return _HIDDEN.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", document)
