"""Words of dates: months and weekdays in seven languages, and the names of columns that hold times."""

import re
import unicodedata
from functools import cache

#: The months in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents.
_MONTHS = (
    "january januar janner janvier enero gennaio janeiro januari",
    "february februar fevrier febrero febbraio fevereiro februari",
    "march marz mars marzo marco maart",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august aout agosto augustus",
    "september septembre septiembre setiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
)
#: Abbreviations that are no beginnings of a name: German and Dutch.
_OTHER_ABBREVIATIONS = {"mrz": 3, "mrt": 3}
_SHORTEST_MONTH = 3

#: The weekdays and their usual abbreviations in the same languages.
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed weds thu thur thurs fri sat sun",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim",
    "lunes martes miercoles jueves viernes sabado domingo mie jue vie sab dom",
    "lunedi martedi mercoledi giovedi venerdi sabato domenica gio",
    "segunda terca quarta quinta sexta seg ter qua qui sex",
    "segunda-feira terca-feira quarta-feira quinta-feira sexta-feira",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo",
)

#: Words in the name of a column of times. The last word may also be "at", as in created_at.
_TIME_WORDS = {
    "time", "timestamp", "date", "datetime", "ts", "epoch", "unix", "unixtime", "created", "updated", "modified",
}  # fmt: skip


def month_of(name: str) -> int:
    """The number of a month by its name or a beginning of it of at least three letters; 0 for another word.

    >>> [month_of(name) for name in ("Sept", "März", "juillet", "août", "mrt")]
    [9, 3, 7, 8, 3]
    >>> [month_of(name) for name in ("Monday", "Marathon", "jui", "Ma")]
    [0, 0, 0, 0]
    """
    return _months().get(_plain(name), 0)


@cache
def _months() -> dict[str, int]:
    found: dict[str, set[int]] = {}
    for k, names in enumerate(_MONTHS, 1):
        for name in names.split():
            for length in range(_SHORTEST_MONTH, len(name) + 1):
                found.setdefault(name[:length], set()).add(k)
    return {word: min(months) for word, months in found.items() if len(months) == 1} | _OTHER_ABBREVIATIONS


def is_weekday(word: str) -> bool:
    """Whether a word is a weekday or the usual abbreviation of one.

    >>> [is_weekday(word) for word in ("Thurs", "miércoles", "Mo", "Sold", "Died")]
    [True, True, True, False, False]
    """
    return _plain(word) in _weekdays()


@cache
def _weekdays() -> frozenset[str]:
    return frozenset(word for words in _WEEKDAYS for word in words.split())


def _plain(word: str) -> str:
    """The word in lower case, without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(sign))


def names_a_time(name: str) -> bool:
    """Whether the name of a column says that it holds times.

    >>> [names_a_time(name) for name in ("createdAt", "event_time", "TIMESTAMP", "customer", "at_home", "estimate")]
    [True, True, True, False, False, False]
    """
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", name)]
    return not _TIME_WORDS.isdisjoint(words) or words[1:][-1:] == ["at"]
