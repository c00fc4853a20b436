"""Texts of users as they are shown: no character of them steers a terminal, breaks a line or turns a text around."""

import re

# Control characters (C0, DEL, C1), line and paragraph separators, marks and overrides of direction; surrogates, which
# no encoding can write, and what XML forbids besides.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""The text on one line, with hidden characters written as Python writes them.

    >>> print(visible("red\x1b[31m"))
    red\x1b[31m
    """
    return _HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_lines(text: str) -> str:
    """The same, for a text whose line breaks are its own."""
    return "\n".join(visible(line) for line in text.split("\n"))


def visible_json(document: str) -> str:
    """JSON that means the same, with hidden characters written as JSON's escapes."""
    return _HIDDEN.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", document)
