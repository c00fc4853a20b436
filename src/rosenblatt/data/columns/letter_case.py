"""Words that differ only in upper and lower case."""

from collections.abc import Iterable

_SHOWN = 5


def differing_in_case(words: Iterable[str]) -> str:
    """The first words that differ only in upper and lower case, quoted; empty if there are none.

    >>> differing_in_case(["yes", "Yes", "no"])
    "'Yes', 'yes'"
    """
    alike: dict[str, list[str]] = {}
    for word in sorted(words):
        alike.setdefault(word.casefold(), []).append(word)
    found = next((group for group in alike.values() if len(group) > 1), [])
    return ", ".join(map(repr, found[:_SHOWN]))
