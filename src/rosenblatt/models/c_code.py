"""Pieces of C code. Texts of users come in through `comment` and `string` only, which no text can end."""

import re
from typing import Any

from numpy.typing import NDArray

from rosenblatt.data.errors import DataError


def comment(text: str) -> str:
    """Text that can stand in a C comment: one line, without `*`, `?` (of trigraphs) and a backslash before a newline.

    Escapes are Python's, so that what was there can still be read.
    """
    return "".join(_escaped(c) if c in "*?\\" or not c.isprintable() else c for c in text)


def _escaped(character: str) -> str:
    return {"*": "\\x2a", "?": "\\x3f"}.get(character) or character.encode("unicode_escape").decode()


def string(text: str) -> str:
    """A C string literal of the text's UTF-8; octal escapes cannot run into what follows, as hexadecimal ones can."""
    if "\0" in text:
        raise DataError(f"the class {text!r} has a NUL character, which ends a string in C. Rename the class.")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode()) + '"'


def check_identifier(name: str) -> None:
    """Refuses what cannot begin the names of functions."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise DataError(f"{name!r} is no name for a C function; use letters, digits and underscores.")


def c_name(path: str) -> str:
    """A name for the functions of a header, from the file's; C keeps names with a leading underscore for itself."""
    stem = re.sub(r"\W", "_", path.rsplit("/", 1)[-1].removesuffix(".h"), flags=re.ASCII).lstrip("_")
    return stem if re.match(r"[A-Za-z]", stem) else "model"


def numbers(values: NDArray[Any], kind: str, name: str) -> list[str]:
    """The lines of a constant array."""
    flat = values.ravel().tolist()
    texts = [repr(v) if isinstance(v, float) else str(v) for v in flat] or ["0"]
    lines = [f"static const {kind} {name}[{max(len(flat), 1)}] = {{"]
    lines += ["    " + ", ".join(texts[k : k + 6]) + "," for k in range(0, len(texts), 6)]
    return [*lines, "};"]


def scores_function(name: str, meaning: str, problems: int, body: list[str]) -> list[str]:
    """The function NAME_scores; `body` computes the scores of an x that is complete, and may use p as a counter."""
    return [
        "",
        f"/* {meaning}; all are NaN where x has a gap without a filling */",
        f"#define {name.upper()}_SCORES {problems}",
        f"static inline void {name}_scores(const double *x, double *scores) {{",
        "    long p;",
        f"    if (!{name}_complete(x)) {{",
        f"        for (p = 0; p < {problems}; ++p) scores[p] = NAN;",
        "        return;",
        "    }",
        *body,
        "}",
        "",
    ]
