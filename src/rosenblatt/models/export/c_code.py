"""Building blocks of C code. User text is inserted only by `comment` and `string`, which escape it."""

import re
from typing import Any

from numpy.typing import NDArray

from rosenblatt.data.errors import DataError


def comment(text: str) -> str:
    """Escapes text for a C comment: one line, without `*`, without `?` (trigraphs), without a backslash at line end.

    The escapes are those of Python, so the original text can be recovered.
    """
    return "".join(_escaped(c) if c in "*?\\" or not c.isprintable() else c for c in text)


def _escaped(character: str) -> str:
    return {"*": "\\x2a", "?": "\\x3f"}.get(character) or character.encode("unicode_escape").decode()


def string(text: str) -> str:
    """A C string literal in UTF-8. It uses octal escapes, because hexadecimal escapes have no fixed length."""
    if "\0" in text:
        raise DataError(f"the class {text!r} has a NUL character, which ends a string in C. Rename the class.")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode()) + '"'


def check_identifier(name: str) -> None:
    """Raises `DataError` if the name is not a C identifier."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise DataError(f"{name!r} is no name for a C function; use letters, digits and underscores.")


def c_name(path: str) -> str:
    """The prefix of a header's functions, derived from the file name. C reserves names with a leading underscore."""
    stem = re.sub(r"\W", "_", path.rsplit("/", 1)[-1].removesuffix(".h"), flags=re.ASCII).lstrip("_")
    return stem if re.match(r"[A-Za-z]", stem) else "model"


def numbers(values: NDArray[Any], kind: str, name: str) -> list[str]:
    """The C lines of a constant array."""
    flat = values.ravel().tolist()
    texts = [repr(v) if isinstance(v, float) else str(v) for v in flat] or ["0"]
    lines = [f"static const {kind} {name}[{max(len(flat), 1)}] = {{"]
    lines += ["    " + ", ".join(texts[k : k + 6]) + "," for k in range(0, len(texts), 6)]
    return [*lines, "};"]


def scores_function(name: str, meaning: str, problems: int, body: list[str]) -> list[str]:
    """The function NAME_scores. `body` computes the scores of an x without gaps, and may use p as a loop counter."""
    return [
        "",
        f"/* {meaning}; all are NaN where x has a gap without a fill value */",
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
