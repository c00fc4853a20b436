"""The languages of the sheets. English is the language of the generators; the others translate its texts."""

import re
from typing import Literal, get_args

from rosenblatt.teaching.exercises.translation.german import GERMAN

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_TABLES: dict[Language, dict[str, str]] = {"de": GERMAN}
#: Numbers, names of variables and of classes are the same in every language.
_NEUTRAL = re.compile(r"[-+\d/, ]*|[xyw]\d?|[ABC]")


def in_language(text: str, language: Language) -> str:
    """A text of a sheet in this language.

    >>> in_language("The number of mistakes is {mistakes}.", "de")
    'Die Anzahl der Fehler ist {mistakes}.'
    """
    if language == "en" or _NEUTRAL.fullmatch(text):
        return text
    return _TABLES[language][text]
